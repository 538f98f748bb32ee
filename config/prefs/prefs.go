// Package prefs turns a configuration into what the views go by.
package prefs

import (
	"slices"
	"time"

	"deskbell/config"
	"deskbell/notify"
	"deskbell/tray"
)

// Notify is what you asked for about notices, beside what you asked for while deskbell
// ran.
func Notify(c *config.Config, w notify.Words) notify.Prefs {
	n := &c.Notify
	w.Details = n.Details
	p := notify.Prefs{
		Guesses: n.Guesses, MachineTurns: n.MachineTurns, MinTurn: n.MinTurn, NoSound: !n.Sound,
		Remind: n.Remind, RemindMost: n.RemindMost, Words: w,
	}
	if n.Remind == 0 || n.RemindMost == 0 {
		p.Remind = -time.Second // it is told once
	}
	for _, q := range n.Quiet {
		p.Quiet = append(p.Quiet, notify.Hours(q))
	}
	for _, r := range c.Rules {
		p.Rules = append(p.Rules, notify.Rule{
			Holds: r.Dir.Has, Mute: r.Mute, Alert: r.Alert, Off: off(r.Kinds), MinTurn: &r.MinTurn, Details: r.Details,
		})
	}
	// A rule's kinds stand in place of those of [notify], so these are a rule as well, for
	// the sessions that no other is about.
	p.Rules = append(p.Rules, notify.Rule{Off: off(n.Kinds)})
	return p
}

// off are the kinds that are not told.
func off(told []string) map[notify.Kind]bool {
	set := map[notify.Kind]bool{}
	for _, k := range []notify.Kind{notify.Approval, notify.Input, notify.Waiting, notify.Trouble} {
		if !slices.Contains(told, string(k)) {
			set[k] = true
		}
	}
	return set
}

// Tray is what the menu shows of a configuration, and of what is wrong with it.
func Tray(s config.State) tray.Prefs {
	n := &s.Config.Notify
	p := tray.Prefs{
		LoudGuesses: n.Guesses == "always",
		MinTurn:     n.MinTurn, NoTurns: !slices.Contains(n.Kinds, string(notify.Waiting)),
	}
	for _, wrong := range s.Problems {
		p.Notes = append(p.Notes, wrong.Short())
	}
	return p
}
