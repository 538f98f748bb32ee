package engine

import (
	"cmp"
	"slices"
	"time"
)

// span is a stretch of time in which an instance of a row speaks. Until zero:
// until further notice.
type span struct {
	rule        int
	key         string
	on          Stamp
	from, until time.Time
}

func (s *span) holds(now time.Time) bool {
	return !now.Before(s.from) && (s.until.IsZero() || now.Before(s.until))
}

// book is the rule table, made ready.
type book struct {
	rules  []Rule
	unless [][]int // by rule: the rows that silence it
	limits *Limits
}

func newBook(rules []Rule, l *Limits) *book {
	b := &book{rules: rules, unless: make([][]int, len(rules)), limits: l}
	for i, r := range rules {
		for _, name := range r.Unless {
			b.unless[i] = append(b.unless[i], slices.IndexFunc(rules, func(o Rule) bool { return o.Name == name }))
		}
	}
	return b
}

// rule is the row called name.
func (b *book) rule(name string) *Rule {
	i := slices.IndexFunc(b.rules, func(r Rule) bool { return r.Name == name })
	return &b.rules[i]
}

// spans is when each row would speak on f, in the order of the table.
func (b *book) spans(f *Facts) (out []span) {
	add := func(i int, k keyed) {
		if k.Never() {
			return
		}
		after, lasts := cmp.Or(k.After, b.rules[i].After), cmp.Or(k.For, b.rules[i].For)
		s := span{rule: i, key: k.Key, on: k.Stamp, from: k.At.Add(b.limits[after])}
		switch lasts {
		case Always:
		case Rest:
			s.until = b.rests(f, s.from)
		default:
			s.until = s.from.Add(b.limits[lasts])
		}
		if s.until.IsZero() || s.until.After(s.from) {
			out = append(out, s)
		}
	}
	for i := range b.rules {
		if b.rules[i].Each == nil {
			add(i, keyed{Stamp: b.rules[i].On(f)})
			continue
		}
		for _, k := range b.rules[i].Each(f) {
			add(i, k)
		}
	}
	return out
}

// rests is when a turn that ended wants you no more: after a while, or, where that
// while is zero, once you have seen it.
func (b *book) rests(f *Facts, from time.Time) time.Time {
	switch d := b.limits[Rest]; {
	case d > 0:
		return from.Add(d)
	case f.Seen.At.After(from):
		return f.Seen.At
	}
	return time.Time{}
}

// silenced reports whether a row that speaks at now bids this one be silent.
func (b *book) silenced(spans []span, s *span, now time.Time) bool {
	for _, u := range b.unless[s.rule] {
		for i := range spans {
			if spans[i].rule == u && spans[i].holds(now) {
				return true
			}
		}
	}
	return false
}

// winner is the index of the span that decides at now, -1 if none speaks: the
// heaviest, but inside a topic of Reported rows the newest.
func (b *book) winner(spans []span, now time.Time) int {
	best := -1
	for i := range spans {
		s := &spans[i]
		if !s.holds(now) || b.silenced(spans, s, now) {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		r, w := &b.rules[s.rule], &b.rules[spans[best].rule]
		if r.Weight <= Reported && r.Weight == w.Weight && r.Topic == w.Topic && s.on.At.After(spans[best].on.At) {
			best = i
		}
	}
	return best
}

// read applies the rule book: the verdict on facts f at now, and the next moment
// it changes with no further event (zero: never).
func (b *book) read(f *Facts, now time.Time) (v Verdict, next time.Time) {
	spans := b.spans(f)
	won := b.winner(spans, now)
	if won < 0 {
		return v, next
	}
	r := &b.rules[spans[won].rule]
	v.Status, v.Loud, v.For = r.Says, r.Loud, []Signal{b.signal(&spans[won])}
	for i := range spans {
		s := &spans[i]
		if i == won || !s.holds(now) || b.silenced(spans, s, now) {
			continue
		}
		switch o := &b.rules[s.rule]; {
		case o.Says == v.Status:
			v.For = append(v.For, b.signal(s))
		case o.Weight < Inferred:
			v.Against = append(v.Against, b.signal(s))
		}
	}
	return v, b.next(spans, won, now)
}

// next is the first boundary of a span at which another row decides.
func (b *book) next(spans []span, won int, now time.Time) time.Time {
	var edges []time.Time
	for i := range spans {
		for _, t := range [2]time.Time{spans[i].from, spans[i].until} {
			if t.After(now) {
				edges = append(edges, t)
			}
		}
	}
	slices.SortFunc(edges, time.Time.Compare)
	for _, t := range edges {
		if w := b.winner(spans, t); w != won {
			return t
		}
	}
	return time.Time{}
}

func (b *book) signal(s *span) Signal {
	r := &b.rules[s.rule]
	return Signal{Rule: r.Name, Weight: r.Weight, By: s.on.By, Says: r.Says, Key: s.key, Since: s.from, Until: s.until, Why: r.Why}
}
