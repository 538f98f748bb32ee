package process

import (
	"maps"
	"os"
	"os/exec"
	"testing"
	"time"

	"deskbell/engine"
)

// holds has a child, or what it starts, take so many MB.
func holds(mb string) func(*exec.Cmd) {
	return func(c *exec.Cmd) { c.Env = append(c.Env, holding+"="+mb) }
}

// weighs returns what is told of each of these processes in one look, in MB.
func (r *rig) weighs(pids ...int) map[int]int64 {
	r.t.Helper()
	var who []engine.Who
	for _, pid := range pids {
		who = append(who, engine.Who{Tool: "toy", PID: pid})
	}
	select {
	case <-r.Measure(who):
	case <-time.After(10 * time.Second):
		r.t.Fatal("nothing was measured")
	}
	out := map[int]int64{}
	for len(r.events) > 0 {
		ev := r.next()
		if m, is := ev.Fact.(engine.Measured); is {
			out[ev.Who.PID] = m.Bytes >> 20
		}
	}
	return out
}

// TestMemoryOfATree checks that what a process started is counted with it, unless it is
// another's.
func TestMemoryOfATree(t *testing.T) {
	const mb = 96
	c := spawn(t, "fork", holds("96"))
	light := spawn(t, "wait", nil)
	r := start(t)
	r.table()
	parent, child := c.Process.Pid, c.ready
	if got := r.weighs(parent, light.Process.Pid); got[parent] < mb || got[parent] > 5*mb || got[light.Process.Pid] >= mb || len(got) != 2 {
		t.Errorf("got %v MB, want %d and little more in %d", got, mb, parent)
	}
	if got := r.weighs(parent, child); got[child] < mb || got[parent] >= mb || got[parent] <= 0 {
		t.Errorf("with its child apart: got %v MB, want %d in %d", got, mb, child)
	}
}

// TestMemoryIsLookedAtOnce checks that those who ask at once are told the same.
func TestMemoryIsLookedAtOnce(t *testing.T) {
	c := spawn(t, "wait", nil)
	r := start(t)
	r.table()
	if got := r.weighs(c.Process.Pid); got[c.Process.Pid] <= 0 {
		t.Errorf("got %v", got)
	}
	for range 10 {
		if got := r.weighs(c.Process.Pid); len(got) > 0 {
			t.Fatalf("told again: %v", got)
		}
	}
	d := spawn(t, "wait", nil)
	if got := r.weighs(c.Process.Pid, d.Process.Pid); got[d.Process.Pid] <= 0 {
		t.Errorf("got %v, of one that is new", got)
	}
}

// TestMemoryOfTheGone checks that of what is not there nothing is told.
func TestMemoryOfTheGone(t *testing.T) {
	c := spawn(t, "wait", nil)
	p, _ := glance(c.Process.Pid)
	c.kill()
	r := start(t)
	r.table()
	for name, who := range map[string][]engine.Who{
		"gone":                     {{Tool: "toy", PID: p.PID, Ticks: p.Ticks}},
		"in another's place":       {{Tool: "toy", PID: spawn(t, "wait", nil).Process.Pid, Ticks: 1}},
		"where we cannot look":     {{Tool: "toy", PID: 1, Domain: "nowhere:x"}},
		"without a process at all": {{Tool: "toy"}},
		"nobody":                   nil,
	} {
		<-r.Measure(who)
		for len(r.events) > 0 {
			if ev := r.next(); ev.Who.PID != 0 {
				if m, is := ev.Fact.(engine.Measured); is {
					t.Errorf("%s: told %+v of %+v", name, m, ev.Who)
				}
			}
		}
	}
}

func TestFamilies(t *testing.T) {
	const pts = "/dev/pts/9"
	all := map[int]kin{
		1:  {0, 1, ""},
		10: {1, 100, "/dev/pts/1"}, 11: {10, 110, ""}, 12: {11, 120, "/dev/pts/1"}, // a CLI, a server, what that started
		20: {12, 200, "/dev/pts/2"}, 21: {20, 210, ""}, // another CLI, started in the first
		30: {1, 300, pts}, 31: {30, 310, pts}, 32: {31, 320, ""}, 33: {30, 330, pts}, 34: {1, 340, pts}, // a terminal of ours
		40: {10, 90, ""},                     // older than the process with its parent's number
		50: {51, 500, ""}, 51: {50, 500, ""}, // a circle
		60: {99, 600, ""},
	}
	for name, tt := range map[string]struct {
		who  []engine.Who
		want map[int]int
	}{
		"a tree":            {[]engine.Who{{PID: 10}}, map[int]int{10: 0, 11: 0, 12: 0, 20: 0, 21: 0}},
		"one in another":    {[]engine.Who{{PID: 10}, {PID: 20}}, map[int]int{10: 0, 11: 0, 12: 0, 20: 1, 21: 1}},
		"no terminal":       {[]engine.Who{{PID: 31}}, map[int]int{31: 0, 32: 0}},
		"a terminal":        {[]engine.Who{{PID: 31, Term: "t"}}, map[int]int{30: 0, 31: 0, 32: 0, 33: 0, 34: 0}},
		"two in a terminal": {[]engine.Who{{PID: 31, Term: "t"}, {PID: 33, Term: "t"}}, map[int]int{30: 0, 31: 0, 32: 0, 33: 1, 34: 0}},
		"a circle":          {[]engine.Who{{PID: 60}}, map[int]int{60: 0}},
		"one that is gone":  {[]engine.Who{{PID: 99, Term: "t"}}, map[int]int{}},
	} {
		roots := map[int]int{}
		for i, w := range tt.who {
			roots[w.PID] = i
		}
		if got := families(all, tt.who, roots); !maps.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestScalesAreFrugal(t *testing.T) {
	now := time.Now()
	roots := map[int]int{41: 0, 42: 1}
	for _, tt := range []struct {
		name        string
		took, since time.Duration
		roots       map[int]int
		want        bool
	}{
		{"at once", 20 * time.Millisecond, time.Second, roots, false},
		{"a while later", 20 * time.Millisecond, 10 * time.Second, roots, true},
		{"where it is dear", 300 * time.Millisecond, 10 * time.Second, roots, false},
		{"a long while later", 300 * time.Millisecond, 30 * time.Second, roots, true},
		{"where it is very dear", time.Hour, time.Minute, roots, true},
		{"one less", 20 * time.Millisecond, time.Second, map[int]int{42: 0}, false},
		{"another one", 20 * time.Millisecond, time.Second, map[int]int{42: 0, 43: 1}, true},
		{"the clock was set back", 20 * time.Millisecond, -time.Hour, roots, true},
	} {
		s := scales{at: now, took: tt.took, roots: roots}
		if got := s.due(now.Add(tt.since).Round(0), tt.roots); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}

func TestPSS(t *testing.T) {
	for text, want := range map[string]int64{
		"55d0-7ffc ---p 00000000 00:00 0 [rollup]\nRss:  5000 kB\nPss:                 884 kB\nPss_Anon: 4 kB\n": 884 << 10,
		"Pss: 0 kB\n":  0,
		"Pss:\n":       -1,
		"Pss: many\n":  -1,
		"Pss: -1 kB\n": -1,
		"Rss: 10 kB\n": -1,
		"":             -1,
	} {
		got, ok := pss([]byte(text))
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, ok, want)
		}
	}
}

// TestSharesHold checks that a share is read again when a process has grown, when others
// have come, and after a while.
func TestSharesHold(t *testing.T) {
	self := id{os.Getpid(), 7}
	size, ok := proportional(self.pid)
	if !ok {
		t.Skip("this system tells no shares")
	}
	now := time.Now()
	var s shares
	s.renew(now, false)
	if got := s.takes(self); got < size/2 || got > 2*size {
		t.Errorf("got %d, want about %d", got, size)
	}
	rss := resident(self.pid)
	half := share{rss, rss / 2}
	for _, tt := range []struct {
		name   string
		old    share
		after  time.Duration
		others bool
		holds  bool
	}{
		{"as before", half, time.Minute, false, true},
		{"it has grown", share{rss / 2, rss / 200}, time.Minute, false, false},
		{"it has shrunk", share{rss * 2, rss / 100}, time.Minute, false, false},
		{"others have come", share{rss, rss / 100}, time.Minute, true, false},
		{"a while later", share{rss, rss / 100}, 5 * time.Minute, false, false},
	} {
		s = shares{of: map[id]share{self: tt.old}, since: now}
		s.renew(now.Add(tt.after), tt.others)
		got := s.takes(self)
		if want := tt.old.proportional; (got < 2*want) != tt.holds {
			t.Errorf("%s: got %d of %d, which was %d", tt.name, got, rss, want)
		}
	}
	s.keep(func(int) bool { return false })
	if len(s.of) > 0 {
		t.Errorf("%v is kept", s.of)
	}
}
