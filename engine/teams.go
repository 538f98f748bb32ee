package engine

import (
	"slices"
	"strings"
	"time"
)

// team is a leader and the sessions it called for (SPEC section 5). A member is a
// session of its own.
type team struct {
	leader  *entry
	members []*entry
	ended   time.Time // when the last member ended; zero: one lives
}

// enlist finds the leader of a session that starts: the one it names, or the one that
// last called for a sub-agent in a folder around it.
func (e *Engine) enlist(s *entry, parent string, at Stamp) {
	if slices.ContainsFunc(e.teams, func(t *team) bool { return slices.Contains(t.members, s) }) {
		return
	}
	var leader *entry
	if parent != "" {
		for _, o := range e.byID(Who{Tool: s.who.Tool, ID: parent}) {
			leader = o
		}
	} else if leader = e.caller(s, at); leader == nil {
		return
	}
	if leader == nil || leader == s {
		return
	}
	i := slices.IndexFunc(e.teams, func(t *team) bool { return t.leader == leader })
	if i < 0 {
		e.teams = append(e.teams, &team{leader: leader})
		i = len(e.teams) - 1
	}
	t := e.teams[i]
	t.members, t.ended = append(t.members, s), time.Time{}
	for _, o := range append([]*entry{t.leader}, t.members...) {
		e.touch(o)
	}
}

// caller is the session that called for a sub-agent shortly before s started, in a
// folder that holds that of s, lies in it or is the same. The newest call counts, and
// each only once.
func (e *Engine) caller(s *entry, at Stamp) (leader *entry) {
	var call *run
	for _, o := range e.order {
		if o == s || o.who.Tool != s.who.Tool || !related(o.who.Dir, s.who.Dir) {
			continue
		}
		for _, r := range o.facts.Agents {
			wait := at.At.Sub(r.Began.At)
			if r.Taken || r.Began.By != Hook || wait < 0 || wait > e.limits[Enlist] {
				continue
			}
			if call == nil || r.Began.At.After(call.Began.At) {
				call, leader = r, o
			}
		}
	}
	if call != nil {
		call.Taken = true
	}
	return leader
}

// related reports whether one folder is the other or lies in it.
func related(a, b string) bool {
	in := func(a, b string) bool { return strings.HasPrefix(a+"/", strings.TrimSuffix(b, "/")+"/") }
	return a != "" && b != "" && (in(a, b) || in(b, a))
}

func (e *Engine) teamOf(s *entry) *Team {
	for _, t := range e.teams {
		view := &Team{ID: "team-" + string(t.leader.view.ID), Name: t.leader.view.Project, Role: "member"}
		if t.leader == s {
			view.Role = "leader"
			return view
		}
		if slices.Contains(t.members, s) {
			return view
		}
	}
	return nil
}

// disband removes the teams whose members have all ended some time ago.
func (e *Engine) disband(step *Step) {
	e.teams = slices.DeleteFunc(e.teams, func(t *team) bool {
		t.members = slices.DeleteFunc(t.members, func(s *entry) bool { return !slices.Contains(e.order, s) })
		live := slices.ContainsFunc(t.members, func(s *entry) bool { return s.view.Status != Ended })
		switch {
		case live:
			t.ended = time.Time{}
		case t.ended.IsZero():
			t.ended = e.now
		}
		return !live && e.now.Sub(t.ended) >= e.limits[Disband] || !slices.Contains(e.order, t.leader)
	})
	for _, s := range e.order {
		if s.view.Team != nil && e.teamOf(s) == nil {
			e.read(s, step)
		}
	}
}

// disbands is when the next team is to be removed.
func (e *Engine) disbands() (next time.Time) {
	for _, t := range e.teams {
		if at := t.ended.Add(e.limits[Disband]); !t.ended.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
