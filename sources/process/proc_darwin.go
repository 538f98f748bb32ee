package process

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"deskbell/sources"

	"github.com/shirou/gopsutil/v3/process"
	"golang.org/x/sys/unix"
)

// ours reports whether the process runs as our own user.
func ours(pid int) bool {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(k.Eproc.Ucred.Uid) == os.Geteuid()
}

// zombie is the state of a process that waits to be collected by its parent.
const zombie = 5

// glance reads who a process is: its name, parent, start and terminal. A process
// that cannot be read but that we may not signal either is alive.
func glance(pid int) (p sources.Proc, alive bool) {
	p.PID = pid
	if pid <= 0 {
		return p, false
	}
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return p, errors.Is(unix.Kill(pid, 0), unix.EPERM)
	}
	if k.Proc.P_stat == zombie {
		return p, false
	}
	start := k.Proc.P_starttime
	p.Name = unix.ByteSliceToString(k.Proc.P_comm[:])
	p.Parent = int(k.Eproc.Ppid)
	p.Ticks = uint64(start.Sec)*1e6 + uint64(start.Usec)
	p.TTY = device(uint32(k.Eproc.Tdev))
	return p, true
}

// device is the terminal with a number; "": none.
func device(nr uint32) string {
	major, minor := nr>>24, nr&0xffffff
	switch {
	case nr == 0 || nr == ^uint32(0):
		return ""
	case major == 16:
		return fmt.Sprintf("/dev/ttys%03d", minor)
	}
	return fmt.Sprintf("tty %d:%d", major, minor)
}

// detail adds what a process runs and where.
func detail(p *sources.Proc) {
	exe, args, _ := started(p.PID)
	p.Exe, p.Args = exe, args
	p.Dir = folder(*p)
}

// folder is the folder a process works in now.
func folder(p sources.Proc) string {
	dir, _ := (&process.Process{Pid: int32(p.PID)}).Cwd()
	return dir
}

// args is the command line of a process.
func args(pid int) []string {
	_, args, _ := started(pid)
	return args
}

// environ reads the variables of [sources.EnvKept] and no others.
func environ(pid int) map[string]string {
	_, _, rest := started(pid)
	env := make(map[string]string)
	for _, entry := range rest {
		if name, value, ok := strings.Cut(entry, "="); ok && kept[name] {
			env[name] = value
		}
	}
	return env
}

// started reads what a process was started with: the number of arguments, the
// program, padding, the arguments and the environment, each ended by a NUL.
func started(pid int) (exe string, args, env []string) {
	text, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(text) < 4 {
		return "", nil, nil
	}
	n := int(binary.NativeEndian.Uint32(text))
	path, rest, _ := bytes.Cut(text[4:], []byte{0})
	fields := strings.Split(string(bytes.TrimLeft(rest, "\x00")), "\x00")
	if n < 0 || n > len(fields) {
		n = len(fields)
	}
	return string(path), fields[:n], fields[n:]
}

// age is how long ago a process was started.
func age(p sources.Proc) time.Duration { return time.Since(time.UnixMicro(int64(p.Ticks))) }
