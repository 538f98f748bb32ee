package live

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"deskbell/engine"
)

// change and gone are the events of the stream, API.md.
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

// event returns the name and the body of c in the stream.
func (c Change) event() (string, any) {
	if c.Session == nil {
		return "gone", gone{Seq: c.Seq, At: c.At.UTC(), ID: c.Gone}
	}
	return "change", change{Seq: c.Seq, At: c.At.UTC(), From: c.From, Session: utc(*c.Session)}
}

// Live returns the part of s that shows live sessions only.
func Live(s engine.Snapshot) engine.Snapshot {
	return only(s, engine.Status.Live)
}

func ended(s engine.Status) bool { return s == engine.Ended }

func only(s engine.Snapshot, want func(engine.Status) bool) engine.Snapshot {
	all := s.Sessions
	s.Sessions = make([]engine.Session, 0, len(all))
	for _, one := range all {
		if want(one.Status) {
			s.Sessions = append(s.Sessions, one)
		}
	}
	s.Counts = engine.Count(s.Sessions)
	return s
}

// shown returns s as it goes out: read now, and every time in UTC.
func shown(s engine.Snapshot) engine.Snapshot {
	s.At = time.Now().UTC()
	all := s.Sessions
	s.Sessions = make([]engine.Session, len(all)) // never null
	for i := range all {
		s.Sessions[i] = utc(all[i])
	}
	return s
}

// utc returns s with every time in UTC. What s shares with others is not touched.
func utc(s engine.Session) engine.Session {
	s.Since, s.LastWrite, s.MutedUntil = s.Since.UTC(), s.LastWrite.UTC(), s.MutedUntil.UTC()
	s.Reason = signalUTC(s.Reason)
	s.Against = slices.Clone(s.Against)
	for i := range s.Against {
		s.Against[i] = signalUTC(s.Against[i])
	}
	s.Agents = slices.Clone(s.Agents)
	for i := range s.Agents {
		s.Agents[i].Since = s.Agents[i].Since.UTC()
	}
	return s
}

func signalUTC(s engine.Signal) engine.Signal {
	s.Since, s.Until = s.Since.UTC(), s.Until.UTC()
	return s
}

// encode is JSON without the escapes that are only for web pages.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // ends in a newline
}
