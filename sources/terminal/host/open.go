package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"deskbell/sources"
)

// opens is how long a terminal may take to come to be. Some draw in software, and take
// seconds.
const opens = 8 * time.Second

// Args are the arguments of deskbell that host such a terminal.
func (o Options) Args() []string {
	out := []string{"host"}
	if o.ID != "" {
		out = append(out, "--terminal="+o.ID)
	}
	if o.Dir != "" {
		out = append(out, "--dir="+o.Dir)
	}
	if o.Stay {
		out = append(out, "--stay")
	}
	if len(o.Argv) > 0 {
		out = append(append(out, "--"), o.Argv...)
	}
	return out
}

// Open opens a hosted terminal and returns when it is there. window opens a window with
// argv in it; what it returns tells how the program that does so ended. Where terminals
// cannot be hosted o runs in the window as it is.
func (s *Source) Open(ctx context.Context, o Options, window func(argv []string) (ended <-chan error, err error)) error {
	argv := o.Argv
	if Hosts {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		argv = append([]string{self}, o.Args()...)
	}
	ended, err := window(argv)
	if err != nil || !Hosts {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, opens, errNoWindow)
	defer cancel()
	there := make(chan error, 1)
	go func() { there <- s.Await(ctx, o.ID) }()
	for {
		select {
		case err := <-there:
			return err
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("no terminal was opened: %w", err)
			}
			ended = nil // another process has the window
		}
	}
}

// Name makes a name for a terminal that is to be opened; "": it will not be hosted.
func Name() string {
	if !Hosts {
		return ""
	}
	return NewID()
}

// places are where tools are installed by users, and what starts a desktop may not know of.
var places = []string{".local/bin", "bin", ".npm-global/bin", ".bun/bin", "/usr/local/bin", "/opt/homebrew/bin"}

// Command is what starts a tool: own, if you said so, or else its program.
func Command(tool sources.CLI, own []string) ([]string, error) {
	argv := own
	if len(argv) == 0 {
		argv = []string{tool.Binary()}
	}
	path, err := exec.LookPath(argv[0])
	if home, homeless := os.UserHomeDir(); err != nil && homeless == nil && !filepath.IsAbs(argv[0]) {
		for _, dir := range places {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(home, dir)
			}
			if p, wrong := exec.LookPath(filepath.Join(dir, argv[0])); wrong == nil {
				path, err = p, nil
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: install it, or say in the configuration what starts it, [tools.%s] command", err, tool.Name)
	}
	return append([]string{path}, argv[1:]...), nil
}

var errNoWindow = errors.New("the terminal was started, and nothing came of it: see whether it opens by itself, or choose another with `[terminal] command` in the configuration")
