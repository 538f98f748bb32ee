package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

func TestListingsAreReadAtStartAndAtEachChange(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "sessions/1.json"), `{"Level":"busy"}`)
	r := start(t, home)
	r.expect("1 busy")
	r.write("sessions/1.json", `{"Level":"idle"}`)
	r.expect("1 idle")
	r.write("sessions/1.json", `{"Level":"idle"}`)
	r.silent()
	os.Remove(r.path("sessions/1.json"))
	r.expect("1 unlisted")
}

func TestEventsNameTheHome(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	if evs := r.collect(1); evs[0].Who.Home != r.home {
		t.Errorf("got %q, want %q", evs[0].Who.Home, r.home)
	}
}

func TestListingReplacedByRename(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	r.write("sessions/tmp", `{"Level":"asking"}`)
	os.Rename(r.path("sessions/tmp"), r.path("sessions/1.json"))
	r.expect("1 asking")
}

func TestTornListingIsReadOnceMore(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"bu`)
	if got := <-r.said; !strings.Contains(got, "sessions/1.json") {
		t.Errorf("got %q", got)
	}
	r.write("sessions/1.json", `{"Level":"bus`) // said once only
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	if len(r.said) > 0 {
		t.Errorf("said again: %q", <-r.said)
	}
}

func TestKeyFilesAreNeverRead(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.key", "secret")
	r.expect("sessions/1.key starting")
}

func TestAsksWhoAnswersPermissionRequests(t *testing.T) {
	c := toy()
	c.Answers = func(home, dir string, read func(string) ([]byte, error)) engine.Answering {
		text, err := read(filepath.Join(home, "settings.json"))
		return engine.Answering{Yes: err == nil && string(text) == "yes"}
	}
	r := start(t, t.TempDir(), func(o *Options) { o.CLIs = []sources.CLI{c} }).started()
	r.write("sessions/1.json", `{"Level":"asking"}`)
	r.expect("1 answering false, 1 asking")
	r.write("settings.json", "yes")
	r.write("sessions/2.json", `{"Level":"asking"}`)
	r.expect("2 answering true, 2 asking")
}

func TestLogsAreNotReadAtStart(t *testing.T) {
	home := t.TempDir()
	log := filepath.Join(home, "projects/p/a.jsonl")
	put(t, log, "a before\n")
	old(t, 1, log)
	r := start(t, home).started()
	r.do(func() {
		if len(r.logs) > 0 {
			t.Error("a log was looked at")
		}
	})
	r.add("projects/p/a.jsonl", "a one\na two\n")
	r.expect("a before, a one, a two")
	r.add("projects/p/a.jsonl", "a three\na hal")
	r.expect("a three")
	r.add("projects/p/a.jsonl", "f\n")
	r.expect("a half")
}

func TestLogWritesAreCoalesced(t *testing.T) {
	r := start(t, t.TempDir(), func(o *Options) { o.Coalesce = time.Hour }).started()
	r.add("projects/p/a.jsonl", "a one\n")
	r.add("projects/p/a.jsonl", "a two\n")
	r.silent()
	r.do(func() { r.due(time.Now().Add(2 * time.Hour)) })
	r.expect("a one, a two")
}

func TestAtRestNothingIsDue(t *testing.T) {
	r := start(t, t.TempDir()).started()
	r.write("sessions/1.json", `{"Level":"busy"}`)
	r.expect("1 busy")
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	r.do(func() {
		if !r.window.IsZero() || !r.retry.IsZero() || !r.rescan.IsZero() {
			t.Error("a timer is armed")
		}
	})
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range fds {
		if path, _ := os.Readlink("/proc/self/fd/" + fd.Name()); strings.HasPrefix(path, r.home) {
			t.Errorf("%s is held open", path)
		}
	}
}

func TestAskedRecordIsReadAndFollowed(t *testing.T) {
	home := t.TempDir()
	for i := range newestFew + 1 { // so that the old folder is not watched unasked
		os.MkdirAll(filepath.Join(home, "projects", fmt.Sprint(i)), 0o700)
	}
	put(t, filepath.Join(home, "projects/z/a.jsonl"), "a one\n")
	put(t, filepath.Join(home, "projects/z/a/subagents/agent-x.jsonl"), "a deep\n")
	old(t, 30, filepath.Join(home, "projects/z/a.jsonl"), filepath.Join(home, "projects/z/a/subagents/agent-x.jsonl"))
	old(t, 30, filepath.Join(home, "projects/z/a/subagents"), filepath.Join(home, "projects/z/a"), filepath.Join(home, "projects/z"))
	r := start(t, home).started()
	r.do(func() {
		if r.w.wants[filepath.Join(home, "projects/z")] != nil {
			t.Error("an old folder is watched")
		}
	})
	r.Answer(ask("a"))
	r.expect("a one")
	r.expect("a deep")
	r.add("projects/z/a/subagents/agent-y.jsonl", "a other\n")
	r.expect("a other")
	r.Answer(ask("a"))
	r.expect("a one")
	r.collect(2)
}

func TestAskedFolderThatAppearsLater(t *testing.T) {
	home := t.TempDir()
	r := start(t, home).started()
	r.Answer(ask("a"))
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	r.add("projects/p/a/subagents/agent-1.jsonl", "a two\n")
	r.expect("a two")
}

func TestAskedGlobsStayBelowTheHome(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "secret.jsonl"), "s told\n")
	r := start(t, filepath.Join(dir, "home")).started()
	r.Answer(ask("../../../secret"))
	r.silent()
}

func TestAddHome(t *testing.T) {
	r := start(t, t.TempDir()).started()
	other := t.TempDir()
	put(t, filepath.Join(other, "sessions/9.json"), `{"Level":"busy"}`)
	r.AddHome("toy", other)
	if evs := r.collect(1); told(evs) != "9 busy" || evs[0].Who.Home != other {
		t.Errorf("got %q in %q", told(evs), evs[0].Who.Home)
	}
	r.AddHome("toy", other)
	r.started().silent()
}

func TestSyncWaitsForWhatWasWritten(t *testing.T) {
	r := start(t, t.TempDir(), func(o *Options) { o.Coalesce = time.Hour }).started()
	r.add("projects/p/a.jsonl", "a one\n")
	r.Answer(engine.Question{Ask: engine.AskFiles})
	if err := r.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.batches) != 1 {
		t.Fatalf("%d batches were told, want 1", len(r.batches))
	}
	r.expect("a one")
}
