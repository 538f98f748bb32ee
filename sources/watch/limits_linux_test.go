package watch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// few marks a run of the test in a user namespace where few folders may be watched.
const few = "WATCH_TEST_FEW"

// inNamespace runs the test again where the system allows limit watched folders.
func inNamespace(t *testing.T) (inside bool) {
	t.Helper()
	if os.Getenv(few) != "" {
		if err := os.WriteFile("/proc/sys/user/max_inotify_watches", []byte(os.Getenv(few)), 0); err != nil {
			fmt.Println("SKIP", err)
			t.SkipNow()
		}
		return true
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), few+"=20")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case c.ProcessState == nil:
		t.Skip("no user namespaces here: ", err)
	case strings.Contains(string(out), "SKIP"):
		t.Skipf("%s", out)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// Where few folders may be watched those of live sessions are, the others are looked at,
// and it is said once how many they are (C73).
func TestC73FewFoldersMayBeWatched(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	home := t.TempDir()
	for i := range 50 {
		dir := filepath.Join(home, fmt.Sprintf("projects/%02d", i))
		os.MkdirAll(dir, 0o700)
		old(t, 50-i, dir)
	}
	r := start(t, home).started()
	if got, want := <-r.said, "of 53 folders cannot be watched (no space left on device)"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
	r.add("projects/49/a.jsonl", "a newest\n")
	r.expect("a newest")
	r.add("projects/00/b.jsonl", "b oldest\n")
	r.silent()
	r.Refresh()
	r.expect("b oldest")
	// A live session's folder is watched before all others.
	r.Answer(ask("b"))
	r.expect("b oldest")
	r.add("projects/00/b.jsonl", "b watched\n")
	r.expect("b watched")
	for range 3 {
		r.Refresh()
	}
	r.started()
	if len(r.said) > 0 {
		t.Errorf("said again: %q", <-r.said)
	}
}

func TestTheSystemsQueueOverflows(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Skip(err)
	}
	var n int
	fmt.Sscan(string(text), &n)
	if n == 0 || n > 1<<16 || testing.Short() {
		t.Skipf("the queue holds %d reports", n)
	}
	r := start(t, t.TempDir()).started()
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	var files [2]*os.File
	for i := range files {
		if files[i], err = os.Create(r.path(fmt.Sprintf("projects/p/%d", i))); err != nil {
			t.Fatal(err)
		}
		defer files[i].Close()
	}
	r.do(func() {
		r.w.notes.mu.Lock() // nobody collects
		defer r.w.notes.mu.Unlock()
		for i := range n + 5000 { // some are taken before
			if _, err := files[i%2].WriteAt([]byte{0}, 0); err != nil {
				t.Error(err)
				return
			}
		}
		r.add("projects/p/a.jsonl", "a two\n")
		r.write("sessions/1.json", `{"Level":"busy"}`)
	})
	deadline := time.After(10 * time.Second)
	for got := ""; !strings.Contains(got, "a two") || !strings.Contains(got, "1 busy"); {
		select {
		case evs := <-r.batches:
			got += told(evs) + "\n"
		case <-deadline:
			t.Fatalf("got %q", got)
		}
	}
	r.do(func() {
		if r.rescanned.IsZero() {
			t.Error("it did not overflow")
		}
	})
}
