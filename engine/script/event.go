package script

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
)

// args are the words behind an event: the plain ones in order, the others by name.
type args struct {
	plain []string
	named map[string]string
}

func (a args) has(word string) bool {
	for _, w := range a.plain {
		if w == word {
			return true
		}
	}
	return false
}

func (a args) first() string {
	if len(a.plain) == 0 {
		return ""
	}
	return a.plain[0]
}

func (a args) number(name string) int {
	n, _ := strconv.Atoi(a.named[name])
	return n
}

// verbs are the events of a script, and the witness that tells them unless by= does.
var verbs = map[string]struct {
	by   engine.Witness
	fact func(a args) (engine.Fact, error)
}{
	"start": {engine.Listing, func(a args) (engine.Fact, error) {
		return engine.Started{Parent: a.named["parent"], Apart: a.has("apart")}, nil
	}},
	"open":   {engine.User, func(a args) (engine.Fact, error) { return engine.Opened{Terse: a.has("terse")}, nil }},
	"seen":   {engine.User, just(engine.Seen{})},
	"prompt": {engine.Transcript, func(a args) (engine.Fact, error) { return engine.Prompted{Human: !a.has("machine")}, nil }},
	"call": {engine.Transcript, func(a args) (engine.Fact, error) {
		var quiet engine.Limit
		err := quiet.UnmarshalText([]byte(a.first()))
		return engine.CallOpened{Call: a.named["id"], Name: a.named["name"], Text: a.named["text"], Agent: a.named["agent"], Quiet: quiet, Key: a.named["key"], Edit: a.has("edit"), Mute: a.has("mute"), Borne: a.has("borne")}, err
	}},
	"result": {engine.Transcript, func(a args) (engine.Fact, error) {
		return engine.CallClosed{Call: a.first(), Agent: a.named["agent"], Key: a.named["key"]}, nil
	}},
	"queued": {engine.Transcript, func(a args) (engine.Fact, error) {
		return engine.Queued{Ran: a.has("ran"), Dropped: a.has("dropped")}, nil
	}},
	"checked": {engine.Transcript, func(a args) (engine.Fact, error) { return engine.Checked{Back: a.has("back")}, nil }},
	"reply":   {engine.Transcript, func(a args) (engine.Fact, error) { return engine.Replied{Agent: a.named["agent"]}, nil }},
	"finish": {engine.Transcript, func(a args) (engine.Fact, error) {
		return engine.Finished{Trouble: engine.Trouble(a.first()), Agent: a.named["agent"], Running: a.number("running"), Shells: a.number("shells"), Uncounted: a.named["shells"] == "?"}, nil
	}},
	"compact": {engine.Transcript, func(a args) (engine.Fact, error) { return engine.Compacting{Done: a.has("done")}, nil }},
	"wrote":   {engine.Transcript, func(a args) (engine.Fact, error) { return engine.Wrote{Agent: a.named["agent"]}, nil }},
	"agent": {engine.Transcript, func(a args) (engine.Fact, error) {
		return engine.AgentRan{Agent: a.first(), Type: a.named["type"], Task: a.named["task"], Done: a.has("done"), Told: a.has("told")}, nil
	}},
	"task": {engine.Transcript, func(a args) (engine.Fact, error) { return engine.TaskRan{Task: a.first(), Done: a.has("done")}, nil }},
	"listed": {engine.Listing, func(a args) (engine.Fact, error) {
		var l engine.Level
		err := l.UnmarshalText([]byte(a.first()))
		return engine.Listed{Level: l}, err
	}},
	"alive":     {engine.Process, just(engine.Alive{Yes: true})},
	"gone":      {engine.Process, just(engine.Alive{})},
	"elsewhere": {engine.Process, just(engine.Alive{Elsewhere: true})},
	"ask": {engine.Hook, func(a args) (engine.Fact, error) {
		return engine.Asked{Key: a.named["key"], Name: a.named["name"], Text: a.named["text"], Agent: a.named["agent"], Question: a.has("question"), Late: a.has("late"), Brief: a.has("brief")}, nil
	}},
	"answered": {engine.Hook, func(a args) (engine.Fact, error) {
		return engine.Answered{Key: a.named["key"], Agent: a.named["agent"]}, nil
	}},
	"end":   {engine.Hook, just(engine.Closed{})},
	"lived": {engine.Hook, just(engine.Lived{})},
	"trust": {engine.Hook, func(a args) (engine.Fact, error) {
		return engine.Trusting{Calls: a.has("calls"), Edits: a.has("edits"), Program: a.has("program")}, nil
	}},
	"children": {engine.Process, func(a args) (engine.Fact, error) {
		return engine.Children{Call: a.first(), Yes: true, Own: a.has("own")}, nil
	}},
	"childless": {engine.Process, func(a args) (engine.Fact, error) { return engine.Children{Call: a.first(), Own: a.has("own")}, nil }},
	"quiet":     {engine.Process, func(a args) (engine.Fact, error) { return engine.Quiet{Yes: !a.has("not")}, nil }},
	"hosted": {engine.Terminal, func(a args) (engine.Fact, error) {
		return engine.Hosted{Open: !a.has("gone"), Runs: a.number("runs")}, nil
	}},
	"drew": {engine.Terminal, just(engine.Drew{})},
	"title": {engine.Terminal, func(a args) (engine.Fact, error) {
		var l engine.Level
		err := l.UnmarshalText([]byte(a.first()))
		return engine.Titled{Form: a.named["form"], Level: l, Moves: a.has("moves")}, err
	}},
	"roster": {engine.Listing, roster},
	"answers": {engine.Listing, func(a args) (engine.Fact, error) {
		return engine.Answering{Yes: !a.has("checks"), Checks: a.has("checks")}, nil
	}},
	"says": {engine.Transcript, func(a args) (engine.Fact, error) {
		return engine.Described{Title: a.named["title"], Prompt: a.named["prompt"], Model: a.named["model"], Mode: a.named["mode"]}, nil
	}},
	"table": {engine.Process, table},
	"wish": {engine.User, func(a args) (engine.Fact, error) {
		f := engine.Wished{On: !a.has("off"), Text: a.named["text"]}
		err := f.Wish.UnmarshalText([]byte(a.first()))
		if err == nil && a.named["until"] != "" {
			f.Until, err = later(a.named["until"])
		}
		return f, err
	}},
	"hush": {engine.User, func(a args) (engine.Fact, error) {
		f := engine.Hushed{On: !a.has("off"), Dir: a.named["in"]}
		var err error
		if a.named["until"] != "" {
			f.Until, err = later(a.named["until"])
		}
		return f, err
	}},
	"colour": {engine.User, func(a args) (engine.Fact, error) {
		return engine.Coloured{Name: a.first(), Color: a.named["as"], Gone: a.has("gone")}, nil
	}},
	"takes": {engine.Process, func(a args) (engine.Fact, error) {
		n, err := strconv.ParseInt(a.first(), 10, 64)
		return engine.Measured{Bytes: n * 1e6}, err
	}},
	"checkout": {engine.Process, func(a args) (engine.Fact, error) {
		return engine.Checkout{Project: a.named["project"], Head: a.named["head"]}, nil
	}},
}

// later is a time that is given as what will have passed since the script began.
func later(since string) (time.Time, error) {
	d, err := time.ParseDuration(since)
	return Start.Add(d), err
}

func just(f engine.Fact) func(args) (engine.Fact, error) {
	return func(args) (engine.Fact, error) { return f, nil }
}

func table(a args) (engine.Fact, error) {
	var t engine.Table
	for _, w := range a.plain {
		if _, is := strings.CutPrefix(w, "loose."); is {
			continue
		}
		part := strings.SplitN(w, ":", 3)
		pid, err := strconv.Atoi(part[0])
		if err != nil || len(part) < 2 {
			return nil, fmt.Errorf("%q is not pid:folder[:id][:.terminal]", w)
		}
		run := engine.Who{PID: pid, Ticks: uint64(pid) * 10, Dir: part[1], TTY: "/dev/pts/" + part[0]}
		if len(part) > 2 {
			run.ID, run.Term, _ = strings.Cut(part[2], ".")
		}
		run.Born = born(a.named["born."+part[0]])
		run.Parent = a.number("parent." + part[0])
		if run.Loose = a.has("loose." + part[0]); run.Loose {
			run.TTY = ""
		}
		t.Runs = append(t.Runs, run)
	}
	return t, nil
}

// born is a moment of a script as a process has it.
func born(text string) int64 {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return Start.Add(d).UnixMilli()
}

func roster(a args) (engine.Fact, error) {
	r := engine.Roster{Complete: a.has("complete"), Serves: a.has("serves")}
	for _, w := range a.plain {
		id, word, ok := strings.Cut(w, ":")
		if !ok {
			continue
		}
		m := engine.Member{ID: id, Dir: a.named["dir"]}
		if err := m.Level.UnmarshalText([]byte(word)); err != nil {
			return nil, err
		}
		r.Rows = append(r.Rows, m)
	}
	return r, nil
}

// event reads "WHO VERB ARGS". The ticks of a process are ten times its pid unless
// ticks= says otherwise.
func event(words []string, now time.Time) (ev engine.Event, err error) {
	if len(words) < 2 {
		return ev, fmt.Errorf("neither a check nor an event")
	}
	verb, known := verbs[words[1]]
	if !known {
		return ev, fmt.Errorf("unknown event %q", words[1])
	}
	a := args{named: map[string]string{}}
	for _, w := range words[2:] {
		if k, v, ok := strings.Cut(w, "="); ok && (words[1] != "table" || strings.HasPrefix(k, "born.") || strings.HasPrefix(k, "parent.")) {
			a.named[k] = v
		} else {
			a.plain = append(a.plain, w)
		}
	}
	ev.At, ev.By = now, verb.by
	if d, ok := a.named["at"]; ok {
		dur, err := time.ParseDuration(d)
		if err != nil {
			return ev, err
		}
		ev.At = now.Add(dur)
	}
	if s, ok := a.named["by"]; ok {
		if err := ev.By.UnmarshalText([]byte(s)); err != nil {
			return ev, err
		}
	}
	pid := a.number("pid")
	ev.Who = engine.Who{Card: engine.ID(a.named["card"]), Tool: "tool", ID: words[0], Dir: a.named["dir"], Term: a.named["term"], PID: pid, Ticks: uint64(pid) * 10, TTY: a.named["tty"], Home: a.named["home"], Parent: a.number("ppid"), Born: born(a.named["born"]), Loose: a.has("loose"), Shy: a.has("shy")}
	if _, ok := a.named["ticks"]; ok {
		ev.Who.Ticks = uint64(a.number("ticks"))
	}
	if words[0] == "-" {
		ev.Who.ID = ""
	}
	ev.Fact, err = verb.fact(a)
	return ev, err
}
