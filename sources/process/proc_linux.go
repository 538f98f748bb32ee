package process

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"deskbell/sources"

	"golang.org/x/sys/unix"
)

// ours reports whether the process runs as our own user.
func ours(pid int) bool {
	var info syscall.Stat_t
	return syscall.Stat(procPath(pid, ""), &info) == nil && int(info.Uid) == os.Geteuid()
}

// glance reads who a process is: its name, parent, start and terminal. A process
// that cannot be read but that we may not signal either is alive.
func glance(pid int) (p sources.Proc, alive bool) {
	p.PID = pid
	if pid <= 0 {
		return p, false
	}
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	line, err := readInto(procPath(pid, "/stat"), *room)
	if err != nil {
		return p, errors.Is(syscall.Kill(pid, 0), syscall.EPERM)
	}
	s, ok := parseStat(line)
	if !ok || s.dead() {
		return p, false
	}
	p.Name, p.Parent, p.Ticks, p.TTY = s.name, s.parent, s.ticks, ttyName(s.tty)
	return p, true
}

// detail adds what a process runs and where.
func detail(p *sources.Proc) {
	p.Args = args(p.PID)
	p.Exe = link(p.PID, "/exe")
	p.Dir = link(p.PID, "/cwd")
}

// args is the command line of a process.
func args(pid int) []string {
	text, err := os.ReadFile(procPath(pid, "/cmdline"))
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// environ reads the variables of [sources.EnvKept] and no others.
func environ(pid int) map[string]string {
	text, err := os.ReadFile(procPath(pid, "/environ"))
	if err != nil {
		return nil
	}
	env := make(map[string]string)
	for entry := range bytes.SplitSeq(text, []byte{0}) {
		if name, value, ok := bytes.Cut(entry, []byte{'='}); ok && kept[string(name)] {
			env[string(name)] = string(value)
		}
	}
	clear(text)
	return env
}

// age is how long ago a process was started.
func age(p sources.Proc) time.Duration {
	var now unix.Timespec
	if p.Ticks == 0 || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano()) - time.Duration(p.Ticks)*tick // USER_HZ is 100 on every Linux
}

func link(pid int, name string) string {
	path, err := os.Readlink(procPath(pid, name))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(path, " (deleted)")
}

func procPath(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + name }

// rooms are buffers for short files of /proc.
var rooms = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func readInto(path string, room []byte) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, room)
	if err == nil && n <= 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return room[:n], nil
}

// folder is the folder a process works in now.
func folder(p sources.Proc) string { return link(p.PID, "/cwd") }
