package engine

import (
	"cmp"
	"slices"
	"time"
)

// Call is one tool call. It is open until it is closed or its turn is over.
type Call struct {
	Name           string
	Agent          string // the sub-agent that calls; "": the session itself
	Text           string
	Quiet          Limit
	Edit, Mute     bool
	Borne          bool   // its processes carry its id
	Key            string // tells its tool and input, for dialogs that do not name it
	Opened, Closed Stamp
	Counted        Stamp // the last look at the children of its process
	Childful       bool  // ... found one that is younger than the call
}

// run is one sub-agent, or one background shell.
type run struct {
	Type, Task   string
	Tools        int
	Taken        bool // it turned out to be a session of its own
	Told         bool // its end is told
	Began, Moved Stamp
	Done         Stamp
}

// told is one thing a CLI says about itself, and when.
type told struct {
	Text string
	At   time.Time
}

func (t *told) meet(text string, at time.Time) {
	if text != "" && !at.Before(t.At) {
		t.Text, t.At = text, at
	}
}

// Facts is everything known about one session: for each kind of thing when it
// was seen. An event sets stamps and never a status.
type Facts struct {
	Now                             time.Time // when the events being recorded arrived
	First                           Stamp     // when it was first heard of
	Opened, Started, Seen           Stamp
	Housed, Shut                    Stamp // the terminal opened for it came to be, and was closed
	Booting, Present                Stamp // the first sign of its process, and of its listing
	Stirred, Quieted                Stamp // its process was last seen to do something, and nothing
	Machined                        Stamp // the last prompt of a machine
	Prompted, Told                  Stamp // the last prompt of a human, and the last in the transcript
	Hooked, Closed, Result          Stamp // the last hook, the end, the last result of its own
	Replied, Wrote, Drew            Stamp
	Compacted, Compacting, Recorded Stamp
	Ends                            ends
	Marks                           marks
	MarkedBy                        Stamp
	Sign                            Stamp // the last one of any witness but the terminal
	Terse                           bool  // of Opened
	Titles                          titles
	Vouched                         Stamp // the last look at its process
	Alive, Elsewhere, Tied          bool  // what that look said; Tied: it was this very process
	Enrolled                        bool  // the tool's own list has named it, and still does
	Served                          bool  // ... which is of a server in which its turns run
	Apart                           bool  // its turns run apart from its terminal
	Answering                       Stamp
	Answers, Checks                 bool
	Queued, Ran, Dropped            Stamp // the last prompt put in line, taken from it, taken back
	Checked, SentBack               Stamp // hooks of the user's were last done with a turn, and sent the agent back to it
	TrustedAt                       Stamp
	Trusts                          Trusting

	Calls map[string]*Call
	Open  map[string]*Call // those of Calls that have no result
	// Results are the last ones by agent, tool and input, where the CLI names no calls.
	Results map[string]*Stamp
	Acted   Stamp // the last call of the session itself, of any turn
	Agents  map[string]*run
	Tasks   map[string]*run

	Dialogs map[string]*dialog

	Weighed Stamp // when its process was last measured
	Bytes   int64 // ... and what it took

	Title, Prompt, Model, Effort, Mode told
}

func (e Started) record(f *Facts, s Stamp) {
	f.Started.meet(s)
	f.Apart = f.Apart || e.Apart
}
func (e Seen) record(f *Facts, s Stamp) { f.Seen.meet(s) }
func (e Drew) record(f *Facts, s Stamp) { f.Drew.meet(s) }
func (e Quiet) record(f *Facts, s Stamp) {
	if e.Yes {
		f.Quieted.meet(s)
	} else {
		f.Stirred.meet(s)
	}
}

func (e Opened) record(f *Facts, s Stamp) {
	if f.Opened.meet(s) {
		f.Terse = e.Terse
	}
}

func (e Closed) record(f *Facts, s Stamp) { f.Closed.meet(s) }
func (e Lived) record(*Facts, Stamp)      {}
func (e Table) record(*Facts, Stamp)      {}
func (e Roster) record(*Facts, Stamp)     {}
func (e Slept) record(*Facts, Stamp)      {}
func (e Hosted) record(*Facts, Stamp)     {}
func (e Wished) record(*Facts, Stamp)     {}
func (e Hushed) record(*Facts, Stamp)     {}
func (e Coloured) record(*Facts, Stamp)   {}
func (e Checkout) record(*Facts, Stamp)   {}
func (e Measured) record(f *Facts, s Stamp) {
	if f.Weighed.meet(s) {
		f.Bytes = e.Bytes
	}
}
func (e Titled) record(f *Facts, s Stamp) { f.Titles.add(e, s.At) }

func (e Described) record(f *Facts, s Stamp) {
	f.Title.meet(e.Title, s.At)
	if e.Prompt != "" && (f.Prompt.Text == "" || s.At.Before(f.Prompt.At)) { // the first prompt names the session
		f.Prompt = told{e.Prompt, s.At}
	}
	f.Model.meet(e.Model, s.At)
	f.Effort.meet(e.Effort, s.At)
	f.Mode.meet(e.Mode, s.At)
}

func (e Trusting) record(f *Facts, s Stamp) {
	if f.TrustedAt.meet(s) {
		f.Trusts = e
	}
}

func (e Prompted) record(f *Facts, s Stamp) {
	if !e.Human { // a notification or a wake-up; what the agent does of it is told too
		f.Machined.meet(s)
		return
	}
	f.Prompted.meet(s)
	if s.By == Transcript {
		f.Told.meet(s)
	}
}

func (e CallOpened) record(f *Facts, s Stamp) {
	c := at(&f.Calls, e.Call)
	known := !c.Opened.Never()
	if s.By == Hook || c.Opened.By == Hook { // a call both tell of counts as hook-told
		s.By, c.Opened.By = Hook, Hook
	}
	if c.Opened.Never() || s.At.Before(c.Opened.At) {
		c.Opened, c.Name, c.Quiet, c.Edit, c.Mute, c.Agent = s, e.Name, e.Quiet, e.Edit, e.Mute, e.Agent
	}
	c.Key = cmp.Or(e.Key, c.Key)
	c.Borne = c.Borne || e.Borne
	f.resulted(c)
	c.Text = cmp.Or(c.Text, e.Text)
	if c.Closed.Never() {
		if f.Open == nil {
			f.Open = map[string]*Call{}
		}
		f.Open[e.Call] = c
	}
	if e.Agent == "" {
		f.Acted.meet(s)
	}
	f.moved(e.Agent, s, !known)
	f.forget()
}

func (e CallClosed) record(f *Facts, s Stamp) {
	if e.Call != "" {
		c := at(&f.Calls, e.Call)
		c.Closed.first(s)
		delete(f.Open, e.Call)
		f.resulted(c)
	}
	if e.Key != "" {
		r := at(&f.Results, dialogID(e.Agent, e.Key))
		r.meet(s)
		f.outdate()
	}
	if e.Agent == "" {
		f.Result.meet(s)
	}
	f.moved(e.Agent, s, false)
	f.forget()
}

func (e Replied) record(f *Facts, s Stamp) {
	if e.Agent == "" {
		f.Replied.meet(s)
	}
	f.moved(e.Agent, s, false)
}

func (e Finished) record(f *Facts, s Stamp) {
	if e.Agent != "" {
		at(&f.Agents, e.Agent).Done.meet(s)
		return
	}
	f.Ends.add(end{s, e.Trouble, e.Running, e.Shells, e.Uncounted})
}

func (e Compacting) record(f *Facts, s Stamp) {
	if e.Done {
		f.Compacted.meet(s)
	} else {
		f.Compacting.meet(s)
	}
}

func (e Wrote) record(f *Facts, s Stamp) {
	f.Recorded.meet(s)
	if e.Agent == "" {
		f.Wrote.meet(s)
	}
	f.moved(e.Agent, s, false)
}

func (e AgentRan) record(f *Facts, s Stamp) {
	r := at(&f.Agents, e.Agent)
	r.Type, r.Task = cmp.Or(e.Type, r.Type), cmp.Or(e.Task, r.Task)
	r.Told = r.Told || e.Told
	r.Began.first(s)
	if e.Done {
		r.Done.meet(s)
	} else {
		r.Moved.meet(s)
	}
	prune(f.Agents)
}

func (e TaskRan) record(f *Facts, s Stamp) {
	r := at(&f.Tasks, e.Task)
	r.Began.first(s)
	if e.Done {
		r.Done.meet(s)
	}
	prune(f.Tasks)
}

func (e Listed) record(f *Facts, s Stamp) {
	switch e.Level {
	case ListedStarting: // its first sign, not a word of the listing
		f.Booting.first(s)
		f.Started.meet(s)
		return
	case Present: // a word that says nothing of its turns, and has no time of its own
		f.Present.first(s)
		return
	}
	f.Marks.add(mark{e.Level, s.At, f.Now})
	f.MarkedBy.meet(s)
}

func (e Alive) record(f *Facts, s Stamp) {
	if f.Vouched.meet(s) {
		f.Alive, f.Elsewhere = e.Yes, e.Elsewhere
	}
}

func (e Answering) record(f *Facts, s Stamp) {
	if f.Answering.meet(s) {
		f.Answers, f.Checks = e.Yes, e.Checks
	}
}

// runsRemembered bounds the sub-agents and shells that are remembered.
const runsRemembered = 128

// prune forgets the one that ended first, or else the one that moved first, where there
// are too many.
func prune(m map[string]*run) {
	if len(m) <= runsRemembered {
		return
	}
	least := ""
	for id, r := range m {
		if o := m[least]; o == nil || r.fades(o) < 0 || r.fades(o) == 0 && id < least {
			least = id
		}
	}
	delete(m, least)
}

// fades compares which of two is to be forgotten first.
func (r *run) fades(o *run) int {
	if r.Done.Never() != o.Done.Never() {
		if o.Done.Never() {
			return -1
		}
		return 1
	}
	return cmp.Or(r.Done.At.Compare(o.Done.At), latest(r.Began, r.Moved).At.Compare(latest(o.Began, o.Moved).At))
}

// moved notes that a sub-agent is at work.
func (f *Facts) moved(agent string, s Stamp, tool bool) {
	if agent == "" {
		return
	}
	r := at(&f.Agents, agent)
	r.Began.first(s)
	r.Moved.meet(s)
	if tool {
		r.Tools++
	}
	prune(f.Agents)
}

func at[V any](m *map[string]*V, key string) *V {
	if *m == nil {
		*m = map[string]*V{}
	}
	v := (*m)[key]
	if v == nil {
		v = new(V)
		(*m)[key] = v
	}
	return v
}

// callsKept bounds the calls that are remembered: closed ones are tombstones, so
// that a late report of their beginning does not open them again.
const callsKept = 512

// outdate forgets the oldest result where there are too many.
func (f *Facts) outdate() {
	if len(f.Results) <= callsKept {
		return
	}
	first := ""
	for key, r := range f.Results {
		if o := f.Results[first]; o == nil || r.At.Before(o.At) || r.At.Equal(o.At) && key < first {
			first = key
		}
	}
	delete(f.Results, first)
}

func (f *Facts) forget() {
	if len(f.Calls) <= callsKept {
		return
	}
	type dead struct {
		id string
		at time.Time
	}
	var old []dead
	for id, c := range f.Calls {
		if last := latest(c.Closed, c.Opened); !f.isOpen(c) {
			old = append(old, dead{id, last.At})
		}
	}
	slices.SortFunc(old, func(a, b dead) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	for _, d := range old[:min(len(old), callsKept/2)] {
		delete(f.Calls, d.id)
		delete(f.Open, d.id)
	}
}
