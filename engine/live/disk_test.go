package live

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// writer is set in the environment of the copy of this program that writes to a folder
// until it is killed.
const writer = "DESKBELL_TEST_WRITE"

// write has an engine live as fast as it can. Each number it prints is on disk.
func write(dir string) {
	fmt.Println("begins")
	d, m, told, err := OpenDisk(dir, "b1", 24*time.Hour, func(s string) { fmt.Println("says", s) })
	if err != nil {
		fmt.Println("says", err)
		os.Exit(1)
	}
	e := engine.New(engine.DefaultLimits())
	e.Recall(m)
	e.Apply(time.Now(), told...)
	go d.journal.Run(context.Background())
	for n := m.Last; ; n++ {
		who := engine.Who{Tool: "tool", ID: fmt.Sprint("id", n), PID: 1000 + n, Ticks: 1, Dir: "/w"}
		now := time.Now()
		evs := []engine.Event{
			{At: now, By: engine.Hook, Who: who, Fact: engine.Prompted{Human: true}},
			{At: now, By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}},
		}
		d.journal.Heard(now, evs)
		d.journal.Tick(now, e.Apply(now, evs...), engine.Snapshot{})
		d.state.Save(e.Memory())
		if d.journal.Sync(context.Background()) != nil {
			os.Exit(1)
		}
		fmt.Println("wrote", n+1)
	}
}

// TestKilledWriter kills one that writes at random moments: what it said it wrote is
// there, whole, and the next goes on from it.
func TestKilledWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deskbell")
	r := rand.New(rand.NewPCG(1, 2))
	last := 0
	for range 25 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writer+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wrote, few := 0, r.IntN(6) // what it writes before its end is near
		var kill *time.Timer
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "says") {
				t.Error(lines.Text())
			}
			_, _ = fmt.Sscanf(lines.Text(), "wrote %d", &wrote) // the other lines are not of that form
			if few--; few < 0 && kill == nil {
				kill = time.AfterFunc(time.Duration(r.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		_ = cmd.Wait() // it was killed
		last = max(last, wrote)

		s, m, err := OpenState(dir, func(said string) { t.Error(said) })
		if err != nil {
			t.Fatal(err)
		}
		if m.Last < last || len(m.Cards) < last {
			t.Fatalf("it wrote card %d, the file has %d up to %d", last, len(m.Cards), m.Last)
		}
		told, bad := Facts(dir, "b1", 24*time.Hour, time.Now())
		if bad > 0 || len(told) < last {
			t.Fatalf("%d facts and %d bad lines, want %d and none", len(told), bad, last)
		}
		if left, _ := filepath.Glob(s.path + "*"); len(left) > 1 {
			t.Errorf("left behind: %v", left)
		}
	}
	if last < 25 {
		t.Errorf("only %d writes in 25 runs", last)
	}
}

func opened(t *testing.T, dir string, says func(string)) *Journal {
	t.Helper()
	j, err := OpenJournal(dir, "b1", 24*time.Hour, says)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func silent(t *testing.T) func(string) {
	return func(s string) { t.Helper(); t.Errorf("it says %s", s) }
}

func all(dir string, now time.Time) (out []engine.Moment) {
	for m := range Moments(dir, 24*time.Hour, now) {
		out = append(out, m)
	}
	return out
}

// TestTornJournal checks that half a line, zeros and nonsense cost nothing but themselves.
func TestTornJournal(t *testing.T) {
	now := time.Now()
	moment := func(id string) engine.Moment { return engine.Moment{At: now, Event: engine.Gone, ID: engine.ID(id)} }
	for name, damage := range map[string]string{
		"half a line":  `{"at":"2026-11-30T08:00:00Z","event":"sta`,
		"zeros":        strings.Repeat("\x00", 512),
		"zeros inside": strings.Repeat("\x00", 512) + "\n",
		"nonsense":     "[]\n{}\nnull\n\"\n",
		"a long line":  strings.Repeat("x", 3*longestLine) + "\n",
		"a later one":  `{"at":"` + now.Format(time.RFC3339) + `","event":"danced","id":"s9","steps":{"a":1}}` + "\n" + `{"at":"2026-11-30T08:00:00Z","by":"hook","fact":"danced"}` + "\n",
	} {
		dir := t.TempDir()
		j := opened(t, dir, silent(t))
		j.Note(moment("s1"))
		j.Heard(now, []engine.Event{{By: engine.Hook, Who: engine.Who{ID: "a"}, Fact: engine.Lived{}}})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(dir, journalFile), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(damage)
		f.Close()
		j = opened(t, dir, silent(t))
		j.Note(moment("s2"))
		j.Heard(now, []engine.Event{{By: engine.Hook, Who: engine.Who{ID: "b"}, Fact: engine.Lived{}}})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		ids := ""
		for _, m := range all(dir, now) {
			if m.Event == engine.Gone {
				ids += " " + string(m.ID)
			}
		}
		told, _ := Facts(dir, "b1", 24*time.Hour, now.Add(time.Second))
		if ids != " s1 s2" || len(told) != 2 {
			t.Errorf("%s: got moments of%s and %d facts, want s1 s2 and 2", name, ids, len(told))
		}
	}
}

// TestJournalFails checks that a journal that cannot be written is said once, and that
// what is written once it can be again begins on a line of its own.
func TestJournalFails(t *testing.T) {
	dir := t.TempDir()
	var said []string
	j := opened(t, dir, func(s string) { said = append(said, s) })
	good := j.file
	bad, err := os.Open(filepath.Join(dir, journalFile))
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	j.Note(engine.Moment{At: time.Now(), Event: engine.Began})
	j.drain()
	j.file = bad // for reading only
	for range 3 {
		j.Note(engine.Moment{At: time.Now(), Event: engine.Gone, ID: "s1"})
		j.drain()
	}
	j.file, j.torn = good, true
	j.Note(engine.Moment{At: time.Now(), Event: engine.Gone, ID: "s2"})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := all(dir, time.Now()); len(said) != 1 || len(got) != 2 || got[1].ID != "s2" {
		t.Errorf("it says %q and has %+v", said, got)
	}
}

// TestJournalIsBounded checks that it takes no more room than it may, keeps the newest,
// forgets what is old, and never has anybody wait.
func TestJournalIsBounded(t *testing.T) {
	dir := t.TempDir()
	j := opened(t, dir, silent(t))
	j.most = 10_000
	for n := range 1000 {
		j.Note(engine.Moment{At: time.Now(), Event: engine.Gone, ID: engine.ID(fmt.Sprint("s", n))})
		j.drain()
	}
	var size int64
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		info, _ := f.Info()
		size += info.Size()
	}
	got := all(dir, time.Now())
	if size > 2*j.most || len(files) != 2 || len(got) < 100 || got[len(got)-1].ID != "s999" {
		t.Errorf("%d bytes in %d files, %d moments", size, len(files), len(got))
	}
	j.Heard(time.Now(), []engine.Event{
		{By: engine.Hook, Who: engine.Who{ID: "a"}, Fact: engine.Lived{}}, {By: engine.Hook, Who: engine.Who{ID: "a", Loose: true}, Fact: engine.Lived{}},
		{By: engine.Transcript, Who: engine.Who{ID: "a"}, Fact: engine.Wrote{}},
	})
	j.drain()
	for after, want := range map[time.Duration]int{time.Second: 1, 25 * time.Hour: 0, -time.Hour: 0} {
		if told, bad := Facts(dir, "b1", 24*time.Hour, time.Now().Add(after)); len(told) != want || bad != 0 {
			t.Errorf("after %v got %+v, want what the one attended hook told", after, told)
		}
	}
	if n := len(all(dir, time.Now().Add(25*time.Hour))); n != 0 {
		t.Errorf("%d moments after a day", n)
	}
	for range 3 * journalWait { // nobody writes
		j.Note(engine.Moment{At: time.Now(), Event: engine.Gone, ID: "s1"})
	}
	if len(j.lines) != journalWait || j.lost != 2*journalWait {
		t.Errorf("%d wait and %d are lost", len(j.lines), j.lost)
	}
	j.most = 100 << 20
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	got = all(dir, time.Now())
	if m := got[len(got)-1]; m.Event != engine.Missed || m.Lost != 2*journalWait {
		t.Errorf("the last moment is %+v", m)
	}
	old := time.Now().Add(-49 * time.Hour)
	for _, name := range segments {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	opened(t, dir, silent(t)).Close()
	if _, err := os.Stat(filepath.Join(dir, journalOld)); !os.IsNotExist(err) {
		t.Errorf("the old part is there after two days: %v", err)
	}
}

// TestJournalTurns checks that a file that began long ago is put away though it is small.
func TestJournalTurns(t *testing.T) {
	dir := t.TempDir()
	line, _ := json.Marshal(engine.Moment{At: time.Now().Add(-25 * time.Hour), Event: engine.Began})
	if err := os.WriteFile(filepath.Join(dir, journalFile), append(line, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	j := opened(t, dir, silent(t))
	j.Note(engine.Moment{At: time.Now(), Event: engine.Began})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, journalFile))
	if err != nil || strings.Count(string(text), "\n") != 2 || len(all(dir, time.Now())) != 1 {
		t.Errorf("%v: the new file is %s", err, text)
	}
}

// TestFactsOfThisBoot checks that what hooks told before the machine was started anew is
// told to nobody, in whichever file it is.
func TestFactsOfThisBoot(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	n := 0
	for _, boot := range []string{"b1", "b2"} {
		for range 2 { // starts of deskbell
			j, err := OpenJournal(dir, boot, 24*time.Hour, silent(t))
			if err != nil {
				t.Fatal(err)
			}
			j.Note(engine.Moment{At: now, Event: engine.Began, Boot: boot})
			for range 10 {
				n++
				j.most = 2000
				j.Heard(now, []engine.Event{{By: engine.Hook, Who: engine.Who{ID: fmt.Sprint(boot, "-", n)}, Fact: engine.Lived{}}})
				j.drain()
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for of, want := range map[string]bool{"b1": true, "b2": boot == "b2", "": true, "b3": false} {
			told, bad := Facts(dir, of, 24*time.Hour, now)
			if (len(told) > 0) != want || bad > 0 {
				t.Errorf("after %s, %q is told %d facts", boot, of, len(told))
			}
			for _, ev := range told {
				if !strings.HasPrefix(ev.Who.ID, of) {
					t.Errorf("%q is told %s", of, ev.Who.ID)
				}
			}
		}
	}
	for _, m := range all(dir, now) {
		if m.Event == engine.GoesOn {
			t.Error("that another file begins is told as if it were something that happened")
		}
	}
}

// TestFactsAsWritten checks that however odd the names in it are, a line is read as it was
// written.
func TestFactsAsWritten(t *testing.T) {
	dir := t.TempDir()
	j := opened(t, dir, silent(t))
	now := time.Now().UTC().Round(0)
	var want []engine.Event
	for _, name := range []string{"/w/app", "/w/a}b", `/w/a"},"b`, `C:\w\`, "/w/{", "/w/ä\u2028\n", `"`, `},"who":{`, `x"}`, "/w/app"} {
		for _, who := range []engine.Who{{Dir: name}, {Tool: "t", ID: name, PID: 7, Ticks: 1 << 60}, {}} {
			for _, f := range []engine.Fact{engine.Lived{}, engine.Asked{Key: name, Name: `"who":{`}, engine.CallOpened{Call: name, Quiet: engine.Slow}} {
				want = append(want, engine.Event{At: now, By: engine.Hook, Who: who, Fact: f})
			}
		}
	}
	j.Heard(now, want)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	got, bad := Facts(dir, "b1", 24*time.Hour, now)
	if bad != 0 || len(got) != len(want) {
		t.Fatalf("%d bad lines, %d facts, want %d", bad, len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestPast(t *testing.T) {
	dir := t.TempDir()
	j := opened(t, dir, silent(t))
	now := time.Now().UTC()
	for n := range 30 {
		j.Note(engine.Moment{At: now, Event: engine.Changed, ID: "s1", SessionID: "abc1", Tool: "claude", Project: "p", To: "working", Weight: "reported", By: "hook", Why: fmt.Sprint(n)})
	}
	j.Note(
		engine.Moment{At: now, Event: engine.Changed, ID: "s2", SessionID: "abc2", To: "ended", Rule: "life.exited", Weight: "of tomorrow", Why: "its process is gone"},
		engine.Moment{At: now, Event: engine.Gone, ID: "s2"})
	j.drain()
	for id, want := range map[string]engine.ID{"s1": "s1", "s2": "s2", "abc1": "s1", "abc2": "s2", "abc": "", "": "", "s3": "", "s": ""} {
		p, ok := j.Past(id, now)
		if s := p.Session(); ok != (want != "") || s.ID != want {
			t.Errorf("%q: got %v %+v, want %q", id, ok, s, want)
		}
	}
	p, _ := j.Past("s1", now)
	if s := p.Session(); len(p.History) != historyKept || p.History[historyKept-1].Why != "29" || s.Status != engine.Ended || s.Reason.By != engine.Hook || s.Project != "p" {
		t.Errorf("got %d of %+v", len(p.History), s)
	}
	if p, _ := j.Past("s2", now); len(p.History) != 2 || p.Session().Reason.Why != "its process is gone" {
		t.Errorf("got %+v", p)
	}
	j.Close()
}

// TestBrokenState checks that a file that makes no sense is kept, and said once.
func TestBrokenState(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"cards":3}`, "\x00\x00", `{"cards":[{"known":"x"}]}`} {
		dir := t.TempDir()
		path := filepath.Join(dir, stateFile)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var said []string
		s, m, err := OpenState(dir, func(s string) { said = append(said, s) })
		if err != nil || len(said) != 1 || len(m.Cards) != 0 {
			t.Errorf("%q: %v, said %q, got %+v", text, err, said, m)
			continue
		}
		s.Save(engine.Memory{Last: 3})
		aside, _ := filepath.Glob(path + ".broken-*")
		if len(aside) != 1 {
			t.Fatalf("%q: kept as %v", text, aside)
		}
		if was, _ := os.ReadFile(aside[0]); string(was) != text {
			t.Errorf("%q is kept as %q", text, was)
		}
		if _, m, err := OpenState(dir, silent(t)); err != nil || m.Last != 3 {
			t.Errorf("afterwards: %v, %+v", err, m)
		}
		if again, _ := filepath.Glob(path + ".broken-*"); len(again) != 1 {
			t.Errorf("%q: the next start left %v", text, again)
		}
	}
}

// TestStateOfLater checks that what a later version wrote is read and kept.
func TestStateOfLater(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, stateFile)
	later := `{"version":7,"rooms":{"a":[1,2]},"last":4,"nights":[{"from":"2026-11-29T23:00:00Z","to":"2026-11-30T07:00:00Z"}],"cards":[{"id":"s4","tool":"t","session_id":"a","pid":1,"known":"2026-11-30T08:00:00Z","mood":"good","pinned":true}]}`
	if err := os.WriteFile(path, []byte(later), 0o644); err != nil {
		t.Fatal(err)
	}
	s, m, err := OpenState(dir, silent(t))
	if err != nil || m.Last != 4 || len(m.Cards) != 1 || !m.Cards[0].Pinned || len(m.Nights) != 1 {
		t.Fatalf("%v: got %+v", err, m)
	}
	m.Cards[0].Muted, m.Nights = true, nil
	s.Save(m)
	text, _ := os.ReadFile(path)
	var got struct {
		Version int
		Rooms   map[string][]int
		Nights  []engine.Night
		Cards   []engine.Card
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Version != 7 || len(got.Rooms["a"]) != 2 || len(got.Nights) != 0 || !got.Cards[0].Muted {
		t.Errorf("%v in %s", err, text)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v: got mode %v, want 600", err, info.Mode())
	}
	s.Save(m)
	if again, err := os.Stat(path); err != nil || !os.SameFile(info, again) {
		t.Errorf("what is there is written again: %v", err)
	}
}

// TestNothingIsKept checks that what cannot be kept is said, and that a nil Disk is fine.
func TestNothingIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, m, told, err := OpenDisk(file, "b1", time.Hour, silent(t))
	if err == nil || d != nil || len(m.Cards)+len(told) > 0 {
		t.Errorf("in a file: %v, %+v", err, d)
	}
	d.Keep(NewLoop(newRoster()), nil)
	d.Note(engine.Moment{})
	d.Run(t.Context())
	if _, ok := d.Past(t.Context(), "s1"); ok {
		t.Error("it has a past")
	}
	if err := d.Close(engine.Memory{}); err != nil {
		t.Error(err)
	}
}

// TestNoWriteAtRest checks that a change is written once, a moment later, and nothing in
// the ten days at rest after it.
func TestNoWriteAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "deskbell")
		d, m, told, err := OpenDisk(dir, "b1", 24*time.Hour, silent(t))
		if err != nil || len(told) != 0 {
			t.Fatal(err, told)
		}
		e := engine.New(engine.DefaultLimits())
		e.Recall(m)
		l := NewLoop(e)
		passes := 0
		l.Ticks = []Tick{func(time.Time, engine.Step, engine.Snapshot) time.Time { passes++; return time.Time{} }}
		d.Keep(l, e.Memory)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { l.Run(ctx) })
		wg.Go(func() { d.Run(ctx) })
		who := engine.Who{Tool: "tool", ID: "a", PID: 41, Ticks: 1, Dir: "/w"}
		var first string // the state with the new id, and nothing else
		for range 100 {
			l.Emit(engine.Event{By: engine.Hook, Who: who, Fact: engine.Started{}}, engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}},
				engine.Event{By: engine.Hook, Who: who, Fact: engine.Prompted{Human: true}}, engine.Event{By: engine.Hook, Who: who, Fact: engine.Finished{}},
				engine.Event{By: engine.User, Who: who, Fact: engine.Seen{}})
			time.Sleep(5 * time.Millisecond)
			synctest.Wait()
			if now := modified(t, dir)[stateFile]; first == "" {
				first = now
			} else if now != first {
				t.Fatal("a change is written at once, and not with others")
			}
		}
		if first == "" {
			t.Error("the new id is not written at once")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		before, was := modified(t, dir), passes
		if len(before) != 2 {
			t.Errorf("after an hour there is %v", before)
		}
		time.Sleep(240 * time.Hour)
		synctest.Wait()
		if after := modified(t, dir); fmt.Sprint(after) != fmt.Sprint(before) || passes != was {
			t.Errorf("at rest %v became %v, with %d passes", before, after, passes-was)
		}
		cancel()
		wg.Wait()
		if err := d.Close(e.Memory()); err != nil {
			t.Error(err)
		}
		_, m, told, err = OpenDisk(dir, "b1", 1000*time.Hour, silent(t))
		if err != nil || len(m.Cards) != 1 || m.Cards[0].SessionID != "a" || len(told) != 300 {
			t.Errorf("%v: read back %+v and %d facts", err, m, len(told))
		}
	})
}

// modified is how large each file is, and what is in it.
func modified(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name()] = fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())
	}
	return out
}
