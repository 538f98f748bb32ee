package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"deskbell/engine"
)

// The longest texts, in characters.
const (
	longestLabel = 24
	longestRoom  = 40
	longestName  = 60
)

// ask reads the body of an act.
type ask struct {
	act    string
	body   json.RawMessage
	now    time.Time
	labels []engine.Label
}

// wishes are the acts that ask for something about a session, by their names in API.md.
// What an act takes is shown to whoever gave it something else.
var wishes = map[string]struct {
	takes string
	read  func(a ask) (engine.Wished, error)
}{
	"pin":       {`{"on": true}`, turn(engine.ToPin)},
	"alert":     {`{"on": true}`, turn(engine.ToAlert)},
	"share":     {`{"on": true}`, turn(engine.ToShare)},
	"hands_off": {`{"on": true}`, turn(engine.ToHandsOff)},
	"central":   {`{"on": true}`, turn(engine.ToCentral)},
	"mute":      {`{"for": "1h"}, {"for": "tomorrow"} or {"on": false}`, mute},
	"unmute":    {`{}`, unmute},
	"label":     {`{"name": "HEAVY"}, or an empty name`, label},
	"room":      {`{"name": "backend"}, or an empty name`, room},
	"rename":    {`{"title": "The login"}, or an empty title`, rename},
}

// wished reads the act of that name.
func (a ask) wished() (engine.Wished, error) {
	w, known := wishes[a.act]
	if !known {
		return engine.Wished{}, ErrUnknownAct
	}
	f, err := w.read(a)
	return f, a.explain(err, w.takes)
}

// explain adds to what is wrong with a body what it may be.
func (a ask) explain(err error, takes string) error {
	var r *Refusal
	if err == nil || errors.As(err, &r) {
		return err
	}
	return refuse(http.StatusBadRequest, "%s takes %s: %s", a.act, takes, strings.TrimPrefix(err.Error(), "json: "))
}

// fields reads the body into to. What to has no field for is a slip.
func (a ask) fields(to any) error {
	if len(a.body) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// turn reads a switch, which is turned on unless the body says otherwise.
func turn(wish engine.Wish) func(ask) (engine.Wished, error) {
	return func(a ask) (engine.Wished, error) {
		b := struct {
			On bool `json:"on"`
		}{true}
		err := a.fields(&b)
		return engine.Wished{Wish: wish, On: b.On}, err
	}
}

func mute(a ask) (engine.Wished, error) {
	b := struct {
		On  bool   `json:"on"`
		For string `json:"for"`
	}{On: true}
	if err := a.fields(&b); err != nil {
		return engine.Wished{}, err
	}
	until, err := ending(b.For, a.now)
	return engine.Wished{Wish: engine.ToMute, On: b.On, Until: until}, err
}

func unmute(a ask) (engine.Wished, error) {
	return engine.Wished{Wish: engine.ToMute}, a.fields(&struct{}{})
}

// morning is the hour at which tomorrow begins, and night the one before which it is
// still the evening of the day before.
const (
	morning = 8
	night   = 4
)

// ending is when a length of time that begins now is over; zero: it has no end.
func ending(length string, now time.Time) (time.Time, error) {
	switch length {
	case "":
		return time.Time{}, nil
	case "tomorrow":
		day := now.Day()
		if now.Hour() >= night {
			day++
		}
		return time.Date(now.Year(), now.Month(), day, morning, 0, 0, 0, now.Location()), nil
	}
	d, err := time.ParseDuration(length)
	if err != nil || d <= 0 {
		return time.Time{}, refuse(http.StatusBadRequest, "%q is no length of time: try 30m, 1h or tomorrow", length)
	}
	return now.Add(d), nil
}

var errUnnamed = errors.New("it is missing")

func label(a ask) (engine.Wished, error) {
	var b struct{ Name *string }
	if err := a.fields(&b); err != nil {
		return engine.Wished{}, err
	}
	f, err := said(engine.ToLabel, "label", b.Name, longestLabel)
	if err != nil || !f.On {
		return f, err
	}
	if _, known := engine.FindLabel(a.labels, f.Text); !known {
		var names []string
		for _, l := range a.labels {
			names = append(names, l.Name)
		}
		return f, refuse(http.StatusBadRequest, "no label is called %q: there are %s; `deskbell labels add NAME #rrggbb` makes another", f.Text, strings.Join(names, ", "))
	}
	return f, nil
}

func room(a ask) (engine.Wished, error) {
	var b struct{ Name *string }
	if err := a.fields(&b); err != nil {
		return engine.Wished{}, err
	}
	return said(engine.ToRoom, "room", b.Name, longestRoom)
}

func rename(a ask) (engine.Wished, error) {
	var b struct{ Title *string }
	if err := a.fields(&b); err != nil {
		return engine.Wished{}, err
	}
	return said(engine.ToRename, "title", b.Title, longestName)
}

// said is a wish in words of yours. No words take it back.
func said(wish engine.Wish, what string, text *string, most int) (engine.Wished, error) {
	if text == nil {
		return engine.Wished{}, errUnnamed
	}
	f := engine.Wished{Wish: wish, Text: engine.Tidy(*text)}
	f.On = f.Text != ""
	return f, fits(what, f.Text, most)
}

func fits(what, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return refuse(http.StatusBadRequest, "that %s has %d characters: %d is the most", what, n, most)
	}
	return nil
}

// hush reads a mute of all sessions, or of a folder. real is where a folder really is.
func (a ask) hush(real func(string) string) (engine.Hushed, error) {
	b := struct {
		Scope string `json:"scope"`
		Dir   string `json:"dir"`
		For   string `json:"for"`
		On    bool   `json:"on"`
	}{On: true}
	err := a.explain(a.fields(&b), `{"scope": "all"|"dir", "dir": "/folder", "for": "1h"}`)
	if err != nil {
		return engine.Hushed{}, err
	}
	f := engine.Hushed{On: b.On && a.act == "mute"}
	switch {
	case b.Scope == "dir" && !filepath.IsAbs(b.Dir):
		return f, refuse(http.StatusBadRequest, "%q is no whole path of a folder: begin it with %c", b.Dir, filepath.Separator)
	case b.Scope == "dir":
		f.Dir = real(b.Dir)
	case b.Scope != "all" && b.Scope != "" || b.Dir != "":
		return f, refuse(http.StatusBadRequest, `scope %q is none: "all", or "dir" with a folder`, b.Scope)
	}
	f.Until, err = ending(b.For, a.now)
	return f, err
}

// coloured reads a label that is to be made, or, where gone, to be taken away.
func (a ask) coloured(gone bool) (engine.Coloured, error) {
	var b struct {
		Name  string `json:"name"`
		Color string `json:"color"`
	}
	if err := a.explain(a.fields(&b), `{"name": "SLOW", "color": "#00c2ff"}`); err != nil {
		return engine.Coloured{}, err
	}
	f := engine.Coloured{Name: engine.Tidy(b.Name), Color: strings.ToLower(b.Color), Gone: gone}
	own := len(a.labels) - len(engine.BuiltIn())
	_, built := engine.FindLabel(engine.BuiltIn(), f.Name)
	_, known := engine.FindLabel(a.labels, f.Name)
	var says string
	switch {
	case f.Name == "" || strings.EqualFold(f.Name, "none"):
		says = fmt.Sprintf("%q is no name of a label: choose another", f.Name)
	case built:
		says = f.Name + " is built in and stays as it is: choose another name"
	case gone && !known:
		says = fmt.Sprintf("no label of yours is called %q: `deskbell labels` lists them", f.Name)
	case gone:
	case !engine.ValidColor(f.Color):
		says = fmt.Sprintf("%q is no colour: give one as #rrggbb, such as #00c2ff", b.Color)
	case !known && own >= engine.LabelsOwn:
		says = fmt.Sprintf("there are %d labels of yours already: remove one first", own)
	default:
		return f, fits("label", f.Name, longestLabel)
	}
	if says != "" {
		return f, refuse(http.StatusBadRequest, "%s", says)
	}
	return f, nil
}
