// Command drive plays one scenario with the real Claude Code CLI and a deskbell,
// compares what deskbell said with what the scenario expects, and prints one row
// of a table. It must run inside the cage (see cage beside it).
//
//	drive -cli CLAUDE -deskbell DESKBELL -dir SCRATCH scenarios/NAME.txt
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// hosting: each CLI runs in a terminal that deskbell hosts, inside its pane.
var hosting bool

func main() {
	name := flag.String("tool", "claude", "which CLI that is: claude, codex")
	cli := flag.String("cli", "", "the CLI's executable")
	deskbell := flag.String("deskbell", "", "the deskbell executable")
	dir := flag.String("dir", "", "an existing folder, the scratch folder is made in it")
	hooks := flag.String("hooks", "", "density of the hooks to install; none if empty")
	flag.BoolVar(&hosting, "host", false, "open the CLI in a terminal that deskbell hosts")
	version := flag.String("version", "", "of the CLI; the newest if empty")
	asking := flag.String("asking", "manual", "what the CLI calls the permission mode that asks; older ones: default")
	flag.Parse()
	s, err := open(flag.Arg(0), *version)
	if err != nil {
		fmt.Fprintln(os.Stderr, "drive:", err)
		os.Exit(2)
	}
	if s.Skipped != "" {
		fmt.Printf("%-18s |  |  |  | skipped: %s\n", s.Name, s.Skipped)
		return
	}
	if tools[*name] == nil {
		fmt.Fprintf(os.Stderr, "drive: no tool is called %q\n", *name)
		os.Exit(2)
	}
	v := drive(s, tools[*name], *cli, *deskbell, *hooks, *asking, filepath.Join(*dir, s.Name))
	fmt.Println(v.row(s.Name))
	if len(v.Wrong) > 0 {
		os.Exit(1)
	}
}

// open reads a scenario as it is for a version of the CLI.
func open(path, text string) (s *scenario, err error) {
	var v version
	if text != "" {
		v, err = readVersion(text)
	}
	if err != nil {
		return nil, err
	}
	return parse(path, v)
}

// drive plays the scenario and judges what was seen.
func drive(s *scenario, t *tool, cli, deskbell, hooks, asking, root string) verdict {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := os.Mkdir(root, 0o755); err != nil {
		return verdict{Wrong: []string{err.Error()}}
	}
	w, err := build(ctx, root, t, cli, deskbell, hooks, asking, s)
	if err != nil {
		return verdict{Wrong: []string{err.Error()}}
	}
	var stuck []string
	for _, st := range s.Steps {
		if err := w.play(st); err != nil {
			stuck = append(stuck, strings.ReplaceAll(err.Error(), "\n", " "))
			break
		}
	}
	time.Sleep(1500 * time.Millisecond) // a last notice has its settling time
	seen := witnessed{Cards: w.bell.seen(), PIDs: map[string]int{}, Marks: w.marks}
	seen.Rings, seen.Open = w.notes.tally()
	for name, p := range w.panes {
		seen.PIDs[name] = p.pid
	}
	v := judge(s, seen)
	v.Wrong = append(append(stuck, v.Wrong...), w.remove(w.hooking)...)
	replayed, err := w.tape.replay()
	if err != nil {
		v.Wrong = append(v.Wrong, err.Error())
	} else {
		v.Wrong = append(v.Wrong, differ(w.bell.changed(), replayed)...)
	}
	if !w.bell.alive() {
		v.Wrong = append(v.Wrong, "deskbell died, see deskbell.log")
	}
	w.log.now("END", "%s", v.row(s.Name))
	return v
}
