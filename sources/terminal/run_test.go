package terminal

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// needShell skips where there are no commands to try with.
func needShell(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
}

func TestRun(t *testing.T) {
	needShell(t)
	t.Setenv("TMUX_PANE", "%7")
	out, err := run(t.Context(), []string{"MORE=1"}, "sh", "-c", `echo "$TMUX_PANE,$MORE,$HOME,$1"`, "sh", "$(id) 'x'")
	if want := ",1," + os.Getenv("HOME") + ",$(id) 'x'\n"; err != nil || out != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
	if _, err := run(t.Context(), nil, "sh", "-c", "echo out; echo no server >&2; echo more >&2; exit 1"); err == nil || err.Error() != "sh: no server" {
		t.Errorf("got %v", err)
	}
	if _, err := run(t.Context(), nil, "no such program of deskbell's"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("got %v", err)
	}
}

func TestRunIsBounded(t *testing.T) {
	needShell(t)
	t.Parallel()
	if _, err := run(t.Context(), nil, "sh", "-c", "while :; do echo 0123456789012345678901234567890123456789; done"); err == nil || !strings.Contains(err.Error(), "bytes of output") && !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("got %v", err)
	}
	// A child that keeps the output open is not waited for.
	if _, err := run(t.Context(), nil, "sh", "-c", "sleep 5 & sleep 5"); err == nil || err.Error() != "sh: no answer within 1s" {
		t.Errorf("got %v", err)
	}
}
