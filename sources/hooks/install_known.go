package hooks

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A CLI that meets the name of an event it does not know stops at its start, and
// older versions ignore the whole settings file then (2.0.76, 2.1.332). Which names
// a version knows is a list in its program.

// known returns which events of t all of its versions here know. sure: a version
// was found and told; else it is those that each version knows.
func (in Installer) known(t target) (events []string, sure bool) {
	if t.List == nil {
		return t.at(High), true
	}
	events = slices.DeleteFunc(t.at(High), func(name string) bool { return slices.Contains(t.Late, name) })
	for _, path := range in.programs(t) {
		knows := listed(path, t.List)
		switch {
		case knows == nil: // a wrapper
		case !sure:
			events, sure = knows, true
		default:
			events = slices.DeleteFunc(events, func(e string) bool { return !slices.Contains(knows, e) })
		}
	}
	return events, sure
}

// programs returns the files of the CLI that are here: those a shell would run, and
// those that run.
func (in Installer) programs(t target) (paths []string) {
	var candidates []string
	for _, dir := range filepath.SplitList(in.Getenv("PATH")) {
		candidates = append(candidates, filepath.Join(dir, t.program), filepath.Join(dir, t.program+".exe"))
	}
	for _, rel := range t.Programs {
		candidates = append(candidates, filepath.Join(in.Home, rel))
	}
	sessions, _ := filepath.Glob(filepath.Join(in.home(t), t.Sessions))
	for _, file := range sessions {
		pid := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		candidates = append(candidates, filepath.Join("/proc", pid, "exe")) // Linux only
	}
	for _, path := range candidates {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || slices.Contains(paths, real) {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() {
			paths = append(paths, real)
		}
	}
	return paths
}

// longest a list of events may be, in bytes.
const longestList = 4 << 10

// listed returns the longest list of names in the file at path that list matches.
func listed(path string, list *regexp.Regexp) (names []string) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	prefix, _ := list.LiteralPrefix()
	start := []byte(prefix)
	buf := make([]byte, 1<<20)
	kept := 0
	for {
		n, err := io.ReadFull(f, buf[kept:])
		text := buf[:kept+n]
		last := err != nil
		for at := 0; ; {
			i := bytes.Index(text[at:], start)
			if i < 0 {
				kept = min(len(text)-at, len(start)-1)
				break
			}
			at += i
			if !last && len(text)-at < longestList { // it may go on in the next piece
				kept = len(text) - at
				break
			}
			if found := named(list.Find(text[at:min(len(text), at+longestList)])); len(found) > len(names) {
				names = found
			}
			at += len(start)
		}
		if last {
			return names
		}
		copy(buf, text[len(text)-kept:])
	}
}

// named returns the names in a list.
func named(list []byte) (names []string) {
	for i, part := range strings.Split(string(list), `"`) {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	return names
}
