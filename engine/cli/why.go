package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"deskbell/engine"
)

type whyCmd struct {
	Session string `arg:"" help:"Its id, the beginning of the tool's session id, or a part of title or project."`
	Agents  bool   `name:"agents" help:"Print its sub-agents instead."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Help is shown below the usage.
func (whyCmd) Help() string {
	return "Prints the evidence for the status, what was overruled, which rules would speak later, how the session was told, and which witness is missing."
}

// why is the answer of GET /sessions/{id}/why.
type why struct {
	Session engine.Session `json:"session"`
	Silent  []struct {
		Weight     engine.Weight `json:"weight"`
		WouldSpeak time.Time     `json:"would_speak"`
		Why        string        `json:"why"`
		Rule       string        `json:"rule"`
	} `json:"silent"`
	Matched string `json:"matched"`
	Missing []struct {
		Witness string `json:"witness"`
		How     string `json:"how"`
	} `json:"missing"`
	Notice *struct {
		State string    `json:"state"`
		Why   string    `json:"why"`
		At    time.Time `json:"at"`
	} `json:"notice"`
	Sleep []struct {
		Veto string `json:"veto"`
		Why  string `json:"why"`
	} `json:"sleep"`
	History []engine.Moment `json:"history"`
}

// Run explains one session.
func (w whyCmd) Run(in Env) error {
	c := in.dial()
	ctx, cancel := in.begin()
	defer cancel()
	body, err := c.why(ctx, w.Session)
	if err != nil {
		return err
	}
	if w.JSON && !w.Agents {
		return put(in.Stdout, body)
	}
	var answer why
	if err := decode(body, &answer); err != nil {
		return err
	}
	if w.JSON {
		return putJSON(in.Stdout, append([]engine.Agent{}, answer.Session.Agents...))
	}
	points := answer.points
	if w.Agents {
		points = answer.agents
	}
	lines := answer.lines(in.Now(), in.output(), points)
	return put(in.Stdout, []byte(strings.Join(lines, "\n")))
}

// why is the answer for the session that s means. One that is known no longer may be in
// the journal, by its id or the beginning of the tool's.
func (c client) why(ctx context.Context, s string) ([]byte, error) {
	one, unknown := c.find(ctx, s)
	if unknown == nil {
		s = string(one.ID)
	} else if !errors.Is(unknown, errUnmatched) {
		return nil, unknown
	}
	body, err := c.get(ctx, "/sessions/"+url.PathEscape(s)+"/why")
	if err != nil && unknown != nil {
		return nil, unknown
	}
	return body, err
}

// point is one line of the case: what kind, what, and the particulars.
type point struct {
	kind, what string
	rest       []string // in columns, where there are several
}

// lines is the session, and below it the points.
func (w why) lines(now time.Time, out screen, points func(time.Time) []point) []string {
	s := w.Session
	id := []string{string(s.ID), clean(s.Tool)}
	if s.SessionID != "" {
		id[1] += " " + abbreviated(clean(s.SessionID))
	}
	guess := ""
	if s.Guess {
		guess = " (a guess)"
	}
	first := fmt.Sprintf("%s (%s) is %s%s, for %s", clean(head(s)), strings.Join(id, ", "),
		paint(s.Status.String(), lookOf(s).ansi, out.colour), guess, long(ago(now, s.Since)))
	return append([]string{first}, laid(points(now), out.width)...)
}

// abbreviated is the beginning of a session id.
func abbreviated(id string) string {
	const few = 4
	r := []rune(id)
	if len(r) <= few {
		return id
	}
	return string(r[:few]) + "…"
}

// agents are the sub-agents of the session.
func (w why) agents(now time.Time) (all []point) {
	for _, a := range w.Session.Agents {
		what := cmp.Or(a.Type, "a sub-agent")
		if a.Task != "" {
			what += ": " + a.Task
		}
		all = append(all, point{a.Status, what, []string{clean(a.ID), plural(a.Tools, "tool"), "began " + long(ago(now, a.Since)) + " ago"}})
	}
	if len(all) == 0 {
		all = append(all, point{"agents", "none", nil})
	}
	return all
}

// points are the whole case.
func (w why) points(now time.Time) []point {
	all := []point{evidence("because", w.Session.Reason, now)}
	for _, sig := range w.Session.Against {
		all = append(all, evidence("over", sig, now))
	}
	for _, r := range w.Silent {
		then := "would speak in " + long(r.WouldSpeak.Sub(now))
		if r.Weight > w.Session.Reason.Weight {
			then += ", overruled"
		}
		all = append(all, point{"silent", cmp.Or(r.Why, r.Rule), []string{then}})
	}
	if w.Matched != "" {
		all = append(all, point{"matched", w.Matched, nil})
	}
	if n := w.Notice; n != nil {
		what := n.State
		if !n.At.IsZero() {
			what += " " + long(ago(now, n.At)) + " ago"
		}
		if n.Why != "" {
			what += ", " + n.Why
		}
		all = append(all, point{"notice", what, nil})
	}
	for _, v := range w.Sleep {
		all = append(all, point{"sleep", "not: " + v.Veto + ", " + v.Why, nil})
	}
	for _, m := range w.Missing {
		what := m.Witness
		if m.How != "" {
			what += ": " + m.How
		}
		all = append(all, point{"missing", what, nil})
	}
	if len(w.Missing) == 0 && w.Session.Status.Live() {
		all = append(all, point{"missing", "nothing: every witness it can have reports", nil})
	}
	for _, m := range w.History {
		all = append(all, point{"history", dated(m.At, now) + "  " + told(m), nil})
	}
	return all
}

func evidence(kind string, s engine.Signal, now time.Time) point {
	return point{kind, s.Why, []string{s.By.String(), s.Weight.String(), long(ago(now, s.Since)) + " ago"}}
}

// laid puts points in columns no wider than screen, which 0 does not limit.
func laid(points []point, screen int) []string {
	var what int
	var cols [3]int
	for i, p := range points {
		points[i].what = clean(p.what)
		if p.rest == nil {
			continue
		}
		what = max(what, width(points[i].what))
		if len(p.rest) == len(cols) {
			for c, text := range p.rest {
				cols[c] = max(cols[c], width(text))
			}
		}
	}
	const lead = len(gap) + len("because") + len(gap)
	if screen > 0 {
		rest := 0
		for _, c := range cols {
			rest += len(gap) + c
		}
		for _, p := range points {
			if len(p.rest) == 1 {
				rest = max(rest, len(gap)+width(p.rest[0]))
			}
		}
		what = max(0, min(what, screen-lead-rest))
	}
	var lines []string
	for _, p := range points {
		line := gap + pad(p.kind, lead-len(gap))
		if p.rest == nil {
			line += p.what
		} else {
			line += pad(cut(p.what, what), what)
		}
		for c, text := range p.rest {
			if len(p.rest) == len(cols) {
				text = pad(text, cols[c])
			}
			line += gap + text
		}
		line = strings.TrimRight(line, " ")
		if screen > 0 {
			line = cut(line, screen)
		}
		lines = append(lines, line)
	}
	return lines
}
