package clitest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// How long after its cause was seen in the recording a status may change: a log is
// read after 150 ms, an idle listing is believed after 120 ms. SPEC section 16 asks
// for 400 ms.
const (
	reaction = 400 * time.Millisecond
	rounding = time.Millisecond
)

// All loads the recordings in testdata.
func All(t testing.TB) (all []*Recording) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		rec, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Scenario != strings.TrimSuffix(filepath.Base(file), ".jsonl") {
			t.Fatalf("%s is a recording of %q", file, rec.Scenario)
		}
		all = append(all, rec)
	}
	return all
}

// Conforms checks what every adapter must keep, on all recordings in testdata.
func Conforms(t *testing.T, cli sources.CLI) {
	for _, fault := range Faults(cli, All(t)...) {
		t.Error(fault)
	}
}

// Cards plays every recording in testdata. Beside each lies what SPEC.md says its cards
// do, written by hand from the time line of the recording:
//
//	card ID TITLE       one card: how its session id begins, and its title, at the end,
//	                    without the project and the number that it may begin with
//	2.271 approval! TEXT   since when it is in a status; "!" where a notice is due
//	end KEY=VALUE       more of the view of it at the end
//
// TEXT is what is asked (and by which sub-agent), or the trouble of a turn, and how
// many shells run on, when the status is left.
func Cards(t *testing.T, cli sources.CLI) {
	for _, rec := range All(t) {
		t.Run(rec.Scenario, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", rec.Scenario+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			played := Play(cli, rec, 2*time.Second)
			for _, err := range played.Bad {
				t.Error(err)
			}
			want, got := expected(t, string(text)), cards(played)
			for i := range max(len(want), len(got)) {
				switch {
				case i >= len(got):
					t.Errorf("there is no card %d, but should be\n%s", i+1, want[i])
				case i >= len(want):
					t.Errorf("there is a card %d, but should not be\n%s", i+1, got[i])
				case !got[i].is(want[i]):
					t.Errorf("card %d is\n%s\nbut should be\n%s", i+1, got[i], want[i])
				}
			}
		})
	}
}

// derived is what a title begins with that is made of a prompt.
var derived = regexp.MustCompile(`^\S+ #\d+(: |$)`)

// card is one card: its stays in statuses, and what it looks like at the end.
type card struct {
	id, title string
	stays     []stay
	end       []string
	view      engine.Session
}

type stay struct {
	at     time.Duration
	status string // "!" where a notice is due
	text   string
}

func (c *card) is(want *card) bool {
	return strings.HasPrefix(c.id, want.id) && c.title == want.title &&
		slices.EqualFunc(c.stays, want.stays, func(g, w stay) bool {
			return g.status == w.status && g.text == w.text && g.at >= w.at-rounding && g.at <= w.at+reaction
		}) &&
		!slices.ContainsFunc(want.end, func(line string) bool { return !slices.Contains(c.end, line) })
}

func (c *card) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.TrimSpace("card "+c.id+" "+c.title))
	for _, s := range c.stays {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%.3f %s %s", s.at.Seconds(), s.status, s.text)))
	}
	for _, line := range c.end {
		fmt.Fprintln(&b, "end", line)
	}
	return b.String()
}

// expected reads the cards that are written down for a recording.
func expected(t *testing.T, text string) (out []*card) {
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch first {
		case "":
		case "card":
			id, title, _ := strings.Cut(rest, " ")
			out = append(out, &card{id: strings.TrimPrefix(id, "-"), title: title})
		case "end":
			c := out[len(out)-1]
			c.end = append(c.end, rest)
		default:
			at, err := time.ParseDuration(first + "s")
			if err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
			status, text, _ := strings.Cut(rest, " ")
			c := out[len(out)-1]
			c.stays = append(c.stays, stay{at, status, text})
		}
	}
	return out
}

// cards are the cards of a recording that was played, in the order in which they
// were founded.
func cards(p *Played) (out []*card) {
	byID := map[engine.ID][]Change{}
	var order []engine.ID
	for _, c := range p.Changes {
		if id := c.Session.ID; byID[id] == nil {
			order = append(order, id)
		}
		byID[c.Session.ID] = append(byID[c.Session.ID], c)
	}
	slices.SortFunc(order, func(a, b engine.ID) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	for _, id := range order {
		out = append(out, lived(byID[id]))
	}
	return out
}

// lived makes one card of its changes.
func lived(changes []Change) *card {
	c := &card{}
	var rung time.Time
	for i := 0; i < len(changes); {
		end := i + 1
		for end < len(changes) && !changes[end].Gone && changes[end].Session.Status == changes[i].Session.Status {
			end++
		}
		if changes[i].Gone {
			c.stays = append(c.stays, stay{changes[i].At, "gone", ""})
			break
		}
		s := stay{at: changes[i].At, status: changes[i].Session.Status.String(), text: told(&changes[end-1].Session)}
		left := time.Duration(1<<62 - 1)
		if end < len(changes) {
			left = changes[end].At
		}
		if rings(changes[i:end], left, &rung) {
			s.status += "!"
		}
		c.stays = append(c.stays, s)
		c.view = changes[end-1].Session
		i = end
	}
	v := &c.view
	c.id, c.title = v.SessionID, derived.ReplaceAllString(v.Title, "")
	c.end = []string{
		fmt.Sprint("runs=", v.Runs), fmt.Sprint("agents=", len(v.Agents)), "in=" + v.RunsIn, "mode=" + v.PermissionMode, "tty=" + v.TTY,
	}
	return c
}

func told(s *engine.Session) (text string) {
	switch s.Status {
	case engine.Approval, engine.Input:
		text = s.Asks
		if s.AsksBy != "" {
			text += " (" + s.AsksBy + ")"
		}
	case engine.Waiting:
		text = string(s.Trouble)
		if s.Shells > 0 {
			text += fmt.Sprintf(" +%d shell", s.Shells)
		}
	}
	return strings.TrimSpace(text)
}

// rings reports whether a stay is worth a notice (SPEC section 6): it lasted until it
// was settled, somebody better than a guess told it, and you have not been told that
// this prompt of yours is done.
func rings(stays []Change, left time.Duration, rung *time.Time) bool {
	settle := 300 * time.Millisecond
	if stays[0].Session.Status == engine.Waiting {
		settle = 600 * time.Millisecond
	}
	settled := stays[0].At + settle
	if left < settled {
		return false
	}
	s := &stays[0].Session
	for i := range stays {
		if stays[i].At <= settled {
			s = &stays[i].Session
		}
	}
	if !s.NeedsYou || s.Loud == engine.Silent || s.Guess || s.Old || s.Trouble == engine.Interrupted {
		return false
	}
	if s.Status == engine.Waiting {
		if s.Trouble == "" && !s.Spoke.IsZero() && !s.Spoke.After(*rung) {
			return false
		}
		*rung = s.Spoke
	}
	return true
}
