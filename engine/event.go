package engine

import "time"

// Event is one thing a witness saw. What it saw is a [Fact].
type Event struct {
	At   time.Time // when it happened; zero: now
	By   Witness
	Who  Who
	Fact Fact
}

// Who is what a witness knows about the session it saw. Any part may be missing.
type Who struct {
	Card   ID     `json:"card,omitempty"`   // our own name of it: an act of the user's
	Tool   string `json:"tool,omitempty"`   // the CLI
	ID     string `json:"id,omitempty"`     // the CLI's own id of the session
	PID    int    `json:"pid,omitempty"`    // its process
	Ticks  uint64 `json:"ticks,omitempty"`  // when PID started, in clock ticks; with PID its identity. 0: unknown
	Domain string `json:"domain,omitempty"` // the pid namespace PID counts in; "": ours
	Parent int    `json:"parent,omitempty"` // the process that started PID
	Dir    string `json:"dir,omitempty"`    // the folder it works in, by real path
	Term   string `json:"term,omitempty"`   // the terminal of ours that it names
	TTY    string `json:"tty,omitempty"`
	RunsIn string `json:"runs_in,omitempty"` // what its terminal is called
	Home   string `json:"home,omitempty"`    // the folder its CLI keeps its files in
	Born   int64  `json:"born,omitempty"`    // when PID was started, in ms since 1970; 0: unknown
	Shy    bool   `json:"shy,omitempty"`     // somebody else writes such files too: without a process that may be its own it is nobody's
	Loose  bool   `json:"loose,omitempty"`   // no terminal and nobody attending: claude -p, CI, an MCP server
}

// A Fact is one verb of the vocabulary every source translates into. The set is
// closed: a new CLI never needs a new one.
type Fact interface{ record(*Facts, Stamp) }

// The facts. A field that is empty is not known.
type (
	// Opened: a terminal was opened for the session. Terse tells of a CLI that may never
	// report in.
	Opened struct {
		Terse bool `json:"terse,omitempty"`
	}
	// Started: the CLI reported in, freshly, resumed or after a /clear. Parent is the
	// CLI's id of the session that it works for. Apart: its turns run in a server, and go on
	// when its terminal has gone.
	Started struct {
		Parent string `json:"parent,omitempty"`
		Apart  bool   `json:"apart,omitempty"`
	}
	// Described: what the CLI says about itself. Nothing here moves a status.
	Described struct {
		Title  string `json:"-"` // the CLI's own, not derived from the folder; it may quote the conversation
		Prompt string `json:"-"` // first sentence of a human prompt; never recorded
		Model  string `json:"model,omitempty"`
		Effort string `json:"effort,omitempty"`
		Mode   string `json:"mode,omitempty"` // permission mode in the CLI's words
	}
	// Trusting: which tools never ask in the session's permission mode.
	Trusting struct {
		Calls   bool `json:"calls,omitempty"`   // none that need approval asks
		Edits   bool `json:"edits,omitempty"`   // no edit asks
		Program bool `json:"program,omitempty"` // a program is asked before you are
	}
	// Prompted: a turn was asked for. Human is false for prompts a machine made.
	Prompted struct {
		Human bool `json:"human"`
	}
	// Queued: a prompt was put in line behind the turn. Ran: the next turn began with it.
	// Dropped: it was taken back.
	Queued struct {
		Ran     bool `json:"ran,omitempty"`
		Dropped bool `json:"dropped,omitempty"`
	}
	// Checked: the hooks of the user's that work at the end of a turn are done with it.
	// Back: they sent the agent back to work.
	Checked struct {
		Back bool `json:"back,omitempty"`
	}
	// CallOpened: a tool call began. Quiet is how long such calls are silent. Mute: it is
	// told alike whether it runs or waits for you, and its silence proves neither.
	CallOpened struct {
		Call  string `json:"call"`
		Name  string `json:"name,omitempty"`
		Quiet Limit  `json:"quiet,omitempty"`
		Edit  bool   `json:"edit,omitempty"` // it edits files
		Mute  bool   `json:"mute,omitempty"`
		Borne bool   `json:"borne,omitempty"` // its processes carry its id
		Agent string `json:"agent,omitempty"`
		Key   string `json:"key,omitempty"` // tells its tool and input, for a dialog that does not name its call
		Text  string `json:"-"`             // its input, one line; never recorded
	}
	// CallClosed: a tool call has its result. Key, instead of Call: all that began before it
	// with that tool and input, where the CLI gives its calls no ids.
	CallClosed struct {
		Call  string `json:"call"`
		Agent string `json:"agent,omitempty"`
		Key   string `json:"key,omitempty"`
	}
	// Replied: the agent said something and calls no tool. Not yet an end.
	Replied struct {
		Agent string `json:"agent,omitempty"`
	}
	// Finished: the turn is over.
	Finished struct {
		Trouble Trouble `json:"trouble,omitempty"`
		Agent   string  `json:"agent,omitempty"`   // the turn of that sub-agent
		Shells  int     `json:"shells,omitempty"`  // background shells that run on, where By is a hook
		Running int     `json:"running,omitempty"` // own sub-agents, workflows and monitors that run on
		// Uncounted: the hook counts no shells, there may be some.
		Uncounted bool `json:"uncounted,omitempty"`
	}
	// Asked: the CLI shows a dialog. Key tells which call it is about.
	Asked struct {
		Key      string `json:"key"`
		Name     string `json:"name,omitempty"`
		Agent    string `json:"agent,omitempty"`
		Question bool   `json:"question,omitempty"` // it wants an answer, not a yes
		Brief    bool   `json:"brief,omitempty"`    // nobody tells its end: the next sign of its agent does
		Late     bool   `json:"late,omitempty"`     // a reminder, well after the dialog if there is one
		Text     string `json:"-"`
	}
	// Answered: the dialog of that Key is over.
	Answered struct {
		Key   string `json:"key"`
		Agent string `json:"agent,omitempty"`
	}
	// Closed: the CLI said that the session is over.
	Closed struct{}
	// Lived: some other sign of life.
	Lived struct{}
	// Children: whether its process has a child that began after the call Call did. Own: it
	// carries that call's id.
	Children struct {
		Call string `json:"call"`
		Yes  bool   `json:"yes"`
		Own  bool   `json:"own,omitempty"`
	}
	// Quiet: whether its process did next to nothing since it was asked about before.
	Quiet struct {
		Yes bool `json:"yes"`
	}
	// Compacting: the conversation is being summarized, or has been.
	Compacting struct {
		Done bool `json:"done,omitempty"`
	}
	// Wrote: the transcript moved by a turn record; bookkeeping never counts.
	Wrote struct {
		Agent string `json:"agent,omitempty"`
	}
	// Hosted: a terminal that we host is there, Open, or has gone. Runs is the process that
	// was started in it.
	Hosted struct {
		Open bool `json:"open"`
		Runs int  `json:"runs,omitempty"`
	}
	// Drew: the terminal printed something.
	Drew struct{}
	// Titled: the terminal's title took a form of the CLI's table, which says Level. Moves
	// tells of a form that changes by itself while it holds.
	Titled struct {
		Form  string `json:"form"`
		Level Level  `json:"level"`
		Moves bool   `json:"moves,omitempty"`
	}
	// AgentRan: a sub-agent was seen. Done tells that it ended; Told that its end will be
	// told: until then the session goes on by itself.
	AgentRan struct {
		Agent string `json:"agent"`
		Type  string `json:"type,omitempty"`
		Task  string `json:"-"`
		Done  bool   `json:"done,omitempty"`
		Told  bool   `json:"told_end,omitempty"`
	}
	// TaskRan: a background shell was seen. Done tells that it ended.
	TaskRan struct {
		Task string `json:"task"`
		Done bool   `json:"done,omitempty"`
	}
	// Listed: the tool's own listing has the session at Level since the event's time.
	Listed struct {
		Level Level `json:"level"`
	}
	// Alive: its process was looked up. Elsewhere: it counts its pids where we cannot look.
	Alive struct {
		Yes       bool `json:"yes"`
		Elsewhere bool `json:"elsewhere,omitempty"`
	}
	// Table: all processes of Tool, as one whole look. Loose ones are nobody's.
	Table struct {
		Runs []Who `json:"runs"`
	}
	// Roster: the tool's own list of its sessions, read as a whole. Complete tells that
	// none is missing; Serves that it is of a server in which their turns run, which go on
	// when their terminals have gone.
	Roster struct {
		Complete bool     `json:"complete,omitempty"`
		Serves   bool     `json:"serves,omitempty"`
		Rows     []Member `json:"rows"`
	}
	// Answering: a hook of the user's may answer its permission requests. Checks: one is
	// at work at the end of each turn.
	Answering struct {
		Yes    bool `json:"yes"`
		Checks bool `json:"checks,omitempty"`
	}
	// Seen: you looked at it.
	Seen struct{}
	// Wished: you asked for something about the session, or no longer do.
	Wished struct {
		Wish  Wish      `json:"wish"`
		On    bool      `json:"on"`
		Until time.Time `json:"until,omitzero"`
		Text  string    `json:"-"` // your own words; never recorded
	}
	// Hushed: you muted a folder, or all sessions, or no longer do.
	Hushed struct {
		Dir   string    `json:"dir,omitempty"` // "": all sessions
		On    bool      `json:"on"`
		Until time.Time `json:"until,omitzero"`
	}
	// Coloured: you made a label, gave it another colour, or took it away.
	Coloured struct {
		Name  string `json:"-"`
		Color string `json:"-"`
		Gone  bool   `json:"gone,omitempty"`
	}
	// Checkout: what is checked out in the folder. Project is empty unless the folder
	// is called otherwise than what is worked on there.
	Checkout struct {
		Project string `json:"project,omitempty"`
		Head    string `json:"head,omitempty"` // the branch, or the commit
	}
	// Measured: what its process takes, with all that it started.
	Measured struct {
		Bytes int64 `json:"bytes"` // 0: that cannot be told
	}
	// Slept: nobody could speak between Since and the time of the event: the machine was
	// suspended, its clock was set forward, or deskbell itself was stopped.
	Slept struct {
		Since time.Time `json:"since"`
	}
)

// Member is one session of a [Roster].
type Member struct {
	ID    string `json:"id"`
	Level Level  `json:"level"`
	Dir   string `json:"dir,omitempty"` // the folder it works in
}

// Level is what a tool's own listing says of a session.
type Level uint8

// The levels. Present says nothing but that it is listed.
const (
	Unlisted       Level = iota // named before, and no longer
	Present                     // listed without a status
	ListedBusy                  // a turn is under way
	ListedIdle                  // the turn is over
	ListedShell                 // the turn is over, a background shell runs
	ListedAsking                // a permission prompt is open
	ListedQuestion              // a question is open
	ListedWaiting               // it waits for you, nobody knows for what
	ListedDialog                // some dialog is open, perhaps one the user opened
	ListedStarting              // it has begun to start, and is not listed yet
	ListedDone                  // what it was asked for is done; it may live on
	ListedFailed                // ... or has failed
	ListedSilent                // named before, and nobody tells of it by now
	levels
)

var levelNames = [levels]string{"unlisted", "present", "busy", "idle", "shell", "asking", "question", "waiting", "dialog", "starting", "done", "failed", "silent"}

func (l Level) String() string { return name(levelNames[:], int(l)) }

// MarshalText writes the level as its lower-case name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is the inverse of [Level.MarshalText].
func (l *Level) UnmarshalText(text []byte) error {
	i, err := index("level", levelNames[:], string(text))
	*l = Level(i)
	return err
}

// Question asks the sources to look at something now. The answer is an event.
type Question struct {
	Ask     Ask
	Session ID
	Who     Who
	Call    string    // of AskChildren and AskBearers
	Since   time.Time // likewise
}

// Ask is what a [Question] is about.
type Ask uint8

// The questions.
const (
	Nothing      Ask = iota
	AskProcess       // is Who's process alive? Answered by Alive
	AskRecord        // what does Who's transcript say? Answered by its facts
	AskProcesses     // which processes are there? Answered by Table
	AskChildren      // has Who's process a child younger than Since? Answered by Children
	AskBearers       // does any process younger than Since carry the id Call? Answered by Children
	AskQuiet         // does Who's process do next to nothing? Answered by Quiet
	AskSettings      // what may hooks of the user's do? Answered by Answering
	AskFiles         // look at all files again; what has changed is the answer
	AskRecords       // what do the last transcripts say, of whomever? Answered by their facts
	AskMemory        // what do the processes of all sessions take? Answered by Measured
	asks
)

// Step is what one Apply brought about.
type Step struct {
	Changes   []Transition
	Gone      []ID // sessions that are known no longer
	Hushed    bool // what is muted beside single sessions is another
	Questions []Question
	Next      time.Time // apply again no later than this; zero: no need
}
