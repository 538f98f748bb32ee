package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"deskbell/engine"
)

const (
	journalFile = "journal.jsonl"
	journalOld  = "journal.1.jsonl" // what was written before it
	journalMost = 4 << 20           // bytes in one of them
	journalWait = 16384             // lines that may wait to be written
)

// Journal keeps what happened in the last hours as JSON lines: moments, and what hooks
// told, which nobody else would tell again. No text of a conversation is in it. Lines
// may be put from any goroutine, and never wait; those there is no room for are counted.
type Journal struct {
	dir  string
	boot string // which start of the machine this is; "": not known
	kept time.Duration
	most int64
	say  func(string)
	bell chan struct{} // holds one: there are lines

	mu    sync.Mutex
	lines []any           // guarded by mu
	lost  uint64          // guarded by mu
	asked []chan struct{} // guarded by mu; closed when all lines so far are written

	file  *os.File
	size  int64
	began time.Time // of its first line
	torn  bool      // the last line may not have an end
	said  bool
}

// OpenJournal opens the journal in dir, which is ours alone. Lines older than kept are
// of no interest. boot is which start of the machine this is, as far as is known.
func OpenJournal(dir, boot string, kept time.Duration, say func(string)) (*Journal, error) {
	j := &Journal{dir: dir, boot: boot, kept: kept, most: journalMost, say: say, bell: make(chan struct{}, 1)}
	err := j.open()
	if err != nil && j.file != nil { // a full disk: it may have room later
		j.complain(err)
		err = nil
	}
	return j, err
}

func (j *Journal) path(name string) string { return filepath.Join(j.dir, name) }

// open begins where an earlier run ended, perhaps in the middle of a line.
func (j *Journal) open() error {
	if old, err := os.Stat(j.path(journalOld)); err == nil {
		if time.Since(old.ModTime()) > j.kept {
			_ = os.Remove(j.path(journalOld)) // it is passed over all the same
		} else if err := os.Chmod(j.path(journalOld), 0o600); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(j.path(journalFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = os.Chmod(f.Name(), 0o600)
	}
	if err != nil {
		f.Close()
		return err
	}
	j.file, j.size = f, info.Size()
	if j.size == 0 {
		return j.head()
	}
	var end [1]byte
	_, err = f.ReadAt(end[:], j.size-1)
	j.torn = err != nil || end[0] != '\n'
	j.began = info.ModTime() // it is no younger
	for line := range lines(j.path(journalFile)) {
		if at := dated(line); !at.IsZero() {
			j.began = at
			break
		}
	}
	return nil
}

// Put adds lines: of type [engine.Line] or [engine.Moment].
func (j *Journal) Put(lines ...any) {
	if len(lines) == 0 {
		return
	}
	j.mu.Lock()
	room := min(len(lines), journalWait-len(j.lines))
	j.lines = append(j.lines, lines[:room]...)
	j.lost += uint64(len(lines) - room)
	j.mu.Unlock()
	j.ring()
}

func (j *Journal) ring() {
	select {
	case j.bell <- struct{}{}:
	default:
	}
}

// Heard notes what hooks told.
func (j *Journal) Heard(now time.Time, events []engine.Event) {
	var told []any
	for _, ev := range events {
		if ev.By == engine.Hook && !ev.Who.Loose {
			told = append(told, engine.Line{Told: now, Event: ev})
		}
	}
	j.Put(told...)
}

// Tick notes what became of the sessions.
func (j *Journal) Tick(now time.Time, step engine.Step, _ engine.Snapshot) time.Time {
	j.Note(step.Moments(now)...)
	return time.Time{}
}

// Note adds moments.
func (j *Journal) Note(moments ...engine.Moment) {
	for _, m := range moments {
		j.Put(m)
	}
}

// Sync waits until all that was put so far is written.
func (j *Journal) Sync(ctx context.Context) error {
	done := make(chan struct{})
	j.mu.Lock()
	j.asked = append(j.asked, done)
	j.mu.Unlock()
	j.ring()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Run writes until ctx is done, and then what is left.
func (j *Journal) Run(ctx context.Context) {
	for {
		select {
		case <-j.bell:
			j.drain()
		case <-ctx.Done():
			j.drain()
			return
		}
	}
}

// Close writes what is left, and ends the file. Run has ended.
func (j *Journal) Close() error {
	j.drain()
	if j.file == nil {
		return nil
	}
	return errors.Join(j.file.Sync(), j.file.Close())
}

func (j *Journal) drain() {
	j.mu.Lock()
	lines, lost, asked := j.lines, j.lost, j.asked
	j.lines, j.lost, j.asked = nil, 0, nil
	j.mu.Unlock()
	if lost > 0 {
		lines = append(lines, engine.Moment{At: time.Now().UTC(), Event: engine.Missed, Lost: lost})
	}
	if err := j.write(lines); err != nil {
		j.complain(err)
	}
	for _, done := range asked {
		close(done)
	}
}

// complain says once that something could not be written.
func (j *Journal) complain(err error) {
	if !j.said {
		j.said = true
		j.say(fmt.Sprintf("%s: %v: `deskbell log` and a restart know less, further ones are not told", j.path(journalFile), err))
	}
}

// write adds lines in one piece. After a failure the next one begins on a line of its own.
func (j *Journal) write(lines []any) error {
	if len(lines) == 0 {
		return nil
	}
	var b bytes.Buffer
	if j.torn {
		b.WriteByte('\n')
	}
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, line := range lines {
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	if err := j.turn(int64(b.Len())); err != nil {
		return err
	}
	n, err := j.file.Write(b.Bytes())
	j.size += int64(n)
	j.torn = err != nil && n > 0 || err != nil && j.torn
	return err
}

// turn begins another file where this one is full, or old, and forgets the one before.
func (j *Journal) turn(more int64) error {
	if j.file == nil {
		return j.open() // an earlier turn failed in the middle
	}
	if j.size+more <= j.most && time.Since(j.began) <= j.kept {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	if err := errors.Join(err, os.Rename(j.path(journalFile), j.path(journalOld))); err != nil {
		return err
	}
	return j.open()
}

// head begins a file: what follows is of this start of the machine.
func (j *Journal) head() error {
	line, err := json.Marshal(engine.Moment{At: time.Now().UTC(), Event: engine.GoesOn, Boot: j.boot})
	if err != nil {
		return err
	}
	n, err := j.file.Write(append(line, '\n'))
	j.size, j.torn, j.began = int64(n), err != nil, time.Now()
	return err
}
