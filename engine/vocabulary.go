package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Verb is one fact of the closed vocabulary: its name in records, what it means, and
// its fields.
type Verb struct {
	Name, Means string
	Fields      []Field
	kind        reflect.Type
}

// Field is one field of a [Verb]. Kind says what it holds: a JSON type, or the words it
// may be.
type Field struct{ Name, Kind string }

// vocabulary lists the facts in the order in which a session meets them.
var vocabulary = verbs(
	Opened{}, "a terminal was opened for the session",
	Started{}, "the CLI reported in, freshly, resumed or after a clear",
	Described{}, "what the CLI says about itself",
	Trusting{}, "which tools never ask in its permission mode",
	Prompted{}, "a turn was asked for",
	CallOpened{}, "a tool call began",
	CallClosed{}, "a tool call has its result",
	Replied{}, "the agent said something and calls no tool",
	Finished{}, "the turn is over",
	Queued{}, "a prompt was put in line, taken from it or taken back",
	Checked{}, "hooks of the user's are done with the end of a turn",
	Asked{}, "the CLI shows a dialog",
	Answered{}, "the dialog of that key is over",
	Closed{}, "the CLI said that the session is over",
	Lived{}, "some other sign of life",
	Children{}, "whether its process has a child younger than the call",
	Quiet{}, "whether its process did next to nothing since it was last asked about",
	Compacting{}, "the conversation is being summarized, or has been",
	Wrote{}, "the transcript moved by a turn record",
	Hosted{}, "a terminal that deskbell hosts is there, or has gone",
	Drew{}, "the terminal printed something",
	Titled{}, "the terminal's title took a form that the CLI is known to use",
	AgentRan{}, "a sub-agent was seen",
	TaskRan{}, "a background shell was seen",
	Listed{}, "the tool's own listing has the session at that level",
	Alive{}, "its process was looked up",
	Table{}, "all interactive processes of the tool, in one look",
	Roster{}, "the tool's own list of its sessions, in one look",
	Answering{}, "whether a hook of the user's may answer its permission requests",
	Seen{}, "you looked at it",
	Wished{}, "you asked for something about the session; your words are left out",
	Hushed{}, "you muted a folder, or all sessions",
	Coloured{}, "you made a label, or took it away; its name is left out",
	Checkout{}, "what is checked out in its folder",
	Measured{}, "what its process takes, with all that it started",
	Slept{}, "nobody could speak since then",
)

func verbs(pairs ...any) (out []Verb) {
	for i := 0; i < len(pairs); i += 2 {
		t := reflect.TypeOf(pairs[i])
		out = append(out, Verb{Name: snake(t.Name()), Means: pairs[i+1].(string), Fields: fieldsOf(t), kind: t})
	}
	return out
}

func fieldsOf(t reflect.Type) (out []Field) {
	for f := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(f).Tag.Get("json"), ","); name != "-" {
			out = append(out, Field{name, kindOf(t.Field(f).Type)})
		}
	}
	return out
}

// kindOf says what a field of type t holds.
func kindOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Level]():
		return strings.Join(levelNames[:], "|")
	case reflect.TypeFor[Limit]():
		return strings.Join(limitNames[:], "|")
	case reflect.TypeFor[Wish]():
		return strings.Join(wishNames(), "|")
	case reflect.TypeFor[time.Time]():
		return "time"
	case reflect.TypeFor[[]Member]():
		return "list of id and level"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true|false"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "number"
	case reflect.Slice:
		return "list of who"
	}
	return "text"
}

// snake is a Go name in the style of JSON: "CallOpened" is "call_opened".
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Vocabulary lists the facts there are.
func Vocabulary() []Verb { return slices.Clone(vocabulary) }

// WhoFields lists the fields of "who" in a record.
func WhoFields() []Field { return fieldsOf(reflect.TypeFor[Who]()) }

// Witnesses lists the names "by" may have.
func Witnesses() []string { return slices.Clone(witnessNames[:]) }

// Line is one line of a record (API.md, "Record and replay"): an event, and when the
// engine was told of it. A line by [Clock] has no fact, it only moves the clock. Text of
// prompts, answers and commands is left out.
type Line struct {
	Told time.Time // zero: as it happened
	Event
}

// head is what the lines of all facts have in common.
type head struct {
	At   time.Time  `json:"at,omitzero"`
	Told *time.Time `json:"told,omitempty"`
	By   Witness    `json:"by"`
	Who  *Who       `json:"who,omitempty"`
	Fact string     `json:"fact,omitempty"`
}

// nights is what the clock itself tells.
const nights = "slept"

// Errors of [Line.UnmarshalJSON].
var (
	errTimeless = errors.New(`a line needs its time, "at": "2026-11-30T08:00:00Z"`)
	errNobody   = errors.New(`a fact needs its witness, "by": "hook"`)
)

// MarshalJSON writes the line as one object.
func (l Line) MarshalJSON() ([]byte, error) {
	h := head{At: l.At.UTC(), By: l.By}
	switch told := l.Told.UTC(); {
	case l.At.IsZero():
		h.At = told
	case !l.Told.IsZero() && !told.Equal(h.At):
		h.Told = &told
	}
	if l.Who != (Who{}) {
		h.Who = &l.Who
	}
	if l.Fact == nil {
		return json.Marshal(h)
	}
	h.Fact = snake(reflect.TypeOf(l.Fact).Name())
	out, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(l.Fact)
	if err != nil || len(body) == len("{}") {
		return out, err
	}
	return append(append(out[:len(out)-1], ','), body[1:]...), nil
}

// UnmarshalJSON reads one line. Fields it does not know are of a later version, and
// passed over.
func (l *Line) UnmarshalJSON(text []byte) error {
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	if h.At.IsZero() {
		return errTimeless
	}
	*l = Line{Event: Event{At: h.At, By: h.By}}
	if h.Told != nil {
		l.Told = *h.Told
	}
	if h.Who != nil {
		l.Who = *h.Who
	}
	if h.By == Clock && h.Fact == "" {
		return nil
	}
	if h.By == Clock && h.Fact != nights {
		return errNobody
	}
	i := slices.IndexFunc(vocabulary, func(v Verb) bool { return v.Name == h.Fact })
	if i < 0 {
		return fmt.Errorf("no fact is called %q: `deskbell rules --facts` lists them", h.Fact)
	}
	fact := reflect.New(vocabulary[i].kind)
	if err := json.Unmarshal(text, fact.Interface()); err != nil {
		return err
	}
	l.Fact = fact.Elem().Interface().(Fact)
	return nil
}
