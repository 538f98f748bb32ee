package clitest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// faults collects what is wrong with an adapter.
type faults struct {
	cli  *sources.CLI
	list []string
}

func (f *faults) add(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// Faults lists what is wrong with an adapter; nothing is, if it is empty. The
// recordings are samples of what it is to understand.
func Faults(cli sources.CLI, recordings ...*Recording) []string {
	f := &faults{cli: &cli}
	f.names()
	for i := range cli.Files {
		t := &cli.Files[i]
		f.tree(t)
		f.find(t)
		f.garbage(t)
	}
	for i := range cli.Bases {
		f.base(&cli.Bases[i])
	}
	f.runs()
	f.resume(recordings)
	f.answers()
	for _, r := range recordings {
		f.recording(r)
	}
	return f.list
}

var plainName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (f *faults) names() {
	if !plainName.MatchString(f.cli.Name) {
		f.add("name: %q is not a plain lower-case word", f.cli.Name)
	}
	if f.cli.Title == "" {
		f.add("title: there is none")
	}
	if len(f.cli.Files)+len(f.cli.Bases) > 0 && !fs.ValidPath(f.cli.Home) {
		f.add("home: %q is not a folder below the user's", f.cli.Home)
	}
}

// tree looks at the description of one kind of file.
func (f *faults) tree(t *sources.Tree) {
	if _, err := path.Match(t.Glob, ""); err != nil || !fs.ValidPath(t.Glob) {
		f.add("tree %q: not a pattern of files below the home", t.Glob)
	}
	switch {
	case t.Read == nil && t.Record == nil && t.Begin == nil:
		f.add("tree %q: nothing reads it", t.Glob)
	case t.Record != nil && t.Begin != nil:
		f.add("tree %q: its lines are read in two ways", t.Glob)
	case t.Read != nil && (t.Record != nil || t.Begin != nil):
		f.add("tree %q: it is read whole and by lines", t.Glob)
	case t.Whole && t.Read == nil:
		f.add("tree %q: it is whole, and only its lines are read", t.Glob)
	}
}

// good is a session id as every CLI may have them.
const good = "0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93"

// crooked are ids that must never become part of a pattern.
var crooked = []string{
	"", "*", "?", "[", "[a-z]", "..", ".", "../other", "a/../b", "/etc/passwd", `..\other`, "a*b", good + "*", good + "/..", "../" + good,
	"a\x00b", "\n", " ", strings.Repeat("a", 5000), "{a,b}", `\`,
}

// find checks that only ids of the CLI's own form get near a path.
func (f *faults) find(t *sources.Tree) {
	if t.Find == nil {
		return
	}
	for _, id := range crooked {
		if globs := t.Find(engine.Who{Tool: f.cli.Name, ID: id}); len(globs) > 0 {
			f.add("tree %q: finds %q for the id %q", t.Glob, globs[0], id[:min(len(id), 40)])
		}
	}
	for _, glob := range t.Find(engine.Who{Tool: f.cli.Name, ID: good}) {
		sample := strings.NewReplacer("*", "x", "?", "x").Replace(glob)
		if ok, err := path.Match(t.Glob, sample); err != nil || !ok || !fs.ValidPath(glob) {
			f.add("tree %q: finds %q, which is not among its files", t.Glob, glob)
		}
	}
}

// garbage feeds a tree what no CLI wrote. It may be an error and is never an event.
func (f *faults) garbage(t *sources.Tree) {
	name := strings.NewReplacer("*", "x", "?", "x").Replace(t.Glob)
	if t.Record != nil || t.Begin != nil {
		line := func(rel string, g []byte) ([]engine.Event, error) {
			if translate := t.Translator(rel, g); translate != nil {
				return translate(g)
			}
			return nil, nil
		}
		for _, g := range Garbage() {
			if !f.silent(t, "a line", g, func() ([]engine.Event, error) { return line(name, g) }) {
				break
			}
		}
		for _, rel := range names(t) { // whatever it says, it must live
			for _, g := range [][]byte{nil, []byte(`{}`), []byte(`{"type":"user"}`)} {
				f.survives(t, func() { _, _ = line(rel, g) })
			}
		}
	}
	if t.Read != nil {
		for _, g := range append(Garbage(), nil) {
			file := sources.File{Rel: name, Text: g, Mod: time.Unix(1, 0)}
			if !f.silent(t, "a file", g, func() ([]engine.Event, error) { return t.Read(file) }) {
				break
			}
		}
		for _, rel := range names(t) {
			for _, g := range [][]byte{nil, {}, []byte(`{}`)} {
				f.survives(t, func() { _, _ = t.Read(sources.File{Rel: rel, Text: g}) })
			}
		}
	}
}

// names are paths a tree should not be asked about, and may be.
func names(t *sources.Tree) []string {
	return []string{"", ".", "/", "..", "x", strings.TrimSuffix(t.Glob, "*"), t.Glob, strings.ReplaceAll(t.Glob, "*", "")}
}

func (f *faults) survives(t *sources.Tree, do func()) {
	defer func() {
		if r := recover(); r != nil {
			f.add("tree %q: panics: %v", t.Glob, r)
		}
	}()
	do()
}

// silent reports whether nothing was said and nothing broke.
func (f *faults) silent(t *sources.Tree, what string, text []byte, read func() ([]engine.Event, error)) bool {
	n := len(f.list)
	f.survives(t, func() {
		if events, _ := read(); len(events) > 0 {
			f.add("tree %q: %s of garbage says %T: %.60q", t.Glob, what, events[0].Fact, text)
		}
	})
	return n == len(f.list)
}

// runs checks that a process is never taken for the CLI by what its command line
// happens to contain.
func (f *faults) runs() {
	if f.cli.Runs == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			f.add("runs: panics: %v", r)
		}
	}()
	for _, p := range []sources.Proc{
		{}, {PID: 7, Args: []string{""}}, {PID: 7, Args: []string{"", "", "-p"}}, {PID: 7, Args: []string{"/"}},
		{PID: 7, Args: []string{"bash", "-c", f.cli.Name}}, {PID: 7, Args: []string{"vim", f.cli.Name + ".md"}},
		{PID: 7, Args: []string{"tail", "-f", "/tmp/" + f.cli.Name}}, {PID: 7, Args: []string{"grep", f.cli.Name}, TTY: "/dev/pts/1"},
		{PID: 7, Args: []string{"make", f.cli.Name}, Dir: "/home/dev/" + f.cli.Name},
	} {
		if w, is := f.cli.Runs(p); is {
			f.add("runs: takes %q for the CLI: %+v", p.Args, w)
		}
	}
	program := f.cli.Binary()
	p := sources.Proc{PID: 7, Parent: 6, Ticks: 99, TTY: "/dev/pts/1", Dir: "/home/dev/proj", Exe: "/usr/bin/" + program, Args: []string{program}}
	w, is := f.cli.Runs(p)
	switch {
	case !is:
		f.add("runs: does not know %q on a terminal", p.Args)
	case w.Tool != f.cli.Name || w.PID != p.PID || w.Ticks != p.Ticks || w.Dir != p.Dir || w.TTY != p.TTY || w.Loose:
		f.add("runs: makes %+v of %+v", w, p)
	}
}

// resume checks that only ids of the CLI's own form get into a command line.
func (f *faults) resume(recordings []*Recording) {
	if f.cli.Resume == nil {
		return
	}
	id := good
	for _, r := range recordings {
		if events := Play(*f.cli, r, 0).Events; len(events) > 0 && events[0].Who.ID != "" {
			id = events[0].Who.ID // not every CLI has those
			break
		}
	}
	for _, id := range append([]string{"--help", "-p", good + " x"}, crooked...) {
		if line := f.cli.Resume(id); len(line) > 0 {
			f.add("resume: runs %q", line)
		}
	}
	names := func(word string) bool { return word == id || strings.HasSuffix(word, "="+id) }
	if line := f.cli.Resume(id); !slices.ContainsFunc(line, names) {
		f.add("resume: %q does not name the session", line)
	}
}

func (f *faults) answers() {
	if f.cli.Answers == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			f.add("answers: panics: %v", r)
		}
	}()
	texts := append(Garbage(), nil)
	for _, text := range texts {
		if f.cli.Answers("/home/dev/.x", "/home/dev/proj", func(string) ([]byte, error) { return text, nil }) != (engine.Answering{}) {
			f.add("answers: a hook is read from %.60q", text)
		}
	}
	if f.cli.Answers("", "", func(string) ([]byte, error) { return nil, errors.New("no such file") }) != (engine.Answering{}) {
		f.add("answers: a hook without a settings file")
	}
}

// recording checks every event of a recording, and that all of it was understood.
func (f *faults) recording(r *Recording) {
	defer func() {
		if p := recover(); p != nil {
			f.add("recording %s: panics: %v", r.Scenario, p)
		}
	}()
	out := Play(*f.cli, r, 0)
	for _, err := range out.Bad {
		f.add("recording %s: %v", r.Scenario, err)
	}
	if len(out.Events) == 0 {
		f.add("recording %s: says nothing", r.Scenario)
	}
	for _, ev := range out.Events {
		switch w := ev.Who; {
		case w.Tool != f.cli.Name:
			f.add("recording %s: %T is of the tool %q", r.Scenario, ev.Fact, w.Tool)
		case ev.By == engine.Clock:
			f.add("recording %s: nobody witnessed %T", r.Scenario, ev.Fact)
		case ev.Fact == nil:
			f.add("recording %s: an event without a fact", r.Scenario)
		case w.ID == "" && w.PID == 0 && w.Term == "" && !isRoster(ev.Fact):
			f.add("recording %s: %T is of nobody", r.Scenario, ev.Fact)
		case strings.ContainsAny(w.ID, `*?[/\`):
			f.add("recording %s: %T is of the id %q", r.Scenario, ev.Fact, w.ID)
		default:
			continue
		}
		return // one of a kind says enough
	}
}

// isRoster reports whether a fact is of all sessions of a tool.
func isRoster(f engine.Fact) bool {
	_, is := f.(engine.Roster)
	return is
}
