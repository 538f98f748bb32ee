package client

// program is what is known of a process.
type program struct {
	name   string
	parent int
	ticks  uint64
	tty    string
}

// farthest is how many ancestors are looked at.
const farthest = 8

// caller finds the CLI that called the hook: the process Claude Code names in named,
// or else the first ancestor that is not a shell. Other CLIs may have inherited the
// name. pid 0: it cannot be told. parent is our own.
func caller(tool, named string, parent int, look func(pid int) (program, bool)) (pid int, p program) {
	if n := int(int32(atoi(named))); tool == fallback && n > 1 {
		p, _ := look(n)
		return n, p
	}
	pid = parent
	for range farthest {
		p, ok := look(pid)
		if !ok || nobody(pid, p.name) {
			return 0, program{}
		}
		if !shell(p.name) {
			return pid, p
		}
		pid = p.parent
	}
	return 0, program{}
}

// nobody tells the process that adopts orphans: who called is gone.
func nobody(pid int, name string) bool {
	return pid <= 1 || name == "systemd" || name == "init" || name == "launchd"
}

// shell tells programs that stand between a CLI and its hook.
func shell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "fish", "dash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "xonsh", "ash", "busybox",
		"env", "timeout", "nice", "ionice", "nohup", "setsid", "sudo",
		"cmd.exe", "powershell.exe", "pwsh.exe", "pwsh", "bash.exe", "sh.exe":
		return true
	}
	return false
}
