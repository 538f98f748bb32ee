package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Installer changes and checks the hooks of the tools. Tool "" means those that are
// here, density "" the one there is.
type Installer interface {
	// Plan returns a change as text, and what carries it out and tells what it did.
	// nil: there is nothing to do, as the text tells.
	Plan(tool, density string, install bool) (show string, apply func() (string, error), err error)
	// Check returns a report. healthy: there is nothing to do.
	Check(tool, density string) (text string, healthy bool, err error)
}

// Hooks is the command hooks, for [Env.More].
type Hooks struct {
	Hooks hooksCmd `cmd:"" help:"Install, remove or check the hooks by which agents report to deskbell. Works without a running deskbell."`
}

type hooksCmd struct {
	Install   hooksInstall `cmd:"" help:"Install the hooks, or bring them up to date."`
	Uninstall hooksRemove  `cmd:"" help:"Remove the hooks. The file becomes again what it was."`
	Status    hooksStatus  `cmd:"" help:"Check the hooks. Exit status 1 if there is something to do."`
}

type hooksInstall struct {
	hooksWorld
	Tool    string `placeholder:"TOOL" help:"Which tool; without it those that are found here."`
	Density string `enum:",low,medium,high" default:"" placeholder:"DENSITY" help:"How much is reported: low (turns and permission prompts), medium (and tools and sub-agents) or high (and teams). Without it what is installed, or medium."`
	Yes     bool   `short:"y" help:"Do not ask."`
}

type hooksRemove struct {
	hooksWorld
	Tool string `placeholder:"TOOL" help:"Which tool; without it those that are found here."`
	Yes  bool   `short:"y" help:"Do not ask."`
}

type hooksStatus struct {
	hooksWorld
	Tool    string `placeholder:"TOOL" help:"Which tool; without it those that are found here."`
	Density string `enum:",low,medium,high" default:"" placeholder:"DENSITY" help:"The density there should be; without it the one there is."`
}

// hooksWorld is what these commands have of the world.
type hooksWorld struct {
	open  func() (Installer, error)
	stdin io.Reader
	asks  bool // stdin may be a user
}

// NewHooks returns the command hooks, which works with what open returns and asks
// whoever sits at stdin.
func NewHooks(open func() (Installer, error), stdin *os.File) *Hooks {
	w := hooksWorld{open: open, stdin: stdin}
	if info, err := stdin.Stat(); err == nil {
		w.asks = info.Mode()&os.ModeCharDevice != 0 // a terminal, or one that gives no answer
	}
	return &Hooks{hooksCmd{hooksInstall{hooksWorld: w}, hooksRemove{hooksWorld: w}, hooksStatus{hooksWorld: w}}}
}

// Help is shown below the usage.
func (hooksInstall) Help() string {
	return "Shows the change of the tool's settings first. On a terminal it asks; else, without --yes, it changes nothing and exits with status 2."
}

// Run installs the hooks.
func (h hooksInstall) Run(in Env) error { return h.change(in, h.Tool, h.Density, true, h.Yes) }

// Help is shown below the usage.
func (hooksRemove) Help() string { return hooksInstall{}.Help() }

// Run removes the hooks.
func (h hooksRemove) Run(in Env) error { return h.change(in, h.Tool, "", false, h.Yes) }

// Run checks the hooks.
func (h hooksStatus) Run(in Env) error {
	with, err := h.open()
	if err != nil {
		return err
	}
	text, healthy, err := with.Check(h.Tool, h.Density)
	if err != nil {
		return err
	}
	if err := put(in.Stdout, []byte(text)); err != nil {
		return err
	}
	if !healthy {
		return errors.New("the hooks need attention")
	}
	return nil
}

// errUnanswered is when nobody is there to agree.
const errUnanswered = Misuse("nothing was changed: --yes does what is shown above")

// change shows a change, and makes it if the user agrees.
func (h hooksWorld) change(in Env, tool, density string, install, yes bool) error {
	with, err := h.open()
	if err != nil {
		return err
	}
	show, apply, err := with.Plan(tool, density, install)
	if err != nil {
		return err
	}
	if err := put(in.Stdout, []byte(show)); err != nil || apply == nil {
		return err
	}
	if !yes {
		if !h.asks || !in.output().terminal {
			return errUnanswered
		}
		if _, err := fmt.Fprint(in.Stdout, "Do it? [y/N] "); err != nil {
			return err
		}
		answer, err := bufio.NewReader(h.stdin).ReadString('\n')
		if err != nil && answer == "" {
			fmt.Fprintln(in.Stdout)
			return errUnanswered
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
		default:
			return errors.New("nothing was changed")
		}
	}
	did, err := apply()
	if did != "" {
		err = errors.Join(put(in.Stdout, []byte(did)), err)
	}
	return err
}
