package notify

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"deskbell/engine"
)

// Words is how notices are worded.
type Words struct {
	Details string                   // "full"; "tool" leaves inputs out, "none" whatever is asked
	Tool    func(tool string) string // what a CLI is called in sentences; nil: by its name
	Home    string                   // the user's home folder, shown as ~
}

// The longest texts, in runes. A desktop wraps, and cuts where it likes.
const (
	maxName = 40
	maxBody = 160
	maxPart = 60 // of the second line
)

// notice words the notice of one session.
func (w *Words) notice(s *engine.Session) Notice {
	k := kindOf(s)
	return Notice{
		ID: s.ID, IDs: []engine.ID{s.ID}, Kind: Kind(k.Status.String()),
		Title: w.title(s), Body: w.body(s), Line: w.line(s),
		Sound: k.Sound, Stays: k.Stays,
	}
}

// several words the one notice of many sessions. Where one is left of those that came
// together, it is told as if it were alone.
func several(at place, group []*card) Notice {
	n := Notice{ID: groups[at], Kind: Several, Title: fmt.Sprintf("%d sessions need you", len(group))}
	if at == away {
		n.Kind, n.Title = Away, fmt.Sprintf("While you were away: %d need you", len(group))
	}
	var names []string
	var one Notice
	n.Reminder = before(group)
	for _, c := range group {
		one = c.notice()
		n.IDs = append(n.IDs, one.IDs...)
		n.Sound, n.Stays, n.Critical = n.Sound || one.Sound, n.Stays || one.Stays, n.Critical || one.Critical
		names = append(names, name(c.face()))
	}
	if len(group) == 1 {
		if at == together {
			one.ID = n.ID
			return one
		}
		n.Title = "While you were away: 1 needs you"
	}
	n.Body = cut(strings.Join(names, ", "), maxBody)
	return n
}

// before is how often those that ring now were told before: the least of them.
func before(group []*card) (times int) {
	times = -1
	for _, c := range group {
		if c.fresh && (times < 0 || c.reminded < times) {
			times = c.reminded
		}
	}
	return max(times, 0)
}

func (w *Words) title(s *engine.Session) string {
	mark := ""
	if guess(s) {
		mark = "?"
	}
	switch s.Status {
	case engine.Approval:
		if mark != "" {
			return name(s) + ": approve?"
		}
		return name(s) + " needs your approval"
	case engine.Input:
		return name(s) + " asks you" + mark
	}
	return name(s) + ": your turn" + mark
}

// generic is what is said where nothing is known, or nothing is to be told.
var generic = map[engine.Status]string{
	engine.Approval: "A tool call wants your yes",
	engine.Input:    "A question wants your answer",
}

func (w *Words) body(s *engine.Session) string {
	if s.Status == engine.Waiting {
		return ended(s)
	}
	if w.Details == "none" {
		return generic[s.Status]
	}
	ask, by := clean(s.Asks), cut(clean(s.AsksBy), maxName)
	if w.Details == "tool" {
		ask = tool(s.Status, ask)
	}
	if name := tool(s.Status, ask); name != "" && by != "" {
		ask = strings.TrimSpace(name + strings.TrimPrefix(ask[len(name):], ":"))
	}
	ask = cmp.Or(ask, generic[s.Status])
	if by != "" {
		ask = by + " (sub-agent): " + ask
	}
	more := ""
	if s.AsksOpen > 1 {
		more = fmt.Sprintf(" (+%d)", s.AsksOpen-1)
	}
	return cut(ask, maxBody-len(more)) + more
}

// tool is the name of the tool an approval of the form "Bash: npm test" begins
// with; "" where it has another form.
func tool(asks engine.Status, ask string) string {
	name, _, _ := strings.Cut(ask, ":")
	if asks != engine.Approval || strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return ""
	}
	return name
}

// ended says how a turn ended.
func ended(s *engine.Session) string {
	if s.Trouble != "" && s.Trouble != engine.Interrupted {
		return cut(clean(s.Trouble.Words()), maxBody)
	}
	if took := s.Since.Sub(s.Turn); !s.Turn.IsZero() && took > 0 {
		return "Finished after " + span(took)
	}
	return ""
}

// span rounds a length of time to what is worth reading.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(1, int(d/time.Second)))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < day:
		return strings.TrimSuffix(fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute)), " 0 min")
	}
	return strings.TrimSuffix(fmt.Sprintf("%d d %d h", int(d/day), int(d%day/time.Hour)), " 0 h")
}

// line is the second line: which tool, where.
func (w *Words) line(s *engine.Session) string {
	title := s.Tool
	if w.Tool != nil {
		title = w.Tool(s.Tool)
	}
	var parts []string
	for _, part := range []string{cut(clean(title), maxPart), cut(clean(s.RunsIn), maxPart), cut(clean(s.Peer), maxPart), tail(w.folder(s), maxPart)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}

// folder is the folder of s with the home folder as ~.
func (w *Words) folder(s *engine.Session) string {
	dir := clean(s.Dir)
	home := strings.TrimRight(w.Home, `/\`)
	if rest, ok := strings.CutPrefix(dir, home); ok && home != "" && s.Peer == "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return dir
}

// name is what a session is called: its project, with the number its title has
// where several sessions work there.
func name(s *engine.Session) string {
	project := ""
	for _, from := range []string{s.Project, path.Base(strings.ReplaceAll(s.Dir, `\`, "/")), s.Tool, "session"} {
		if project = clean(from); project != "" && project != "." && project != "/" {
			break
		}
	}
	number, ok := strings.CutPrefix(clean(s.Title), project+" #")
	if number, _, _ = strings.Cut(number, ":"); ok {
		if n, err := strconv.Atoi(number); err == nil && n > 1 {
			return cut(project, maxName) + " #" + strconv.Itoa(n)
		}
	}
	return cut(project, maxName)
}
