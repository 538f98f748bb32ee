package clitest

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// How long the sources take: a question is answered within milliseconds, all
// processes are looked at a while after the first wish, and a log is read a while
// after the first write to it.
const (
	answerTime = 2 * time.Millisecond
	scanTime   = 300 * time.Millisecond
	coalesce   = 150 * time.Millisecond
)

// Played is what came of a recording.
type Played struct {
	Changes []Change
	Last    engine.Snapshot // of all sessions, at the end
	Events  []engine.Event  // all that the adapter told
	Bad     []error         // what it could not read
}

// Change is one change of one session, or its disappearance: then all of Session
// but the ID is empty.
type Change struct {
	At      time.Duration // since the recording began
	From    engine.Status
	Session engine.Session
	Gone    bool
}

// player is the outside world of one engine, on a virtual clock.
type player struct {
	cli    *sources.CLI
	rec    *Recording
	engine *engine.Engine
	limits engine.Limits
	rounds engine.Rounds
	out    *Played

	now          time.Time
	next, look   time.Time // when the engine and the rounds are due
	window, scan time.Time // when the logs and the process table are to be read
	answers      []answer

	files   map[string]entry     // by path, as read last
	logs    map[string]*log      // by path
	procs   map[int]sources.Proc // the last process table
	stirred time.Time            // when the process table changed last
	looked  map[int]time.Time    // when a process was looked at for what it does, by pid
	watched map[int][]engine.Who // who is told of the end of a process, by pid
}

// answer is one that the sources are about to give.
type answer struct {
	at   time.Time
	give func()
}

type log struct {
	lines []string
	read  int
}

// Play plays a recording through the adapter, and lets the clock run on for after.
func Play(cli sources.CLI, rec *Recording, after time.Duration) *Played {
	p := newPlayer(&cli, rec)
	for i := range rec.entries {
		p.take(&rec.entries[i])
	}
	return p.end(p.now.Add(after))
}

// Join plays a part of a recording to an engine that is started in the middle of it:
// it finds files and processes as they are by then.
func Join(cli sources.CLI, rec *Recording, from, to time.Duration) *Played {
	p := newPlayer(&cli, rec)
	i := 0
	for ; i < len(rec.entries) && rec.entries[i].At.Sub(rec.Began()) <= from; i++ {
		p.find(&rec.entries[i])
	}
	p.now = rec.Began().Add(from)
	for _, file := range slices.Sorted(maps.Keys(p.files)) {
		e := p.files[file]
		p.tell(p.read(&e, small)...)
	}
	p.processes()
	for ; i < len(rec.entries) && rec.entries[i].At.Sub(rec.Began()) <= to; i++ {
		p.take(&rec.entries[i])
	}
	return p.end(rec.Began().Add(to))
}

func newPlayer(cli *sources.CLI, rec *Recording) *player {
	p := &player{
		cli: cli, rec: rec, limits: engine.DefaultLimits(), out: &Played{}, now: rec.Began(),
		files: map[string]entry{}, logs: map[string]*log{}, procs: map[int]sources.Proc{}, watched: map[int][]engine.Who{}, looked: map[int]time.Time{},
	}
	p.engine = engine.New(p.limits)
	return p
}

// take lets the clock go to an observation and acts on it.
func (p *player) take(e *entry) {
	p.run(e.At)
	switch e.Raw {
	case "file":
		p.file(e)
	case "line":
		p.line(e)
	case "procs":
		p.table(e)
	}
}

// find takes in an observation that nobody was there for.
func (p *player) find(e *entry) {
	switch e.Raw {
	case "file":
		if p.files[e.Path] = *e; e.Text == nil {
			delete(p.files, e.Path)
		}
	case "line":
		l := p.log(e.Path)
		l.lines = append(l.lines, e.Line)
		l.read = len(l.lines)
	case "procs":
		p.table(e)
	}
}

func (p *player) end(at time.Time) *Played {
	p.run(at)
	p.out.Last = p.engine.Snapshot(true)
	return p.out
}

// run lets the clock go to until, stopping wherever something is due.
func (p *player) run(until time.Time) {
	for {
		due := until
		for _, t := range []time.Time{p.next, p.look, p.window, p.scan} {
			if !t.IsZero() && t.Before(due) {
				due = t
			}
		}
		if len(p.answers) > 0 && p.answers[0].at.Before(due) {
			due = p.answers[0].at
		}
		if !due.Before(until) {
			p.now = until
			return
		}
		p.now = due
		p.due()
	}
}

func (p *player) due() {
	if len(p.answers) > 0 && !p.now.Before(p.answers[0].at) {
		a := p.answers[0]
		p.answers = p.answers[1:]
		a.give()
		return
	}
	if !p.window.IsZero() && !p.now.Before(p.window) {
		p.window = time.Time{}
		for _, file := range slices.Sorted(maps.Keys(p.logs)) {
			p.readLog(file)
		}
		return
	}
	if !p.scan.IsZero() && !p.now.Before(p.scan) {
		p.scan = time.Time{}
		p.processes()
		return
	}
	p.tell()
}

// tell hands events to the engine, and takes what it brings about.
func (p *player) tell(events ...engine.Event) {
	step := p.engine.Apply(p.now, events...)
	at := p.now.Sub(p.rec.Began())
	for _, c := range step.Changes {
		p.out.Changes = append(p.out.Changes, Change{At: at, From: c.From, Session: c.Session})
	}
	for _, id := range step.Gone {
		p.out.Changes = append(p.out.Changes, Change{At: at, Session: engine.Session{ID: id}, Gone: true})
	}
	for _, q := range step.Questions {
		p.ask(q)
	}
	if p.next = step.Next; !p.next.IsZero() && !p.next.After(p.now) {
		p.bad(fmt.Errorf("at %v the engine's next deadline is %v ago", at, p.now.Sub(p.next)))
		p.next = time.Time{}
	}
	var looks []engine.Ask
	looks, p.look = p.rounds.Apply(p.now, &p.limits, p.engine.Snapshot(false).Sessions, false)
	for _, l := range looks {
		p.ask(engine.Question{Ask: l, Who: engine.Who{Tool: p.cli.Name}})
	}
}

func (p *player) bad(err error) { p.out.Bad = append(p.out.Bad, err) }

// file reads a file that changed, at once.
func (p *player) file(e *entry) {
	if old, known := p.files[e.Path]; known && e.Text != nil && *old.Text == *e.Text {
		return
	}
	if p.files[e.Path] = *e; e.Text == nil {
		delete(p.files, e.Path)
	}
	p.tell(p.read(e, nil)...)
}

// read translates a file by every tree it belongs to that is as wanted.
func (p *player) read(e *entry, wanted func(t *sources.Tree) bool) (out []engine.Event) {
	f := sources.File{Rel: e.Path, Mod: e.Mod}
	if e.Text != nil {
		f.Text = []byte(*e.Text)
	} else {
		f.Mod = e.At
	}
	for _, t := range p.trees(e.Path) {
		if t.Read == nil || wanted != nil && !wanted(&t) {
			continue
		}
		events, err := t.Read(f)
		if err != nil {
			p.bad(err)
		}
		p.told(events)
		out = append(out, p.answering(events)...)
		out = append(out, events...)
	}
	return out
}

// told stamps what the adapter told with the home it came from, and keeps it.
func (p *player) told(events []engine.Event) {
	for i := range events {
		if events[i].Who.Home == "" {
			events[i].Who.Home = p.rec.Home
		}
	}
	p.out.Events = append(p.out.Events, events...)
}

// answering tells beside a permission prompt whether a hook may answer it.
func (p *player) answering(events []engine.Event) (out []engine.Event) {
	for _, ev := range events {
		if l, is := ev.Fact.(engine.Listed); is && l.Level == engine.ListedAsking && p.cli.Answers != nil {
			out = append(out, engine.Event{At: ev.At, By: ev.By, Who: ev.Who, Fact: p.cli.Answers(p.rec.Home, ev.Who.Dir, p.settings)})
		}
	}
	return out
}

func (p *player) settings(file string) ([]byte, error) {
	rel, below := strings.CutPrefix(filepath.ToSlash(file), p.rec.Home+"/")
	if e, known := p.files[rel]; below && known {
		return []byte(*e.Text), nil
	}
	return nil, fs.ErrNotExist
}

// line notes that a line was added to a log.
func (p *player) line(e *entry) {
	l := p.log(e.Path)
	l.lines = append(l.lines, e.Line)
	if p.window.IsZero() {
		p.window = p.now.Add(coalesce)
	}
}

func (p *player) log(file string) *log {
	l := p.logs[file]
	if l == nil {
		l = &log{}
		p.logs[file] = l
	}
	return l
}

// readLog hands over what was added to a log, as one batch.
func (p *player) readLog(file string) {
	l := p.logs[file]
	if l.read == len(l.lines) {
		return
	}
	var out []engine.Event
	for _, t := range p.trees(file) {
		if t.Record == nil {
			continue
		}
		for _, line := range l.lines[l.read:] {
			events, err := t.Record(file, []byte(line))
			if err != nil {
				p.bad(err)
			}
			out = append(out, events...)
		}
	}
	l.read = len(l.lines)
	p.told(out)
	p.tell(out...)
}

// small reports whether a tree is read unasked.
func small(t *sources.Tree) bool { return t.Find == nil }

func (p *player) trees(rel string) (out []sources.Tree) {
	for _, t := range p.cli.Files {
		if ok, _ := path.Match(t.Glob, rel); ok {
			out = append(out, t)
		}
	}
	return out
}
