package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"time"

	"deskbell/engine"
)

// shared returns what other devices may see of s: the shared sessions, no labels.
func shared(s engine.Snapshot) engine.Snapshot {
	all := s.Sessions
	s.Muted = nil // by folder
	s.Sessions = make([]engine.Session, 0, len(all))
	for _, one := range all {
		if one.Shared {
			one.Label = nil
			s.Sessions = append(s.Sessions, one)
		}
	}
	s.Counts = engine.Count(s.Sessions)
	return s
}

// change is a change event of the stream, gone the other one.
type change struct {
	Seq     uint64         `json:"seq"`
	At      time.Time      `json:"at"`
	From    engine.Status  `json:"from"`
	Session engine.Session `json:"session"`
}

type gone struct {
	Seq uint64    `json:"seq"`
	At  time.Time `json:"at"`
	ID  engine.ID `json:"id"`
}

// sieve lets through what is shared. A session that is shared no longer is gone.
type sieve struct{ seen []engine.ID }

// pass returns the event that others see in place of e; ok: there is one.
func (v *sieve) pass(e event) (out event, ok bool, err error) {
	switch e.name {
	case "snapshot":
		var s engine.Snapshot
		if err := decode(e.data, &s); err != nil {
			return out, false, err
		}
		s = shared(s)
		v.seen = nil
		for _, one := range s.Sessions {
			v.seen = append(v.seen, one.ID)
		}
		return rewritten(e.name, s)
	case "change":
		var c change
		if err := decode(e.data, &c); err != nil {
			return out, false, err
		}
		known := slices.Contains(v.seen, c.Session.ID)
		switch {
		case c.Session.Shared:
			if !known {
				v.seen = append(v.seen, c.Session.ID)
			}
			c.Session.Label = nil
			return rewritten(e.name, c)
		case known:
			v.drop(c.Session.ID)
			return rewritten("gone", gone{Seq: c.Seq, At: c.At, ID: c.Session.ID})
		}
		return out, false, nil
	case "gone":
		var g gone
		if err := decode(e.data, &g); err != nil {
			return out, false, err
		}
		known := slices.Contains(v.seen, g.ID)
		v.drop(g.ID)
		return e, known, nil
	}
	return out, false, nil
}

func (v *sieve) drop(id engine.ID) {
	v.seen = slices.DeleteFunc(v.seen, func(one engine.ID) bool { return one == id })
}

func rewritten(name string, v any) (event, bool, error) {
	data, err := encoded(v)
	return event{name: name, data: data}, err == nil, err
}

// encoded is JSON without the escapes that are only for web pages.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func putJSON(w io.Writer, v any) error {
	body, err := encoded(v)
	if err != nil {
		return err
	}
	return put(w, body)
}
