// Package bus gives tests a message bus of their own. It needs the program dbus-daemon.
package bus

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Nothing can be started by the bus, so what a test did not start is not there.
const conf = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

// Bus is a place for a bus, whether one runs there or not.
type Bus struct {
	Addr string
	dir  string
	cmd  *exec.Cmd
}

// At makes a place for a bus in the folder dir, whose path must be short: that of a socket
// is limited to 107 bytes.
func At(dir string) *Bus {
	return &Bus{Addr: "unix:path=" + filepath.Join(dir, "bus"), dir: dir}
}

// Start runs a bus here.
func (b *Bus) Start() error {
	file := filepath.Join(b.dir, "bus.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, conf, filepath.Join(b.dir, "bus")), 0o600); err != nil {
		return err
	}
	b.cmd = exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address=1")
	b.cmd.SysProcAttr = mortal // a test that panics cleans up nothing
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, b.Addr) {
		b.Stop()
		return fmt.Errorf("dbus-daemon said %q: %w", line, err)
	}
	return nil
}

// Stop kills the bus under everybody's feet.
func (b *Bus) Stop() {
	if b.cmd == nil {
		return
	}
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait()
	b.cmd = nil
}

// Env is the environment of a program on this bus.
func (b *Bus) Env() []string {
	return append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS="+b.Addr, "XDG_RUNTIME_DIR="+b.dir)
}

// Dial opens a connection of its own to the bus, until the end of the test.
func (b *Bus) Dial(t testing.TB) *dbus.Conn {
	t.Helper()
	c, err := dbus.Connect(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Need skips the test where a program is missing, or fails it where tests may not be
// skipped.
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

// New makes a place where no bus runs, until the end of the test.
func New(t testing.TB) *Bus {
	t.Helper()
	Need(t, "dbus-daemon", "dbus")
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	b := At(dir)
	t.Cleanup(func() { b.Stop(); _ = os.RemoveAll(dir) })
	return b
}

// Run runs a bus until the end of the test.
func Run(t testing.TB) *Bus {
	t.Helper()
	b := New(t)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	return b
}
