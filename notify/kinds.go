package notify

import (
	"time"

	"deskbell/engine"
)

// kind is one row of [kinds].
type kind struct {
	Name   Kind
	Status engine.Status
	Settle time.Duration // how long the status must last to be worth a notice
	Sound  bool
	Stays  bool // until answered; others go when the desktop thinks fit
}

// kinds is what is told, and how. A notice that settles for less than the time
// Claude Code takes to draw its dialog (0.5 s) is up when the dialog is.
var kinds = []kind{
	{Name: Approval, Status: engine.Approval, Settle: 300 * time.Millisecond, Sound: true, Stays: true},
	{Name: Input, Status: engine.Input, Settle: 300 * time.Millisecond, Sound: true, Stays: true},
	{Name: Waiting, Status: engine.Waiting, Settle: 600 * time.Millisecond},
	{Name: Trouble, Status: engine.Waiting, Settle: 600 * time.Millisecond},
}

// kindOf finds the row of s; nil: it asks nothing of you.
func kindOf(s *engine.Session) *kind {
	name := Waiting
	if s.Trouble != "" && s.Trouble != engine.Interrupted {
		name = Trouble
	}
	for i := range kinds {
		if k := &kinds[i]; k.Status == s.Status && (k.Status != engine.Waiting || k.Name == name) {
			return k
		}
	}
	return nil
}

// opening is how long after the start dialogs that were open before make a summary.
// The sessions come to be known within it.
const opening = 3 * time.Second

// hold is a reason to wait longer than a kind does.
type hold struct {
	If  func(c *card) bool
	For time.Duration
	Why string
}

var holds = []hold{
	{If: func(c *card) bool { return guess(&c.s) }, For: 4 * time.Second,
		Why: "a guess has to last before it rings"},
	{If: func(c *card) bool { return c.s.Status == engine.Approval && c.s.Answers }, For: 3 * time.Second,
		Why: "a hook in its settings may answer for you"},
	{If: func(c *card) bool { return c.s.Status == engine.Approval && c.quick >= quick.Times }, For: 3 * time.Second,
		Why: "approvals of this session went away by themselves"},
}

// quick is when approvals are taken to clear themselves: so often in a row,
// each within so long.
var quick = struct {
	Times  int
	Within time.Duration
}{2, 3 * time.Second}

// burst is how many notices so close together become one.
var burst = struct {
	Most   int
	Within time.Duration
}{3, 2 * time.Second}

// guess reports whether nobody told what s shows.
func guess(s *engine.Session) bool { return s.Guess || s.Loud == engine.Guessed }

// reminders are how an alert is told again by default: so often, so far apart.
var reminders = struct {
	Most  int
	Every time.Duration
}{5, 2 * time.Minute}

// glance is about looking whether you look at a session: how long an answer is
// waited for, and how long it counts.
var glance = struct {
	Wait, Fresh time.Duration
}{150 * time.Millisecond, 2 * time.Second}

// Why nothing is told that is not vetoed.
const (
	soon       = "it may be over at once"
	hushed     = "these are quiet hours: it is told at their end if it needs you then"
	watched    = "you were looking at it"
	brief      = "it was over before it was worth a notice"
	overByThen = "it was over before the quiet hours were"
	another    = "it asks something else now"
)

// veto is a reason to be quiet about a session.
type veto struct {
	If   func(c *card, k *kind, t *terms) bool
	Ends bool // a notice that is up goes, too
	Why  string
}

// vetoes count as of when an event began. Nothing rings because one of them is lifted.
var vetoes = []veto{
	{Ends: true, Why: "all sessions were muted then: silent until its next event",
		If: func(_ *card, _ *kind, t *terms) bool { return muted(t.Muted, t.MutedUntil, t.now) }},
	{Ends: true, Why: "the session was muted then: silent until its next event",
		If: func(c *card, _ *kind, t *terms) bool { return c.s.MutedAt(t.now) }},
	{Ends: true, Why: "its folder was muted then: silent until its next event",
		If: func(c *card, _ *kind, t *terms) bool { return t.folder(&c.s) }},
	{Ends: true, Why: "a rule for its folder mutes it",
		If: func(_ *card, _ *kind, t *terms) bool { return t.rule.Mute }},
	{Ends: true, Why: "notices of this kind are switched off",
		If: func(_ *card, k *kind, t *terms) bool { return t.off(k.Name) }},
	{Ends: true, Why: "you interrupted it yourself",
		If: func(c *card, _ *kind, _ *terms) bool {
			return c.s.Status == engine.Waiting && c.s.Trouble == engine.Interrupted
		}},
	{Why: "it was like this before we looked",
		If: func(c *card, _ *kind, _ *terms) bool { return c.first && !c.summary }},
	{Why: "what it rests on never rings",
		If: func(c *card, _ *kind, _ *terms) bool { return c.s.Loud == engine.Silent }},
	{Why: "it is a guess, and this session reports for itself",
		If: func(c *card, _ *kind, t *terms) bool {
			return guess(&c.s) && c.s.Reports && t.Guesses != "always"
		}},
	{Why: "your turn was told for this prompt already",
		If: func(c *card, k *kind, t *terms) bool {
			return k.Name == Waiting && !t.MachineTurns && !c.s.Spoke.IsZero() && !c.s.Spoke.After(c.prompt)
		}},
	{Why: "its turn was shorter than you care for",
		If: func(c *card, k *kind, t *terms) bool {
			return k.Name == Waiting && !c.s.Turn.IsZero() && c.s.Since.Sub(c.s.Turn) < t.minTurn()
		}},
	{Why: "the trouble of this turn was told already",
		If: func(c *card, k *kind, _ *terms) bool {
			return k.Name == Trouble && !c.s.Turn.IsZero() && c.s.Turn.Equal(c.troubled)
		}},
}

// allowed says why c is not to be told, "" if it is. Once it is told, only what
// would take its notice down again counts.
func allowed(c *card, k *kind, t *terms) (why string) {
	for i := range vetoes {
		if v := &vetoes[i]; (v.Ends || !c.told) && v.If(c, k, t) {
			return v.Why
		}
	}
	return ""
}

// settling is how long what c shows must last, and why that is longer than usual.
func settling(c *card, k *kind) (d time.Duration, why string) {
	d = k.Settle
	for i := range holds {
		if h := &holds[i]; h.If(c) && h.For > d {
			d, why = h.For, h.Why
		}
	}
	return d, why
}
