//go:build linux || darwin

package hooks

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"deskbell/engine"
	"deskbell/sources/hooks/client"
)

const sendTo = "DESKBELL_TEST_SEND_TO"

// TestMain is also a client that sends one frame.
func TestMain(m *testing.M) {
	if path := os.Getenv(sendTo); path != "" {
		_ = client.Send(path, frame("foreign"), 1e9) // it may be cut off before it is done
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestForeign checks that nobody else's hooks are believed.
func TestForeign(t *testing.T) {
	d := begin(t, (*Source).receive)
	if info, err := os.Stat(d.opt.Socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v %v, want mode 600", info.Mode(), err)
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	// As if the folder and the socket had been opened to all.
	for dir := filepath.Dir(d.opt.Socket); dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&1 == 0 {
			if err := os.Chmod(dir, 0o711); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(d.opt.Socket, 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(filepath.Dir(d.opt.Socket), "sender")
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bin, text, 0o755); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), bin)
	run.Env = []string{sendTo + "=" + d.opt.Socket}
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	d.send(frame("ours"))
	d.wants("ours")
	if got := d.Counts(); got.Foreign != 1 || got.Received != 1 {
		t.Errorf("got %+v, want one of another user", got)
	}
}

// TestInTheWay checks that what is not ours is not removed, and that the error says
// what to do.
func TestInTheWay(t *testing.T) {
	run := func(path string) string {
		err := New(Options{Socket: path}).Run(t.Context(), func(...engine.Event) {})
		if err == nil {
			return ""
		}
		return err.Error()
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a", "hooks.sock")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(file); !strings.HasSuffix(got, "in the way and no socket: move it away") {
		t.Errorf("got %q", got)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if got := run(filepath.Join(dir, strings.Repeat("x", 200), "s")); !strings.Contains(got, "set XDG_RUNTIME_DIR to a shorter folder") {
		t.Errorf("got %q", got)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := run(filepath.Join(open, "s")); !strings.Contains(got, "nobody else can write to") {
		t.Errorf("got %q", got)
	}
	// A socket that an earlier run left is no obstacle.
	left := filepath.Join(dir, "b", "hooks.sock")
	if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Options{Socket: left}).Run(ctx, nil); err != nil {
		t.Error(err)
	}
}
