package terminal

import (
	"context"
	"fmt"
	"strings"
)

// script is what AppleScript brings a terminal's tab to the front. What is looked for
// goes to it as an argument, never as a part of its text.
type script struct {
	name  string
	lines []string
}

// Both say "gone" where no tab has the terminal.
var (
	iTerm = script{"iTerm", []string{
		`on run argv`,
		`tell application id "com.googlecode.iterm2"`,
		`repeat with w in windows`,
		`repeat with t in tabs of w`,
		`repeat with s in sessions of t`,
		`if tty of s is item 1 of argv then`,
		`select w`,
		`select t`,
		`select s`,
		`activate`,
		`return "there"`,
		`end if`,
		`end repeat`,
		`end repeat`,
		`end repeat`,
		`end tell`,
		`return "gone"`,
		`end run`,
	}}
	appleTerminal = script{"Terminal", []string{
		`on run argv`,
		`tell application id "com.apple.Terminal"`,
		`repeat with w in windows`,
		`repeat with t in tabs of w`,
		`if tty of t is item 1 of argv then`,
		`set miniaturized of w to false`,
		`set selected of t to true`,
		`set frontmost of w to true`,
		`activate`,
		`return "there"`,
		`end if`,
		`end repeat`,
		`end repeat`,
		`end tell`,
		`return "gone"`,
		`end run`,
	}}
)

// findScripted is about the terminals of macOS. A script makes the system ask whether we
// may send it, so that none is run unless you ask for a pane: whether you look at it is
// not known.
func findScripted(s script) func(context.Context, *Terminals, Pane) (spot, error) {
	return func(_ context.Context, t *Terminals, p Pane) (spot, error) {
		if p.TTY == "" {
			return spot{}, blocked("it has no terminal: go there yourself")
		}
		return spot{shown: true, bring: func(ctx context.Context) (*Pane, error) { return nil, s.run(ctx, t, p.TTY) }}, nil
	}
}

// run runs the script with arguments.
func (s script) run(ctx context.Context, t *Terminals, args ...string) error {
	argv := []string{"osascript"}
	for _, line := range s.lines {
		argv = append(argv, "-e", line)
	}
	says, err := t.run(ctx, nil, append(argv, args...)...)
	if err != nil {
		return fmt.Errorf("%s did not go there, allow deskbell to control it in System Settings, Privacy & Security, Automation: %w", s.name, err)
	}
	if strings.TrimSpace(says) != "there" {
		return blocked("no tab of %s has its terminal any more: look for the session yourself", s.name)
	}
	return nil
}
