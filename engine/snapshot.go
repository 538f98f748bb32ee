package engine

import "time"

// ID is our own name of a session ("s7"), stable over re-keying and restarts.
type ID string

// Signal is one rule speaking about one session.
type Signal struct {
	Rule   string    `json:"rule"`
	Weight Weight    `json:"weight"`
	By     Witness   `json:"by"`
	Says   Status    `json:"-"`
	Key    string    `json:"-"` // the call, dialog, agent or task of a keyed row
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until,omitzero"` // zero: until further notice
	Why    string    `json:"why"`
}

// Verdict is a status and the case for it. For[0] decided.
type Verdict struct {
	Status  Status
	Loud    Loud
	For     []Signal
	Against []Signal
}

// Loud is who may ring for a status.
type Loud uint8

// The degrees of loudness. A guess rings only where nobody better reports.
const (
	Silent Loud = iota
	Guessed
	Loudly
)

// Session is one agent session as the views see it. Its JSON is the contract of
// API.md. A Session handed out is never modified.
type Session struct {
	ID        ID     `json:"id"`
	Tool      string `json:"tool"`
	SessionID string `json:"session_id,omitempty"` // the CLI's own id
	Title     string `json:"title"`
	Project   string `json:"project"`
	Dir       string `json:"dir"`
	BeganIn   string `json:"began_in"`

	Status   Status    `json:"status"`
	Since    time.Time `json:"since"`
	NeedsYou bool      `json:"needs_you"`
	Guess    bool      `json:"guess"`  // nobody reported it
	Unseen   bool      `json:"unseen"` // a finished turn nobody looked at
	Doing    string    `json:"doing,omitempty"`
	Asks     string    `json:"asks,omitempty"`      // what an approval or input is about, one line
	AsksBy   string    `json:"asks_by,omitempty"`   // the sub-agent that asks
	AsksOpen int       `json:"asks_open,omitempty"` // dialogs open at once
	Trouble  Trouble   `json:"trouble,omitempty"`
	Reason   Signal    `json:"reason"`
	Against  []Signal  `json:"against,omitempty"`

	Peer           string    `json:"peer,omitempty"`
	PID            int       `json:"pid,omitempty"`
	External       bool      `json:"external"`
	Hosted         bool      `json:"hosted"`
	RunsIn         string    `json:"runs_in,omitempty"`
	Terminal       string    `json:"terminal,omitempty"`
	TTY            string    `json:"tty,omitempty"`
	Model          string    `json:"model,omitempty"`
	Effort         string    `json:"effort,omitempty"`
	PermissionMode string    `json:"permission_mode,omitempty"`
	LastWrite      time.Time `json:"last_write,omitzero"`
	Branch         *Branch   `json:"branch,omitempty"`
	Memory         int64     `json:"memory,omitempty"` // bytes
	Asleep         bool      `json:"asleep"`
	Prefs
	Queue     int     `json:"queue"`
	Team      *Team   `json:"team,omitempty"`
	Agents    []Agent `json:"agents,omitempty"`
	Shells    int     `json:"shells,omitempty"` // background shells that run on
	Resumable bool    `json:"resumable"`
	Runs      int     `json:"runs"` // earlier runs kept

	Match   string    `json:"-"` // how its last event was told to be its
	Loud    Loud      `json:"-"`
	Old     bool      `json:"-"` // what decided happened before we had heard of the session
	Reports bool      `json:"-"` // it reports dialogs itself, so a guess stays quiet
	Answers bool      `json:"-"` // a hook of the user's may answer its permission requests
	Spoke   time.Time `json:"-"` // when a human last prompted it; zero: never seen
	Turn    time.Time `json:"-"` // when the turn under way, or the last one, began
	Dialog  string    `json:"-"` // identifies the open dialog: another one is another event
}

// Prefs is what you asked for about one session.
type Prefs struct {
	Label    *Label `json:"label,omitempty"`
	Room     string `json:"room,omitempty"`
	Pinned   bool   `json:"pinned"`
	Muted    bool   `json:"muted"`
	Alert    bool   `json:"alert"`
	Shared   bool   `json:"shared"`
	HandsOff bool   `json:"hands_off"`
	Central  bool   `json:"central"`
	// MutedUntil is the end of a mute that has one.
	MutedUntil time.Time `json:"muted_until,omitzero"`
	// Name is what you call it. The title of a session that has one is that.
	Name string `json:"name,omitempty"`
}

// MutedAt reports whether the session is muted at a time. A mute that has an end is over
// by itself then, whatever Muted says.
func (p *Prefs) MutedAt(now time.Time) bool {
	if p.MutedUntil.IsZero() {
		return p.Muted
	}
	return now.Before(p.MutedUntil)
}

// Label is the one tag of a session. Color is "#rrggbb".
type Label struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

// Branch is the checkout of a session's folder.
type Branch struct {
	Head   string `json:"head"`
	Ahead  int    `json:"ahead"`
	Behind int    `json:"behind"`
	Dirty  int    `json:"dirty"`
}

// Team links teammates, SPEC section 5.
type Team struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

// Agent is one sub-agent run inside a session. Status is running or done.
type Agent struct {
	ID     string    `json:"id"`
	Type   string    `json:"type,omitempty"`
	Task   string    `json:"task,omitempty"`
	Status string    `json:"status"`
	Tools  int       `json:"tools"`
	Since  time.Time `json:"since,omitzero"`
}

// Transition is one change of a session. From equals Session.Status where
// something other than the status changed.
type Transition struct {
	Session Session
	From    Status
}

// Counts is how many sessions are in each status. NeedsYou counts those whose
// needs_you is true.
type Counts struct {
	NeedsYou   int `json:"needs_you"`
	Working    int `json:"working"`
	Approval   int `json:"approval"`
	Input      int `json:"input"`
	Waiting    int `json:"waiting"`
	Prompting  int `json:"prompting"`
	Idle       int `json:"idle"`
	Connecting int `json:"connecting"`
	Asleep     int `json:"asleep"`
	Ended      int `json:"ended"`
}

// Snapshot is the whole state at one moment. It is never modified.
type Snapshot struct {
	Seq      uint64    `json:"seq"`
	At       time.Time `json:"at"`
	Counts   Counts    `json:"counts"`
	Sessions []Session `json:"sessions"` // those that need you first, then the most recently changed
	Muted    []Hush    `json:"muted,omitempty"`
}

// AllMuted reports whether all sessions are muted, and until when; zero: until you say so.
func (s *Snapshot) AllMuted() (all bool, until time.Time) {
	for _, h := range s.Muted {
		if h.Dir == "" {
			return true, h.Until
		}
	}
	return false, time.Time{}
}

// Count counts sessions by status.
func Count(sessions []Session) (c Counts) {
	by := map[Status]*int{
		Working: &c.Working, Approval: &c.Approval, Input: &c.Input, Waiting: &c.Waiting, Prompting: &c.Prompting,
		Idle: &c.Idle, Connecting: &c.Connecting, Asleep: &c.Asleep, Ended: &c.Ended,
	}
	for i := range sessions {
		if n := by[sessions[i].Status]; n != nil {
			*n++
		}
		if sessions[i].NeedsYou {
			c.NeedsYou++
		}
	}
	return c
}

// Trouble is why a turn did not end well, in the words of API.md. Empty: it did.
type Trouble string

// The troubles a CLI can report.
const (
	RateLimit   Trouble = "rate_limit"
	Overloaded  Trouble = "overloaded"
	Auth        Trouble = "auth"
	Billing     Trouble = "billing"
	BadRequest  Trouble = "bad_request"
	MaxOutput   Trouble = "max_output"
	APIError    Trouble = "api_error"
	Interrupted Trouble = "interrupted" // you did it
	ProcessLost Trouble = "process_lost"
)
