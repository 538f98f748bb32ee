package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/engine/live"
	"deskbell/notify"
	"deskbell/testdata/bus"
	"deskbell/tray"
)

// TestReadme checks that the first screen of the README has its two commands.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	screen := strings.Join(strings.SplitN(string(text), "\n", 31)[:30], "\n")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(screen)
	if block == nil {
		t.Fatal("no commands on the first screen")
	}
	var got []string
	for line := range strings.Lines(block[1]) {
		command, _, _ := strings.Cut(line, "#")
		got = append(got, strings.TrimSpace(command))
	}
	if want := "go run .|go test ./..."; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestConfiguration checks that the sample is one of the tools that are known here.
func TestConfiguration(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	f, err := configuration()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, []byte(f.Sample()), 0o600); err != nil {
		t.Fatal(err)
	}
	if wrong := f.Check(); len(wrong) > 0 {
		t.Errorf("got %q", wrong)
	}
	if !strings.Contains(f.Sample(), "[tools.claude]") {
		t.Errorf("no tool in\n%s", f.Sample())
	}
}

// caseList has the public bug cases that wrong states and files are made of: an id, and
// what must hold.
const caseList = "testdata/cases.txt"

// TestCases checks that every case of the list is named where it is tested.
func TestCases(t *testing.T) {
	text, err := os.ReadFile(caseList)
	if err != nil {
		t.Fatal(err)
	}
	named := tested(t)
	last := ""
	for line := range strings.Lines(string(text)) {
		id, holds, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !caseID.MatchString(id) || holds == "" || !(len(id) > len(last) || id > last) {
			t.Errorf("%s: %q is no case behind %s", caseList, line, last)
		}
		if last = id; !named[id] {
			t.Errorf("no test names %s: %s", id, holds)
		}
	}
	if last == "" {
		t.Errorf("%s is empty", caseList)
	}
}

var caseID = regexp.MustCompile(`\bC\d{2,3}\b`)

// tested is what ids are named in tests and their scenarios.
func tested(t *testing.T) map[string]bool {
	t.Helper()
	named := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch path = filepath.ToSlash(path); {
		case err != nil:
			return err
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") && path != "." {
				return filepath.SkipDir
			}
			return nil
		case path == caseList || !strings.HasSuffix(path, "_test.go") && !(strings.HasSuffix(path, ".txt") && strings.Contains(path, "testdata/")):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, id := range caseID.FindAllString(string(text), -1) {
			named[id] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return named
}

// us is set in the environment of the copy of this program that is deskbell.
const us = "DESKBELL_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(us) != "" {
		os.Exit(start())
	}
	os.Exit(m.Run())
}

// canary is in every text of the conversations below.
const canary = "cAnArY"

// desk is a scratch HOME with sessions of an older Claude Code in it, which has no status
// in its session files.
type desk struct {
	t    *testing.T
	home string
	run  *exec.Cmd
}

func (d *desk) command(args ...string) *exec.Cmd {
	d.t.Helper()
	self, err := os.Executable()
	if err != nil {
		d.t.Fatal(err)
	}
	c := exec.Command(self)
	c.Args = append([]string{"deskbell"}, args...)
	c.Env = []string{
		us + "=1", "HOME=" + d.home, "XDG_RUNTIME_DIR=" + filepath.Join(d.home, "run"), "XDG_STATE_HOME=" + filepath.Join(d.home, "state"),
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0",
	}
	return c
}

// begin starts deskbell, and returns what ends it.
func (d *desk) begin() {
	d.t.Helper()
	d.run = d.command()
	if err := d.run.Start(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) end(how os.Signal) {
	_ = d.run.Process.Signal(how)
	_ = d.run.Wait() // it was killed
}

// ask runs a command until its output is as want says, and returns that.
func (d *desk) ask(want func(string) bool, args ...string) string {
	d.t.Helper()
	var out []byte
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); {
		if out, _ = d.command(args...).CombinedOutput(); want(string(out)) {
			return string(out)
		}
	}
	d.t.Fatalf("%v says %s", args, out)
	return ""
}

// session starts a process called claude, and writes what that would write.
func (d *desk) session(id string) *exec.Cmd {
	d.t.Helper()
	dir, files := filepath.Join(d.home, "w", id), filepath.Join(d.home, ".claude", "sessions")
	for _, f := range []string{dir, files, filepath.Join(d.home, "run")} {
		if err := os.MkdirAll(f, 0o700); err != nil {
			d.t.Fatal(err)
		}
	}
	c := &exec.Cmd{Path: "/bin/sleep", Args: []string{"claude", "300"}, Dir: dir}
	if err := c.Start(); err != nil {
		d.t.Skip(err)
	}
	d.t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
	if err != nil {
		d.t.Fatal(err)
	}
	began := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))[19]
	text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"procStart":%q,"version":"2.1.90","kind":"interactive","entrypoint":"cli"}`,
		c.Process.Pid, id, dir, time.Now().UnixMilli(), began)
	if err := os.WriteFile(filepath.Join(files, fmt.Sprint(c.Process.Pid, ".json")), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return c
}

// hook calls the client as c, whose session is id, would.
func (d *desk) hook(c *exec.Cmd, id, event, more string) {
	d.t.Helper()
	h := d.command("claude", event)
	h.Args[0] = "deskbell-hook"
	h.Env = append(h.Env, fmt.Sprint("CLAUDE_PID=", c.Process.Pid))
	h.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":%q%s}`, event, id, c.Dir, more))
	if out, err := h.CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v: %s", event, err, out)
	}
}

// shown are the live sessions, and what is to be the same after a restart.
func (d *desk) shown(text string) map[string]string {
	d.t.Helper()
	var s engine.Snapshot
	if json.Unmarshal([]byte(text), &s) != nil {
		return nil
	}
	out := map[string]string{}
	for _, one := range s.Sessions {
		if !strings.HasPrefix(one.Dir, d.home) {
			continue // others run here
		}
		out[one.SessionID] = fmt.Sprint(one.ID, " ", one.Status, " by ", one.Reason.Rule, " unseen ", one.Unseen, " open ", one.AsksOpen, " in ", one.BeganIn)
		if l := one.Label; l != nil {
			out[one.SessionID] += fmt.Sprint(" ", *l)
		}
		out[one.SessionID] += fmt.Sprint(" room ", one.Room, " as ", one.Title, " muted ", one.Muted)
	}
	return out
}

// TestMemory checks that who asks for sessions is told what they take.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it makes up processes as only Linux shows them")
	}
	home, err := os.MkdirTemp("", "dbm") // with a short path: sockets are made below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	d := &desk{t: t, home: home}
	d.session("takes")
	d.begin()
	defer d.end(os.Interrupt)
	d.ask(func(out string) bool {
		var s engine.Snapshot
		return json.Unmarshal([]byte(out), &s) == nil && slices.ContainsFunc(s.Sessions, func(one engine.Session) bool {
			return strings.HasPrefix(one.Dir, home) && one.Memory > 0
		})
	}, "status", "--json")
	d.ask(regexp.MustCompile(`≈ [0-9.]+ [kMG]B\n$`).MatchString, "status")
}

// TestRestart kills deskbell, and has it begin again: with the right statuses and ids,
// and without a word of the conversations on disk, but for the titles that the state
// file has.
func TestRestart(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it makes up processes as only Linux shows them")
	}
	home, err := os.MkdirTemp("", "dbr") // with a short path: sockets are made below it
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, home: home}
	asks, seen, unseen, dies := d.session("asks"), d.session("seen"), d.session("unseen"), d.session("dies")
	t.Cleanup(func() { os.RemoveAll(home) })
	d.begin()
	defer func() { d.end(os.Interrupt) }()
	d.ask(func(s string) bool { return len(d.shown(s)) == 4 }, "status", "--json")
	for id, c := range map[string]*exec.Cmd{"asks": asks, "seen": seen, "unseen": unseen, "dies": dies} {
		d.hook(c, id, "SessionStart", `,"source":"startup"`)
		d.hook(c, id, "UserPromptSubmit", fmt.Sprintf(`,"prompt":"prompt %s"`, canary))
		d.hook(c, id, "PreToolUse", fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"toolu_%s","tool_input":{"command":"echo %s"}`, id, canary))
		if id == "asks" || id == "dies" {
			d.hook(c, id, "PermissionRequest", fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":"echo %s"}`, canary))
			continue
		}
		d.hook(c, id, "PostToolUse", fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"toolu_%s","tool_input":{"command":"echo %s"},"tool_response":{"stdout":%q}`, id, canary, canary))
		d.hook(c, id, "Stop", fmt.Sprintf(`,"last_assistant_message":"answer %s"`, canary))
	}
	settled := func(s string) bool {
		m := d.shown(s)
		return strings.Contains(m["asks"], "approval") && strings.Contains(m["dies"], "approval") && strings.Contains(m["seen"], "waiting") && strings.Contains(m["unseen"], "waiting")
	}
	first := d.shown(d.ask(settled, "status", "--json"))
	id, _, _ := strings.Cut(first["seen"], " ")
	dead, _, _ := strings.Cut(first["dies"], " ")
	conn, err := net.Dial("unix", live.SocketPath(filepath.Join(home, "run", "deskbell")))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /sessions/%s/open HTTP/1.1\r\nHost: deskbell\r\nContent-Length: 0\r\n\r\n", id)
	// It has no window to go to, which you are told; that you wanted to see it counts.
	if line, _ := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "409") {
		t.Fatalf("open: %s", line)
	}
	conn.Close()
	before := d.shown(d.ask(func(s string) bool { return strings.Contains(d.shown(s)["seen"], "unseen false") }, "status", "--json"))
	if !strings.Contains(before["unseen"], "unseen true") {
		t.Errorf("got %v, want one unseen", before)
	}
	d.ask(func(s string) bool { // what you did is written after a moment
		text, _ := os.ReadFile(filepath.Join(home, "state", "deskbell", "state.json"))
		return strings.Contains(string(text), `"seen": "`)
	}, "version")
	for _, args := range [][]string{
		{"label", id, "heavy"}, {"room", id, "room", canary}, {"rename", id, "called " + canary}, {"mute", id, "--for", "1h"},
		{"labels", "add", "L" + canary, "#00c2ff"}, {"label", dead, "L" + canary}, {"mute", "--all", "--for", "tomorrow"},
	} {
		if out, err := d.command(args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	before = d.shown(d.ask(func(string) bool { return true }, "status", "--json"))
	if !strings.Contains(before["seen"], "{HEAVY #ff3355} room room "+canary+" as called "+canary+" muted true") {
		t.Errorf("got %s", before["seen"])
	}
	delete(before, "dies")

	for _, how := range []os.Signal{os.Kill, os.Interrupt, os.Kill} {
		d.end(how)
		_ = dies.Process.Kill()
		_ = dies.Wait()
		began := time.Now()
		d.begin()
		after := d.shown(d.ask(func(s string) bool {
			return fmt.Sprint(d.shown(s)) == fmt.Sprint(before) || time.Since(began) > 10*time.Second
		}, "status", "--json"))
		if fmt.Sprint(after) != fmt.Sprint(before) {
			t.Fatalf("after %v got\n%v, want\n%v", how, after, before)
		}
		t.Logf("after %v the right statuses are shown %v after the start", how, time.Since(began).Round(time.Millisecond))
	}
	if all := d.shown(d.ask(func(string) bool { return true }, "status", "--json", "--all")); !strings.HasPrefix(all["dies"], dead+" ended") {
		t.Errorf("got %v, want the one that died as %s", all, dead)
	}
	for _, name := range []string{dead, "dies"} {
		why := d.ask(func(s string) bool { return strings.Contains(s, "-> approval") }, "why", name)
		if !strings.Contains(why, "is ended") || !strings.Contains(why, "history") {
			t.Errorf("of a session that is gone why says %s", why)
		}
	}
	log := d.ask(func(string) bool { return true }, "log")
	if strings.Count(log, "deskbell started") != 4 || strings.Count(log, "deskbell stopped") != 1 || !strings.Contains(log, "working -> approval") {
		t.Errorf("the log says\n%s", log)
	}
	d.end(os.Interrupt)
	files, _ := filepath.Glob(filepath.Join(home, "state", "deskbell", "*"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if titles := filepath.Base(f) == "state.json"; err != nil || !titles && strings.Contains(string(text), canary) {
			t.Errorf("%s: %v, or it has text of the conversation", f, err)
		}
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v, want mode 600", f, err, info.Mode())
		}
	}
	if len(files) != 2 {
		t.Errorf("got %v, want a state file and a journal", files)
	}
	if t.Failed() {
		t.Log(log)
	}
	d.begin()
}

// TestClicks checks that what the menu asks for is taken by the API.
func TestClicks(t *testing.T) {
	e := engine.New(engine.DefaultLimits())
	l := live.NewLoop(e)
	dir := filepath.Join(t.TempDir(), "deskbell")
	disk, m, _, err := live.OpenDisk(dir, "b", time.Hour, func(s string) { t.Error(s) })
	if err != nil {
		t.Fatal(err)
	}
	e.Recall(m)
	disk.Keep(l, e.Memory)
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = l.Run(ctx) })
	parts.Go(func() { disk.Run(ctx) })
	defer func() { cancel(); parts.Wait(); _ = disk.Close(e.Memory()) }()
	who := engine.Who{Tool: "claude", ID: "a", PID: 41, Ticks: 7, Dir: "/w/app"}
	l.Emit(
		engine.Event{By: engine.Listing, Who: who, Fact: engine.Listed{Level: engine.ListedIdle}},
		engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
	b := &bell{wishes: &live.Wishes{Loop: l, Engine: e, Disk: disk, Real: func(dir string) string { return dir }, Now: time.Now}}
	for _, test := range []struct {
		act  tray.Act
		want string
	}{
		{tray.Act{Verb: tray.Mute, Session: "s1"}, "muted true pinned false alert false all false"},
		{tray.Act{Verb: tray.Unmute, Session: "s1"}, "muted false pinned false alert false all false"},
		{tray.Act{Verb: tray.Mute, Session: "s1", Arg: notify.Hour}, "muted true pinned false alert false all false"},
		{tray.Act{Verb: tray.Pin, Session: "s1", Arg: "on"}, "muted true pinned true alert false all false"},
		{tray.Act{Verb: tray.Alert, Session: "s1", Arg: "on"}, "muted true pinned true alert true all false"},
		{tray.Act{Verb: tray.Pin, Session: "s1", Arg: "off"}, "muted true pinned false alert true all false"},
		{tray.Act{Verb: tray.Mute, Arg: notify.Hour}, "muted true pinned false alert true all true"},
		{tray.Act{Verb: tray.Mute, Arg: tray.Tomorrow}, "muted true pinned false alert true all true"},
		{tray.Act{Verb: tray.Unmute}, "muted true pinned false alert true all false"},
	} {
		if _, err := b.act(string(test.act.Session), test.act.Verb, test.act.Body()); err != nil {
			t.Errorf("%+v: %v", test.act, err)
			continue
		}
		s := l.Feed.Snapshot()
		all, until := s.AllMuted()
		one := s.Sessions[0]
		if got := fmt.Sprint("muted ", one.Muted, " pinned ", one.Pinned, " alert ", one.Alert, " all ", all); got != test.want || all == until.IsZero() {
			t.Errorf("%+v: got %s until %v, want %s", test.act, got, until, test.want)
		}
	}
}

// soon is longer than a loaded machine takes to show a window.
const soon = 30 * time.Second

// screen is a desktop that nobody sits at.
type screen struct {
	*testing.T
	dir string
}

func newScreen(t *testing.T, programs [][2]string) screen {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, p := range append(programs, [][2]string{
		{"Xvfb", "xvfb"}, {"dbus-run-session", "dbus"}, {"openbox", "openbox"}, {"xdotool", "xdotool"}, {"wmctrl", "wmctrl"}, {"xsetroot", "x11-xserver-utils"},
		{"xfconf-query", "xfconf"},
	}...) {
		bus.Need(t, p[0], p[1])
	}
	dir, err := os.MkdirTemp("", "new") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	d := screen{t, dir}
	t.Cleanup(func() { d.script("stop"); os.RemoveAll(dir) })
	d.script("start", "--no-panel", "--no-notify")
	return d
}

// script runs the desktop's script, and returns what it prints.
func (d screen) script(args ...string) string {
	d.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon) // also at the end of a test
	defer cancel()
	cmd := exec.CommandContext(ctx, "testdata/desktop/desktop.sh", args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+filepath.Join(d.dir, "d"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("desktop.sh %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (d screen) until(what string, is func() bool) {
	d.Helper()
	limit := time.NewTimer(soon)
	defer limit.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-limit.C:
			d.Fatalf("not within %s: %s", soon, what)
		case <-tick.C:
		}
	}
}

// TestNew opens sessions in real terminals, in folders whose names a shell would run
// (C117): the tool runs in that folder, in a terminal of ours, and nothing is executed.
func TestNew(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it has a desktop as only Linux has it")
	}
	terminals := []string{"xterm", "xfce4-terminal", "kitty", "konsole"}
	var needs [][2]string
	for _, name := range terminals {
		needs = append(needs, [2]string{name, name})
	}
	d := newScreen(t, needs)
	home := filepath.Join(d.dir, "h")
	bin := filepath.Join(home, ".local", "bin")
	for _, dir := range []string{bin, filepath.Join(home, "config", "deskbell"), filepath.Join(home, "run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// What stands for the tool tells where it is, and with which arguments.
	script := "#!/bin/sh\n" + `printf '%s\n' "$PWD" "$AGENT_MANAGER_TERMINAL_ID" "$(tty)" "$CLAUDECODE$STY$TMUX" "$#" "$1" >"$HOME/told.new"; mv "$HOME/told.new" "$HOME/told"; exec sleep 1000` + "\n"
	if err := os.WriteFile(filepath.Join(bin, "agent"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{us + "=1", "HOME=" + home, "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/sh", "LANG=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1",
		"CLAUDECODE=1", "TMUX=/nowhere,1,0"}
	for _, line := range strings.Split(d.script("env"), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if name, value, ok := strings.Cut(line, "="); ok && (name == "DISPLAY" || name == "DBUS_SESSION_BUS_ADDRESS") {
			env = append(env, name+"="+strings.Trim(value, "';"))
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	configure := func(terminal string) {
		text := "[terminal]\ncommand = [" + strconv.Quote(terminal) + "]\n[tools.claude]\ncommand = [\"agent\", \"it's $(touch x)\"]\n"
		if err := os.WriteFile(filepath.Join(home, "config", "deskbell", "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	deskbell := func(args ...string) *exec.Cmd {
		ctx, cancel := context.WithTimeout(context.Background(), 2*soon)
		t.Cleanup(cancel)
		c := exec.CommandContext(ctx, self, args...)
		c.Args[0] = "deskbell"
		c.Env, c.Dir, c.WaitDelay = env, home, time.Second
		return c
	}
	for i, terminal := range terminals {
		configure(terminal)
		run := deskbell()
		run.Stderr = os.Stderr
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		d.until("deskbell runs", func() bool { return deskbell("status").Run() == nil })
		for _, name := range []string{"My $(touch x) 'Project' \"" + strconv.Itoa(i), "-ü日本 `touch x`; touch x"} {
			dir := filepath.Join(home, "w", name)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			out, err := deskbell("new", "--tool", "claude", "--room", "back end", "--label", "heavy", dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v: %s", terminal, err, out)
			}
			told := filepath.Join(home, "told")
			d.until(terminal+": the tool runs", func() bool { _, err := os.Stat(told); return err == nil })
			text, err := os.ReadFile(told)
			if err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(told)
			said := strings.Split(string(text), "\n")
			status, err := deskbell("status", "--json").Output()
			if err != nil {
				t.Fatal(err)
			}
			var s engine.Snapshot
			if err := json.Unmarshal(status, &s); err != nil {
				t.Fatal(err)
			}
			i := 0
			for i < len(s.Sessions) && string(s.Sessions[i].ID) != strings.Fields(string(out))[0] {
				i++
			}
			if i == len(s.Sessions) {
				t.Fatalf("%s: %s is not listed: %s", terminal, out, status)
			}
			one := s.Sessions[i]
			if said[0] != dir || one.Dir != dir || said[1] != one.Terminal || said[2] != one.TTY || said[3] != "" || said[4] != "1" || said[5] != "it's $(touch x)" {
				t.Errorf("%s: the tool says %q, its card %+v", terminal, said, one)
			}
			if !one.Hosted || one.Room != "back end" || one.Label == nil || one.Label.Name != "HEAVY" || one.Status != engine.Connecting {
				t.Errorf("%s: got %+v", terminal, one)
			}
		}
		_ = run.Process.Signal(os.Interrupt)
		if err := run.Wait(); err != nil {
			t.Error(err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(home, "w", "*", "x")); found != nil {
		t.Errorf("a name was executed: %v", found)
	}
	if found, _ := filepath.Glob(filepath.Join(home, "x")); found != nil {
		t.Errorf("a name was executed: %v", found)
	}
	out, err := deskbell("new", filepath.Join(home, "w")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not running") {
		t.Errorf("without a running deskbell: %v: %s", err, out)
	}
}
