package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"deskbell/engine"

	"github.com/fsnotify/fsnotify"
)

func TestNewFolderFilledBeforeItIsWatched(t *testing.T) {
	r := start(t, t.TempDir()).started()
	const n = 300
	for i := range n {
		r.add(fmt.Sprintf("projects/p%d/deep/subagents/agent-%d.jsonl", i%3, i), "a x\n")
	}
	if got := len(r.collect(n)); got != n {
		t.Errorf("got %d, want %d", got, n)
	}
}

// A folder that vanishes is no error, and is watched when it is back (C73).
func TestFolderRemovedAndMadeAgain(t *testing.T) {
	r := start(t, t.TempDir()).started()
	for i := range 3 {
		r.write("sessions/1.json", fmt.Sprintf(`{"Level":"busy","n":%d}`, i))
		r.expect("1 busy")
		os.RemoveAll(r.path("sessions"))
		r.expect("1 unlisted")
	}
}

func TestFolderExchangedAtOnce(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	r.do(func() { // so that both are over before the source looks
		os.Rename(r.path("sessions"), r.path("moved"))
		r.write("sessions/1.json", `{"Level":"idle"}`)
	})
	r.expect("1 idle")
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
}

func TestFolderRenamedAwayAndBack(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	os.Rename(r.path("sessions"), r.path("elsewhere"))
	r.expect("1 unlisted")
	os.Rename(r.path("elsewhere"), r.path("sessions"))
	r.expect("1 busy")
	r.write("sessions/1.json", `{"Level":"idle"}`)
	r.expect("1 idle")
}

func TestHomeThatIsMissingAtStart(t *testing.T) {
	r := start(t, filepath.Join(t.TempDir(), "not/yet/there")).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	os.RemoveAll(filepath.Dir(filepath.Dir(r.home)))
	r.expect("1 unlisted")
	r.write("sessions/1.json", `{"Level":"idle"}`)
	r.expect("1 idle")
}

// A home below a link is one home (C69, C70, C71).
func TestC69HomeBelowALink(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "real"), 0o700)
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	r := start(t, filepath.Join(dir, "link/home")).started()
	put(t, filepath.Join(dir, "real/home/sessions/1.json"), `{"Level":"busy"}`)
	evs := r.collect(1)
	if want := filepath.Join(dir, "real/home"); evs[0].Who.Home != want {
		t.Errorf("got %q, want %q", evs[0].Who.Home, want)
	}
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	r.Answer(engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "toy", ID: "a", Home: filepath.Join(dir, "link/home")}})
	r.expect("a one")
}

// A session that works in a folder below a link (C69) is told to be in the folder that its
// process is found in, by its listing and by its log.
func TestFolderBelowALink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Join(dir, "private/proj"), 0o700)
	if err := os.Symlink("private", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	r := start(t, filepath.Join(dir, "home")).started()
	real, gone := filepath.Join(dir, "private", "proj"), filepath.Join(dir, "private", "gone")
	r.write("sessions/1.json", fmt.Sprintf(`{"Level":"busy","Dir":%q}`, filepath.Join(dir, "link", "proj")))
	if got := r.collect(1)[0].Who.Dir; got != real {
		t.Errorf("its listing has it in %q, want %q", got, real)
	}
	r.add("projects/p/a.jsonl", "a in "+filepath.Join(dir, "link", "proj")+"\na in "+filepath.Join(dir, "link", "gone")+"\na in elsewhere\n")
	evs := r.collect(3)
	for i, want := range []string{real, gone, "elsewhere"} {
		if got := evs[i].Who.Dir; got != want {
			t.Errorf("line %d of its log has it in %q, want %q", i+1, got, want)
		}
	}
}

// So is one that is made a link later (C70).
func TestC70HomeIsALinkMadeLater(t *testing.T) {
	dir := t.TempDir()
	r := start(t, filepath.Join(dir, "home")).started()
	put(t, filepath.Join(dir, "volume/sessions/1.json"), `{"Level":"busy"}`)
	if err := os.Symlink("volume", filepath.Join(dir, "home")); err != nil {
		t.Skip(err)
	}
	evs := r.collect(1)
	if want := filepath.Join(dir, "volume"); evs[0].Who.Home != want {
		t.Errorf("got %q, want %q", evs[0].Who.Home, want)
	}
	put(t, filepath.Join(dir, "volume/sessions/1.json"), `{"Level":"idle"}`)
	r.expect("1 idle")
}

// And a folder in it may be on another volume (C70).
func TestC70FolderBelowTheHomeIsALink(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	os.MkdirAll(home, 0o700)
	os.MkdirAll(filepath.Join(dir, "volume/p"), 0o700)
	if err := os.Symlink("../volume", filepath.Join(home, "projects")); err != nil {
		t.Skip(err)
	}
	r := start(t, home).started()
	grow(t, filepath.Join(dir, "volume/p/a.jsonl"), "a one\n")
	r.expect("a one")
	grow(t, filepath.Join(dir, "volume/q/a/subagents/agent-1.jsonl"), "a two\n")
	r.expect("a two")
}

// A call of which a log does not tell any more is over (C66).
func TestC66RewrittenLogEndsItsOpenCalls(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("projects/p/a.jsonl", "a open 1\na open 2\n")
	r.expect("a open 1, a open 2")
	r.write("projects/p/a.jsonl", "a other\na open 2\na more and longer than before\n")
	r.expect("a other, a open 2, a more and longer than before, a close 1")
}

// A log that is exchanged for another is read from its beginning (C66).
func TestC66RotatedLog(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("projects/p/a.jsonl", "a one\na two\n")
	r.expect("a one, a two")
	r.write("projects/p/tmp", "a one\na two\na three\n")
	os.Rename(r.path("projects/p/tmp"), r.path("projects/p/a.jsonl"))
	r.expect("a one, a two, a three")
}

// A bad line hides no other (C63), and is said once.
func TestC63BadLinesDoNotHideOthers(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("projects/p/a.jsonl", "\x00\x00\x00a one\nbad\n\xff\xfe\n{\na \xff two\n")
	r.expect("a one, a \xff two")
	if got := <-r.said; !strings.Contains(got, "projects/p/a.jsonl") {
		t.Errorf("got %q", got)
	}
	if len(r.said) > 0 {
		t.Errorf("said again: %q", <-r.said)
	}
}

func TestLostReportsAreMadeUpFor(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.write("sessions/2.json", `{"Level":"busy"}`)
	r.add("projects/p/a.jsonl", "a one\n")
	r.collect(3)
	r.do(func() {
		r.write("sessions/1.json", `{"Level":"idle"}`)
		os.Remove(r.path("sessions/2.json"))
		r.add("projects/p/a.jsonl", "a two\n")
		r.add("projects/new/b.jsonl", "b one\n")
		r.settleNotes(4)
		r.w.notes.take() // and lost
		r.w.notes.fail(fsnotify.ErrEventOverflow)
	})
	got := fmt.Sprint(strings.Split(told(r.collect(4)), ", "))
	for _, want := range []string{"1 idle", "2 unlisted", "a two", "b one"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
}

// settleNotes waits until n paths have been noted.
func (r *rig) settleNotes(n int) {
	deadline := time.After(10 * time.Second)
	for {
		r.w.notes.mu.Lock()
		have := len(r.w.notes.paths)
		r.w.notes.mu.Unlock()
		if have >= n {
			return
		}
		select {
		case <-deadline:
			r.t.Errorf("%d paths noted, want %d", have, n)
			return
		case <-r.w.notes.ring:
		}
	}
}

// Whatever went unreported is found by the look once a minute (C74).
func TestC74RefreshFindsWhatWasNotReported(t *testing.T) {
	home := t.TempDir()
	r := start(t, home).started()
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	r.do(func() {
		for path := range r.w.wants {
			r.w.unmark(r.w.wants[path])
		}
	})
	r.add("projects/p/a.jsonl", "a two\n")
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.Refresh()
	r.expect("1 busy")
	r.expect("a two")
	r.write("sessions/1.json", `{"Level":"idle"}`)
	r.expect("1 idle")
}

// Where nothing can be watched, looking finds everything, and it is said once (C73).
func TestC73NoWatcherAtAll(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.do(func() {
		r.w.Close()
		r.w = newWatcher(nil, syscall.EMFILE)
		for _, h := range r.homes {
			r.survey(h, (*tree).any)
		}
		r.report()
	})
	if got := <-r.said; !strings.Contains(got, syscall.EMFILE.Error()) || !strings.Contains(got, "3 of 3 folders") {
		t.Errorf("got %q", got)
	}
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.Refresh()
	r.expect("1 busy")
	r.add("projects/p/a.jsonl", "a one\n")
	r.Refresh()
	r.expect("a one")
}

// However long the history is, its newest part comes first and is bounded (C75).
func TestC75TheNewestFoldersAreWatched(t *testing.T) {
	home := t.TempDir()
	const n = newestFew + 50
	for i := range n {
		dir := filepath.Join(home, fmt.Sprintf("projects/%04d", i))
		os.MkdirAll(dir, 0o700)
		old(t, 20+n-i, dir)
	}
	r := start(t, home).started()
	r.do(func() {
		for i := range n {
			_, watched := r.w.wants[filepath.Join(home, fmt.Sprintf("projects/%04d", i))]
			if watched != (i >= n-newestFew) {
				t.Errorf("folder %d of %d: watched %v", i, n, watched)
			}
		}
	})
}

func TestErrFullIsAnError(t *testing.T) {
	if !full(errFull) || !full(fmt.Errorf("add: %w", syscall.ENOSPC)) || full(errors.New("other")) {
		t.Error("full does not tell")
	}
}
