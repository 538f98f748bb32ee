package codex

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// socket is where the server of a home listens, below it. It is a link to a short path.
const socket = "app-server-control/app-server-control.sock"

// Between two attempts to reach a server that could not be: the first pause, and the
// sources.Longest. There is no timer for it: an attempt comes with the next question.
const (
	pause    = time.Second
	patience = 5 * time.Minute
)

// live hears the server of one home, and sees who holds its threads. It looks when
// something is asked about Codex: while all is at rest nothing is.
type live struct {
	home  string
	look  func(pid int) (sources.Proc, bool)
	inbox *sources.Inbox
	emit  func(...engine.Event)
	now   func() time.Time

	conn    *conn                                        // nil: none
	heard   chan incoming                                // what conn hears
	request func(method string, params any) (int, error) // of conn
	wait    time.Duration                                // until the next attempt is worth it
	tried   time.Time

	threads map[string]*served
	owners  map[string]int // who was told to hold a thread
	asked   map[int]string // the threads that are being asked about, by request
}

// newLive returns what hears the server of a home.
func newLive(home string, look func(pid int) (sources.Proc, bool)) sources.Listener {
	return &live{home: home, look: look, inbox: sources.NewInbox(), now: time.Now}
}

func (l *live) String() string { return "codex server " + l.home }

// Answer looks, whatever is asked.
func (l *live) Answer(engine.Question) { l.inbox.Put(func() {}) }

// Run hears the server until ctx is done.
func (l *live) Run(ctx context.Context, emit func(...engine.Event)) error {
	l.emit, l.threads, l.owners, l.asked = emit, map[string]*served{}, map[string]int{}, map[int]string{}
	defer l.hangUp()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.inbox.Ring():
			l.inbox.Take()
			l.locks()
			if l.conn == nil {
				l.call(ctx)
			}
		case in := <-l.heard:
			if in.err != nil {
				l.hangUp()
				continue
			}
			l.hear(in.message)
		}
	}
}

// call tries to reach the server, unless that failed a moment ago. That there is none says
// nothing: older versions have none, and it starts with the first terminal.
func (l *live) call(ctx context.Context) {
	if now := l.now(); now.Sub(l.tried) < l.wait {
		return
	}
	l.tried = l.now()
	path, err := filepath.EvalSymlinks(filepath.Join(l.home, filepath.FromSlash(socket)))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		l.conn, err = dial(ctx, path)
	}
	if err != nil {
		l.wait = min(max(2*l.wait, pause), patience)
		return
	}
	l.wait = 0
	l.heard, l.request = make(chan incoming), l.conn.ask
	l.conn.listen(l.heard)
	l.ask("", "thread/loaded/list", struct{}{})
}

// hangUp forgets the server: nobody tells of its threads by now.
func (l *live) hangUp() {
	if l.conn == nil {
		return
	}
	l.conn.close()
	l.conn, l.heard = nil, nil
	l.tried, l.wait = l.now(), pause
	var rows []engine.Member
	for id, t := range l.threads {
		if t.ours {
			rows = append(rows, engine.Member{ID: id, Level: engine.ListedSilent})
		}
	}
	clear(l.threads)
	clear(l.asked)
	l.roster(rows...)
}

func (l *live) ask(thread, method string, params any) {
	if id, err := l.request(method, params); err == nil { // else the connection ends by itself
		l.asked[id] = thread
	}
}

func (l *live) roster(rows ...engine.Member) {
	if len(rows) > 0 {
		l.emit(engine.Event{At: l.now(), By: engine.Listing, Who: engine.Who{Tool: tool, Home: l.home}, Fact: engine.Roster{Serves: true, Rows: rows}})
	}
}

// locks tells which terminals run their threads themselves: each holds the lock of its
// thread, and those of what works for that.
func (l *live) locks() {
	for id, pid := range holders(filepath.Join(l.home, "thread-writer-locks")) {
		if l.owners[id] == pid || !form.MatchString(id) {
			continue
		}
		first := l.firstLine(id)
		if first == nil {
			continue // it has had no prompt yet
		}
		l.owners[id] = pid
		t := whose(id, first)
		p, known := l.look(pid)
		if who, is := runs(p); known && is && !who.Loose && t != nil && t.agent == "" {
			l.emit(engine.Event{At: l.now(), By: engine.Listing, Who: engine.Who{Tool: tool, ID: id, PID: pid, Ticks: p.Ticks, Home: l.home}, Fact: engine.Lived{}})
		}
	}
}

// firstLine is that of a thread's rollout, nil if there is none yet.
func (l *live) firstLine(id string) []byte {
	files, _ := filepath.Glob(filepath.Join(l.home, "sessions", "*", "*", "*", "rollout-*-"+id+".jsonl"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		defer f.Close()
		if line, err := bufio.NewReader(io.LimitReader(f, longestMessage)).ReadBytes('\n'); err == nil {
			return line
		}
	}
	return nil
}
