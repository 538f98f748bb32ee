// Package config reads what you asked of deskbell in a file, follows the file, and
// writes a sample of it. One table lists its keys.
package config

import (
	"time"

	"deskbell/engine"
)

// Config is everything that can be set. Words are those of the file.
type Config struct {
	Limits   engine.Limits
	Notify   Notify
	Tray     Tray
	Terminal Terminal
	Tools    map[string]Tool // every known CLI, by its name
	Rules    []Rule          // in the order of the file: the first that fits applies
}

// Notify is [notify].
type Notify struct {
	Guesses      string // "last-resort" or "always"
	MachineTurns bool
	MinTurn      time.Duration
	Details      string   // "full", "tool" or "none"
	Kinds        []string // those that are told: "approval", "input", "waiting", "trouble"
	Remind       time.Duration
	RemindMost   int
	Sound        bool
	Quiet        []Quiet
	Command      []string
}

// Tray is [tray].
type Tray struct {
	LeftClick string // "menu" or "next"
}

// Terminal is [terminal].
type Terminal struct {
	Command []string // what opens one; empty: what is found
}

// Tool is [tools.<name>].
type Tool struct {
	Enabled bool
	Home    string   // one more home, absolute; "": none
	Command []string // what starts it; empty: its name
}

// Rule is one of [[rules]]. What it leaves out is as in [notify].
type Rule struct {
	Dir     Dir
	Mute    bool
	Alert   bool
	Kinds   []string
	MinTurn time.Duration
	Details string
}

// Quiet is a time of the week.
type Quiet struct {
	Days     [7]bool       // on which it begins, by [time.Weekday]
	From, To time.Duration // since midnight; To is on the next day where it is not later than From
}

// World is what a file is read in.
type World struct {
	Tools []string                 // the CLIs that are known, by name
	Home  string                   // of the user; "~" stands for it
	Real  func(path string) string // resolves links; nil: there are none
}

// Default is what holds without a file.
func Default(w World) Config {
	c, problems := Parse("", nil, w)
	if len(problems) > 0 {
		panic(problems[0].String()) // the table contradicts itself; a test reads all of it
	}
	return c
}
