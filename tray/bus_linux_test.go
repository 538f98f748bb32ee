package tray

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/testdata/bus"
	"deskbell/tray/internal/sni"
)

func example() Menu {
	return Build(cards(
		engine.Session{Status: engine.Working, Project: "my_web_app", Title: "Add __init__ & <b>"},
		engine.Session{Status: engine.Approval, Project: "app", Asks: "Bash: npm test"},
	), Prefs{Zone: time.UTC})
}

var exampleRows = []string{
	"(1 needs you · 1 working)", "▲ Approve    app: Bash npm test · since 12:00",
	"◐ Working     my_web_app: Add __init__ & <b>", "---", "Quit deskbell",
}

// verbsExample is a menu with submenus.
func verbsExample() Menu {
	return Build(cards(
		engine.Session{Status: engine.Working, Project: "my_web_app", Title: "Add __init__ & <b>", Prefs: engine.Prefs{Pinned: true}},
		engine.Session{Status: engine.Approval, Project: "app", Asks: "Bash: npm test"},
	), Prefs{Zone: time.UTC, Can: map[string]bool{Resume: true, Mute: true, Pin: true, Settings: true}})
}

// rowsOf is what a menu is read as.
func rowsOf(m Menu) []string { return readItems(m.Items, "") }

func readItems(items []Item, indent string) (lines []string) {
	for _, i := range items {
		line := i.Title
		switch {
		case i.Rule:
			line = "---"
		case i.Off:
			line = "(" + line + ")"
		}
		lines = append(append(lines, indent+line), readItems(i.Under, indent+"  ")...)
	}
	return lines
}

func rows(t *testing.T, i *sni.Item) []string {
	t.Helper()
	m, err := i.Menu()
	if err != nil {
		t.Fatal(err)
	}
	return m.Text()
}

func shows(t *testing.T, i *sni.Item, want []string) {
	t.Helper()
	var got []string
	until(t, fmt.Sprintf("the menu shows %q", want), func() bool { got = rows(t, i); return slices.Equal(got, want) })
}

// on starts a tray on a bus with a host, and waits for its icon.
func on(t *testing.T, m *Menu, mode string) (*child, *sni.Item) {
	t.Helper()
	b := bus.Run(t)
	host := sni.Serve(t, b)
	c := start(t, b, m, mode)
	return c, host.Next(t)
}

// silent fails if the tray said anything nobody waited for.
func silent(t *testing.T, c *child) {
	t.Helper()
	for _, line := range c.said() {
		t.Error("unasked: ", line)
	}
}

// wears tells whether the item shows this icon.
func wears(t *testing.T, i *sni.Item, want Icon) bool {
	t.Helper()
	p, err := i.Icon()
	if err != nil {
		t.Fatal(err)
	}
	img := decode(t, PNG(want))
	var data []byte
	for k := range int(side * side) {
		r, g, b, a := img.At(k%side, k/side).RGBA()
		data = append(data, byte(a), byte(r), byte(g), byte(b))
	}
	return p.W == side && p.H == side && bytes.Equal(p.Data, data)
}

func TestTrayOnABus(t *testing.T) {
	t.Parallel()
	m := example()
	c, item := on(t, &m, "menu")
	shows(t, item, exampleRows)
	if !wears(t, item, m.Icon) {
		t.Error("not the icon")
	}
	if id, err := item.ID(); id != "deskbell" {
		t.Errorf("id is %q, %v", id, err)
	}
	if tip, err := item.Tip(); tip != m.Icon.Tip {
		t.Errorf("tip is %q, %v", tip, err)
	}
	if item.Activate() == nil {
		t.Error("a left click is taken, and shows no menu")
	}

	all, err := item.Menu()
	if err != nil {
		t.Fatal(err)
	}
	for _, click := range []struct{ label, want string }{
		{exampleRows[1], "click open s2"}, {exampleRows[2], "click open s1"},
	} {
		row, ok := all.Find(click.label)
		if !ok {
			t.Fatalf("no row %q", click.label)
		}
		for range 3 {
			if err := item.Click(row.ID); err != nil {
				t.Fatal(err)
			}
			if got := c.hear("click"); got != click.want {
				t.Errorf("got %q, want %q", got, click.want)
			}
		}
	}

	next := Build(cards(engine.Session{Status: engine.Idle, Project: "docs"}), Prefs{Zone: time.UTC})
	c.show(next)
	shows(t, item, []string{"(1 idle)", "○ Idle            docs", "---", "Quit deskbell"})
	until(t, "the icon changes", func() bool { return wears(t, item, next.Icon) })
	if tip, _ := item.Tip(); tip != "1 idle" {
		t.Errorf("tip is %q", tip)
	}

	quit, _ := all.Find("Quit deskbell")
	item.Click(quit.ID)
	c.hear("click quit")
	if got := c.hear("end"); got != "end <nil>" {
		t.Errorf("got %q", got)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
	c.races()
	for _, line := range c.said() {
		if strings.HasPrefix(line, "say") {
			t.Error(line)
		}
	}
}

// C109
func TestClicksInARow(t *testing.T) {
	t.Parallel()
	m := example()
	c, item := on(t, &m, "menu")
	shows(t, item, exampleRows)
	all, _ := item.Menu()
	row, _ := all.Find(exampleRows[1])
	hand := time.NewTicker(20 * time.Millisecond) // faster than any
	defer hand.Stop()
	for range 10 {
		<-hand.C
		if err := item.Click(row.ID); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		c.hear("click open s2")
	}
	c.stop()
}

func TestAnOpenedMenuOnABus(t *testing.T) {
	t.Parallel()
	m := example()
	c, item := on(t, &m, "menu")
	shows(t, item, exampleRows)
	if err := item.Open(); err != nil {
		t.Fatal(err)
	}
	c.tell("goroutines") // the opening comes first, as far as one can see
	c.hear("goroutines")
	next := menuOf("a", "b", "c")
	until(t, "the icon changes", func() bool { c.show(next); return wears(t, item, next.Icon) })
	during(t, time.Second, "the open menu", func() bool { return slices.Equal(rows(t, item), exampleRows) })
	c.stop()
}

func TestSubmenus(t *testing.T) {
	t.Parallel()
	verbs := func(off bool, under ...Item) Menu {
		return Menu{Items: []Item{leaf("row"), {Rule: true, Room: 3}, {Title: "Mute", Off: off, Sub: true, Under: under}, leaf("Quit")}}
	}
	m := verbs(true)
	c, item := on(t, &m, "menu")
	shows(t, item, []string{"row", "---", "(Mute)", "Quit"})
	c.show(verbs(false, leaf("a_b"), leaf("c")))
	shows(t, item, []string{"row", "---", "Mute", "  a_b", "  c", "Quit"})
	all, _ := item.Menu()
	row, _ := all.Find("c")
	item.Click(row.ID)
	c.hear("click open c")
	c.show(verbs(true))
	shows(t, item, []string{"row", "---", "(Mute)", "Quit"})
	c.stop()
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	m := verbsExample()
	c, item := on(t, &m, "menu")
	shows(t, item, rowsOf(m))
	all, _ := item.Menu()
	for _, click := range []struct{ verb, row, want string }{
		{"Mute", "    All until tomorrow", "click mute  tomorrow"},
		{"Mute", "    app", "click mute s2"},
		{"Pin", "✓ my_web_app: Add __init__ & <b>", "click pin s1 off"},
		{"Pin", "    app", "click pin s2 on"},
	} {
		verb, _ := all.Find(click.verb)
		row, ok := verb.Find(click.row)
		if !ok {
			t.Fatalf("no row %q under %s", click.row, click.verb)
		}
		item.Click(row.ID)
		if got := c.hear("click"); got != click.want {
			t.Errorf("%s, %s: got %q, want %q", click.verb, click.row, got, click.want)
		}
	}
	resume, _ := all.Find("Resume")
	item.Click(resume.ID) // it is disabled
	quit, _ := all.Find("Settings…")
	item.Click(quit.ID)
	if got := c.hear("click"); got != "click settings" {
		t.Errorf("got %q", got)
	}
	c.stop()
}

func TestLeftClickForTheNext(t *testing.T) {
	t.Parallel()
	c, item := on(t, nil, "next")
	if err := item.Activate(); err != nil {
		t.Fatal(err)
	}
	c.hear("click next")
	c.stop()
}

func TestWithoutAMenuThereIsABell(t *testing.T) {
	t.Parallel()
	c, item := on(t, nil, "menu")
	shows(t, item, []string{"(No sessions)", "---", "Quit deskbell"})
	if !wears(t, item, Icon{}) {
		t.Error("not the bell")
	}
	c.stop()
}

func TestTheIconIsThereFromTheStart(t *testing.T) {
	t.Parallel()
	b := bus.Run(t)
	host := sni.Serve(t, b)
	m, later := example(), example()
	later.Icon.Count, later.Icon.Tip = 7, "seven"
	for range 5 {
		c := start(t, b, &m, "menu")
		c.show(later) // while it connects
		item := host.Next(t)
		until(t, "the icon is right in the end", func() bool { return wears(t, item, later.Icon) })
		if tip, _ := item.Tip(); tip != "seven" {
			t.Errorf("tip is %q", tip)
		}
		c.stop()
	}
}

func TestAPanelRestart(t *testing.T) {
	for name, spoil := range map[string]bool{"whole": false, "with the library's own watch broken": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bus.Run(t)
			host := sni.Serve(t, b)
			m := example()
			c := start(t, b, &m, "menu")
			shows(t, host.Next(t), exampleRows)
			if spoil {
				c.tell("spoil")
				if got := c.hear("spoilt"); got != "spoilt <nil>" {
					t.Fatal(got)
				}
			}
			for range 2 {
				host.Stop()
				host = sni.Serve(t, b)
				item := host.Next(t)
				shows(t, item, exampleRows)
				if !wears(t, item, m.Icon) {
					t.Error("not the icon")
				}
				during(t, 2*late, "one icon", func() bool { return len(host.Items()) == 1 })
			}
			c.stop()
			silent(t, c)
		})
	}
}

func TestALatePanel(t *testing.T) {
	t.Parallel()
	b := bus.Run(t)
	m := example()
	c := start(t, b, &m, "menu")
	if got, want := c.hear("say"), "say "+noHost; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	host := sni.Serve(t, b)
	item := host.Next(t)
	shows(t, item, exampleRows)
	if !wears(t, item, m.Icon) {
		t.Error("not the icon")
	}
	during(t, 2*late, "one icon", func() bool { return len(host.Items()) == 1 })
	c.stop()
	silent(t, c)
}

// C106
func TestNoPanel(t *testing.T) {
	t.Parallel()
	b := bus.Run(t)
	c := start(t, b, nil, "menu")
	c.hear("say this desktop shows no tray icons")
	for range 20 {
		c.show(example())
		c.show(menuOf("a"))
	}
	c.stop()
	silent(t, c)
}

func TestNoBusThenOne(t *testing.T) {
	t.Parallel()
	b := bus.New(t)
	c := start(t, b, nil, "menu")
	c.hear("say no desktop session to show a tray icon in")
	for i := range 5 {
		c.show(menuOf(fmt.Sprint(i)))
	}
	c.tell("goroutines")
	c.hear("goroutines")
	silent(t, c)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	host := sni.Serve(t, b)
	until(t, "it connects when there is something to draw", func() bool {
		c.show(example())
		return len(host.Items()) > 0
	})
	shows(t, host.Next(t), exampleRows)
	c.stop()
}

// C108
func TestNeverABus(t *testing.T) {
	t.Parallel()
	b := bus.New(t)
	c := start(t, b, nil, "menu")
	c.hear("say no desktop session to show a tray icon in")
	c.show(example())
	c.stop()
}

func TestTheBusDies(t *testing.T) {
	t.Parallel()
	b := bus.Run(t)
	host := sni.Serve(t, b)
	c := start(t, b, nil, "menu")
	shows(t, host.Next(t), []string{"(No sessions)", "---", "Quit deskbell"})
	dead := make(chan struct{})
	go func() { defer close(dead); b.Stop() }()
	menus := []Menu{example(), menuOf("a", "b"), menuOf("c")}
	for i := 0; ; i++ {
		c.show(menus[i%len(menus)])
		select {
		case <-dead:
		default:
			continue
		}
		break
	}
	if got := c.hear("say"); got != "say "+lost {
		t.Errorf("got %q", got)
	}
	for i := range 100 {
		c.show(menus[i%len(menus)])
	}
	c.tell("goroutines")
	c.hear("goroutines")
	c.stop()
	silent(t, c)
}

// C110: hundreds of redraws of a full menu leave nothing behind.
func TestFiftySessionsThatChange(t *testing.T) {
	t.Parallel()
	all := fifty()
	menu := func(round int) Menu {
		for i := range all {
			all[i].Status = []engine.Status{engine.Working, engine.Waiting, engine.Idle}[(i+round)%3]
			all[i].Title = fmt.Sprint("round ", round)
			all[i].Since = noon.Add(time.Duration(i*7919%50) * time.Minute)
		}
		return Build(cards(slices.Clone(all)...), Prefs{Zone: time.UTC})
	}
	m := menu(0)
	c, item := on(t, &m, "menu")
	count := func() (n int) {
		c.tell("goroutines")
		fmt.Sscanf(c.hear("goroutines"), "goroutines %d", &n)
		return n
	}
	settle := func(round int) {
		m := menu(round)
		c.show(m)
		until(t, "the last menu is shown", func() bool {
			got := rows(t, item)
			return len(got) == 24 && strings.HasSuffix(got[1], m.Items[1].Title[len(m.Items[1].Title)-20:])
		})
	}
	settle(1)
	before := count()
	last := 1
	for round := range 300 {
		last = round + 2
		c.show(menu(last))
		if round%10 == 0 {
			rows(t, item)
		}
	}
	settle(last + 1)
	until(t, "no more goroutines than before", func() bool { return count() <= before })
	c.stop()
}
