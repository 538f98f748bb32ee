package notify

import (
	"time"

	"deskbell/engine"
)

// Paper writes down what a planner decides.
type Paper struct {
	Prefs   Prefs
	planner Planner
	up      map[engine.ID]engine.Headline
}

// Apply takes in what a pass brought about, and returns what becomes of the notices and
// when to call again; zero: no need. A notice of which only the text changes is no news.
func (p *Paper) Apply(now time.Time, step engine.Step) (news []engine.Headline, next time.Time) {
	p.planner.Gone(step.Gone...)
	raise, withdraw, next := p.planner.Apply(now, step.Changes, p.Prefs)
	for _, n := range raise {
		if p.up == nil {
			p.up = map[engine.ID]engine.Headline{}
		}
		one := engine.Headline{At: now, Notice: "raise", IDs: n.IDs, Kind: string(n.Kind), Title: n.Title}
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
