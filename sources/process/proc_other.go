//go:build !linux && !darwin

package process

import (
	"os"
	"strings"
	"sync"
	"time"

	"deskbell/sources"

	"github.com/shirou/gopsutil/v3/process"
)

// owner is our own user, as the system writes it.
var owner = sync.OnceValue(func() string {
	name, _ := (&process.Process{Pid: int32(os.Getpid())}).Username()
	return name
})

// ours reports whether the process runs as our own user.
func ours(pid int) bool {
	name, err := (&process.Process{Pid: int32(pid)}).Username()
	return err == nil && name == owner()
}

// glance reads who a process is: its name and start. A process that cannot be read
// is alive if its pid is in use.
func glance(pid int) (p sources.Proc, alive bool) {
	p.PID = pid
	if pid <= 0 {
		return p, false
	}
	of := &process.Process{Pid: int32(pid)}
	start, err := of.CreateTime()
	if err != nil {
		alive, _ = process.PidExists(int32(pid))
		return p, alive
	}
	p.Name, _ = of.Name()
	p.Ticks = uint64(start)
	return p, true
}

// detail adds what a process runs and where.
func detail(p *sources.Proc) {
	of := &process.Process{Pid: int32(p.PID)}
	p.Exe, _ = of.Exe()
	if p.Parent == 0 { // on Windows that means going through all processes
		parent, _ := of.Ppid()
		p.Parent = int(parent)
	}
	p.Args = args(p.PID)
	p.Dir = folder(*p)
}

// folder is the folder a process works in now.
func folder(p sources.Proc) string {
	dir, _ := (&process.Process{Pid: int32(p.PID)}).Cwd()
	return strings.TrimRight(dir, `\`)
}

// args is the command line of a process.
func args(pid int) []string {
	list, _ := (&process.Process{Pid: int32(pid)}).CmdlineSlice()
	return list
}

// environ reads the variables of [sources.EnvKept] and no others.
func environ(pid int) map[string]string {
	list, _ := (&process.Process{Pid: int32(pid)}).Environ()
	env := make(map[string]string)
	for _, entry := range list {
		if name, value, ok := strings.Cut(entry, "="); ok && kept[name] {
			env[name] = value
		}
	}
	return env
}

// age is how long ago a process was started.
func age(p sources.Proc) time.Duration { return time.Since(time.UnixMilli(int64(p.Ticks))) }
