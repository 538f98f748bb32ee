package all_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/notify"
	"deskbell/sources/all"
	"deskbell/sources/hooks"
	"deskbell/sources/process"
	"deskbell/sources/raw"
)

// pass is what an engine was told at once, so long after a recording began.
type pass struct {
	at     time.Duration
	events []engine.Event
}

// watched is a world that keeps what it tells.
type watched struct {
	*raw.World
	began  time.Time
	passes []pass
}

func (h *watched) keep(now time.Time, events []engine.Event) []engine.Event {
	if len(events) > 0 {
		h.passes = append(h.passes, pass{now.Sub(h.began), events})
	}
	return events
}

func (h *watched) Due(now time.Time) []engine.Event { return h.keep(now, h.World.Due(now)) }

// played is a recording as its engine was told it, until a while after its end, and when
// it began.
func played(t *testing.T, file string) (passes []pass, began time.Time) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h := &watched{World: raw.New(raw.Options{CLIs: all.CLIs(), Translate: hooks.Translate, RunsIn: process.RunsIn})}
	p := engine.NewPlayback(engine.DefaultLimits())
	p.World = h
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, 4<<20)
	for in.Scan() {
		var head struct{ At time.Time }
		if err := json.Unmarshal(in.Bytes(), &head); err != nil {
			t.Fatal(err)
		}
		if !head.At.IsZero() {
			if h.began.IsZero() {
				h.began = head.At
			}
			p.Run(head.At)
		}
		events, err := h.Take(p.Now(), in.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if len(events) > 0 {
			p.Tell(h.keep(p.Now(), events)...)
		}
	}
	p.Run(p.Now().Add(5 * time.Second))
	for i := range h.passes { // what happened is dated since the beginning too
		for j := range h.passes[i].events {
			if e := &h.passes[i].events[j]; e.At.IsZero() {
				e.At = h.began.Add(h.passes[i].at)
			}
		}
	}
	return h.passes, h.began
}

// ring is a notice.
type ring struct {
	at   time.Time
	kind string
}

// desk is an engine and a planner under a virtual clock.
type desk struct {
	engine *engine.Engine
	paper  notify.Paper
	next   [2]time.Time
	rings  map[string][]ring // by session id
	ids    map[engine.ID]string
}

func newDesk() *desk {
	return &desk{engine: engine.New(engine.DefaultLimits()), rings: map[string][]ring{}, ids: map[engine.ID]string{}}
}

// run lets the clock go to until.
func (d *desk) run(until time.Time) {
	for {
		due := until
		for _, n := range d.next {
			if !n.IsZero() && n.Before(due) {
				due = n
			}
		}
		if !due.Before(until) {
			return
		}
		d.tell(due)
	}
}

func (d *desk) tell(now time.Time, events ...engine.Event) {
	step := d.engine.Apply(now, events...)
	for _, c := range step.Changes {
		d.ids[c.Session.ID] = c.Session.SessionID
	}
	news, next := d.paper.Apply(now, step)
	for _, n := range news {
		for _, id := range n.IDs {
			if n.Notice == "raise" {
				d.rings[d.ids[id]] = append(d.rings[d.ids[id]], ring{now, n.Kind})
			}
		}
	}
	d.next = [2]time.Time{step.Next, next}
}

// guest is one run of a recording in the course of a day.
type guest struct {
	n      int
	name   string
	passes []pass
	began  time.Time // of the recording
	at     time.Time // of its run
}

// event is one of its events, as that of a session and a process of its own.
func (g *guest) event(e engine.Event) engine.Event {
	e.At = e.At.Add(g.at.Sub(g.began))
	e.Who = g.who(e.Who)
	switch f := e.Fact.(type) {
	case engine.Started:
		if f.Parent != "" {
			f.Parent = g.id(f.Parent)
		}
		e.Fact = f
	case engine.Table:
		runs := slices.Clone(f.Runs)
		for i := range runs {
			runs[i] = g.who(runs[i])
		}
		e.Fact = engine.Table{Runs: runs}
	}
	return e
}

func (g *guest) id(id string) string { return fmt.Sprint(id, "~", g.n) }

func (g *guest) who(w engine.Who) engine.Who {
	if w.ID != "" {
		w.ID = g.id(w.ID)
	}
	if w.PID != 0 {
		w.PID += g.n * 1_000_000
	}
	if w.Dir != "" {
		w.Dir = fmt.Sprint("/", g.n, w.Dir)
	}
	if w.Home != "" {
		w.Home = fmt.Sprint("/", g.n, w.Home)
	}
	return w
}

// alone is what rings where it is the only one.
func (g *guest) alone() map[string][]ring {
	d := newDesk()
	for _, p := range g.passes {
		now := g.at.Add(p.at)
		d.run(now)
		var events []engine.Event
		for _, e := range p.events {
			events = append(events, g.event(e))
		}
		d.tell(now, events...)
	}
	d.run(g.at.Add(g.passes[len(g.passes)-1].at + time.Minute))
	return d.rings
}

// expected is what rings for each of the guests alone. A recording rings alike whenever
// it is run.
func expected(guests []*guest) (rings map[string][]ring, all []time.Time) {
	rings = map[string][]ring{}
	first := map[string]*guest{}
	alone := map[string]map[string][]ring{}
	for _, g := range guests {
		if first[g.name] == nil {
			first[g.name], alone[g.name] = g, g.alone()
		}
		f := first[g.name]
		for id, rs := range alone[g.name] {
			id, _, _ := strings.Cut(id, "~")
			for _, r := range rs {
				at := r.at.Add(g.at.Sub(f.at))
				rings[g.id(id)] = append(rings[g.id(id)], ring{at, r.kind})
				all = append(all, at)
			}
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return rings, all
}

// many reports whether more than three rang shortly before at: they are one notice, which
// takes in what comes soon after it.
func many(all []time.Time, at time.Time) bool {
	n := 0
	for _, t := range all {
		if !t.After(at) && at.Sub(t) <= 4*time.Second {
			n++
		}
	}
	return n > 3
}

// TestDay has ten people's worth of sessions go on for eight hours: what was recorded of
// real ones, each again and again, at the same time as others. What rings is what rings
// for each alone, and no more.
func TestDay(t *testing.T) {
	t.Parallel()
	const desks, hours = 10, 8
	files, err := filepath.Glob("../claude/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	recordings := make([][]pass, len(files))
	began := make([]time.Time, len(files))
	for i, file := range files {
		recordings[i], began[i] = played(t, file)
	}
	r := rand.New(rand.NewPCG(8, 10))
	morning := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	var guests []*guest
	for range desks {
		for at := morning.Add(time.Duration(r.IntN(600)) * time.Second); at.Before(morning.Add(hours * time.Hour)); {
			i := r.IntN(len(files))
			if len(recordings[i]) == 0 { // nothing was told: claude -p
				continue
			}
			g := &guest{n: len(guests) + 1, name: strings.TrimSuffix(filepath.Base(files[i]), ".jsonl"), passes: recordings[i], began: began[i], at: at}
			guests = append(guests, g)
			at = at.Add(g.passes[len(g.passes)-1].at + time.Duration(60+r.IntN(1500))*time.Second)
		}
	}

	type moment struct {
		at time.Time
		g  *guest
		p  *pass // nil: its processes are gone
	}
	var day []moment
	for _, g := range guests {
		for i := range g.passes {
			day = append(day, moment{g.at.Add(g.passes[i].at), g, &g.passes[i]})
		}
		day = append(day, moment{g.at.Add(g.passes[len(g.passes)-1].at + time.Minute), g, nil})
	}
	slices.SortStableFunc(day, func(a, b moment) int { return a.at.Compare(b.at) })

	d := newDesk()
	running := map[int][]engine.Who{} // by guest: its processes, as last looked at
	table := func(at time.Time) engine.Event {
		var runs []engine.Who
		for _, n := range slices.Sorted(maps.Keys(running)) {
			runs = append(runs, running[n]...)
		}
		return engine.Event{At: at, By: engine.Process, Who: engine.Who{Tool: "claude"}, Fact: engine.Table{Runs: runs}}
	}
	for _, m := range day {
		d.run(m.at)
		var events []engine.Event
		if m.p == nil {
			for _, w := range running[m.g.n] {
				w.Tool = "claude"
				events = append(events, engine.Event{At: m.at, By: engine.Process, Who: w, Fact: engine.Alive{}})
			}
			delete(running, m.g.n)
			d.tell(m.at, append(events, table(m.at))...)
			continue
		}
		for _, e := range m.p.events {
			e = m.g.event(e)
			if f, is := e.Fact.(engine.Table); is { // one look sees the processes of all
				running[m.g.n] = f.Runs
				e = table(e.At)
			}
			events = append(events, e)
		}
		d.tell(m.at, events...)
	}
	d.run(morning.Add((hours + 1) * time.Hour))

	want, all := expected(guests)
	for id, rs := range d.rings {
		for _, r := range rs {
			if r.kind == "several" && many(all, r.at) {
				continue
			}
			if !slices.Contains(want[id], r) {
				t.Errorf("%s rang for %s at %v, and alone did not", id, r.kind, r.at.Sub(morning))
			}
		}
	}
	for id, rs := range want {
		for _, r := range rs {
			if !slices.Contains(d.rings[id], r) && !slices.Contains(d.rings[id], ring{r.at, "several"}) {
				t.Errorf("%s did not ring for %s at %v, and alone did", id, r.kind, r.at.Sub(morning))
			}
		}
	}
	t.Logf("%d runs of recordings, %d notices", len(guests), len(all))
	if len(all) < len(guests) {
		t.Errorf("%d notices of %d runs are too few to tell anything", len(all), len(guests))
	}
}
