package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Memory is what outlives an engine: what nobody tells again. Nothing of a status is in
// it but when you last looked.
type Memory struct {
	Last   int     `json:"last"` // the highest number an id was given
	Cards  []Card  `json:"cards"`
	Nights []Night `json:"nights,omitempty"` // that the machine slept through
	Labels []Label `json:"labels,omitempty"` // your own
	Hushed []Hush  `json:"hushed,omitempty"` // what is muted beside single sessions
}

// Card is what is remembered of one session.
type Card struct {
	ID        ID        `json:"id"`
	Tool      string    `json:"tool"`
	SessionID string    `json:"session_id,omitempty"`
	Home      string    `json:"home,omitempty"`
	Dir       string    `json:"dir,omitempty"`
	BeganIn   string    `json:"began_in,omitempty"`
	Earlier   []string  `json:"earlier,omitempty"` // ids of its earlier conversations, the newest last
	Tied      bool      `json:"tied,omitempty"`    // to one process, below, unless it has left that
	PID       int       `json:"pid,omitempty"`
	Ticks     uint64    `json:"ticks,omitempty"`
	Domain    string    `json:"domain,omitempty"`
	Known     time.Time `json:"known"`               // since when it is known
	Started   time.Time `json:"started,omitzero"`    // when its CLI last started, or started over
	Seen      time.Time `json:"seen,omitzero"`       // when you last looked at it
	Ended     time.Time `json:"ended,omitzero"`      // zero: it lived
	LastWrite time.Time `json:"last_write,omitzero"` // of one that ended
	Untold    time.Time `json:"untold,omitzero"`     // since when it is only remembered
	Title     string    `json:"title,omitempty"`     // the CLI's own
	Prompt    string    `json:"prompt,omitempty"`    // the first sentence of its first one
	Spoke     time.Time `json:"spoke,omitzero"`      // when that was
	Project   string    `json:"project,omitempty"`
	Number    int       `json:"number,omitempty"` // of those of the project
	Prefs
}

// Night is a time the machine slept through.
type Night struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// cardsKept bounds the cards that are only remembered.
const cardsKept = 500

// Memory returns what is to be told to the next engine.
func (e *Engine) Memory() Memory {
	m := Memory{Last: e.last, Cards: make([]Card, 0, len(e.order)+len(e.memory)), Labels: slices.Clone(e.labels), Hushed: slices.Clone(e.hushed)}
	for _, s := range e.order {
		if s.shown || s.recalled {
			m.Cards = append(m.Cards, e.card(s))
		}
	}
	m.Cards = append(m.Cards, e.memory...)
	slices.SortStableFunc(m.Cards, func(a, b Card) int { return cmp.Compare(number(a.ID), number(b.ID)) })
	for _, n := range e.clock.nights {
		if e.now.Sub(n.to) <= e.limits[Kept] {
			m.Nights = append(m.Nights, Night{n.from.UTC(), n.to.UTC()})
		}
	}
	return m
}

func (e *Engine) card(s *entry) Card {
	c := Card{
		ID: s.view.ID, Tool: s.who.Tool, SessionID: s.who.ID, Home: s.who.Home, Dir: s.who.Dir, BeganIn: s.view.BeganIn,
		Earlier: slices.Clone(s.runs), Known: s.known.UTC(), Started: e.wallTime(s.facts.Started.At), Seen: e.wallTime(s.facts.Seen.At),
		Title: s.facts.Title.Text, Prompt: s.facts.Prompt.Text, Spoke: e.wallTime(s.facts.Prompt.At),
		Project: s.numberOf, Number: s.number, Prefs: s.prefs,
	}
	if s.facts.Tied {
		c.Tied, c.PID, c.Ticks, c.Domain = true, s.who.PID, s.who.Ticks, s.who.Domain
	}
	if !s.ended.IsZero() {
		c.Ended, c.LastWrite = s.ended.UTC(), e.wallTime(s.facts.Wrote.At)
	}
	return c
}

// Recall tells a new engine what an earlier one remembered, before anything else.
// Sessions that ended are there again at once. One that lived is shown when its process
// has been looked up; where none is known, it waits for somebody to tell of it.
func (e *Engine) Recall(m Memory) {
	e.last = max(e.last, m.Last)
	for _, n := range m.Nights {
		if n.To.After(n.From) {
			e.clock.slept(n.From, n.To)
		}
	}
	e.recallLabels(m.Labels)
	e.hushed = slices.Clone(m.Hushed)
	taken := map[ID]bool{}
	for _, c := range m.Cards {
		n := number(c.ID)
		if n <= 0 || c.ID != numbered(n) || taken[c.ID] || c.Tool == "" || c.SessionID == "" && c.Ticks == 0 {
			continue // not written by us
		}
		taken[c.ID] = true
		e.recallProject(c)
		if c.Ticks == 0 { // its number may have been given to another process
			c.PID, c.Domain, c.Tied = 0, "", c.Tied && !c.Ended.IsZero()
		}
		e.last = max(e.last, n)
		if c.Ended.IsZero() && c.PID == 0 {
			e.memory = append(e.memory, c)
			continue
		}
		e.revive(c)
	}
}

func numbered(n int) ID { return ID("s" + strconv.Itoa(n)) }

// number is that of one of our own ids, which are s1, s2, …
func number(id ID) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(string(id), "s"))
	return n
}

// revive makes a remembered card a session again.
func (e *Engine) revive(c Card) *entry {
	w := Who{Tool: c.Tool, ID: c.SessionID, PID: c.PID, Ticks: c.Ticks, Domain: c.Domain, Dir: c.Dir, Home: c.Home}
	at := func(t time.Time, by Witness) Stamp { return when(!t.IsZero(), Stamp{e.lived(t), by}) }
	s := &entry{who: w, founded: e.now, known: c.Known, runs: slices.Clone(c.Earlier), recalled: true, vague: true,
		prefs: c.Prefs, number: c.Number, numberOf: c.Project}
	s.view = Session{ID: c.ID, BeganIn: c.BeganIn, Match: matchKnown, Prefs: c.Prefs}
	s.facts = Facts{First: at(c.Known, Process), Seen: at(c.Seen, User), Started: at(c.Started, Listing), Tied: c.Tied,
		Title: told{Text: c.Title}, Prompt: told{c.Prompt, e.lived(c.Spoke)}}
	if !c.Ended.IsZero() {
		s.facts.Wrote, s.facts.Recorded = at(c.LastWrite, Transcript), at(c.LastWrite, Transcript)
		s.facts.Vouched = latest(at(c.Ended, Process), s.facts.Started, s.facts.Wrote)
	}
	e.order = append(e.order, s)
	e.touch(s)
	return s
}

// remember makes sessions of the remembered cards that w names: somebody tells of them.
func (e *Engine) remember(w Who) {
	e.memory = slices.DeleteFunc(e.memory, func(c Card) bool {
		is := c.Tool == w.Tool && c.SessionID == w.ID && (w.Home == "" || c.Home == "" || c.Home == w.Home)
		if is {
			e.inhabit(e.revive(c))
		}
		return is
	})
}

// inhabit gives s, of which no process is known, the one in its folder that no
// conversation is known of: it was found before s was told of.
func (e *Engine) inhabit(s *entry) {
	n := e.nameless(Who{Tool: s.who.Tool, ID: s.who.ID, Dir: s.who.Dir})
	if n == nil || s.facts.Tied || !n.blank() || n.who.Born > e.wallTime(e.at.At).UnixMilli() { // what is told was before that
		return
	}
	e.settle(n, s)
}

// settle gives s the process of n, of which no conversation is known, and drops n.
func (e *Engine) settle(n, s *entry) {
	p, f := n.who, &n.facts
	s.who.PID, s.who.Ticks, s.who.Born, s.who.Domain, s.who.Term, s.who.TTY, s.who.RunsIn = p.PID, p.Ticks, p.Born, p.Domain, p.Term, p.TTY, p.RunsIn
	s.facts.Tied, s.facts.Alive, s.facts.Elsewhere, s.facts.Vouched = f.Tied, f.Alive, f.Elsewhere, f.Vouched
	s.facts.Answering, s.facts.Answers = f.Answering, f.Answers
	s.prefs.inherit(n.prefs)
	e.drop(n)
}

// dismiss keeps what you asked for about a session that is dropped.
func (e *Engine) dismiss(s *entry) {
	if c := e.card(s); s.prefs != (Prefs{}) && c.SessionID != "" {
		c.Untold, c.Tied, c.PID, c.Ticks, c.Domain = e.now.UTC(), false, 0, 0, ""
		c.Ended, c.LastWrite, c.Number = time.Time{}, time.Time{}, 0
		e.memory = append(e.memory, c)
	}
}

// fade forgets remembered cards that nobody told of for long, or that are too many. What
// you asked for is kept longer than all else.
func (e *Engine) fade() {
	for i := range e.memory {
		c := &e.memory[i]
		if c.Untold.IsZero() {
			c.Untold = e.now.UTC()
		}
		if !c.MutedAt(e.now) {
			c.Muted, c.MutedUntil = false, time.Time{}
		}
	}
	e.memory = slices.DeleteFunc(e.memory, func(c Card) bool {
		return c.Prefs == (Prefs{}) && e.now.Sub(c.Untold) > e.limits[Kept]
	})
	for len(e.memory) > cardsKept {
		least := 0
		for i, c := range e.memory {
			if o := e.memory[least]; c.fades(&o) {
				least = i
			}
		}
		e.memory = slices.Delete(e.memory, least, least+1)
	}
}

// fades reports whether c is forgotten before o.
func (c *Card) fades(o *Card) bool {
	if bare := c.Prefs == (Prefs{}); bare != (o.Prefs == (Prefs{})) {
		return bare
	}
	return c.Untold.Before(o.Untold)
}
