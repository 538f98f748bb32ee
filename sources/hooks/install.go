package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"deskbell/sources"
)

// Installer puts our hooks into the settings of CLIs, and takes them out.
type Installer struct {
	Home   string // of the user
	Self   string // this program: the client is a copy of it
	Getenv func(string) string

	targets []target
	placeOf func(string) (place, error) // in a test
}

// NewInstaller returns that of the user whose process this is, for the CLIs that can be
// told of hooks.
func NewInstaller(clis []sources.CLI) (Installer, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Installer{}, fmt.Errorf("no home folder: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return Installer{}, fmt.Errorf("this program's own file: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return Installer{Home: home, Self: self, Getenv: os.Getenv, targets: targetsOf(clis)}, nil
}

// Dir returns the folder of the client, which need not exist.
func (in Installer) Dir() string {
	return filepath.Join(dataDir(in.Home, in.Getenv), "deskbell", "bin")
}

// client returns the path of the client.
func (in Installer) client() string { return filepath.Join(in.Dir(), executable) }

// home returns the folder of a CLI.
func (in Installer) home(t target) string {
	if dir := in.Getenv(t.homeEnv); t.homeEnv != "" && dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return filepath.Join(abs, t.homeIn)
		}
	}
	return filepath.Join(in.Home, t.home)
}

// place returns where the settings of a CLI are.
func (in Installer) place(t target) (place, error) {
	find := in.placeOf
	if find == nil {
		find = placeOf
	}
	return find(filepath.Join(in.home(t), t.File))
}

// chosen returns the CLIs meant by tool. "": those there are here that may be meant
// without being named.
func (in Installer) chosen(tool string) ([]target, error) {
	var names []string
	var all []target
	for _, t := range in.targets {
		names = append(names, t.name)
		if tool == t.name {
			return []target{t}, nil
		}
		if _, err := os.Stat(in.home(t)); err == nil && !t.Named {
			all = append(all, t)
		}
	}
	switch {
	case tool != "":
		return nil, fmt.Errorf("there are no hooks for %q, only for %s", tool, strings.Join(names, ", "))
	case len(all) == 0:
		return nil, fmt.Errorf("none of the tools was found here: name one with --tool (%s)", strings.Join(names, ", "))
	}
	return all, nil
}

// wish is what the settings old of t shall have at a density, and which of its events
// are left out as they are not known here. Density "" is the one they have.
func (in Installer) wish(t target, old []byte, d Density, known []string, sure bool) (w wish, left []string) {
	has := t.installedIn(old)
	switch {
	case d != "":
	case len(has) > 0:
		d = t.densityOf(has)
	default:
		d = Medium
	}
	if !sure {
		known = slices.Concat(known, has) // it was found when those were installed
	}
	w.command = func(event string) string { return t.command(in.client(), event, onWindows) }
	for _, event := range t.at(d) {
		if slices.Contains(known, event) {
			w.events = append(w.events, event)
		} else {
			left = append(left, event)
		}
	}
	return w, left
}

// Plan returns the change that installing (or else removing) the hooks of a tool
// means, as text, and what carries it out and tells what it did. nil: there is
// nothing to do, as the text tells. Tool "" means those that are here, density ""
// the one there is.
func (in Installer) Plan(tool, density string, install bool) (show string, apply func() (string, error), err error) {
	d := Density(density)
	if d != "" && !slices.Contains(densities, d) {
		return "", nil, fmt.Errorf("there is no density %q: low, medium or high", density)
	}
	if install && !utf8.ValidString(in.client()) {
		return "", nil, fmt.Errorf("%q is no valid text: set XDG_DATA_HOME to a folder whose name is", in.Dir())
	}
	chosen, err := in.chosen(tool)
	if err != nil {
		return "", nil, err
	}
	var jobs []job
	var parts, fine, notes []string
	for _, t := range chosen {
		j, err := in.job(t, d, install)
		if err != nil {
			return "", nil, fmt.Errorf("nothing was changed: %w", err)
		}
		if len(j.left) > 0 {
			notes = append(notes, j.unknown())
		}
		if same(j.old, j.out) {
			fine = append(fine, j.path+": nothing to change\n")
			continue
		}
		jobs = append(jobs, j)
		parts = append(parts, diff(j.path, j.old, j.out))
		if install && t.News != "" {
			notes = append(notes, t.News)
		}
	}
	copies := install && !current(in.Self, in.client())
	if copies {
		parts = append(parts, fmt.Sprintf("A copy of this program becomes %s\n", in.client()))
	}
	if len(parts) == 0 {
		return strings.Join(append(fine, notes...), ""), nil, nil
	}
	return strings.Join(append(parts, notes...), ""), func() (string, error) { return in.apply(jobs, install, copies) }, nil
}

// apply carries jobs out, the client first: no entry is without it at any time.
func (in Installer) apply(jobs []job, install, copies bool) (string, error) {
	var did []string
	if copies {
		if err := copied(in.Self, in.client()); err != nil {
			return "", err
		}
		did = append(did, in.client()+": a copy of this program")
	}
	for _, j := range jobs {
		if err := j.do(install); err != nil {
			return strings.Join(did, "\n"), err
		}
		did = append(did, j.did(install))
	}
	if !install && len(jobs) > 0 {
		did = append(did, in.client()+" stays: sessions and settings elsewhere may use it")
	}
	return strings.Join(did, "\n"), nil
}
