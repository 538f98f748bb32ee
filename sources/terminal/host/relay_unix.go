//go:build linux || darwin

package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Hosts: terminals can be hosted here.
const Hosts = true

// relay is one hosted terminal.
type relay struct {
	in, out int // of the terminal it is shown in
	shown   *screen
	pty     *os.File // our side of the terminal of its own
	tty     *os.File // the other side
	signals chan os.Signal
	master  int // pty
	stop    int // can be read when it is over
	link    *link
	quit    chan int   // it is over before what runs in it, with this status
	typing  sync.Mutex // held while something is put in: a paste and an order do not mix

	mu     sync.Mutex
	child  int  // guarded by mu; what runs in it, the leader of a session; 0: nothing
	pastes bool // guarded by mu; see [reader]
}

// Run hosts a terminal until what runs in it ends, and returns its exit status. Where we
// are in no terminal there is nothing to host, and it is just run.
func Run(o Options) (status int, err error) {
	if o.Dir != "" {
		if err := os.Chdir(o.Dir); err != nil {
			return notFound, fmt.Errorf("%w: make the folder again, or choose another", err)
		}
		_ = os.Setenv("PWD", o.Dir) // shells go by it
	}
	argv := o.Argv
	if len(argv) == 0 {
		argv = []string{shell()}
	}
	path, err := exec.LookPath(argv[0])
	switch {
	case errors.Is(err, os.ErrPermission):
		return notAllowed, err
	case err != nil:
		return notFound, err
	}
	in, out := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !isTerminal(in) || !isTerminal(out) {
		return notAllowed, syscall.Exec(path, argv, Environ(os.Environ(), ""))
	}
	if o.ID == "" {
		o.ID = NewID()
	}
	r, err := open(in, out, o)
	if err != nil {
		return 1, err
	}
	return r.run(path, argv, o)
}

// open makes a terminal like the one we are in.
func open(in, out int, o Options) (*relay, error) {
	shown, err := newScreen(in)
	if err != nil {
		return nil, err
	}
	ours, tty, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("no terminal is to be had: %w", err)
	}
	r := &relay{in: in, out: out, shown: shown, pty: ours, tty: tty, master: int(ours.Fd()), quit: make(chan int, 4)}
	if err := errors.Join(unix.SetNonblock(r.master, true), unix.IoctlSetTermios(int(tty.Fd()), setTermios, &shown.began)); err != nil {
		return nil, fmt.Errorf("terminal %s: %w", tty.Name(), err)
	}
	r.resize()
	r.link = newLink(o.Socket, greeting{o.ID, tty.Name(), os.Getpid()}, r.obey)
	return r, nil
}

func (r *relay) run(path string, argv []string, o Options) (status int, err error) {
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return 1, fmt.Errorf("pipe: %w", err)
	}
	unix.CloseOnExec(pipe[0])
	unix.CloseOnExec(pipe[1])
	r.stop = pipe[0]
	ctx, over := context.WithCancel(context.Background())
	var telling, showing sync.WaitGroup
	heard := r.link.dial() // deskbell knows the terminal before anything in it says where it is
	telling.Go(func() { defer r.safe(); r.link.run(ctx, heard) })
	defer telling.Wait()
	defer over()

	r.signals = make(chan os.Signal, 16)
	signal.Notify(r.signals, unix.SIGWINCH, unix.SIGCONT, unix.SIGTSTP, unix.SIGHUP, unix.SIGTERM, unix.SIGINT, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2)
	if err := r.shown.take(); err != nil {
		return 1, fmt.Errorf("terminal: %w", err)
	}
	defer r.shown.give()
	env := Environ(os.Environ(), o.ID)
	if err := r.start(path, argv, env, !o.Stay); err != nil {
		return notAllowed, err
	}
	go func() { defer r.safe(); r.heed() }() // ends with us
	showing.Go(func() { defer r.safe(); r.show() })
	showing.Go(func() { defer r.safe(); r.listen() })
	status, hungUp := r.until()
	if o.Stay && !hungUp {
		_ = unix.IoctlSetTermios(r.master, setTermios, &r.shown.began) // it may have been killed while it had changed it
		sh := shell()
		if err := r.start(sh, []string{sh}, env, true); err != nil {
			return status, err
		}
		status, hungUp = r.until()
	}
	if hungUp { // whoever is in the way of a write to a terminal that is gone is left
		return status, nil
	}
	unix.Close(pipe[1])
	showing.Wait()
	return status, nil
}

// until waits for the end of what was started, or of us.
func (r *relay) until() (status int, hungUp bool) {
	ended := make(chan int, 1)
	go func() { defer r.safe(); ended <- r.wait() }() // it may outlive us, where it takes no notice of being hung up
	select {
	case status = <-ended:
	case status = <-r.quit:
		hungUp = true
	}
	r.link.ended(status)
	return status, hungUp
}

// safe gives the terminal back before a panic ends us.
func (r *relay) safe() {
	if p := recover(); p != nil {
		r.shown.give()
		panic(p)
	}
}

// start runs a program in the terminal, as the leader of a session of its own. last: no
// other follows, and the terminal is over when nobody has it open.
func (r *relay) start(path string, argv, env []string, last bool) error {
	c := exec.Cmd{Path: path, Args: argv, Env: env, Stdin: r.tty, Stdout: r.tty, Stderr: r.tty,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	if err := c.Start(); err != nil {
		return err
	}
	if last {
		r.tty.Close()
	}
	r.mu.Lock()
	r.child = c.Process.Pid
	r.mu.Unlock()
	r.link.running(c.Process.Pid)
	return nil
}

// wait waits for the end of what runs. Where it stops itself, we stop too, as it would
// have stopped without us; where nobody could start us again, it goes on at once.
func (r *relay) wait() int {
	pid := r.running()
	for {
		var s unix.WaitStatus
		_, err := unix.Wait4(pid, &s, unix.WUNTRACED, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 1
		case s.Stopped():
			r.pause()
			_ = unix.Kill(-pid, unix.SIGCONT)
		case s.Signaled():
			r.ran()
			return bySignal + int(s.Signal())
		case s.Exited():
			r.ran()
			return s.ExitStatus()
		}
	}
}

func (r *relay) ran() {
	r.mu.Lock()
	r.child = 0
	r.mu.Unlock()
}

func (r *relay) running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.child
}

// stopping is how long the system may take to stop us.
const stopping = time.Second

// pause stops us, and whoever we run together with, until somebody lets us go on.
func (r *relay) pause() {
	if alone() {
		return
	}
	time.Sleep(lingering) // what was printed before is shown before
	r.shown.give()
	goes := make(chan os.Signal, 1)
	signal.Notify(goes, unix.SIGCONT)
	defer signal.Stop(goes)
	_ = unix.Kill(0, unix.SIGSTOP)
	select {
	case <-goes:
	case <-time.After(stopping):
	}
	r.resume()
}

// alone reports whether nobody could let us go on: our group has no parent in the session
// of this terminal.
func alone() bool {
	group, pid := unix.Getpgrp(), unix.Getppid()
	ours, err := unix.Getsid(0)
	if err != nil || pid <= 1 {
		return true
	}
	if of, err := unix.Getpgid(pid); err != nil || of == group { // it would stop with us, and who is further up is not known
		return true
	}
	session, err := unix.Getsid(pid)
	return err != nil || session != ours
}

// resume takes the terminal again, in which much may have changed.
func (r *relay) resume() {
	if r.shown.inFront() {
		_ = r.shown.take()
	}
	r.resize()
}

func (r *relay) resize() {
	if size, err := r.shown.size(); err == nil {
		_ = unix.IoctlSetWinsize(r.master, unix.TIOCSWINSZ, size)
	}
}

// heed does what signals ask for.
func (r *relay) heed() {
	for s := range r.signals {
		switch s {
		case unix.SIGWINCH:
			r.resize()
		case unix.SIGCONT:
			r.resume()
		case unix.SIGTSTP:
			r.pause()
		case unix.SIGHUP:
			r.hangUp()
		default:
			if pid := r.running(); pid != 0 {
				_ = unix.Kill(-pid, s.(syscall.Signal))
			}
		}
	}
}

// hangUp ends it as a window that is closed does: our side of the terminal goes with us,
// and the system tells what runs in it.
func (r *relay) hangUp() {
	if pid := r.running(); pid != 0 {
		_ = unix.Kill(-pid, unix.SIGHUP)
		_ = unix.Kill(-pid, unix.SIGCONT)
	}
	select {
	case r.quit <- bySignal + int(unix.SIGHUP):
	default:
	}
}

// show takes what is printed to the terminal we are in, until all of it is shown.
func (r *relay) show() {
	room := make([]byte, 32<<10)
	var titles reader
	var drew pulse
	from := outlet{fd: r.master, stop: r.stop}
	for {
		n := from.read(room)
		if n == 0 {
			return
		}
		if write(r.out, room[:n]) != nil { // the window is gone
			r.hangUp()
			return
		}
		pastes := titles.Pastes
		if title, is := titles.read(room[:n]); is {
			r.link.titled(title)
		}
		if titles.Pastes != pastes {
			r.mu.Lock()
			r.pastes = titles.Pastes
			r.mu.Unlock()
		}
		if drew.beats(time.Now()) {
			r.link.drew()
		}
	}
}

// listen takes what is typed in the terminal we are in to the one of its own.
func (r *relay) listen() {
	room := make([]byte, 4<<10)
	var keys typist
	var typed pulse
	for {
		fd, _, err := ready(forever, -1, r.stop, r.in)
		if err != nil || fd == r.stop {
			return
		}
		n, err := read(r.in, room)
		switch {
		case errors.Is(err, unix.EAGAIN):
			continue
		case n == 0 || err != nil: // the window is gone
			r.hangUp()
			return
		}
		if r.put(room[:n]) != nil {
			return
		}
		unsent := keys.Unsent
		if keys.read(room[:n]) && typed.beats(time.Now()) || keys.Unsent != unsent {
			r.link.typed(keys.Unsent)
		}
	}
}

func (r *relay) put(text []byte) error {
	r.typing.Lock()
	defer r.typing.Unlock()
	return write(r.master, text, r.stop)
}

// obey does what deskbell wants.
func (r *relay) obey(o order) error {
	defer r.safe()
	if o.Close {
		r.hangUp()
		return nil
	}
	r.mu.Lock()
	text := keystrokes(o.Type, r.pastes)
	r.mu.Unlock()
	if err := r.put([]byte(text)); err != nil || !o.Enter {
		return err
	}
	time.Sleep(beforeEnter) // in one go with the text it would be a part of a paste
	return r.put([]byte("\r"))
}
