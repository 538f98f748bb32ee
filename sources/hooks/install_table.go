package hooks

import (
	"slices"

	"deskbell/sources"
)

// Density is how much of what a CLI can report is asked for.
type Density = sources.Density

// The densities, each with the events of those before it.
const (
	Low    = sources.Low
	Medium = sources.Medium
	High   = sources.High
)

var densities = []Density{Low, Medium, High}

// target is a CLI whose settings can hold our hooks.
type target struct {
	name, title, program  string
	homeEnv, home, homeIn string // of the settings
	sources.Install
}

// targetsOf are those of the CLIs that can.
func targetsOf(clis []sources.CLI) (all []target) {
	for _, c := range clis {
		if c.Install == nil {
			continue
		}
		t := target{c.Name, c.Title, c.Binary(), c.HomeEnv, c.Home, c.HomeIn, *c.Install}
		if t.HomeEnv != "" {
			t.homeEnv, t.home, t.homeIn = t.HomeEnv, t.Home, t.HomeIn
		}
		all = append(all, t)
	}
	return all
}

// steps are the events that each density adds to those before it.
func (t target) steps() [3][]string { return [...][]string{t.Low, t.Medium, t.High} }

// at returns the events of a density.
func (t target) at(d Density) (names []string) {
	for i, step := range t.steps() {
		if i <= slices.Index(densities, d) {
			names = append(names, step...)
		}
	}
	return names
}

// densityOf returns the least density that has all of events, of which the CLI may
// not know some any more.
func (t target) densityOf(events []string) Density {
	least := Low
	for i, step := range t.steps() {
		if slices.ContainsFunc(step, func(name string) bool { return slices.Contains(events, name) }) {
			least = densities[i]
		}
	}
	return least
}

// key is the member of an entry that holds the command.
func (t target) key() string {
	if onWindows && t.CommandWindows != "" {
		return t.CommandWindows
	}
	return t.Command
}

// entry is the hook entry that runs command.
func (t target) entry(command string) []pair {
	return slices.Concat(t.Before, sources.Members(t.key(), command), t.After)
}

// group is what the array of an event gets for command.
func (t target) group(command string) []pair {
	if t.Flat {
		return t.entry(command)
	}
	return sources.Members("hooks", []any{t.entry(command)})
}
