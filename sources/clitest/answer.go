package clitest

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"deskbell/engine"
	"deskbell/sources"
)

// ask has a question answered a little later.
func (p *player) ask(q engine.Question) {
	switch q.Ask {
	case engine.AskProcess:
		p.answers = append(p.answers, answer{p.now.Add(answerTime), func() { p.process(q.Who) }})
	case engine.AskProcesses:
		p.soon()
	case engine.AskQuiet:
		p.answers = append(p.answers, answer{p.now.Add(answerTime), func() { p.quiet(q.Who) }})
	case engine.AskRecord:
		p.answers = append(p.answers, answer{p.now.Add(answerTime), func() { p.record(q.Who) }})
	}
}

// soon has the whole process table looked at, once for all who wish it.
func (p *player) soon() {
	if p.scan.IsZero() {
		p.scan = p.now.Add(scanTime)
	}
}

// process looks one process up, and tells when it is gone.
func (p *player) process(w engine.Who) {
	proc, known := p.procs[w.PID]
	if !known || w.Ticks != 0 && proc.Ticks != 0 && w.Ticks != proc.Ticks {
		p.tell(engine.Event{At: p.now, By: engine.Process, Who: w, Fact: engine.Alive{}})
		return
	}
	who := p.known(w, proc)
	p.tell(engine.Event{At: p.now, By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
	p.watch(who)
}

// known completes w by what its process tells. What is known already is not doubted.
func (p *player) known(w engine.Who, proc sources.Proc) engine.Who {
	told, is := p.cli.Runs(proc)
	w.Parent, w.Dir, w.TTY, w.Ticks = proc.Parent, proc.Dir, proc.TTY, max(w.Ticks, proc.Ticks)
	if is {
		w.Loose, w.ID, w.Home = told.Loose, cmp.Or(w.ID, told.ID), cmp.Or(w.Home, told.Home)
	}
	return w
}

// quiet tells whether a process does nothing. No recording has how much it did, but
// while a CLI starts its helpers come and go. The first look has nothing to compare with.
func (p *player) quiet(w engine.Who) {
	last, looked := p.looked[w.PID]
	p.looked[w.PID] = p.now
	p.tell(engine.Event{At: p.now, By: engine.Process, Who: w, Fact: engine.Quiet{Yes: looked && !p.stirred.After(last)}})
}

// processes tells the interactive processes of the CLI.
func (p *player) processes() {
	var t engine.Table
	for _, pid := range slices.Sorted(maps.Keys(p.procs)) {
		proc := p.procs[pid]
		if parent, known := p.procs[proc.Parent]; known {
			if _, is := p.cli.Runs(parent); is {
				continue // it has been forked, and has not become another program yet
			}
		}
		if who, is := p.cli.Runs(proc); is && !who.Loose {
			t.Runs = append(t.Runs, who)
		}
	}
	p.tell(engine.Event{At: p.now, By: engine.Process, Who: engine.Who{Tool: p.cli.Name}, Fact: t})
	for _, who := range t.Runs {
		p.watch(who)
	}
}

func (p *player) watch(w engine.Who) {
	if !slices.Contains(p.watched[w.PID], w) {
		p.watched[w.PID] = append(p.watched[w.PID], w)
	}
}

// table takes in a new process table. Whoever is watched and has left it is gone at
// that moment, and all are looked at again.
func (p *player) table(e *entry) {
	p.stirred = e.At
	p.procs = map[int]sources.Proc{}
	for i := range e.List {
		p.procs[e.List[i].PID] = e.List[i].proc()
	}
	for _, pid := range slices.Sorted(maps.Keys(p.watched)) {
		if _, lives := p.procs[pid]; lives {
			continue
		}
		var gone []engine.Event
		for _, w := range p.watched[pid] {
			gone = append(gone, engine.Event{At: p.now, By: engine.Process, Who: w, Fact: engine.Alive{}})
		}
		delete(p.watched, pid)
		p.tell(gone...)
		p.soon()
	}
}

// record reads the files of one session from their beginning.
func (p *player) record(w engine.Who) {
	for _, t := range p.cli.Files {
		if t.Find == nil {
			continue
		}
		for _, glob := range t.Find(w) {
			for _, file := range slices.Sorted(maps.Keys(p.logs)) {
				if ok, _ := path.Match(glob, file); ok {
					p.logs[file].read = 0
					p.readLog(file)
				}
			}
			for _, file := range slices.Sorted(maps.Keys(p.files)) {
				if ok, _ := path.Match(glob, file); ok {
					e := p.files[file]
					p.tell(p.read(&e, nil)...)
				}
			}
		}
	}
}
