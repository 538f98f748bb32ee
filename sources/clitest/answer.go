package clitest

import (
	"maps"
	"path"
	"slices"

	"deskbell/engine"
	"deskbell/sources"
)

// ask has a question answered a little later.
func (p *player) ask(q engine.Question) {
	give := map[engine.Ask]func(){
		engine.AskProcess:   func() { p.process(q.Who) },
		engine.AskProcesses: p.processes,
		engine.AskRecord:    func() { p.record(q.Who) },
	}[q.Ask]
	if give != nil {
		p.answers = append(p.answers, answer{p.now.Add(answerTime), give})
	}
}

// process looks one process up, and tells when it is gone.
func (p *player) process(w engine.Who) {
	who, alive := p.runs(w)
	p.tell(engine.Event{At: p.now, By: engine.Process, Who: who, Fact: engine.Alive{Yes: alive}})
	if alive {
		p.watched[who.PID] = append(p.watched[who.PID], engine.Event{By: engine.Process, Who: w, Fact: engine.Alive{}})
	}
}

// runs completes w by what its process tells. A process that started at another
// time is not the one that is meant.
func (p *player) runs(w engine.Who) (engine.Who, bool) {
	proc, known := p.procs[w.PID]
	if !known || w.Ticks != 0 && proc.Ticks != 0 && w.Ticks != proc.Ticks {
		return w, false
	}
	who, is := p.cli.Runs(proc)
	if !is {
		return w, false
	}
	return who, true
}

// processes tells the interactive processes of the CLI.
func (p *player) processes() {
	var t engine.Table
	for _, pid := range slices.Sorted(maps.Keys(p.procs)) {
		proc := p.procs[pid]
		parent, known := p.procs[proc.Parent]
		if known && slices.Equal(parent.Args, proc.Args) {
			continue // it has been forked, and has not become another program yet
		}
		if who, is := p.cli.Runs(proc); is && !who.Loose {
			t.Runs = append(t.Runs, who)
		}
	}
	p.tell(engine.Event{At: p.now, By: engine.Process, Who: engine.Who{Tool: p.cli.Name}, Fact: t})
}

// table takes in a new process table. Whoever was asked about and has left it is
// gone at that moment.
func (p *player) table(e *entry) {
	p.procs = map[int]sources.Proc{}
	for i := range e.List {
		p.procs[e.List[i].PID] = e.List[i].proc()
	}
	for _, pid := range slices.Sorted(maps.Keys(p.watched)) {
		if _, lives := p.procs[pid]; lives {
			continue
		}
		gone := p.watched[pid]
		delete(p.watched, pid)
		for i := range gone {
			gone[i].At = p.now
		}
		p.tell(gone...)
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
