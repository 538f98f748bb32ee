package engine

import "time"

// Moment is one line of the journal: something that happened, without any text of the
// conversation. The words in it may be those of another version.
type Moment struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`

	ID        ID     `json:"id,omitempty"`
	SessionID string `json:"session_id,omitempty"`
	Tool      string `json:"tool,omitempty"`
	Project   string `json:"project,omitempty"`
	Dir       string `json:"dir,omitempty"`

	From    string    `json:"from,omitempty"` // of a session that is new: absent
	To      string    `json:"to,omitempty"`
	Since   time.Time `json:"since,omitzero"` // of To, where it began well before At
	Rule    string    `json:"rule,omitempty"`
	Weight  string    `json:"weight,omitempty"`
	By      string    `json:"by,omitempty"`
	Trouble Trouble   `json:"trouble,omitempty"`

	State string `json:"state,omitempty"` // of a notice
	Kind  string `json:"kind,omitempty"`  // likewise
	Why   string `json:"why,omitempty"`
	Lost  uint64 `json:"lost,omitempty"` // lines that there was no room for
	Boot  string `json:"boot,omitempty"` // which start of the machine what follows is of
}

// What a [Moment] is about.
const (
	Began   = "start"  // deskbell
	Stopped = "stop"   // likewise
	Changed = "status" // a session
	Notice  = "notice"
	Gone    = "gone" // a session is known no longer
	Missed  = "lost"
	GoesOn  = "goes_on" // another file of the journal begins
)

// Moments is what of a step is told to the journal: the sessions whose status changed,
// and those that are known no longer. What ended before an earlier run did is no news.
func (s *Step) Moments(now time.Time) (out []Moment) {
	for i := range s.Changes {
		t := &s.Changes[i]
		one := &t.Session
		if t.From == one.Status || t.From == Unknown && one.Status == Ended && one.Old {
			continue
		}
		m := one.moment(now, Changed)
		m.To, m.Trouble = one.Status.String(), one.Trouble
		m.Rule, m.Weight, m.By, m.Why = one.Reason.Rule, one.Reason.Weight.String(), one.Reason.By.String(), one.Reason.Why
		if t.From != Unknown {
			m.From = t.From.String()
		}
		if now.Sub(one.Since) > lag {
			m.Since = one.Since.UTC()
		}
		out = append(out, m)
	}
	for _, id := range s.Gone {
		out = append(out, Moment{At: now.UTC(), Event: Gone, ID: id})
	}
	return out
}

// Headline is that a notice is raised or withdrawn.
type Headline struct {
	At     time.Time `json:"at"`
	Notice string    `json:"notice"` // "raise" or "withdraw"
	IDs    []ID      `json:"ids"`
	Kind   string    `json:"kind"`
	Title  string    `json:"title"`
}

// Notified is a moment of the notice of s.
func (s *Session) Notified(now time.Time, state, kind, why string) Moment {
	m := s.moment(now, Notice)
	m.State, m.Kind, m.Why = state, kind, why
	return m
}

func (s *Session) moment(now time.Time, event string) Moment {
	return Moment{At: now.UTC(), Event: event, ID: s.ID, SessionID: s.SessionID, Tool: s.Tool, Project: s.Project, Dir: s.Dir}
}
