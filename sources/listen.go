package sources

import (
	"context"
	"sync"

	"deskbell/engine"
)

// A Listener is a source that looks when something is asked, and never blocks the asker.
type Listener interface {
	Source
	Answer(q engine.Question)
}

// Listeners run what hears the servers of CLIs, one for each home.
type Listeners struct {
	clis    []CLI
	look    func(pid int) (Proc, bool)
	say     func(string)
	inbox   *Inbox // run by the goroutine of Run
	running map[[2]string]Listener
}

// NewListeners returns those of the homes that are known at start. look looks up a
// process.
func NewListeners(clis []CLI, homes func(CLI) []string, look func(pid int) (Proc, bool), say func(string)) *Listeners {
	l := &Listeners{clis: clis, look: look, say: say, inbox: NewInbox(), running: map[[2]string]Listener{}}
	for _, c := range clis {
		for _, home := range homes(c) {
			l.AddHome(c.Name, home)
		}
	}
	return l
}

func (l *Listeners) String() string { return "listeners" }

// AddHome hears the server of one more home of a CLI. It may be called from any goroutine.
func (l *Listeners) AddHome(cli, home string) { l.inbox.Put(func() { l.add(cli, RealPath(home)) }) }

// add notes what is to be run.
func (l *Listeners) add(cli, home string) {
	key := [2]string{cli, home}
	if l.running[key] != nil {
		return
	}
	for _, c := range l.clis {
		if c.Name == cli && c.Live != nil {
			l.running[key] = c.Live(home, l.look)
		}
	}
}

// Answer has the listeners of a tool look, or all of them. It may be called from any
// goroutine.
func (l *Listeners) Answer(q engine.Question) {
	l.inbox.Put(func() {
		for key, one := range l.running {
			if q.Who.Tool == "" || q.Who.Tool == key[0] {
				one.Answer(q)
			}
		}
	})
}

// Run runs them until ctx is done.
func (l *Listeners) Run(ctx context.Context, emit func(...engine.Event)) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	started := map[[2]string]bool{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.inbox.Ring():
		}
		for _, do := range l.inbox.Take() {
			do()
		}
		for key, one := range l.running {
			if !started[key] {
				started[key] = true
				wg.Go(func() { Supervise(ctx, one, emit, l.say) })
			}
		}
	}
}
