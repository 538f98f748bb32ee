// Package raw is a world of raw observations, as recordings and reports of errors hold
// them: what a hook was called with, files, lines of logs, process tables. It tells what
// the sources would have told, under a clock that it is handed.
package raw

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Options are what a [World] is made of. Only CLIs is needed.
type Options struct {
	CLIs []sources.CLI
	// Translate turns a call of a CLI's hook into events; nil: hooks cannot be read.
	Translate func(c sources.CLI, h sources.Hook) ([]engine.Event, error)
	// RunsIn names the terminal a process runs in; nil: nobody knows.
	RunsIn func(p sources.Proc, parents func(pid int) (sources.Proc, bool)) string
}

// Line is one observation (API.md, "Record and replay"), or the first line of a
// recording: that has no time, and says what was recorded.
type Line struct {
	At  time.Time `json:"at"`
	Raw string    `json:"raw"` // of what; "": a note for the reader

	Tool string    `json:"tool"` // "": the only one there is
	Path string    `json:"path"`
	Text *string   `json:"text"` // of a file, nil: it is gone; or a title
	Mod  time.Time `json:"mod"`  // when the file was written; zero: when it was read
	Line string    `json:"line"`
	Term string    `json:"term"` // the terminal whose title Text is
	List []Proc    `json:"list"`

	Table string      `json:"table"` // of a database
	Row   sources.Row `json:"row"`

	Event   string            `json:"event"`
	Payload json.RawMessage   `json:"payload"`
	Env     map[string]string `json:"env"`
	PID     int               `json:"pid"`
	Ticks   uint64            `json:"ticks"`
	TTY     string            `json:"tty"`

	Note string `json:"note"`
	CLI  string `json:"cli"`  // of a first line
	Home string `json:"home"` // ... where the CLI kept its files
}

// kinds are the raw forms there are.
var kinds = map[string]func(w *World, now time.Time, l *Line) ([]engine.Event, error){
	"":      func(*World, time.Time, *Line) ([]engine.Event, error) { return nil, nil },
	"hook":  (*World).hook,
	"line":  (*World).line,
	"file":  (*World).file,
	"procs": (*World).procs,
	"row":   (*World).row,
	"title": (*World).title,
}

const forms = "hook, line, file, row, procs and title"

// World is what has been observed so far. One goroutine owns it.
type World struct {
	opt      Options
	home     string // of paths that do not begin with theirs
	recorded bool   // what is observed is all that happens, not what somebody looked at
	answers  []answer

	files  map[place]*file
	logs   map[place]*log
	dirty  map[place]*log // those with something unread
	held   int            // bytes of them
	window time.Time      // when what was added to the logs is told
	unread int            // bytes of that

	rows  map[spot]stored
	added []engine.Event // what rows say that is not told yet

	looked map[int]time.Time // when a process was looked at for what it does, by pid
	table  processes
	terms  map[string]engine.Who // who called a hook, by terminal
}

// place is where a file lies. The home of one that is not known is "".
type place struct{ tool, home, rel string }

func (p place) path() string { return path.Join(p.home, p.rel) }

// New returns a world in which nothing has been observed.
func New(o Options) *World {
	return &World{
		opt: o, files: map[place]*file{}, logs: map[place]*log{}, dirty: map[place]*log{}, looked: map[int]time.Time{}, terms: map[string]engine.Who{}, rows: map[spot]stored{},
		table: processes{watched: map[int][]engine.Who{}},
	}
}

// Take takes in the text of a [Line] at now, and returns what is told of it at once.
func (w *World) Take(now time.Time, text []byte) ([]engine.Event, error) {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	if l.CLI != "" && l.At.IsZero() {
		w.Recorded(l.Home)
		return nil, nil
	}
	return w.Observe(now, &l)
}

// Recorded says that this is a recording of all that a CLI did, from before it was
// started, and where it kept its files.
func (w *World) Recorded(home string) { w.home, w.recorded = slashed(home), true }

// Observe takes in l at now, and returns what is told of it at once.
func (w *World) Observe(now time.Time, l *Line) ([]engine.Event, error) {
	take := kinds[l.Raw]
	if take == nil {
		return nil, fmt.Errorf("no raw line is called %.40q: there are %s", l.Raw, forms)
	}
	return take(w, now, l)
}

// Find takes in what nobody was there to see.
func (w *World) Find(l *Line) error {
	_, err := w.Observe(l.At, l)
	for _, log := range w.dirty {
		log.unread = nil
	}
	clear(w.dirty)
	w.added = nil
	w.unread, w.window, w.answers, w.table.scan = 0, time.Time{}, nil, time.Time{}
	return err
}

// Survey returns what is told at a start: the files that are read unasked and the
// process table.
func (w *World) Survey(now time.Time) []engine.Event {
	var out []engine.Event
	for _, p := range sortedPlaces(w.files) {
		events, _ := w.read(p, func(t *sources.Tree) bool { return t.Find == nil }) // what is wrong was told when it was taken
		out = append(out, events...)
	}
	out = append(out, w.againRows("", func(t *sources.Table, _ engine.Event) bool { return t.Old })...)
	return append(out, w.runs(now)...)
}

var errNoTool = errors.New(`a raw line needs its tool, "tool": "claude"`)

// cli is the CLI a line is of.
func (w *World) cli(name string) (*sources.CLI, error) {
	if name == "" && len(w.opt.CLIs) == 1 {
		return &w.opt.CLIs[0], nil
	}
	if name == "" {
		return nil, errNoTool
	}
	var known []string
	for i := range w.opt.CLIs {
		if w.opt.CLIs[i].Name == name {
			return &w.opt.CLIs[i], nil
		}
		known = append(known, w.opt.CLIs[i].Name)
	}
	return nil, fmt.Errorf("no tool is called %.40q: there is %s", name, strings.Join(known, ", "))
}

// hook takes in one call of a hook.
func (w *World) hook(_ time.Time, l *Line) ([]engine.Event, error) {
	c, err := w.cli(l.Tool)
	if err != nil {
		return nil, err
	}
	if w.opt.Translate == nil {
		return nil, errors.New("hooks cannot be read here")
	}
	events, err := w.opt.Translate(*c, sources.Hook{
		Event: l.Event, Payload: l.Payload, At: l.At, PID: l.PID, Ticks: l.Ticks, TTY: l.TTY, Env: l.Env,
		Caller: func() (sources.Proc, bool) { return w.proc(l.PID) },
	})
	w.met(l, events)
	return events, err
}

// locate splits the path of a file at its home. One that fits no pattern of the CLI's,
// such as its settings, lies below the home that is known.
func (w *World) locate(c *sources.CLI, name string) place {
	name = slashed(name)
	if rel, below := strings.CutPrefix(name, w.home+"/"); below && w.home != "" {
		return place{c.Name, w.home, rel}
	}
	var globs []string
	for i := range c.Files {
		globs = append(globs, c.Files[i].Glob)
	}
	for i := range c.Bases {
		globs = append(globs, c.Bases[i].Glob)
	}
	for _, glob := range globs {
		parts := strings.Split(name, "/")
		n := len(parts) - strings.Count(glob, "/") - 1
		if n < 0 {
			continue
		}
		rel := strings.Join(parts[n:], "/")
		if ok, _ := path.Match(glob, rel); ok && n > 0 {
			return place{c.Name, strings.Join(parts[:n], "/"), rel}
		}
	}
	if path.IsAbs(name) {
		return place{c.Name, "", name}
	}
	return place{c.Name, w.home, name}
}

// slashed is a path of any system with slashes.
func slashed(name string) string {
	if !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// trees are the kinds of file p belongs to.
func (w *World) trees(p place) (out []sources.Tree) {
	c, err := w.cli(p.tool)
	if err != nil {
		return nil
	}
	for _, t := range c.Files {
		if ok, _ := path.Match(t.Glob, p.rel); ok {
			out = append(out, t)
		}
	}
	return out
}

// own stamps events with the home they came from.
func own(p place, events []engine.Event) []engine.Event {
	for i := range events {
		if events[i].Who.Home == "" {
			events[i].Who.Home = p.home
		}
	}
	return events
}

// guarded has an adapter translate something. Whatever it does, the rest goes on.
func guarded(translate func() ([]engine.Event, error)) (events []engine.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			events, err = nil, fmt.Errorf("%v", p)
		}
	}()
	return translate()
}
