package engine

import "time"

// Limit names a length of time the rules use. The names are the config keys.
type Limit uint8

// The limits, SPEC sections 2 and 3.
const (
	Always       Limit = iota // no limit
	Fast                      // how long a call that takes no time may be silent
	Medium                    // ... one that goes to the network
	Slow                      // ... one that may run for minutes
	Answer                    // ... one that is a question by nature
	Forgotten                 // ... one only the transcript tells of
	Fresh                     // a write counts as work
	Prompt                    // a prompt takes to run
	Rest                      // a finished turn wants you
	Guess                     // a guessed dialog is believed
	Lost                      // a silent turn is believed
	Recheck                   // such an answer is good for
	Relook                    // between two looks for the processes of a call that may have been allowed
	Blink                     // a listing says busy while the CLI does something of its own
	Flicker                   // a listing says idle between two turns it runs without a break
	Unproven                  // a transcript may lag behind the listing
	Still                     // a title that moved is believed when it stops
	Undrawn                   // a terminal prints nothing while a call runs in it
	Connect                   // a CLI takes to report in
	ConnectOther              // ... one that says little of itself
	Startup                   // between two looks at a CLI that starts: after two without a listing it waits for you
	Enlist                    // a teammate takes to start after its leader called for it
	Disband                   // a team is kept when all its members have ended
	Kept                      // an ended session is remembered
	Scan                      // between two looks at all processes, while not at rest
	ProcessCheck              // between two looks at each process, where its end is not noticed by itself
	Walk                      // between two looks at all files, while not at rest
	Weigh                     // between two looks at what processes take, while not at rest, and between two changes of it
	limits
)

var limitNames = [limits]string{
	"always", "fast", "medium", "slow", "answer", "forgotten", "fresh", "prompt", "rest",
	"guess", "lost", "recheck", "relook", "blink", "flicker", "unproven", "still", "undrawn", "connect", "connect_other", "startup", "enlist", "disband", "kept", "scan", "process_check", "walk", "memory",
}

func (l Limit) String() string { return name(limitNames[:], int(l)) }

// MarshalText writes the limit as its config key.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is the inverse of [Limit.MarshalText].
func (l *Limit) UnmarshalText(text []byte) error {
	i, err := index("limit", limitNames[:], string(text))
	*l = Limit(i)
	return err
}

// Limits holds the length of each limit.
type Limits [limits]time.Duration

// DefaultLimits returns the documented defaults.
func DefaultLimits() Limits {
	const ms, s, m = time.Millisecond, time.Second, time.Minute
	return Limits{
		Fast: 3 * s, Medium: 15 * s, Slow: 8 * s, Answer: 3 * s, Forgotten: 30 * m,
		Fresh: 45 * s, Prompt: 30 * s,
		Rest: 5 * m, Guess: 10 * m, Lost: 15 * m, Recheck: 15 * s, Relook: 3 * s,
		Blink: 50 * ms, Flicker: 120 * ms, Unproven: 500 * ms, Still: 10 * s, Undrawn: 10 * s, Connect: 30 * s, ConnectOther: 3 * s, Startup: 500 * ms, Enlist: 10 * s, Disband: 15 * s, Kept: 24 * 60 * m,
		Scan: 20 * s, ProcessCheck: 15 * s, Walk: 60 * s, Weigh: 60 * s,
	}
}

// SetLimits makes the engine go by l. It holds for what was seen before, too: every
// status is read anew at the next Apply.
func (e *Engine) SetLimits(l Limits) {
	e.limits = l
	for _, s := range e.order {
		s.next = e.now
	}
}

// Two windows are part of what the stamps mean and no settings.
const (
	// lag is how much earlier than the listing a record of the same turn may be
	// stamped (facts/claude.md section 1: UserPromptSubmit to busy, -255 to 482 ms).
	lag = time.Second
	// instant is a window in which events of different witnesses count as one.
	instant = 200 * time.Millisecond
)
