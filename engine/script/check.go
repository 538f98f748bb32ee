package script

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"deskbell/engine"
)

// checks are the lines that are no events.
var checks = map[string]func(r *runner, words, block []string) error{
	"expect": (*runner).expect, "view": (*runner).view, "changes": (*runner).changes, "why": (*runner).why,
	"next": (*runner).deadline, "asked": (*runner).question, "count": (*runner).count, "told": (*runner).told, "stall": (*runner).stall, "suspend": (*runner).suspend,
	"restart": (*runner).restart, "news": (*runner).tidings,
}

func (r *runner) expect(words, _ []string) error {
	s, err := r.session(words[0])
	if words[1] == "hidden" {
		if err == nil {
			return fmt.Errorf("is shown as %s, because %s", s.Status, s.Reason.Rule)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if s.Status.String() != words[1] {
		return fmt.Errorf("is %s, because %s", s.Status, s.Reason.Rule)
	}
	if len(words) > 2 && s.Reason.Rule != words[2] {
		return fmt.Errorf("decided by %s", s.Reason.Rule)
	}
	return nil
}

func (r *runner) view(words, _ []string) error {
	s, err := r.session(words[0])
	if err != nil {
		return err
	}
	var running int
	for _, a := range s.Agents {
		if a.Status == "running" {
			running++
		}
	}
	got := map[string]any{
		"asks": s.Asks, "open": s.AsksOpen, "doing": s.Doing, "trouble": s.Trouble, "shells": s.Shells,
		"id": s.SessionID, "title": s.Title, "dir": s.Dir, "began": s.BeganIn, "unseen": s.Unseen, "guess": s.Guess,
		"needs": s.NeedsYou, "pid": s.PID, "agents": running, "since": s.Since.Sub(Start), "runs": s.Runs, "tty": s.TTY,
		"reports": s.Reports, "answers": s.Answers, "mode": s.PermissionMode, "resumable": s.Resumable, "matched": s.Match,
		"loud": s.Loud, "old": s.Old, "external": s.External, "hosted": s.Hosted, "terminal": s.Terminal, "spoke": s.Spoke.Sub(Start), "in": s.RunsIn, "team": team(s),
		"weight": s.Reason.Weight, "by": s.AsksBy, "told": s.Reason.By, "label": label(s), "room": s.Room,
		"pinned": s.Pinned, "muted": s.Muted, "alert": s.Alert, "shared": s.Shared, "hands_off": s.HandsOff, "central": s.Central,
		"memory": s.Memory / 1e6, "project": s.Project, "head": head(s), "from": clock(s.Reason.Since), "until": clock(s.Reason.Until),
	}
	for _, w := range words[1:] {
		k, want, _ := strings.Cut(w, "=")
		v, known := got[k]
		if !known {
			return fmt.Errorf("no view of %q", k)
		}
		if fmt.Sprint(v) != want {
			return fmt.Errorf("%s is %v", k, v)
		}
	}
	return nil
}

// clock is a moment as what has passed since the script began.
func clock(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Sub(Start).String()
}

func label(s engine.Session) string {
	if s.Label == nil {
		return ""
	}
	return s.Label.Name + " " + s.Label.Color
}

func head(s engine.Session) string {
	if s.Branch == nil {
		return ""
	}
	return s.Branch.Head
}

func team(s engine.Session) string {
	if s.Team == nil {
		return ""
	}
	return s.Team.ID + " " + s.Team.Role
}

func (r *runner) changes(words, _ []string) error {
	id := engine.ID(words[0])
	got, want := strings.Join(r.went[id], " "), strings.Join(words[1:], " ")
	delete(r.went, id)
	if got != want {
		return fmt.Errorf("it went: %s", got)
	}
	return nil
}

func (r *runner) tidings(words, _ []string) error {
	id := engine.ID(words[0])
	got := r.news[id]
	delete(r.news, id)
	if fmt.Sprint(got) != words[1] {
		return fmt.Errorf("there were %d", got)
	}
	return nil
}

func (r *runner) deadline(words, _ []string) error {
	got := "never"
	if !r.next.IsZero() {
		got = "+" + r.next.Sub(r.now).String()
	}
	if got != words[0] {
		return fmt.Errorf("next deadline is %s", got)
	}
	return nil
}

func (r *runner) question(words, _ []string) error {
	q := strings.Join(words, " ")
	if !r.asked[q] {
		return fmt.Errorf("was not asked, but %v", r.asked)
	}
	delete(r.asked, q)
	return nil
}

func (r *runner) told(words, _ []string) error {
	return r.by.UnmarshalText([]byte(words[len(words)-1]))
}

func (r *runner) count(words, _ []string) error {
	if n := len(r.e.Snapshot(false).Sessions); fmt.Sprint(n) != words[0] {
		return fmt.Errorf("%d sessions", n)
	}
	return nil
}

func (r *runner) suspend(words, _ []string) error {
	d, err := time.ParseDuration(words[0])
	if err != nil {
		return err
	}
	since := r.now
	r.now = r.now.Add(d)
	return r.apply(engine.Event{At: r.now, Fact: engine.Slept{Since: since}})
}

func (r *runner) stall(words, _ []string) error {
	d, err := time.ParseDuration(words[0])
	if err != nil {
		return err
	}
	r.now = r.now.Add(d)
	return r.apply()
}

// restart hands on what is kept on disk, as it is kept there.
func (r *runner) restart(_, _ []string) error {
	var m engine.Memory
	if err := again(r.e.Memory(), &m); err != nil {
		return err
	}
	var told []engine.Event
	for _, l := range r.hooks {
		var one engine.Line
		if err := again(l, &one); err != nil {
			return err
		}
		told = append(told, one.Event)
	}
	r.e = r.fresh()
	r.e.Recall(m)
	return r.pass(told)
}

// again is v as it is read after it was written.
func again(v, to any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

func (r *runner) why(words, want []string) error {
	w, ok := r.e.Why(engine.ID(words[0]))
	if !ok {
		return fmt.Errorf("no such session")
	}
	var got []string
	line := func(verb string, sig engine.Signal) {
		got = append(got, fmt.Sprintf("%s %s, %s by %s %v ago: %s", verb, sig.Rule, sig.Weight, sig.By, r.now.Sub(sig.Since), sig.Why))
	}
	for _, sig := range w.For {
		line("for", sig)
	}
	for _, sig := range w.Session.Against {
		line("against", sig)
	}
	for _, s := range w.Silent {
		got = append(got, fmt.Sprintf("silent %s, would speak in %v", s.Rule, s.WouldSpeak.Sub(r.now)))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		return fmt.Errorf("it is\n%s", g)
	}
	return nil
}
