package tray

import "slices"

// Pool is what the tray shows: rows that are made once, and from then on only
// change. No tray host takes the removal of rows well, so a row that is not
// needed is hidden, and a menu that outgrows the pool adds rows at its end.
type Pool struct {
	Icon Icon
	Rows []Slot
}

// Slot is one row of the pool. Whether it is a rule or a submenu is settled
// when it is made.
type Slot struct {
	Title string
	Off   bool
	Act   Act
	Shown bool
	Rule  bool
	Sub   bool
	Under []Slot
}

// At names a slot of the pool: the row, and if Under is not -1 the row under it.
type At struct{ Row, Under int }

// Do is a kind of [Op].
type Do uint8

// The kinds of change.
const (
	Add        Do = iota // a row, with Title, shown and enabled
	AddRule              // a separating line
	SetTitle             // to Title
	Enable               //
	Disable              //
	Show                 //
	Hide                 //
	SetPicture           // to that of Icon
	SetTip               // to that of Icon
	SetText              // to that of Icon
)

// Op is one change of what the tray shows.
type Op struct {
	Do    Do
	At    At
	Title string
	Icon  Icon
}

// Menu reports whether the change is one of the menu, not of the icon.
func (o Op) Menu() bool { return o.Do < SetPicture }

// Diff tells how the pool must change to show m, and what it is then. Changes
// come in an order that hosts survive: a row is right before it is shown, it is
// shown before rows are added under it, and a hidden one is left alone.
func (p Pool) Diff(m Menu) ([]Op, Pool) {
	next := Pool{Icon: m.Icon, Rows: slices.Clone(p.Rows)}
	var ops []Op
	for _, c := range []struct {
		do   Do
		same bool
	}{
		{SetPicture, p.Icon.picture() == m.Icon.picture()},
		{SetTip, p.Icon.Tip == m.Icon.Tip},
		{SetText, p.Icon.Text == m.Icon.Text},
	} {
		if !c.same {
			ops = append(ops, Op{Do: c.do, Icon: m.Icon})
		}
	}
	row := func(i int) At { return At{i, -1} }
	return append(ops, fill(&next.Rows, m.Items, row)...), next
}

// fill makes slots show items, in order.
func fill(slots *[]Slot, items []Item, at func(int) At) (ops []Op) {
	next := 0 // the first slot that is still free
	for i, item := range items {
		k := next
		for k < len(*slots) && !(*slots)[k].suits(item) && (item.Rule || !(*slots)[k].Rule) {
			k++
		}
		if item.Rule && k == len(*slots) {
			for range item.Room - since(items[:i]) {
				ops = append(ops, add(slots, Item{}, at)...)
				ops = append(ops, (*slots)[len(*slots)-1].hide(at(len(*slots)-1))...)
			}
			k = len(*slots)
		}
		switch {
		case k == len(*slots):
			for s := next; s < k; s++ {
				ops = append(ops, (*slots)[s].hide(at(s))...)
			}
			next = k + 1
			ops = append(ops, add(slots, item, at)...)
		case !(*slots)[k].suits(item): // a rule: there is no room left before it
			continue
		default:
			for s := next; s < k; s++ {
				ops = append(ops, (*slots)[s].hide(at(s))...)
			}
			next = k + 1
			ops = append(ops, (*slots)[k].show(item, at(k))...)
		}
		if slot := &(*slots)[k]; slot.Sub {
			slot.Under = slices.Clone(slot.Under)
			ops = append(ops, fill(&slot.Under, flat(item.Under), func(i int) At { return At{k, i} })...)
		}
	}
	for s := next; s < len(*slots); s++ {
		ops = append(ops, (*slots)[s].hide(at(s))...)
	}
	return ops
}

// since counts the items after the last rule.
func since(items []Item) (n int) {
	for _, item := range slices.Backward(items) {
		if item.Rule {
			break
		}
		n++
	}
	return n
}

// flat takes what is under items away: submenus are one level deep.
func flat(items []Item) []Item {
	items = slices.Clone(items)
	for i := range items {
		items[i].Under, items[i].Sub = nil, false
	}
	return items
}

func (s Slot) suits(item Item) bool {
	return s.Rule == item.Rule && s.Sub == item.sub()
}

// add makes a slot for item after the last one.
func add(slots *[]Slot, item Item, at func(int) At) []Op {
	here := at(len(*slots))
	if item.Rule {
		*slots = append(*slots, Slot{Rule: true, Shown: true})
		return []Op{{Do: AddRule, At: here}}
	}
	*slots = append(*slots, Slot{Title: item.Title, Act: item.Act, Shown: true, Sub: item.sub()})
	slot := &(*slots)[len(*slots)-1]
	return append([]Op{{Do: Add, At: here, Title: item.Title}}, slot.show(item, here)...)
}

// show makes a slot show item.
func (s *Slot) show(item Item, at At) (ops []Op) {
	if s.Rule {
		return nil
	}
	if s.Title != item.Title {
		s.Title = item.Title
		ops = append(ops, Op{Do: SetTitle, At: at, Title: item.Title})
	}
	if s.Off != item.Off {
		s.Off = item.Off
		do := Enable
		if item.Off {
			do = Disable
		}
		ops = append(ops, Op{Do: do, At: at})
	}
	s.Act = item.Act
	if !s.Shown {
		s.Shown = true
		ops = append(ops, Op{Do: Show, At: at})
	}
	return ops
}

// hide takes a slot off the screen. A rule stays: hosts cannot hide one.
func (s *Slot) hide(at At) []Op {
	if s.Rule || !s.Shown {
		return nil
	}
	s.Shown = false
	return []Op{{Do: Hide, At: at}}
}

// Act is what a click on the slot asks for.
func (p Pool) Act(at At) Act {
	if at.Row >= len(p.Rows) {
		return Act{}
	}
	slot := p.Rows[at.Row]
	if at.Under >= 0 {
		if at.Under >= len(slot.Under) {
			return Act{}
		}
		slot = slot.Under[at.Under]
	}
	if !slot.Shown || slot.Off {
		return Act{}
	}
	return slot.Act
}
