package tray

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"deskbell/engine"
)

func leaf(title string) Item {
	return Item{Title: title, Act: Act{Verb: Open, Session: engine.ID(title)}}
}

func sub(title string, under ...Item) Item { return Item{Title: title, Sub: true, Under: under} }

func TestDiff(t *testing.T) {
	rule := Item{Rule: true, Room: 4}
	quit := leaf("quit")
	first := []Item{{Title: "head", Off: true}, leaf("a"), leaf("b"), rule, quit}
	for _, c := range []struct {
		name string
		to   []Item
		want []string
	}{
		{"same", first, nil},
		{"title", []Item{{Title: "head 2", Off: true}, leaf("a"), leaf("b"), rule, quit}, []string{`title 0 "head 2"`}},
		{"act alone", []Item{{Title: "head", Off: true}, {Title: "a", Act: Act{Verb: Open, Session: "z"}}, leaf("b"), rule, quit}, nil},
		{"off", []Item{{Title: "head", Off: true}, leaf("a"), {Title: "b", Off: true}, rule, quit}, []string{"disable 2"}},
		{"one less", []Item{{Title: "head", Off: true}, leaf("b"), rule, quit}, []string{`title 1 "b"`, "hide 2"}},
		{"one more", []Item{{Title: "head", Off: true}, leaf("a"), leaf("b"), leaf("c"), rule, quit}, []string{`title 3 "c"`, "show 3"}},
		{"grows at the end", append(slices.Clone(first), leaf("more"), sub("verbs", leaf("x"))), []string{`add 6 "more"`, `add 7 "verbs"`, `add 7.0 "x"`}},
		{"no room", []Item{{Title: "head", Off: true}, leaf("a"), leaf("b"), leaf("c"), leaf("d"), leaf("e"), rule, quit}, []string{`title 3 "c"`, "show 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, p := Pool{}.Diff(Menu{Items: first})
			ops, _ := p.Diff(Menu{Items: c.to})
			var got []string
			for _, op := range ops {
				got = append(got, op.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDiffOfTheIcon(t *testing.T) {
	i := Icon{Kind: Needs, Status: engine.Approval, Count: 12, Tip: "12 need you", Text: "12"}
	_, p := Pool{}.Diff(Menu{Icon: i})
	for _, c := range []struct {
		name   string
		change func(*Icon)
		want   []Do
	}{
		{"nothing", func(*Icon) {}, nil},
		{"a number that is not drawn", func(i *Icon) { i.Count, i.Tip = 13, "13 need you" }, []Do{SetTip}},
		{"a number that is drawn", func(i *Icon) { i.Count = 9 }, []Do{SetPicture}},
		{"words", func(i *Icon) { i.Text = "12/13" }, []Do{SetText}},
		{"a corner", func(i *Icon) { i.Wrong = true }, []Do{SetPicture}},
	} {
		to := i
		c.change(&to)
		ops, _ := p.Diff(Menu{Icon: to})
		var got []Do
		for _, op := range ops {
			got = append(got, op.Do)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

var doNames = [...]string{Add: "add", AddRule: "rule", SetTitle: "title", Enable: "enable", Disable: "disable", Show: "show", Hide: "hide",
	SetPicture: "picture", SetTip: "tip", SetText: "text"}

func (o Op) String() string {
	s := fmt.Sprintf("%s %d", doNames[o.Do], o.At.Row)
	if o.At.Under >= 0 {
		s += fmt.Sprintf(".%d", o.At.Under)
	}
	if o.Do == Add || o.Do == SetTitle {
		s += fmt.Sprintf(" %q", o.Title)
	}
	return s
}

// glass is a screen that does what it is told, and complains about what a tray
// host would not take.
type glass struct {
	t    *testing.T
	rows []pane
	icon Icon
	acts int
	gone error // returned from now on
}

type pane struct {
	title     string
	off, gone bool
	rule      bool
	under     []pane
}

func (g *glass) dress(i Icon) error { g.icon = i; return g.gone }

func (g *glass) draw(op Op) error {
	if g.gone != nil {
		return g.gone
	}
	g.acts++
	rows, at := &g.rows, op.At.Row
	if op.At.Under >= 0 && op.Menu() {
		if parent := &g.rows[at]; parent.gone || parent.rule {
			g.t.Errorf("%v: its row is hidden", op)
		}
		rows, at = &g.rows[at].under, op.At.Under
	}
	switch op.Do {
	case SetPicture:
		g.icon = Icon{Tip: g.icon.Tip, Text: g.icon.Text}
		g.icon.Kind, g.icon.Status, g.icon.Count, g.icon.Muted, g.icon.Wrong = op.Icon.Kind, op.Icon.Status, op.Icon.Count, op.Icon.Muted, op.Icon.Wrong
		return nil
	case SetTip:
		g.icon.Tip = op.Icon.Tip
		return nil
	case SetText:
		g.icon.Text = op.Icon.Text
		return nil
	case Add, AddRule:
		if at != len(*rows) {
			g.t.Errorf("%v: the next row is %d", op, len(*rows))
		}
		*rows = append(*rows, pane{title: op.Title, rule: op.Do == AddRule})
		return nil
	}
	p := &(*rows)[at]
	if p.rule {
		g.t.Errorf("%v: a rule cannot change", op)
	}
	was := *p
	switch op.Do {
	case SetTitle:
		p.title = op.Title
	case Enable:
		p.off = false
	case Disable:
		p.off = true
	case Show:
		p.gone = false
	case Hide:
		p.gone = true
	}
	if was.title == p.title && was.off == p.off && was.gone == p.gone {
		g.t.Errorf("%v: changes nothing", op)
	}
	return nil
}

// text is what is to be seen.
func (g *glass) text() (out []string) {
	var walk func([]pane, string)
	walk = func(rows []pane, indent string) {
		for _, p := range rows {
			switch {
			case p.rule:
				out = append(out, indent+"---")
			case !p.gone:
				out = append(out, fmt.Sprintf("%s%s %v", indent, p.title, p.off))
				walk(p.under, indent+"  ")
			}
		}
	}
	walk(g.rows, "")
	return out
}

// seen is what a menu should look like.
func seen(items []Item, indent string) (out []string) {
	for _, i := range items {
		if i.Rule {
			out = append(out, indent+"---")
			continue
		}
		out = append(out, fmt.Sprintf("%s%s %v", indent, i.Title, i.Off))
		out = append(out, seen(i.Under, indent+"  ")...)
	}
	return out
}

// Whatever was shown before, doing what Diff says shows the menu, and doing it
// again says nothing.
func TestDiffShowsTheMenu(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := &glass{t: t}
		var p Pool
		for range 12 {
			m := anyMenu(r)
			before := p
			ops, after := p.Diff(m)
			if again, _ := before.Diff(m); !slices.Equal(ops, again) {
				t.Fatalf("seed %d: Diff changed its pool", seed)
			}
			for _, op := range ops {
				g.draw(op)
			}
			p = after
			if got, want := g.text(), seen(m.Items, ""); !slices.Equal(got, want) {
				t.Fatalf("seed %d: got %q, want %q", seed, got, want)
			}
			if g.icon != m.Icon && g.icon.picture() != m.Icon.picture() {
				t.Fatalf("seed %d: got icon %+v, want %+v", seed, g.icon, m.Icon)
			}
			for i, row := range shownRows(p) {
				if want := shownItems(m)[i]; !row.Off && !row.Sub && row.Act != want.Act {
					t.Fatalf("seed %d row %d: a click means %v, want %v", seed, i, row.Act, want.Act)
				}
			}
			if more, _ := p.Diff(m); len(more) > 0 {
				t.Fatalf("seed %d: %v was not done", seed, more)
			}
		}
	}
}

func shownRows(p Pool) []Slot {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(s Slot) bool { return !s.Shown || s.Rule })
}

func shownItems(m Menu) []Item {
	return slices.DeleteFunc(slices.Clone(m.Items), func(i Item) bool { return i.Rule })
}

// anyMenu is a menu as the product could have one: sessions, verbs that keep
// their place, and an end that may grow.
func anyMenu(r *rand.Rand) (m Menu) {
	some := func(n int) (items []Item) {
		for range r.IntN(n + 1) {
			title := string(rune('a' + r.IntN(6)))
			items = append(items, Item{Title: title, Off: r.IntN(4) == 0, Act: Act{Verb: Open, Session: engine.ID(title)}})
		}
		return items
	}
	m.Icon = Icon{Kind: Kind(r.IntN(4)), Status: engine.Approval, Count: r.IntN(12), Tip: string(rune('a' + r.IntN(3)))}
	m.Items = append(some(8), Item{Rule: true, Room: 8})
	mute := append(append(some(3), Item{Rule: true, Room: 3}), some(5)...)
	m.Items = append(m.Items, sub("resume", some(5)...), sub("mute", mute...), Item{Rule: true})
	for _, i := range some(6) {
		if r.IntN(3) == 0 {
			i = sub(i.Title, some(3)...)
		}
		m.Items = append(m.Items, i)
	}
	return m
}
