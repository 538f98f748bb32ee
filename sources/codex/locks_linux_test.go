package codex

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

// TestLocks sees a lock that is held, by this very process, and takes none.
func TestLocks(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "thread-writer-locks")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := os.Create(filepath.Join(dir, id+".lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, name := range []string{other + ".lock", "x.lock", child} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := holders(dir); len(got) > 0 {
		t.Errorf("before: %v", got)
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{id: os.Getpid()}
	if got := holders(dir); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := holders(filepath.Join(home, "nowhere")); len(got) > 0 {
		t.Errorf("nowhere: %v", got)
	}
	day := filepath.Join(home, "sessions", "2026", "11", "30")
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(day, filepath.Base(log))
	ofAgent := strings.ReplaceAll(strings.ReplaceAll(spawnd, id, other), child, id)
	for _, c := range []struct{ args, first, want string }{
		{vendor + " --no-daemon", "", ""}, // it has had no prompt
		{vendor + " --no-daemon", tui + "\n", fmt.Sprintf("%s %d Lived{}", id, os.Getpid())},
		{vendor + " --no-daemon", ofAgent + "\n", ""},              // a sub-agent's lock is held by the same
		{managed + " app-server --listen unix://", tui + "\n", ""}, // the server's pid is nobody's
	} {
		if err := os.WriteFile(file, []byte(c.first), 0o600); err != nil {
			t.Fatal(err)
		}
		l := newLive(home, func(pid int) (sources.Proc, bool) {
			return sources.Proc{PID: pid, Ticks: 7, TTY: "/dev/pts/1", Args: strings.Fields(c.args)}, true
		}).(*live)
		got := ""
		l.owners = map[string]int{}
		l.emit = func(evs ...engine.Event) {
			got += fmt.Sprintf("%s %d %s", evs[0].Who.ID, evs[0].Who.PID, written(evs[0].Fact))
		}
		l.locks()
		l.locks() // once is enough
		if got != c.want {
			t.Errorf("%s: told %q, want %q", c.args, got, c.want)
		}
	}
}

func FuzzLocks(f *testing.F) {
	f.Add([]byte("1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234567 0 EOF\n2: POSIX  ADVISORY  READ 1 00:1a:3 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 2 fd:01:1 0 EOF\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for inode, pid := range locked(text) {
			if pid <= 0 {
				t.Errorf("%d is held by %d", inode, pid)
			}
		}
	})
}
