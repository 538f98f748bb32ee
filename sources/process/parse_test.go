package process

import (
	"fmt"
	"strings"
	"testing"

	"deskbell/sources"
)

const tail = " 1 10 10 34819 10 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 99 1"

func TestParseStat(t *testing.T) {
	for _, tt := range []struct {
		line, name string
		ok         bool
	}{
		{"10 (claude) S" + tail, "claude", true},
		{"10 (a b) S" + tail, "a b", true},
		{"10 (a) S 1 2) S" + tail, "a) S 1 2", true},
		{"10 (tmux: server) S" + tail, "tmux: server", true},
		{"10 ()))((() S" + tail, ")))(((", true},
		{"10 () S" + tail, "", true},
		{"10 (new\nline) S" + tail, "new\nline", true},
		{"10 (2.1.212) S" + tail, "2.1.212", true},
		{"10 (cut) S 1 10 10", "", false},
		{"10 cut S" + tail, "", false},
		{"10 )cut( S" + tail, "", false},
		{"", "", false},
		{"10 (x) S" + strings.Replace(tail, "12345", "-5", 1), "", false},
		{"10 (x) S" + strings.Replace(tail, "12345", "99999999999999999999", 1), "", false},
	} {
		got, ok := parseStat([]byte(tt.line))
		if ok != tt.ok || ok && (got.name != tt.name || got.ticks != 12345 || got.parent != 1 || ttyName(got.tty) != "/dev/pts/3") {
			t.Errorf("%q: got %+v, %v", tt.line, got, ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("10 (claude) S" + tail))
	f.Add([]byte("10 (a) S 1 (b) R" + tail))
	f.Add([]byte("(\x00) "))
	f.Fuzz(func(t *testing.T, name []byte) {
		parseStat(name)
		line := fmt.Sprintf("7 (%s) S%s", name, tail)
		s, ok := parseStat([]byte(line))
		if !ok || s.name != string(name) || s.ticks != 12345 {
			t.Errorf("%q: got %+v, %v", line, s, ok)
		}
		if s.tty != 0 {
			ttyName(s.tty)
		}
	})
}

func TestTTYName(t *testing.T) {
	for nr, want := range map[int64]string{
		0: "", 34816: "/dev/pts/0", 34819: "/dev/pts/3", 136<<8 | 255: "/dev/pts/255", 137 << 8: "/dev/pts/256",
		143<<8 | 255: "/dev/pts/2047", 136<<8 | 0x100<<12 | 5: "/dev/pts/261", 4<<8 | 1: "/dev/tty1", 4<<8 | 64: "/dev/ttyS0",
		5<<8 | 1: "/dev/console", 188<<8 | 2: "/dev/ttyUSB2", 204<<8 | 64: "tty 204:64",
	} {
		if got := ttyName(nr); got != want {
			t.Errorf("%d: got %q, want %q", nr, got, want)
		}
	}
}

func TestRunsIn(t *testing.T) {
	env := func(vars ...string) map[string]string {
		m := make(map[string]string)
		for _, v := range vars {
			name, value, _ := strings.Cut(v, "=")
			m[name] = value
		}
		return m
	}
	for _, tt := range []struct {
		name  string
		env   map[string]string
		chain []sources.Proc // the ancestors, the parent first
		want  string
	}{
		{"tmux hides the terminal it was started in", env("TMUX=/tmp/tmux-0/default,1,0", "TMUX_PANE=%0", "TERM_PROGRAM=tmux", "KITTY_WINDOW_ID=7", "ITERM_SESSION_ID=w0"), nil, "tmux"},
		{"tmux, by its server", env(), []sources.Proc{{Name: "bash"}, {Name: "tmux: server"}}, "tmux"},
		{"screen", env("STY=1.x", "WINDOW=0", "WINDOWID=5"), []sources.Proc{{Name: "bash"}, {Name: "screen", Args: []string{"SCREEN"}}}, "screen"},
		{"a terminal started from inside tmux", env("TMUX=/tmp/x,1,0"), []sources.Proc{{Name: "bash"}, {Name: "kitty"}, {Name: "bash"}, {Name: "tmux: server"}}, "Kitty"},
		{"the chain before the environment", env("TERM_PROGRAM=vscode", "KITTY_WINDOW_ID=1"), []sources.Proc{{Name: "xterm"}}, "xterm"},
		{"a relay in between", env(), []sources.Proc{{Name: "bash"}, {Name: "deskbell"}, {Name: "bash"}, {Name: "ghostty"}}, "Ghostty"},
		{"Cursor says that it is VS Code", env("TERM_PROGRAM=vscode", "VSCODE_INJECTION=1"), []sources.Proc{{Name: "zsh"}, {Name: "cursor", Exe: "/usr/share/cursor/cursor"}}, "Cursor"},
		{"VS Code", env("TERM_PROGRAM=vscode"), []sources.Proc{{Name: "bash"}, {Name: "code", Exe: "/usr/share/code/code"}}, "VS Code"},
		{"VS Code over ssh", env("VSCODE_IPC_HOOK_CLI=/run/x.sock"), []sources.Proc{{Name: "bash"}, {Name: "node"}}, "VS Code"},
		{"JetBrains", env("TERMINAL_EMULATOR=JetBrains-JediTerm"), []sources.Proc{{Name: "zsh"}, {Name: "java"}}, "JetBrains"},
		{"gnome-terminal, its name cut", env("VTE_VERSION=7006", "GNOME_TERMINAL_SCREEN=/x"), []sources.Proc{{Name: "bash"}, {Name: "gnome-terminal-"}}, "gnome-terminal"},
		{"a script", env("VTE_VERSION=7006"), []sources.Proc{{Name: "bash"}, {Name: "terminator", Exe: "/usr/bin/python3.11"}}, "terminator"},
		{"Windows", env("WT_SESSION=1"), []sources.Proc{{Name: "powershell.exe"}, {Name: "WindowsTerminal.exe"}}, "Windows Terminal"},
		{"iTerm", env("TERM_PROGRAM=iTerm.app", "ITERM_SESSION_ID=w0"), nil, "iTerm"},
		{"Terminal", env("TERM_PROGRAM=Apple_Terminal"), nil, "Terminal"},
		{"Warp", env("TERM_PROGRAM=WarpTerminal"), nil, "Warp"},
		{"Kitty", env("KITTY_WINDOW_ID=1", "TERM=xterm-kitty"), nil, "Kitty"},
		{"Ghostty", env("TERM_PROGRAM=ghostty"), nil, "Ghostty"},
		{"Alacritty", env("ALACRITTY_WINDOW_ID=1"), nil, "Alacritty"},
		{"WezTerm", env("TERM_PROGRAM=WezTerm", "WEZTERM_PANE=0"), nil, "WezTerm"},
		{"Hyper", env("TERM_PROGRAM=Hyper"), nil, "Hyper"},
		{"konsole", env("KONSOLE_VERSION=221200", "WINDOWID=1"), nil, "konsole"},
		{"tilix", env("TILIX_ID=1", "VTE_VERSION=7006"), nil, "tilix"},
		{"st", env("TERM=st-256color", "WINDOWID=1"), nil, "st"},
		{"foot", env("TERM=foot", "COLORTERM=truecolor"), nil, "foot"},
		{"ssh", env("SSH_TTY=/dev/pts/1", "TERM=xterm-kitty-like"), []sources.Proc{{Name: "bash"}, {Name: "sshd"}}, "ssh"},
		{"nothing", env("TERM=xterm-256color"), []sources.Proc{{Name: "bash"}, {Name: "systemd"}}, ""},
		{"no chain and no environment", nil, nil, ""},
		{"a folder named like a terminal", env(), []sources.Proc{{Name: "bash", Args: []string{"-bash", "/home/kitty"}, Exe: "/kitty/bash"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parents := func(pid int) (sources.Proc, bool) {
				if pid < 1 || pid > len(tt.chain) {
					return sources.Proc{}, false
				}
				p := tt.chain[pid-1]
				p.PID, p.Parent = pid, pid+1
				return p, true
			}
			if got := RunsIn(sources.Proc{PID: 99, Parent: 1, Name: "claude", Env: tt.env}, parents); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRunsInAnEndlessChain(t *testing.T) {
	round := func(pid int) (sources.Proc, bool) { return sources.Proc{PID: pid, Parent: 3 - pid}, true }
	if got := RunsIn(sources.Proc{PID: 5, Parent: 1}, round); got != "" {
		t.Errorf("got %q", got)
	}
}
