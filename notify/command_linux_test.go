package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// phone writes a script, and gives what it is called.
func phone(t *testing.T, script string) (argv []string, dir string) {
	dir = t.TempDir()
	file := filepath.Join(dir, "phone")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{file}, dir
}

// commanded runs a command that is a script, and gives what it said was wrong.
func commanded(t *testing.T, script string, args ...string) (c *Command, dir string, said func() []string, stop func()) {
	argv, dir := phone(t, script)
	var mu sync.Mutex
	var words []string
	c = NewCommand(append(argv, args...), func(what string) {
		mu.Lock()
		defer mu.Unlock()
		words = append(words, what)
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { c.Run(ctx); close(done) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return c, dir, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return words
	}, stop
}

// lined waits until a file has so many lines.
func lined(t *testing.T, file string, n int) []string {
	t.Helper()
	var lines []string
	until(t, fmt.Sprint(n, " lines"), func() bool {
		text, _ := os.ReadFile(file)
		lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		return len(text) > 0 && len(lines) >= n
	})
	return lines
}

// Each notice is one line of JSON, first raised, then withdrawn. Nothing is read by a
// shell (C97).
func TestCommand(t *testing.T) {
	hostile := `$(touch pwned) "; rm -rf x \ ` + "`id`"
	c, dir, said, _ := commanded(t, `cat >>"${0%/*}/got"; printf '%s\n' "$1" >>"${0%/*}/args"`, hostile)
	n := ask("s1")
	n.Title, n.At, n.bell = hostile, start.In(time.FixedZone("", 3600)), "/x/bell.wav"
	c.Tell([]Notice{n}, nil)
	next := n
	next.Body, next.Silent, next.Replaces, next.Sound = "Bash: pwd", true, true, false
	c.Tell([]Notice{next}, nil)
	c.Tell(nil, []engine.ID{"s1", "s9"})
	lines := lined(t, filepath.Join(dir, "got"), 3)
	if got := lined(t, filepath.Join(dir, "args"), 3); got[0] != hostile {
		t.Errorf("got the argument %q", got[0])
	}
	want := []map[string]any{
		{"event": "raise", "body": "Bash: ls", "sound": true},
		{"event": "raise", "body": "Bash: pwd", "sound": false, "silent": true, "replaces": true},
		{"event": "withdraw", "body": "Bash: pwd", "sound": false},
	}
	for i, w := range want {
		w["id"], w["ids"], w["kind"], w["title"] = "s1", []any{"s1"}, "approval", hostile
		w["line"], w["at"], w["stays"], w["critical"] = n.Line, "2026-11-30T08:00:00Z", true, false
		var got map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(w) {
			t.Errorf("got  %v\nwant %v, %v", got, w, err)
		}
	}
	if len(lines) != 3 || said() != nil {
		t.Errorf("got %q, said %q", lines, said())
	}
}

// A program that fails is said to, once for each way it does.
func TestCommandFails(t *testing.T) {
	c, dir, said, _ := commanded(t, `echo x >>"${0%/*}/ran"; echo "no route" >&2; echo more >&2; exit 3`)
	c.Tell([]Notice{ask("s1"), ask("s2")}, nil)
	lined(t, filepath.Join(dir, "ran"), 2)
	until(t, "what is wrong", func() bool { return len(said()) > 0 })
	c.Use([]string{filepath.Join(dir, "none")})
	c.Tell([]Notice{ask("s3")}, nil)
	until(t, "what else is wrong", func() bool { return len(said()) > 1 })
	if got := said(); got[0] != "notify.command: exit status 3: no route" || !strings.HasSuffix(got[1], "none: no such file or directory") {
		t.Errorf("said %q", got)
	}
	// None is none.
	c.Use(nil)
	c.Tell([]Notice{ask("s4")}, nil)
	var nobody *Command
	nobody.Tell([]Notice{ask("s5")}, nil)
	if len(said()) != 2 {
		t.Errorf("said %q", said())
	}
}

// Who takes too long is ended with all it started; what comes meanwhile is kept, but not
// without end (C95).
func TestCommandStuck(t *testing.T) {
	c, dir, said, _ := commanded(t, `/bin/sleep 300 & echo $! >>"${0%/*}/child"; cat >>"${0%/*}/got"; test -e "${0%/*}/quick" || wait`)
	c.limit = 300 * time.Millisecond
	began := time.Now()
	for i := range 2 * backlog {
		c.Tell([]Notice{ask(engine.ID(fmt.Sprint("s", i)))}, nil)
	}
	c.Tell(nil, []engine.ID{"s0"})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the caller waited %v", took)
	}
	until(t, "it to be ended", func() bool { return len(said()) == 2 })
	got := strings.Join(said(), "\n")
	if !strings.Contains(got, "notify.command: it took longer than 300ms and was ended") || !strings.Contains(got, "some are left out") {
		t.Errorf("said %q", got)
	}
	child := lined(t, filepath.Join(dir, "child"), 1)[0]
	until(t, "its child to be ended", func() bool {
		state, err := os.ReadFile(filepath.Join("/proc", child, "stat"))
		return err != nil || strings.Contains(string(state), ") Z ")
	})
	c.mu.Lock()
	if len(c.queue) > backlog {
		t.Errorf("%d are kept", len(c.queue))
	}
	last := c.queue[len(c.queue)-1]
	c.mu.Unlock()
	if last.Event != "withdraw" || last.ID != "s0" {
		t.Errorf("the last is %+v", last)
	}
}

// Who quits ends what runs.
func TestCommandEnds(t *testing.T) {
	c, dir, said, stop := commanded(t, `echo x >>"${0%/*}/ran"; exec /bin/sleep 300`)
	c.Tell([]Notice{ask("s1"), ask("s2")}, nil)
	lined(t, filepath.Join(dir, "ran"), 1)
	began := time.Now()
	stop()
	if took := time.Since(began); took > 10*time.Second || said() != nil {
		t.Errorf("it took %v, said %q", took, said())
	}
}
