package notify

import (
	"strings"
	"time"

	"deskbell/engine"
)

// Prefs is what you asked for about notices.
type Prefs struct {
	// Guesses "always" lets a guess ring although its session reports dialogs itself.
	Guesses string
	// MachineTurns rings for each end of a turn, not once per human prompt.
	MachineTurns bool
	// MinTurn is how long a turn takes at least whose end is told.
	MinTurn time.Duration
	// Off are the kinds switched off.
	Off map[Kind]bool
	// NoSound: notices are seen, not heard.
	NoSound bool
	// Remind is how long an alert is left unanswered before it is told again. Zero:
	// 2 min; less: it is told once.
	Remind time.Duration
	// RemindMost is how often at most. Zero: 5.
	RemindMost int

	// Muted silences all sessions, until MutedUntil where that is set.
	Muted      bool
	MutedUntil time.Time
	// Folders silences the sessions of some folders.
	Folders []FolderMute
	// Rules are about the sessions of some folders. The first that holds a session applies.
	Rules []Rule
	// Quiet are the hours in which only alerts ring, by the clock of Zone; nil: the local one.
	Quiet []Hours
	Zone  *time.Location
	// CanLook: somebody answers [Planner.Look].
	CanLook bool

	Words
}

// FolderMute silences the sessions in a folder and below it, until Until where that
// is set. Dir is a real path.
type FolderMute struct {
	Dir   string    `json:"dir"`
	Until time.Time `json:"until,omitzero"`
}

// Rule is what you asked for about the sessions of a folder.
type Rule struct {
	// Holds reports whether the rule is about a folder, a real path; nil: it is about
	// every session. A session is held by the folder it works in and by the one it began
	// in. Folders of other machines are held by none.
	Holds func(dir string) bool

	Mute    bool
	Alert   bool
	Off     map[Kind]bool  // beside those of Prefs
	MinTurn *time.Duration // nil: as in Prefs
	Details string         // "": as in Prefs
}

// terms are what you asked for about one session, at one moment.
type terms struct {
	*Prefs
	now   time.Time
	rule  Rule
	alert bool // unless it is muted
}

// about lays the rule of the folder over the rest.
func (p *Prefs) about(s *engine.Session, now time.Time) terms {
	t := terms{Prefs: p, now: now, alert: s.Alert}
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Holds == nil || anyDir(s, r.Holds) {
			t.rule, t.alert = *r, s.Alert || r.Alert
			break
		}
	}
	return t
}

func (t *terms) minTurn() time.Duration {
	if t.rule.MinTurn != nil {
		return *t.rule.MinTurn
	}
	return t.MinTurn
}

func (t *terms) off(k Kind) bool { return t.Off[k] || t.rule.Off[k] }

// folder reports whether the folder of s is muted.
func (t *terms) folder(s *engine.Session) bool {
	for i := range t.Folders {
		f := &t.Folders[i]
		if muted(true, f.Until, t.now) && anyDir(s, func(dir string) bool { return within(dir, f.Dir) }) {
			return true
		}
	}
	return false
}

// words are how a notice of the session is worded.
func (t *terms) words() Words {
	w := t.Words
	if t.rule.Details != "" {
		w.Details = t.rule.Details
	}
	return w
}

// muted reports whether a mute that may end at some time holds now.
func muted(on bool, until, now time.Time) bool {
	return (&engine.Prefs{Muted: on, MutedUntil: until}).MutedAt(now)
}

// anyDir reports whether is holds for a folder of s on this machine.
func anyDir(s *engine.Session, is func(dir string) bool) bool {
	return s.Peer == "" && (s.Dir != "" && is(s.Dir) || s.BeganIn != "" && is(s.BeganIn))
}

// within reports whether dir is folder or lies below it.
func within(dir, folder string) bool {
	folder = strings.TrimRight(folder, `/\`)
	rest, ok := strings.CutPrefix(dir, folder)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
}
