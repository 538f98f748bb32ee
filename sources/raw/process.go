package raw

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Proc is one process of a table.
type Proc struct {
	PID   int               `json:"pid"`
	PPID  int               `json:"ppid"`
	Ticks uint64            `json:"ticks"`
	TTY   string            `json:"tty"`
	Name  string            `json:"name"`
	Exe   string            `json:"exe"`
	Dir   string            `json:"dir"`
	Args  []string          `json:"args"`
	Env   map[string]string `json:"env"`
	Born  int64             `json:"born"` // when it was started, in ms since 1970; 0: unknown
}

func (p *Proc) proc() sources.Proc {
	if p.Name == "" && len(p.Args) > 0 { // close to what the kernel calls it
		p.Name = path.Base(slashed(p.Args[0]))
	}
	return sources.Proc{
		PID: p.PID, Parent: p.PPID, Ticks: p.Ticks, TTY: p.TTY, Name: p.Name, Exe: p.Exe, Dir: p.Dir, Args: p.Args, Env: p.Env,
	}
}

// processes is the last process table, and what is known beside it.
type processes struct {
	known   bool // there was one
	all     map[int]sources.Proc
	since   map[int]time.Time // when each was first seen
	born    map[int]int64     // when each was started, where that is known
	stirred time.Time         // when the table changed last
	scan    time.Time         // when it is to be told
	watched map[int][]engine.Who
}

// scanTime is how long a wish to look at all processes waits for others.
const scanTime = 300 * time.Millisecond

// soon has the whole process table looked at, once for all who wish it.
func (w *World) soon(now time.Time) {
	if w.table.scan.IsZero() && w.table.known {
		w.table.scan = now.Add(scanTime)
	}
}

// procs takes in a new process table. Whoever is watched and has left it is gone at that
// moment. In a recording the others are looked at when the sources would have looked, else
// the table is such a look.
func (w *World) procs(now time.Time, l *Line) (out []engine.Event, err error) {
	t := &w.table
	since := map[int]time.Time{}
	all, born := map[int]sources.Proc{}, map[int]int64{}
	for i := range l.List {
		p := l.List[i].proc()
		born[p.PID] = l.List[i].Born
		all[p.PID], since[p.PID] = p, now
		if old, was := t.all[p.PID]; was && old.Ticks == p.Ticks {
			since[p.PID] = t.since[p.PID]
		}
	}
	t.known, t.all, t.since, t.born, t.stirred = true, all, since, born, now
	maps.DeleteFunc(w.looked, func(pid int, _ time.Time) bool { _, lives := all[pid]; return !lives })
	for _, pid := range slices.Sorted(maps.Keys(t.watched)) {
		if _, lives := all[pid]; lives {
			continue
		}
		for _, who := range t.watched[pid] {
			out = append(out, engine.Event{At: now, By: engine.Process, Who: who, Fact: engine.Alive{}})
		}
		delete(t.watched, pid)
		w.soon(now)
	}
	if !w.recorded {
		t.scan = time.Time{}
		out = append(out, w.runs(now)...)
	}
	return out, nil
}

// recognize finds the CLI a process is a run of.
func (w *World) recognize(p sources.Proc) (*sources.CLI, engine.Who, bool) {
	for i := range w.opt.CLIs {
		c := &w.opt.CLIs[i]
		if c.Runs == nil {
			continue
		}
		if who, is := c.Runs(p); is {
			who.Born = w.table.born[p.PID]
			if who.RunsIn == "" && w.opt.RunsIn != nil {
				who.RunsIn = w.opt.RunsIn(p, w.proc)
			}
			if who.TTY != "" {
				who.Term = p.Env[sources.TermEnv]
			}
			return c, who, true
		}
	}
	return nil, engine.Who{}, false
}

func (w *World) proc(pid int) (sources.Proc, bool) {
	p, known := w.table.all[pid]
	return p, known
}

// sessions are the processes of every CLI that are sessions of their own.
func (w *World) sessions() map[*sources.CLI][]engine.Who {
	whos := map[int]engine.Who{}
	procs := map[*sources.CLI]map[int]sources.Proc{}
	for pid, p := range w.table.all {
		if c, who, is := w.recognize(p); is {
			if procs[c] == nil {
				procs[c] = map[int]sources.Proc{}
			}
			procs[c][pid], whos[pid] = p, who
		}
	}
	runs := map[*sources.CLI][]engine.Who{}
	for c, all := range procs {
		alone := c.Alone(all)
		for _, pid := range slices.Sorted(maps.Keys(all)) {
			if alone[pid] {
				runs[c] = append(runs[c], whos[pid])
			}
		}
	}
	return runs
}

// runs tells the processes of every CLI.
func (w *World) runs(now time.Time) (out []engine.Event) {
	runs := w.sessions()
	for _, list := range runs {
		for _, who := range list {
			if !who.Loose {
				w.watch(who)
			}
		}
	}
	for i := range w.opt.CLIs {
		if c := &w.opt.CLIs[i]; c.Runs != nil {
			out = append(out, engine.Event{At: now, By: engine.Process, Who: engine.Who{Tool: c.Name}, Fact: engine.Table{Runs: runs[c]}})
		}
	}
	return out
}

// watch has the end of a process told.
func (w *World) watch(who engine.Who) {
	if list := w.table.watched[who.PID]; !slices.Contains(list, who) {
		w.table.watched[who.PID] = append(list, who)
	}
}

// process looks one process up, and tells when it is gone.
func (w *World) process(now time.Time, who engine.Who) engine.Event {
	p, known := w.proc(who.PID)
	if !known || who.Ticks != 0 && p.Ticks != 0 && who.Ticks != p.Ticks {
		return engine.Event{At: now, By: engine.Process, Who: who, Fact: engine.Alive{}}
	}
	c, told, is := w.recognize(p)
	if who.Ticks == 0 && who.Tool != "" && (!is || c.Name != who.Tool) { // its number was given to another program
		return engine.Event{At: now, By: engine.Process, Who: who, Fact: engine.Alive{}}
	}
	who.Parent, who.Dir, who.TTY, who.Ticks = p.Parent, p.Dir, p.TTY, max(who.Ticks, p.Ticks)
	if is {
		who.Dir, who.Loose, who.RunsIn, who.Born, who.Term = told.Dir, told.Loose, told.RunsIn, told.Born, told.Term // it may name another folder than it was started in
		who.ID, who.Home = cmp.Or(who.ID, told.ID), cmp.Or(who.Home, told.Home)
	}
	w.watch(who)
	return engine.Event{At: now, By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}}
}

// quiet tells whether a process does nothing. No table has how much it did, but while a
// CLI starts its helpers come and go. The first look has nothing to compare with.
func (w *World) quiet(now time.Time, who engine.Who) engine.Event {
	last, looked := w.looked[who.PID]
	w.looked[who.PID] = now
	return engine.Event{At: now, By: engine.Process, Who: who, Fact: engine.Quiet{Yes: looked && !w.table.stirred.After(last)}}
}

// bearers tells whether a process carries the id of a call.
func (w *World) bearers(now time.Time, q engine.Question) engine.Event {
	fact := engine.Children{Call: q.Call, Own: true}
	if c, err := w.cli(q.Who.Tool); err == nil && c.CallEnv != "" {
		for _, p := range w.table.all {
			fact.Yes = fact.Yes || p.Env[c.CallEnv] == q.Call
		}
	}
	return engine.Event{At: now, By: engine.Process, Who: q.Who, Fact: fact}
}

// children tells whether a process has a child that began after a call did.
func (w *World) children(now time.Time, q engine.Question) engine.Event {
	fact := engine.Children{Call: q.Call}
	for pid, p := range w.table.all {
		fact.Yes = fact.Yes || p.Parent == q.Who.PID && !w.table.since[pid].Before(q.Since)
	}
	return engine.Event{At: now, By: engine.Process, Who: q.Who, Fact: fact}
}
