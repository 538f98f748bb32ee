package sni

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Nothing can be started by the bus, so what a test did not start is not there.
const conf = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

// Bus is a place for a session bus, whether one runs there or not.
type Bus struct {
	Addr string
	dir  string
	cmd  *exec.Cmd
}

// Need skips the test where a program is missing, or fails it where tests may
// not be skipped.
func Need(t testing.TB, program, debian string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing; it is in the Debian package %s", program, debian)
	}
	t.Skipf("%s is missing; it is in the Debian package %s", program, debian)
}

// NewBus makes a place where no bus runs.
func NewBus(t testing.TB) *Bus {
	t.Helper()
	Need(t, "dbus-daemon", "dbus")
	dir, err := os.MkdirTemp("", "deskbell-bus") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	b := &Bus{Addr: "unix:path=" + filepath.Join(dir, "s"), dir: dir}
	t.Cleanup(func() { b.Stop(); os.RemoveAll(dir) })
	return b
}

// StartBus runs a bus until the end of the test.
func StartBus(t testing.TB) *Bus {
	t.Helper()
	b := NewBus(t)
	b.Start(t)
	return b
}

// Start runs a bus here.
func (b *Bus) Start(t testing.TB) {
	t.Helper()
	file := filepath.Join(b.dir, "conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, conf, filepath.Join(b.dir, "s")), 0o600); err != nil {
		t.Fatal(err)
	}
	b.cmd = exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address=1")
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a test that panics cleans up nothing
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, b.Addr) {
		t.Fatalf("dbus-daemon said %q: %v", line, err)
	}
}

// Stop kills the bus under everybody's feet.
func (b *Bus) Stop() {
	if b.cmd == nil {
		return
	}
	b.cmd.Process.Kill()
	b.cmd.Wait()
	b.cmd = nil
}

// Env is the environment of a program on this bus.
func (b *Bus) Env() []string {
	return append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS="+b.Addr, "XDG_RUNTIME_DIR="+b.dir)
}

func dial(t testing.TB, b *Bus) *dbus.Conn {
	t.Helper()
	c, err := dbus.Connect(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
