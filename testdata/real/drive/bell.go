package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// session is what the stream says of one session, field by field.
type session map[string]any

func (s session) text(key string) string {
	if v, ok := s[key]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

// rule is what the status of s rests on.
func (s session) rule() string {
	reason, _ := s["reason"].(map[string]any)
	return session(reason).text("rule")
}

// card is one session's life on the stream.
type card struct {
	ID    string
	Moves []move
}

// move is one status of a card: every version of the session seen in it.
type move struct {
	At       time.Time
	Status   string
	Versions []session
}

// line is one line of `deskbell status --watch --json`.
type line struct {
	Event    string    `json:"event"`
	Sessions []session `json:"sessions"`
	From     string    `json:"from"`
	Session  session   `json:"session"`
	ID       string    `json:"id"`
}

// bell is a deskbell under test: its daemon and what its stream said.
type bell struct {
	log    *journal
	daemon *exec.Cmd
	died   chan struct{}

	mu      sync.Mutex
	cards   []*card  // guarded by mu, in order of appearance
	changes []change // guarded by mu
}

// startBell runs the daemon, on a bus without a tray, and follows its stream until ctx ends.
func startBell(ctx context.Context, path string, env []string, dir string, log *journal) (*bell, error) {
	out, err := os.Create(filepath.Join(dir, "deskbell.log"))
	if err != nil {
		return nil, err
	}
	b := &bell{log: log, died: make(chan struct{})}
	b.daemon = exec.Command(path)
	b.daemon.Env, b.daemon.Dir, b.daemon.Stdout, b.daemon.Stderr = env, dir, out, out
	if err := b.daemon.Start(); err != nil {
		return nil, err
	}
	go func() {
		b.daemon.Wait()
		close(b.died)
	}()
	ready := make(chan struct{})
	go b.follow(ctx, path, env, ready)
	select {
	case <-ready:
		return b, nil
	case <-b.died:
		return nil, fmt.Errorf("deskbell ended at once, see %s", out.Name())
	case <-time.After(10 * time.Second):
		return nil, fmt.Errorf("deskbell shows no snapshot, see %s", out.Name())
	}
}

// follow reads the stream and begins again where it ends: the daemon may not be
// up yet.
func (b *bell) follow(ctx context.Context, path string, env []string, ready chan struct{}) {
	var once sync.Once
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, path, "status", "--watch", "--json")
		cmd.Env = env
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			return
		}
		in := bufio.NewReader(out)
		for {
			raw, err := in.ReadBytes('\n')
			if err != nil {
				break
			}
			b.take(time.Now(), raw)
			once.Do(func() { close(ready) })
		}
		cmd.Wait()
		time.Sleep(50 * time.Millisecond)
	}
}

func (b *bell) take(at time.Time, raw []byte) {
	b.log.note(at, "BELL", "%s", raw[:len(raw)-1])
	var l line
	if json.Unmarshal(raw, &l) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch l.Event {
	case "snapshot":
		for _, s := range l.Sessions {
			b.seenLocked(at, "", s)
		}
	case "change":
		b.seenLocked(at, l.From, l.Session)
		if c := (change{SessionID: l.Session.text("session_id"), From: l.From, To: l.Session.text("status"), Rule: l.Session.rule()}); c.From != c.To {
			b.changes = append(b.changes, c)
		}
	case "gone":
		if c := b.cardLocked(l.ID); c.last() != "ended" {
			c.Moves = append(c.Moves, move{At: at, Status: "gone"})
		}
	}
}

func (b *bell) seenLocked(at time.Time, from string, s session) {
	c := b.cardLocked(s.text("id"))
	if status := s.text("status"); c.last() != status || from != "" && from != status {
		c.Moves = append(c.Moves, move{At: at, Status: status})
	}
	m := &c.Moves[len(c.Moves)-1]
	m.Versions = append(m.Versions, s)
}

func (b *bell) cardLocked(id string) *card {
	i := slices.IndexFunc(b.cards, func(c *card) bool { return c.ID == id })
	if i < 0 {
		b.cards, i = append(b.cards, &card{ID: id}), len(b.cards)
	}
	return b.cards[i]
}

func (c *card) last() string {
	if len(c.Moves) == 0 {
		return ""
	}
	return c.Moves[len(c.Moves)-1].Status
}

// seen returns the cards as they are now.
func (b *bell) seen() []card {
	b.mu.Lock()
	defer b.mu.Unlock()
	var cards []card
	for _, c := range b.cards {
		copied := card{ID: c.ID, Moves: slices.Clone(c.Moves)}
		cards = append(cards, copied)
	}
	return cards
}

// changed returns the changes of statuses so far.
func (b *bell) changed() []change {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.changes)
}

// alive reports whether the daemon still runs.
func (b *bell) alive() bool {
	select {
	case <-b.died:
		return false
	default:
		return true
	}
}
