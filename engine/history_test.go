package engine_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

var t0 = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// vocabulary is one of each fact.
var vocabulary = []engine.Fact{
	engine.Opened{},
	engine.Started{},
	engine.Described{},
	engine.Trusting{},
	engine.Prompted{},
	engine.Queued{},
	engine.Checked{},
	engine.CallOpened{},
	engine.CallClosed{},
	engine.Replied{},
	engine.Finished{},
	engine.Asked{},
	engine.Answered{},
	engine.Closed{},
	engine.Lived{},
	engine.Children{},
	engine.Quiet{},
	engine.Compacting{},
	engine.Wrote{},
	engine.Hosted{},
	engine.Drew{},
	engine.Titled{},
	engine.Roster{},
	engine.AgentRan{},
	engine.TaskRan{},
	engine.Listed{},
	engine.Alive{},
	engine.Table{},
	engine.Answering{},
	engine.Seen{},
	engine.Slept{},
	engine.Wished{},
	engine.Hushed{},
	engine.Coloured{},
	engine.Checkout{},
	engine.Measured{},
}

// TestVocabulary checks that the histories below are made of every fact there is.
func TestVocabulary(t *testing.T) {
	known := map[string]bool{}
	for _, f := range vocabulary {
		known[reflect.TypeOf(f).Name()] = true
	}
	for _, file := range sources(t) {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Name.Name != "record" || f.Recv == nil {
				continue
			}
			if name, is := f.Recv.List[0].Type.(*ast.Ident); is && !known[name.Name] {
				t.Errorf("no history has a %s", name.Name)
			}
		}
	}
}

// sources are the files of package engine, without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

// words are what the text fields of a fact are filled with. A field that is not here
// stays empty.
var words = map[string][]string{
	"Call": {"c1", "c2", "cx", "cy"}, "Agent": {"", "", "x", "y"}, "Task": {"b1", "b2"}, "Key": {"", "k1", "k2"}, "Name": {"Bash", "Read"},
	"Text": {"", "ls"}, "Title": {"", "T"}, "Prompt": {"", "P"}, "Mode": {"", "default", "plan"}, "Type": {"", "Explore"}, "Form": {"⠋", "⠙", "·"},
	"Project": {"", "app@x"}, "Head": {"", "main"}, "Color": {"#123456"}, "Dir": {"", "/w/41"},
}

// drawn is a fact of the kind of f with its fields drawn by r.
func drawn(r *rand.Rand, f engine.Fact) engine.Fact {
	v := reflect.New(reflect.TypeOf(f)).Elem()
	for i := range v.NumField() {
		switch to := v.Field(i); x := to.Addr().Interface().(type) {
		case *string:
			if w := words[v.Type().Field(i).Name]; w != nil {
				*x = w[r.IntN(len(w))]
			}
		case *bool:
			*x = r.IntN(2) == 0
		case *int:
			*x = max(0, r.IntN(4)-2)
		case *int64:
			*x = int64(r.IntN(3)) * 1e8
		case *engine.Trouble:
			*x = []engine.Trouble{"", "", engine.Interrupted, engine.RateLimit}[r.IntN(4)]
		case *engine.Limit:
			*x = []engine.Limit{engine.Always, engine.Fast, engine.Medium, engine.Slow, engine.Answer}[r.IntN(5)]
		case *engine.Level:
			*x = []engine.Level{
				engine.Unlisted, engine.Present, engine.ListedBusy, engine.ListedBusy, engine.ListedIdle, engine.ListedIdle, engine.ListedShell,
				engine.ListedAsking, engine.ListedQuestion, engine.ListedWaiting, engine.ListedDialog, engine.ListedStarting,
				engine.ListedDone, engine.ListedFailed,
			}[r.IntN(14)]
		case *engine.Wish:
			*x = engine.Wish(r.IntN(9))
		case *time.Time: // no night: the histories below are woken in all of them
		case *[]engine.Member:
			for _, id := range []string{"a", "b"} {
				if r.IntN(3) > 0 {
					*x = append(*x, engine.Member{ID: id, Level: []engine.Level{engine.Present, engine.ListedBusy, engine.ListedIdle, engine.ListedDone, engine.ListedFailed}[r.IntN(5)]})
				}
			}
		case *[]engine.Who:
			for pid := range 3 {
				if r.IntN(2) == 0 {
					*x = append(*x, process(41+pid))
				}
			}
		default:
			panic(fmt.Sprintf("nothing to draw for a %T", x))
		}
	}
	if call, agent := v.FieldByName("Call"), v.FieldByName("Agent"); call.IsValid() && agent.IsValid() {
		agent.SetString(strings.Trim(call.String(), "c12")) // a call is always of the same agent
	}
	out := v.Interface().(engine.Fact)
	if ran, is := out.(engine.AgentRan); is {
		ran.Agent, ran.Task = []string{"x", "y"}[r.IntN(2)], "T"
		return ran
	}
	return out
}

func process(pid int) engine.Who {
	return engine.Who{Tool: "tool", PID: pid, Ticks: uint64(pid) * 10, Dir: fmt.Sprint("/w/", pid), TTY: fmt.Sprint("/dev/pts/", pid), Term: fmt.Sprint("t", pid-41)}
}

// witness is who tells a fact.
func witness(r *rand.Rand, f engine.Fact) engine.Witness {
	switch f.(type) {
	case engine.Listed, engine.Started, engine.Answering, engine.Roster:
		return engine.Listing
	case engine.Alive, engine.Table, engine.Checkout, engine.Measured:
		return engine.Process
	case engine.Opened, engine.Seen, engine.Wished, engine.Hushed, engine.Coloured:
		return engine.User
	case engine.Drew, engine.Titled, engine.Hosted:
		return engine.Terminal
	}
	return []engine.Witness{engine.Transcript, engine.Transcript, engine.Hook}[r.IntN(3)]
}

// anyEvent draws one event of session a or b. It has no date.
func anyEvent(r *rand.Rand) engine.Event {
	f := drawn(r, vocabulary[r.IntN(len(vocabulary))])
	n := r.IntN(2)
	who := engine.Who{Tool: "tool", ID: []string{"a", "b"}[n], Dir: fmt.Sprint("/w/", 41+n)}
	switch f.(type) {
	case engine.Alive, engine.Measured:
		who = process(41 + n)
	case engine.Table, engine.Roster:
		who = engine.Who{Tool: "tool"}
	case engine.Hosted:
		who = engine.Who{Term: fmt.Sprint("t", n), TTY: process(41 + n).TTY}
	case engine.Opened:
		who.Term = fmt.Sprint("t", n)
	case engine.Wished:
		who = engine.Who{Card: engine.ID(fmt.Sprint("s", 1+n))}
	case engine.Listed, engine.Started:
		p := process(41 + n)
		who.PID, who.Ticks = p.PID, p.Ticks
	}
	return engine.Event{By: witness(r, f), Who: who, Fact: f}
}

// timed is an event and when it arrives.
type timed struct {
	at time.Time
	ev engine.Event
}

// history draws n events that arrive over time, some a little after they happened. In
// half of all histories the CLI keeps a listing, in the others nobody knows more than
// the transcripts and the process table tell.
func history(r *rand.Rand, n int) []timed {
	listed := r.IntN(2) == 0
	out := begin(listed)
	at := t0
	for len(out) < n {
		ev := anyEvent(r)
		switch ev.Fact.(type) {
		case engine.Listed, engine.Roster:
			if !listed {
				continue
			}
		}
		at = at.Add([]time.Duration{
			0, time.Duration(r.IntN(300)) * time.Millisecond, time.Duration(r.IntN(60)) * time.Second, time.Duration(r.IntN(40)) * time.Minute,
		}[r.IntN(4)])
		if r.IntN(3) == 0 {
			ev.At = at.Add(-time.Duration(r.IntN(2000)) * time.Millisecond)
		}
		out = append(out, timed{at, ev})
	}
	return out
}

// begin makes sure that both sessions are there, and that somebody vouches for them.
func begin(listed bool) (out []timed) {
	var table engine.Table
	for n, id := range []string{"a", "b"} {
		p := process(41 + n)
		table.Runs = append(table.Runs, p)
		if listed {
			w := p
			w.ID = id
			out = append(out,
				timed{t0, engine.Event{By: engine.Listing, Who: w, Fact: engine.Listed{Level: engine.ListedIdle}}},
				timed{t0, engine.Event{By: engine.Process, Who: p, Fact: engine.Alive{Yes: true}}})
		} else {
			w := engine.Who{Tool: "tool", ID: id, Dir: p.Dir}
			out = append(out, timed{t0, engine.Event{By: engine.Transcript, Who: w, Fact: engine.Wrote{}}})
		}
	}
	return append(out, timed{t0, engine.Event{By: engine.Process, Who: engine.Who{Tool: "tool"}, Fact: table}})
}

// told is a change as one line.
func told(at time.Time, c *engine.Transition) string {
	s := &c.Session
	return fmt.Sprint(at.Sub(t0), " ", s.ID, " ", c.From, " -> ", s.Status, " ", s.Reason.Rule, " loud ", s.Loud, " ", s.Trouble,
		" since ", s.Since.Sub(t0), " asks ", s.Asks, "/", s.AsksOpen, " doing ", s.Doing, " shells ", s.Shells, " agents ", s.Agents)
}

// play wakes an engine at the events, at its deadlines, if it may, and at extra, which
// is sorted.
func play(t *testing.T, evs []timed, end time.Time, deadlines bool, extra []time.Time) (trace []string) {
	e := engine.New(engine.DefaultLimits())
	now, next := t0, time.Time{}
	for i := 0; ; {
		wake := end
		for len(extra) > 0 && !extra[0].After(now) {
			extra = extra[1:]
		}
		if len(extra) > 0 && extra[0].Before(wake) {
			wake = extra[0]
		}
		if next.After(now) && next.Before(wake) {
			wake = next
		}
		if i < len(evs) && !evs[i].at.After(wake) {
			wake = evs[i].at
		}
		now = wake
		var batch []engine.Event
		for i < len(evs) && !evs[i].at.After(now) {
			batch = append(batch, evs[i].ev)
			i++
		}
		step := e.Apply(now, batch...)
		if !step.Next.IsZero() && !step.Next.After(now) {
			t.Fatalf("at %v the next deadline is %v ago", now.Sub(t0), now.Sub(step.Next))
		}
		if next = step.Next; !deadlines {
			next = time.Time{}
		}
		for c := range step.Changes {
			trace = append(trace, told(now, &step.Changes[c]))
		}
		for _, id := range step.Gone {
			trace = append(trace, fmt.Sprint(now.Sub(t0), " ", id, " is gone"))
		}
		if !now.Before(end) {
			slices.Sort(trace)
			return trace
		}
	}
}
