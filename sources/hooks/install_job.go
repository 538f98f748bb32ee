package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// installedIn returns the events that text has an entry of ours for.
func (t target) installedIn(text []byte) (names []string) {
	if t.Plugin != "" {
		p, _ := t.pluginIn(text)
		return p.events
	}
	_, body := unmarked(text)
	root, err := parseSettings(body)
	if err != nil {
		return nil
	}
	for _, f := range t.find(root) {
		names = append(names, f.name)
	}
	return names
}

// backup is the path of the file as it was before us.
func backup(settings string) string { return settings + ".deskbell-backup" }

// former returns what text, a backup, was before us: it may be of a time when there
// were entries of ours already. nil: there was no file.
func (t target) former(text []byte) []byte {
	if text == nil {
		return nil
	}
	was, err := t.uninstalled(text, nil)
	if err != nil {
		return nil
	}
	return was
}

// job is the change of the settings of one CLI.
type job struct {
	target
	place
	makes    func(old []byte) ([]byte, error)
	old, out []byte   // as it would be now
	left     []string // events that are not known here
	sure     bool     // a version of the CLI told so
}

// job returns what would change.
func (in Installer) job(t target, d Density, install bool) (job, error) {
	p, err := in.place(t)
	if err != nil {
		return job{}, err
	}
	j := job{target: t, place: p}
	var known []string
	if install {
		known, j.sure = in.known(t)
	}
	j.makes = func(old []byte) ([]byte, error) {
		if t.Plugin != "" {
			w, _ := in.wish(t, old, d, known, j.sure)
			return t.replugged(old, in.client(), w.events, install)
		}
		was, err := read(backup(p.path))
		if err != nil {
			return nil, err
		}
		was = t.former(was)
		if !install {
			if old == nil {
				return nil, nil
			}
			return t.uninstalled(old, was)
		}
		if len(t.installedIn(old)) == 0 {
			was = old
		}
		w, _ := in.wish(t, old, d, known, j.sure)
		return t.installed(old, was, w)
	}
	j.old, j.out, err = p.change(j.makes)
	if install {
		_, j.left = in.wish(t, j.old, d, known, j.sure)
	}
	if err == nil && !same(j.old, j.out) {
		err = p.writable()
	}
	return j, err
}

// keep makes the backup of old before it is replaced.
func (j job) keep(old []byte) error {
	if j.Plugin != "" { // the file is ours, and none was there before
		return os.MkdirAll(filepath.Dir(j.real), 0o700)
	}
	path := backup(j.path)
	have, err := read(path)
	if err != nil {
		return err
	}
	if len(j.installedIn(old)) > 0 && have != nil {
		return nil // the first bytes are in there
	}
	if old == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.MkdirAll(filepath.Dir(j.real), 0o700)
	}
	like, err := os.Stat(j.real)
	if err != nil {
		return err
	}
	temp, err := written(filepath.Dir(path), filepath.Base(path), old, like)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.Rename(temp, path)
}

// do carries the change out.
func (j job) do(install bool) error {
	if err := j.update(j.makes, j.keep); err != nil || install {
		return err
	}
	if j.Plugin != "" {
		_ = os.Remove(filepath.Dir(j.real)) // if nothing else is in it
		return nil
	}
	// What is the same as the backup needs none.
	path := backup(j.path)
	have, err := read(path)
	if err != nil || have == nil {
		return err
	}
	now, err := read(j.real)
	if err != nil || !same(now, j.former(have)) {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // another of us may have been faster
		return err
	}
	return nil
}

// unknown tells which events are left out, and why.
func (j job) unknown() string {
	why := "no " + j.title + " was found here that tells whether it knows them, and one that does not refuses its settings"
	if j.sure {
		why = "the " + j.title + " here does not know them, and would refuse its settings"
	}
	return fmt.Sprintf("Left out: %s (%s)\n", strings.Join(j.left, ", "), why)
}

// did tells what was done.
func (j job) did(install bool) string {
	what := "hooks removed"
	if install {
		what = "hooks installed"
	}
	if _, err := os.Stat(backup(j.path)); err == nil {
		what += ", the file as it was before is " + backup(j.path)
	}
	return j.path + ": " + what
}
