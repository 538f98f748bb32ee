// Package cli is the view in a terminal: subcommands that ask a running deskbell
// over its socket and print what it says.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/alecthomas/kong"
)

// Env is what the commands have of the world around them.
type Env struct {
	Stdout, Stderr io.Writer
	Socket         string // of the running deskbell
	Version        string
	Now            func() time.Time
	Getenv         func(string) string
	Context        context.Context // ends the commands that follow; nil: an interrupt does
	// More are further commands: pointers to structs with a field for each, tagged
	// `cmd:""`, whose types have a method Run(Env) error.
	More []any

	connect func(context.Context) (net.Conn, error) // in place of Socket
	screen  *screen                                 // in place of what Stdout is
}

// grammar is the command line. Each command has its Run.
type grammar struct {
	Status   statusCmd  `cmd:"" help:"Show what each session is doing."`
	Why      whyCmd     `cmd:"" help:"Explain the status of a session."`
	Open     openCmd    `cmd:"" help:"Go to the terminal of a session."`
	Next     nextCmd    `cmd:"" help:"Go to the next session that needs you."`
	New      newCmd     `cmd:"" help:"Open a terminal with a new session in it."`
	Label    labelCmd   `cmd:"" help:"Give a session a label."`
	Labels   labelsCmd  `cmd:"" help:"List, add and remove labels."`
	Room     roomCmd    `cmd:"" help:"Put a session in a room, with others."`
	Rename   renameCmd  `cmd:"" help:"Give a session a title of your own."`
	Pin      turnCmd    `cmd:"" help:"Keep a session on top, and awake."`
	Mute     muteCmd    `cmd:"" help:"Let a session, a folder or all of them be silent."`
	Unmute   unmuteCmd  `cmd:"" help:"Take a mute back."`
	Alert    turnCmd    `cmd:"" help:"Have a session ring loudly, and again until you answer."`
	Share    turnCmd    `cmd:"" help:"Show a session to your other devices."`
	Handsoff turnCmd    `cmd:"" help:"Let nothing steer a session or put it to sleep."`
	Central  turnCmd    `cmd:"" help:"Let a session steer others."`
	Rules    rulesCmd   `cmd:"" help:"List the rules a status is read by. Works without a running deskbell."`
	Record   recordCmd  `cmd:"" help:"Write down what deskbell is told, until interrupted."`
	Version  versionCmd `cmd:"" help:"Print the version. Works without a running deskbell."`
	kong.Plugins
}

const about = `Shows in the tray, and here, which coding-agent sessions need you and which work.

Without a command it starts the tray icon. Commands that name a session take its
id (s7), the beginning of the tool's own session id, or a part of its title or project.`

// Exit statuses.
const (
	ok     = 0
	failed = 1
	misuse = 2 // the command line makes no sense
)

// Misuse is an error of whoever typed the command: exit status 2.
type Misuse string

func (m Misuse) Error() string { return string(m) }

// Run carries out the command args. handled is false where args name no command:
// then deskbell itself is meant.
func Run(args []string, in Env) (code int, handled bool) {
	if len(args) == 0 {
		return ok, false
	}
	if in.Now == nil {
		in.Now = time.Now
	}
	if in.Getenv == nil {
		in.Getenv = os.Getenv
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	err := run(args, in)
	if err == nil {
		return ok, true
	}
	var e exit
	if errors.As(err, &e) {
		if err = e.error; err == nil {
			return e.status, true
		}
	}
	fmt.Fprintf(in.Stderr, "deskbell: %s\n", err)
	if e.error != nil {
		return e.status, true
	}
	var m Misuse
	if errors.As(err, &m) {
		return misuse, true
	}
	return failed, true
}

func run(args []string, in Env) error {
	g := grammar{Plugins: in.More}
	helped := false
	k, err := kong.New(&g,
		kong.Name("deskbell"),
		kong.Description(about),
		kong.Writers(in.Stdout, in.Stderr),
		kong.Exit(func(int) { helped = true }), // kong goes on after --help as if nothing had been said
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Bind(in),
	)
	if err != nil {
		return err
	}
	ctx, err := k.Parse(args)
	if helped {
		return nil
	}
	if err != nil {
		return Misuse(hint(err.Error(), args))
	}
	return ctx.Run()
}

// hint adds to what is wrong with the command line where to read on.
func hint(wrong string, args []string) string {
	where := "deskbell --help"
	if known(args[0]) {
		where = "deskbell " + args[0] + " --help"
	}
	return fmt.Sprintf("%s (see `%s`)", wrong, where)
}

func known(command string) bool {
	switch command {
	case "status", "why", "open", "next", "rules", "record", "replay", "log", "version", "hooks", "config", "host", "new",
		"label", "labels", "room", "rename", "pin", "mute", "unmute", "alert", "share", "handsoff", "central":
		return true
	}
	return false
}
