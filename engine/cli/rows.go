package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"deskbell/engine"
)

// row is one session as a line of cells.
type row struct {
	look                   look
	text, tool, place, age string
}

func rowOf(s engine.Session, now time.Time) row {
	return row{
		look:  lookOf(s),
		text:  clean(text(s) + marks(s)),
		tool:  clean(s.Tool),
		place: clean(place(s)),
		age:   short(ago(now, s.Since)),
	}
}

// text is what a session asks, what stopped it, or what it is about.
func text(s engine.Session) string {
	if asks := s.Status == engine.Approval || s.Status == engine.Input; asks && s.Asks != "" {
		t := head(s) + ": "
		if s.AsksBy != "" {
			t += s.AsksBy + " (sub-agent): "
		}
		t += s.Asking()
		if s.AsksOpen > 1 {
			t += fmt.Sprintf(" (+%d)", s.AsksOpen-1)
		}
		return t
	}
	if s.Status == engine.Waiting && s.Trouble != "" {
		return head(s) + ": " + s.Trouble.Words()
	}
	return name(s) + goingOn(s)
}

// goingOn counts what works on in a session by itself.
func goingOn(s engine.Session) string {
	agents := 0
	for _, a := range s.Agents {
		if a.Status == "running" {
			agents++
		}
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{agents, "agent"}, {s.Shells, "shell"}} {
		if p.n > 0 {
			parts = append(parts, plural(p.n, p.what))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// plural is a number of things.
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// name is what a session is called, beginning with its project.
func name(s engine.Session) string {
	first, rest := parts(s)
	switch {
	case first == "":
		return cmp.Or(rest, string(s.ID))
	case rest == "":
		return first
	}
	return first + ": " + rest
}

// head is the name without what the session is about: "app #2".
func head(s engine.Session) string {
	first, rest := parts(s)
	return cmp.Or(first, rest, string(s.ID))
}

// parts are the project, with a number if it is not the first of it, and what the title
// says beside that: "app #2" and "Fix the login".
func parts(s engine.Session) (first, rest string) {
	number, rest := numbered(s)
	if number == " #1" {
		number = ""
	}
	return s.Project + number, rest
}

// numbered takes the project off a title that begins with it, and the number behind it.
func numbered(s engine.Session) (number, rest string) {
	after, ok := strings.CutPrefix(s.Title, s.Project)
	if s.Project == "" || !ok {
		return "", s.Title
	}
	if tag, is := strings.CutPrefix(after, " #"); is {
		digits := tag[:len(tag)-len(strings.TrimLeft(tag, "0123456789"))]
		number, after = " #"+digits, tag[len(digits):]
	}
	if rest, ok = strings.CutPrefix(after, ": "); !ok && after != "" {
		return "", s.Title
	}
	return number, rest
}

// marks are what you asked for about a session, as far as it shows.
func marks(s engine.Session) string {
	var all []string
	if s.Label != nil {
		all = append(all, s.Label.Name)
	}
	for _, m := range []struct {
		on   bool
		text string
	}{{s.Room != "", s.Room}, {s.Pinned, "pinned"}, {s.Muted, "muted"}, {s.Alert && !s.Muted, "alert"}} {
		if m.on {
			all = append(all, m.text)
		}
	}
	if all == nil {
		return ""
	}
	return " · " + strings.Join(all, " · ")
}

// place is where a session runs.
func place(s engine.Session) string {
	where := s.RunsIn
	if s.Hosted {
		where = "hosted"
	}
	switch {
	case s.Peer != "" && where != "":
		return s.Peer + "/" + where
	case s.Peer != "":
		return s.Peer
	}
	return where
}

const gap = "  "

// grid lays rows out in columns, none wider than screen. Where it is narrow, what
// can be missed goes first: where a session runs, its tool, its age.
type grid struct {
	word, text, tool, place, age int
	screen                       int // 0: as wide as it takes
}

func gridOf(rows []row, screen int) grid {
	g := grid{screen: screen}
	for _, r := range rows {
		g.word = max(g.word, width(r.look.word))
		g.text = max(g.text, width(r.text))
		g.tool = max(g.tool, width(r.tool))
		g.place = max(g.place, width(r.place))
		g.age = max(g.age, width(r.age))
	}
	if screen <= 0 {
		return g
	}
	for _, col := range []*int{&g.place, &g.tool, &g.age} {
		if g.room() >= min(g.text, enough) {
			break
		}
		*col = 0
	}
	g.text = max(0, min(g.text, g.room()))
	return g
}

// enough is how many columns of text say something.
const enough = 24

// room is what is left for the text.
func (g grid) room() int {
	used := len(gap) + 2 + g.word + len(gap)
	for _, w := range []int{g.tool, g.place, g.age} {
		if w > 0 {
			used += len(gap) + w
		}
	}
	return g.screen - used
}

// line is r as one line.
func (g grid) line(r row, colour bool) string {
	if g.text == 0 && g.screen > 0 {
		return paint(cut(gap+r.look.shape+" "+r.look.word, g.screen), r.look.ansi, colour)
	}
	var b strings.Builder
	b.WriteString(gap)
	b.WriteString(paint(r.look.shape+" "+pad(r.look.word, g.word), r.look.ansi, colour))
	b.WriteString(gap)
	b.WriteString(pad(cut(r.text, g.text), g.text))
	for _, c := range []struct {
		text  string
		width int
	}{{r.tool, g.tool}, {r.place, g.place}} {
		if c.width > 0 {
			b.WriteString(gap + pad(c.text, c.width))
		}
	}
	if g.age > 0 {
		b.WriteString(gap + strings.Repeat(" ", g.age-width(r.age)) + r.age)
	}
	return b.String()
}

func paint(s, ansi string, colour bool) string {
	if !colour || ansi == "" {
		return s
	}
	return "\x1b[" + ansi + "m" + s + "\x1b[0m"
}

// table is the whole of `deskbell status`: a line for each session and the totals.
func table(s engine.Snapshot, now time.Time, out screen) []string {
	rows := make([]row, len(s.Sessions))
	var memory int64
	for i := range s.Sessions {
		rows[i] = rowOf(s.Sessions[i], now)
		memory += s.Sessions[i].Memory
	}
	g := gridOf(rows, out.width)
	lines := make([]string, 0, len(rows)+1)
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(g.line(r, out.colour), " "))
	}
	sum := gap + totals(s) + muted(s, now)
	if memory > 0 {
		at := len(gap) + 2 + g.word + len(gap) + g.text
		sum = pad(sum, at) + gap + "≈ " + engine.Sized(memory)
	}
	if out.width > 0 {
		sum = cut(sum, out.width)
	}
	return append(lines, sum)
}

// muted says that no session may make itself heard.
func muted(s engine.Snapshot, now time.Time) string {
	for _, h := range s.Muted {
		if h.Dir == "" {
			return " · all muted" + until(h.Until, now)
		}
	}
	return ""
}

// until tells the end of a mute by the clock that shows now; zero: it has none.
func until(t, now time.Time) string {
	switch t = t.In(now.Location()); {
	case t.IsZero():
		return ""
	case t.Sub(now) < 12*time.Hour:
		return " until " + t.Format("15:04")
	case t.Sub(now) < 6*24*time.Hour:
		return " until " + t.Format("Mon 15:04")
	}
	return " until " + t.Format("2 Jan 15:04")
}

// totals counts the sessions in words.
func totals(s engine.Snapshot) string {
	unseen := 0
	for _, one := range s.Sessions {
		if one.Status == engine.Idle && one.Unseen {
			unseen++
		}
	}
	c, need := s.Counts, "need you"
	if c.NeedsYou == 1 {
		need = "needs you"
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{c.NeedsYou, need}, {unseen, "finished unseen"}, {c.Working + c.Prompting, "working"}, {c.Connecting, "starting"},
		{c.Idle - unseen, "idle"}, {c.Asleep, "asleep"}, {c.Ended, "ended"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprint(p.n, " ", p.what))
		}
	}
	if len(parts) == 0 {
		return "no sessions"
	}
	return strings.Join(parts, " · ")
}
