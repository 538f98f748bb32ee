package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long a step waits for what it wants to see.
const patience = 25 * time.Second

// verbs are the things a scenario can do. Each returns the moment it happened.
var verbs = map[string]func(w *world, st step) (time.Time, error){
	"start": start, "type": typed, "key": key, "see": see, "gone": gone, "run": run, "done": done, "kill": kill, "sleep": pause,
}

// play does one step and remembers when, by its label.
func (w *world) play(st step) error {
	st.Rest = w.expand(st.Rest, w.session(st.Pane))
	w.log.now("STEP", "@%s %s %s", st.Pane, st.Verb, st.Rest)
	at, err := verbs[st.Verb](w, st)
	if err != nil {
		return fmt.Errorf("%s %s: %w", st.Verb, st.Rest, err)
	}
	if st.Label != "" {
		w.marks[st.Label] = at
		w.log.note(at, "MARK", "%s", st.Label)
	}
	return nil
}

// hosted is what the CLI's command is put behind. In tmux the CLI never changes its title,
// so it is not to know that it is there.
func (w *world) hosted() []string {
	if !hosting {
		return nil
	}
	return []string{"TMUX=", "TMUX_PANE=", w.deskbell, "host", "--"}
}

// child is the only child of a process; 0: there is none.
func child(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0
	}
	var one int
	_, _ = fmt.Sscan(string(text), &one)
	return one
}

// start opens the CLI with some arguments in a new pane.
func start(w *world, st step) (time.Time, error) {
	argv := append(w.cliEnv(w.api), w.hosted()...)
	argv = append(append(argv, w.cli), w.trust()...)
	at := now()
	pid, err := w.term.open(st.Pane, w.Project, nil, append(argv, strings.Fields(st.Rest)...)...)
	if err != nil {
		return at, err
	}
	if hosting {
		host := pid
		if !w.until(func() bool { pid = child(host); return pid != 0 }) {
			return at, fmt.Errorf("nothing runs in the terminal")
		}
	}
	p := &pane{name: st.Pane, pid: pid, film: &film{pane: st.Pane, log: w.log}}
	w.panes[st.Pane] = p
	w.log.now("STEP", "@%s has pid %d", p.name, p.pid)
	go w.term.watch(w.ctx, p.name, p.film)
	if !w.until(func() bool { return w.tool.ready.MatchString(p.film.latest()) }) {
		return at, fmt.Errorf("no prompt on the screen")
	}
	if w.tool.asks != "" && strings.Contains(p.film.latest(), w.tool.asks) {
		return at, nil
	}
	if w.tool.sessions && !w.until(func() bool { return w.session(st.Pane) != "" }) {
		return at, fmt.Errorf("no session file")
	}
	time.Sleep(w.tool.deaf) // it drops keys while it starts
	return at, nil
}

// trust is how the CLI is told to trust the hooks, if some are installed.
func (w *world) trust() []string {
	if w.density == "" {
		return nil
	}
	return slices.Clone(w.tool.trust)
}

// typed types a line and presses Enter, which is the moment that counts.
func typed(w *world, st step) (time.Time, error) {
	if err := w.term.keys(st.Pane, "-l", "--", st.Rest); err != nil {
		return now(), err
	}
	time.Sleep(w.tool.burst)
	at := now()
	return at, w.term.keys(st.Pane, "Enter")
}

func key(w *world, st step) (time.Time, error) {
	at := now()
	return at, w.term.keys(st.Pane, strings.Fields(st.Rest)...)
}

// see waits until the screen matches, and returns since when it does.
func see(w *world, st step) (at time.Time, err error) {
	re, err := regexp.Compile(st.Rest)
	if err != nil {
		return now(), err
	}
	ok := w.until(func() (ok bool) { at, ok = w.panes[st.Pane].film.shown(re); return ok })
	if !ok {
		return at, fmt.Errorf("not on the screen")
	}
	return at, nil
}

// gone waits until the screen no longer matches.
func gone(w *world, st step) (time.Time, error) {
	re, err := regexp.Compile(st.Rest)
	if err != nil {
		return now(), err
	}
	if !w.until(func() bool { _, ok := w.panes[st.Pane].film.shown(re); return !ok }) {
		return now(), fmt.Errorf("still on the screen")
	}
	return now(), nil
}

// run starts the CLI as a script would, without a terminal: its output goes to a
// file, and done waits for its end.
func run(w *world, st step) (time.Time, error) {
	out, err := os.Create(filepath.Join(w.Root, fmt.Sprintf("run-%d.txt", len(w.runs))))
	if err != nil {
		return now(), err
	}
	cmd := exec.Command(w.cli, append(w.trust(), fields(st.Rest)...)...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = w.cliEnv(w.api), w.Project, out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	at := now()
	if err := cmd.Start(); err != nil {
		return at, err
	}
	ended := make(chan struct{})
	w.runs = append(w.runs, ended)
	go func() {
		err := cmd.Wait()
		w.log.now("STEP", "run ended: %v", err)
		close(ended)
	}()
	return at, nil
}

// done waits for the end of every run.
func done(w *world, _ step) (time.Time, error) {
	late := time.After(patience)
	for _, ended := range w.runs {
		select {
		case <-ended:
		case <-late:
			return now(), fmt.Errorf("still runs")
		}
	}
	return now(), nil
}

// kill ends the CLI of a pane without a word, and waits until it is no more.
func kill(w *world, st step) (time.Time, error) {
	at := now()
	pid := w.panes[st.Pane].pid
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return at, err
	}
	if !w.until(func() bool { return dead(pid) }) {
		return at, fmt.Errorf("process %d lives on", pid)
	}
	return at, nil
}

// dead reports whether a process has ended, collected by its parent or not.
func dead(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(rest, "Z")
}

func pause(_ *world, st step) (time.Time, error) {
	d, err := time.ParseDuration(st.Rest)
	time.Sleep(d)
	return now(), err
}

// until polls a condition.
func (w *world) until(ok func() bool) bool {
	for deadline := now().Add(patience); now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}

// fields splits a command line at spaces, but not inside single quotes.
func fields(line string) (args []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = slices.Concat(args, strings.Fields(part))
		}
	}
	return args
}
