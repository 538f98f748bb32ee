package notify

import (
	"time"

	"deskbell/engine"
)

// Headline is that a notice is raised or withdrawn.
type Headline struct {
	At     time.Time
	Notice string // "raise" or "withdraw"
	IDs    []engine.ID
	Kind   string
	Title  string
}

// Paper writes down what a planner decides.
type Paper struct {
	Prefs   Prefs
	planner Planner
	up      map[engine.ID]Headline
}

// Apply takes in what a pass brought about, and returns what becomes of the notices and
// when to call again; zero: no need. A notice of which only the text changes is no news.
func (p *Paper) Apply(now time.Time, step engine.Step) (news []Headline, next time.Time) {
	p.planner.Gone(step.Gone...)
	raise, withdraw, next := p.planner.Apply(now, step.Changes, p.Prefs)
	for _, n := range raise {
		if p.up == nil {
			p.up = map[engine.ID]Headline{}
		}
		one := Headline{now, "raise", n.IDs, string(n.Kind), n.Title}
		p.up[n.ID] = one
		if !n.Silent {
			news = append(news, one)
		}
	}
	for _, id := range withdraw {
		one := p.up[id]
		one.At, one.Notice = now, "withdraw"
		delete(p.up, id)
		news = append(news, one)
	}
	return news, next
}
