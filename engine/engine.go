package engine

import (
	"cmp"
	"slices"
	"time"
)

// Engine holds the facts. It is not safe for concurrent use: one goroutine owns
// it, see package live.
type Engine struct {
	book   *book
	limits Limits
	seq    uint64
	last   int
	clock  clock
	now    time.Time
	order  []*entry // in the order in which they were founded
	dirty  []*entry
	by     Witness // of the event being recorded
	at     Stamp   // of it
	teams  []*team
	seats  map[string]*seat // our terminals, by their names
	gone   []ID
	memory []Card               // cards of an earlier run that nobody has told of yet
	loose  []Who                // conversations that nobody attends
	shy    map[string]time.Time // those that need a process, and when they were looked for
	wanted []Question           // of no session

	labels    []Label             // your own
	hushed    []Hush              // what is muted beside single sessions
	rehushed  bool                // ... has changed in this Apply
	checkouts map[string]Checkout // by folder
}

// entry is one session.
type entry struct {
	who                Who
	facts              Facts
	view               Session
	next               time.Time
	asked              [asks]Who            // the last question of each kind, so that it is put once
	sought             time.Time            // when it was last looked for, as it was written to since
	inquired           map[string]time.Time // by row and key: since when it spoke as its question was put
	founded            time.Time            // by the wall clock
	known              time.Time            // likewise; by an earlier run, if it was
	recalled           bool                 // an earlier run knew it
	vague              bool                 // ... and nobody has named its process since
	ended              time.Time
	dirBy              Witness  // who told its folder
	byDir              bool     // its conversation was told by its folder alone
	runs               []string // the CLI's ids of its earlier conversations, the newest last
	prefs              Prefs
	number             int    // tells it from others of numberOf
	numberOf           string // a project
	gauge              Gauge  // of what its process takes
	shown              bool   // it has been in a snapshot
	touched            bool
	rekeyed, restarted bool // since the last event
}

// New returns an engine that goes by the rule book and knows no session.
func New(l Limits) *Engine { return NewWith(Rules(), l) }

// NewWith is New with another rule book, for tests.
func NewWith(rules []Rule, l Limits) *Engine {
	e := &Engine{limits: l}
	e.book = newBook(rules, &e.limits)
	return e
}

// Apply records events that arrived at now and re-reads every status that may
// have changed by now. Time never runs backwards: an earlier now counts as the
// latest one seen.
func (e *Engine) Apply(now time.Time, events ...Event) Step {
	if now.Before(e.now) {
		now = e.now
	}
	before := e.now
	if e.now.IsZero() {
		for _, s := range e.order { // recalled
			s.founded = now
		}
	}
	e.now = now
	e.gone, e.rehushed, e.wanted = nil, false, nil
	for _, ev := range events {
		if f, is := ev.Fact.(Slept); is { // all else is dated by lived time
			e.slept(f.Since, ev.At, before)
		}
	}
	for _, ev := range events {
		e.record(ev)
	}
	var step Step
	for _, s := range e.order {
		if !s.next.IsZero() && !now.Before(s.next) {
			e.touch(s)
		}
	}
	for _, s := range e.dirty {
		s.touched = false
		if slices.Contains(e.order, s) {
			e.read(s, &step)
		}
	}
	e.dirty = e.dirty[:0]
	e.disband(&step)
	e.forget()
	hushed := e.unhush()
	step.Gone, step.Hushed = e.gone, e.rehushed
	step.Questions = append(step.Questions, e.wanted...)
	e.seq += uint64(len(step.Changes) + len(step.Gone))
	for _, s := range e.order {
		if !s.next.IsZero() && (step.Next.IsZero() || s.next.Before(step.Next)) {
			step.Next = s.next
		}
	}
	for _, t := range []time.Time{e.disbands(), hushed} {
		if !t.IsZero() && (step.Next.IsZero() || t.Before(step.Next)) {
			step.Next = t
		}
	}
	return step
}

func (e *Engine) lived(t time.Time) time.Time { return e.clock.lived(t) }

// stamp dates an event: nothing happens in the future.
func (e *Engine) stamp(ev Event) Stamp {
	at := ev.At
	if at.IsZero() || at.After(e.now) {
		at = e.now
	}
	return Stamp{e.lived(at), ev.By}
}

func (e *Engine) record(ev Event) {
	stamp := e.stamp(ev)
	e.by, e.at = ev.By, stamp
	ev.Who = e.placed(ev.Who, ev.By)
	switch f := ev.Fact.(type) {
	case Table:
		e.vouch(ev.Who, f, stamp)
		return
	case Alive:
		e.looked(ev.Who, f, stamp)
		return
	case Slept:
		return
	case Hosted:
		e.host(ev.Who, f, stamp)
		return
	case Opened:
		if ev.Who.Term != "" {
			e.reserve(ev.Who.Term)
		}
	case Roster:
		e.enrol(ev, f)
		return
	case Wished:
		e.wish(ev.Who, f)
		return
	case Hushed:
		e.hush(f)
		return
	case Coloured:
		e.colour(f)
		return
	case Checkout:
		e.checkOut(ev.Who, f)
		return
	case Measured:
		e.measured(ev.Who, f, stamp)
		return
	}
	for _, s := range e.resolve(ev.Who, ev.Fact) {
		e.renew(s, stamp)
		if ev.Who.PID != 0 && (ev.By != Hook || !stamp.At.Before(e.lived(s.founded))) {
			s.vague = false
		}
		s.facts.First.first(stamp)
		s.facts.Now = e.lived(e.now)
		switch ev.By {
		case Hook:
			s.facts.Hooked.meet(stamp)
			s.called(ev.Who, stamp)
			s.facts.Sign.meet(stamp)
		case Transcript, Listing:
			s.facts.Sign.meet(stamp)
		}
		ev.Fact.record(&s.facts, stamp)
		switch f := ev.Fact.(type) {
		case Started:
			e.enlist(s, f.Parent, stamp)
		case Opened:
			e.opened(s, stamp)
		}
		e.touch(s)
	}
}

// called notes that s called a hook: it lives. A process that is new to us is looked up
// first, it may be one that nobody attends; one whose number means nothing here cannot be.
func (s *entry) called(w Who, stamp Stamp) {
	f := &s.facts
	switch {
	case w.PID == 0 && !f.Tied && (f.Vouched.Never() || f.Elsewhere): // else the process table knows better
		Alive{Elsewhere: true}.record(f, stamp)
	case w.PID != 0 && w.PID == s.who.PID && !f.Vouched.Never():
		Alive{Yes: true}.record(f, stamp)
	}
}

// renew takes note that the last event gave s another conversation, or its
// conversation another process.
func (e *Engine) renew(s *entry, stamp Stamp) {
	switch {
	case s.rekeyed && stamp.By == Hook: // the only one who tells it by itself, and may be heard long after
		s.begin(stamp)
	case s.rekeyed:
		s.begin(Stamp{e.lived(e.now), stamp.By})
	}
	if s.restarted {
		began := stamp
		if s.who.Born != 0 && stamp.By == Process { // it may have been found well after
			began.first(Stamp{e.lived(time.UnixMilli(s.who.Born)), Process})
		}
		s.facts.Started.meet(began)
	}
	if s.facts.Tied {
		e.release(s, stamp)
	}
	s.rekeyed, s.restarted = false, false
}

// begin starts a new conversation in the same process: what was known of turns
// and dialogs is over, what is known of the process stays.
func (s *entry) begin(at Stamp) {
	old := s.facts
	s.facts = Facts{
		First: old.First, Started: at, Tied: old.Tied, Alive: old.Alive, Elsewhere: old.Elsewhere, Vouched: old.Vouched,
		Answering: old.Answering, Answers: old.Answers, Checks: old.Checks, TrustedAt: old.TrustedAt, Trusts: old.Trusts,
		Model: old.Model, Effort: old.Effort, Mode: old.Mode, Weighed: old.Weighed, Bytes: old.Bytes,
	}
}

// runsKept is how many earlier runs of a card are kept (SPEC section 8).
const runsKept = 5

// found starts a session for a stranger.
func (e *Engine) found(w Who) *entry {
	e.last++
	s := &entry{who: w, founded: e.now, known: e.now}
	s.view = Session{ID: numbered(e.last), BeganIn: w.Dir, Match: matchNew}
	s.facts.Tied = w.PID != 0
	e.order = append(e.order, s)
	return s
}

func (e *Engine) touch(s *entry) {
	if !s.touched {
		s.touched = true
		e.dirty = append(e.dirty, s)
	}
}

// read takes the status of s off the rule table and its view off the facts.
func (e *Engine) read(s *entry, step *Step) {
	v, next := e.book.read(&s.facts, e.lived(e.now))
	e.clock.wall(&next)
	for _, sigs := range [][]Signal{v.For, v.Against} {
		for i := range sigs {
			e.clock.wall(&sigs[i].Since)
			e.clock.wall(&sigs[i].Until)
		}
	}
	s.next = next
	if end := s.prefs.MutedUntil; end.After(e.now) && (next.IsZero() || end.Before(next)) {
		s.next = end
	}
	step.Questions = append(append(step.Questions, s.questions()...), e.inquire(s, v)...)
	if v.Status == Ended && !s.shown && !s.recalled && v.For[0].Weight <= Reported { // it was over before we heard of it
		e.drop(s)
		return
	}
	old := s.view
	e.look(s, v)
	resized := e.resized(s)
	if s.view.Status == Unknown || !resized && !differs(&old, &s.view) {
		return
	}
	s.shown = true
	s.ended = time.Time{}
	if s.view.Status == Ended {
		s.ended = s.view.Since
	}
	step.Changes = append(step.Changes, Transition{s.view, old.Status})
}

// forget drops sessions that ended long ago.
func (e *Engine) forget() {
	var old []*entry
	ended := 0
	for _, s := range slices.Backward(e.order) {
		if s.ended.IsZero() || e.seatOf(s.who) != nil {
			continue
		}
		if ended++; ended > endedKept || e.now.Sub(s.ended) > e.limits[Kept] {
			old = append(old, s)
		}
	}
	for _, s := range old {
		e.dismiss(s)
		e.drop(s)
	}
	e.fade()
}

// endedKept bounds the ended sessions that are remembered.
const endedKept = 200

// Snapshot returns the state as of the last Apply: the live sessions, or all that
// are known.
func (e *Engine) Snapshot(all bool) Snapshot {
	out := Snapshot{Seq: e.seq, At: e.now.UTC(), Sessions: make([]Session, 0, len(e.order)), Muted: slices.Clone(e.hushed)}
	for _, s := range e.order {
		if s.view.Status.Live() || all && s.view.Status == Ended {
			out.Sessions = append(out.Sessions, s.view)
		}
	}
	slices.SortFunc(out.Sessions, Order)
	out.Counts = Count(out.Sessions)
	return out
}

// Next is the session to go to first, of those of a snapshot in its order: one that needs
// you and says so, else one of which that is a guess.
func Next(sessions []Session) (Session, bool) {
	for _, guess := range []bool{false, true} {
		for _, s := range sessions {
			if s.NeedsYou && !s.Muted && s.Guess == guess {
				return s, true
			}
		}
	}
	return Session{}, false
}

// Order compares two sessions by their place in a snapshot: the most urgent first, then
// the one whose status is the newest.
func Order(a, b Session) int {
	return cmp.Or(
		cmp.Compare(a.Status.Urgency(), b.Status.Urgency()),
		b.Since.Compare(a.Since),
		cmp.Compare(number(a.ID), number(b.ID)))
}
