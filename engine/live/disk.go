package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"deskbell/engine"
)

// Disk is all that deskbell keeps: the state file and the journal, in one folder. A nil
// Disk keeps nothing.
type Disk struct {
	state   *State
	journal *Journal
}

// OpenDisk opens what an earlier run left in dir. It returns what to recall, and what
// hooks told in the time before that is kept. Whoever opens it holds the lock of the
// one deskbell. boot is which start of the machine this is; "": not known.
func OpenDisk(dir, boot string, kept time.Duration, say func(string)) (d *Disk, m engine.Memory, told []engine.Event, err error) {
	state, m, err := OpenState(dir, say)
	if err != nil {
		return nil, engine.Memory{}, nil, err
	}
	told, bad := Facts(dir, boot, kept, time.Now())
	if bad > 0 {
		say(fmt.Sprintf("the journal in %s has lines that make no sense: %d are passed over", dir, bad))
	}
	journal, err := OpenJournal(dir, boot, kept, say)
	if err != nil {
		return nil, m, told, err
	}
	journal.Note(engine.Moment{At: time.Now().UTC(), Event: engine.Began, Boot: boot})
	return &Disk{state, journal}, m, told, nil
}

// Recall has e and l, which runs it, take over what an earlier run left, and keeps what
// changes from then on. Where that cannot be done, say is told why.
func Recall(e *engine.Engine, l *Loop, boot string, kept time.Duration, say func(string)) (d *Disk) {
	dir, err := StateDir()
	var m engine.Memory
	if err == nil {
		d, m, l.First, err = OpenDisk(dir, boot, kept, say)
	}
	if err != nil {
		say(fmt.Sprintf("nothing is kept over a restart: %v", err))
	}
	e.Recall(m)
	d.Keep(l, e.Memory)
	return d
}

// Keep has l, which runs an engine of that memory, tell d what changes. It is called
// before l runs.
func (d *Disk) Keep(l *Loop, memory func() engine.Memory) {
	if d == nil {
		return
	}
	l.Heard = d.journal.Heard
	l.Ticks = append([]Tick{d.journal.Tick}, append(l.Ticks, d.state.Tick(memory))...) // what changed, before what came of it
}

// Note adds moments to the journal.
func (d *Disk) Note(moments ...engine.Moment) {
	if d != nil {
		d.journal.Note(moments...)
	}
}

// errKeepless is what asking for something comes to where nothing is kept.
var errKeepless = errors.New("there is no folder to keep it in")

// Commit has m written, and returns what waits until it is on disk. It is called on the
// goroutine that owns the engine.
func (d *Disk) Commit(m engine.Memory) (wait func(context.Context) error) {
	if d == nil {
		return func(context.Context) error { return errKeepless }
	}
	return d.state.Commit(m)
}

// Run writes until ctx is done.
func (d *Disk) Run(ctx context.Context) {
	if d == nil {
		return
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { d.state.Run(ctx) })
	wg.Go(func() { d.journal.Run(ctx) })
}

// Close writes the last of it. Run has ended, and so has the loop.
func (d *Disk) Close(m engine.Memory) error {
	if d == nil {
		return nil
	}
	_ = d.state.Save(m) // what is wrong was said
	d.journal.Note(engine.Moment{At: time.Now().UTC(), Event: engine.Stopped})
	return d.journal.Close()
}

// Past returns what the journal has of a session, by our id or the beginning of the
// tool's.
func (d *Disk) Past(ctx context.Context, id string) (p Past, ok bool) {
	if d == nil || d.journal.Sync(ctx) != nil {
		return p, false
	}
	return d.journal.Past(id, time.Now())
}
