package sources

import "deskbell/engine"

// CLIs is a list of CLIs, asked by name.
type CLIs []CLI

// find is the CLI of that name; an unknown one cannot do anything.
func (l CLIs) find(name string) CLI {
	for _, c := range l {
		if c.Name == name {
			return c
		}
	}
	return CLI{Name: name, Title: name}
}

// Names are what the CLIs are called in configuration and API.
func (l CLIs) Names() (names []string) {
	for _, c := range l {
		names = append(names, c.Name)
	}
	return names
}

// Title is what a CLI is called in sentences.
func (l CLIs) Title(name string) string { return l.find(name).Title }

// Cure says how to have a witness tell something of the CLI's sessions; "": not known.
func (l CLIs) Cure(name string, w engine.Witness) string { return l.find(name).Cure[w] }

// Runs reports whether a process is a run of the CLI.
func (l CLIs) Runs(name string, p Proc) bool {
	c := l.find(name)
	if c.Runs == nil {
		return false
	}
	_, ok := c.Runs(p)
	return ok
}
