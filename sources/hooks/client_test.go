package hooks

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"deskbell/sources"
	"deskbell/sources/hooks/client"
)

// call runs the client: the test binary is that, when it is called by its name.
func call(t *testing.T, runtime, payload string, env ...string) (stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, wrong strings.Builder
	c := &exec.Cmd{
		Path: self, Args: []string{"deskbell-hook", "claude"},
		Env:   append([]string{"XDG_RUNTIME_DIR=" + runtime, "GORACE=atexit_sleep_ms=0", "GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}, env...),
		Stdin: strings.NewReader(payload), Stdout: &out, Stderr: &wrong,
	}
	if err := c.Run(); err != nil || out.Len() > 0 {
		t.Errorf("%v: %v %s", c.Args, err, out.String())
	}
	return wrong.String()
}

// TestClientFirst checks that the client ends before anything heavy in the same binary
// is initialized.
func TestClientFirst(t *testing.T) {
	var inits []string
	for line := range strings.Lines(call(t, t.TempDir(), "{}", "GODEBUG=inittrace=1")) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "init" {
			inits = append(inits, f[1])
		}
	}
	t.Logf("before the client: %q", inits)
	if !slices.Contains(inits, "os") {
		t.Errorf("inits %q have no os", inits)
	}
	for _, heavy := range []string{"reflect", "unicode", "encoding/json", "fmt", "log", "net", "testing", "regexp", "deskbell/engine"} {
		if slices.Contains(inits, heavy) {
			t.Errorf("%s was initialized before the client", heavy)
		}
	}
}

// TestEnv checks that the client, which can import nothing, sends the variables that
// the rest of deskbell may look at, and a few of Claude Code's.
func TestEnv(t *testing.T) {
	want := append(slices.Clone(sources.EnvKept), "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT",
		"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_PARENT_SESSION_ID")
	if !slices.Equal(client.Env[:], want) {
		t.Errorf("got %q, want %q", client.Env, want)
	}
	for _, name := range client.Env {
		for _, secret := range []string{"TOKEN", "KEY", "SECRET", "PASS", "AUTH"} {
			if strings.Contains(name, secret) {
				t.Errorf("%s may hold a secret", name)
			}
		}
	}
}
