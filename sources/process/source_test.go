package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

func TestRunsAreFoundAtStart(t *testing.T) {
	c := spawn(t, "wait", nil, "--id", "42")
	who, ok := start(t).table()[c.Process.Pid]
	if !ok {
		t.Fatal("the child was not found")
	}
	want := engine.Who{Tool: "toy", ID: "42", PID: c.Process.Pid, Ticks: who.Ticks, Parent: os.Getpid(), Dir: c.dir, TTY: who.TTY, RunsIn: who.RunsIn, Born: who.Born}
	if who != want || who.Ticks == 0 {
		t.Errorf("got %+v, want %+v", who, want)
	}
	if age := time.Since(time.UnixMilli(who.Born)); age < -time.Second || age > time.Minute {
		t.Errorf("it was started %v ago", age)
	}
}

// A process is in the folder its links lead to (C69).
func TestFolderNamedByTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "real"), 0o700)
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	c := spawn(t, "wait", func(c *exec.Cmd) { c.Dir = dir }, "-C", "link")
	want, _ := filepath.EvalSymlinks(filepath.Join(dir, "real"))
	if got := start(t).table()[c.Process.Pid].Dir; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLooseRunsAreToldAsSuch(t *testing.T) {
	c := spawn(t, "wait", nil, "-p")
	r := start(t)
	if who := r.table()[c.Process.Pid]; !who.Loose {
		t.Errorf("got %+v", who)
	}
	if who, a := r.ask(engine.Who{Tool: "toy", PID: c.Process.Pid}); !a.Yes || !who.Loose {
		t.Errorf("got %+v %+v, want it alive and loose", who, a)
	}
}

func TestForkBeforeExecIsLeftOut(t *testing.T) {
	c := spawn(t, "fork", nil)
	runs := start(t).table()
	if _, ok := runs[c.Process.Pid]; !ok {
		t.Error("the parent was not found")
	}
	if who, ok := runs[c.ready]; ok {
		t.Errorf("got its child too: %+v", who)
	}
}

// A home that only the CLI's own environment names is found there (C71).
func TestHomeInTheEnvironmentIsTold(t *testing.T) {
	home, _ := filepath.EvalSymlinks(t.TempDir())
	c := spawn(t, "wait", func(c *exec.Cmd) { c.Env = append(c.Env, "CODEX_HOME="+home, "SECRET=x") })
	homes := make(chan string, 10)
	r := start(t, func(o *Options) { o.OnHome = func(cli, home string) { homes <- cli + " " + home } })
	if got := r.table()[c.Process.Pid].Home; got != home {
		t.Errorf("got %q, want %q", got, home)
	}
	if len(homes) != 1 || <-homes != "toy "+home {
		t.Error("the home was not told")
	}
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	r.table()
	if len(homes) > 0 {
		t.Error("told again")
	}
	p, _ := r.scan.Proc(c.Process.Pid)
	if _, ok := p.Env["SECRET"]; ok {
		t.Error("a variable was kept that must not be")
	}
}

// What a CLI may be recognized by: the names a process has, never its whole command
// line as one text (C42, C43).
func TestC42C43NamesOfAProcess(t *testing.T) {
	c := spawn(t, "wait", nil, "toycli in an argument", "")
	r := start(t)
	r.table()
	p, ok := r.scan.Proc(c.Process.Pid)
	self, _ := os.Executable()
	if self, _ = filepath.EvalSymlinks(self); !ok || filepath.Base(p.Exe) != filepath.Base(self) {
		t.Errorf("got file %q, want %q", p.Exe, self)
	}
	if want := []string{c.Path, "toycli in an argument", ""}; !slices.Equal(p.Args, want) {
		t.Errorf("got arguments %q, want %q", p.Args, want)
	}
	if !strings.HasPrefix(p.Name, "toycli") {
		t.Errorf("got name %q", p.Name)
	}
	other := exec.Command("sleep", "100")
	other.Dir = filepath.Dir(c.Path)
	if err := other.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	if who, ok := r.table()[other.Process.Pid]; ok {
		t.Errorf("got %+v", who)
	}
}

func TestNewRunsAreFoundWhenAsked(t *testing.T) {
	r := start(t)
	r.table()
	c := spawn(t, "wait", nil)
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	if _, ok := r.table()[c.Process.Pid]; !ok {
		t.Error("the child was not found")
	}
	if len(r.events) > 0 {
		t.Error("looked twice")
	}
}

func TestExitIsNoticedAtOnce(t *testing.T) {
	for name, end := range map[string]func(*child){
		"by itself": func(c *child) { c.in.Close() },
		"kill -9":   func(c *child) { c.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			c := spawn(t, "wait", nil)
			r := start(t)
			if !r.Watches() {
				t.Skip("this system does not tell of the end of processes")
			}
			r.table()
			asked := engine.Who{Tool: "toy", ID: "7", PID: c.Process.Pid}
			who, a := r.ask(asked)
			if !a.Yes || who.Ticks == 0 || who.Dir != c.dir || who.ID != "7" {
				t.Fatalf("got %+v %+v", who, a)
			}
			before := time.Now()
			end(c)
			gone, a := r.alive(c.Process.Pid)
			late := time.Since(before)
			if a.Yes || a.Elsewhere || gone != who {
				t.Errorf("got %+v %+v, want %+v gone", gone, a, who)
			}
			t.Logf("noticed after %v", late)
			if _, ok := r.table()[c.Process.Pid]; ok {
				t.Error("it is still in the table")
			}
		})
	}
}

// A process that is not our child, and one that has ended but is not collected.
func TestExitOfAStranger(t *testing.T) {
	c := spawn(t, "fork", nil)
	r := start(t)
	if !r.Watches() {
		t.Skip("this system does not tell of the end of processes")
	}
	if _, a := r.ask(engine.Who{Tool: "toy", PID: c.ready}); !a.Yes {
		t.Fatal("the grandchild is not alive")
	}
	grandchild, err := os.FindProcess(c.ready)
	if err != nil {
		t.Fatal(err)
	}
	grandchild.Kill()
	if who, a := r.alive(c.ready); a.Yes {
		t.Errorf("got %+v %+v", who, a)
	}
	if _, a := r.ask(engine.Who{Tool: "toy", PID: c.ready}); a.Yes {
		t.Error("a process that ended and was not collected counts as alive")
	}
}

// A number without its start is no identity (C38).
func TestC38RecycledPIDVouchesForNothing(t *testing.T) {
	c := spawn(t, "wait", nil)
	r := start(t)
	asked := engine.Who{Tool: "toy", PID: c.Process.Pid, Ticks: 1}
	if who, a := r.ask(asked); a.Yes || a.Elsewhere || who != asked {
		t.Errorf("got %+v %+v, want it gone", who, a)
	}
	if alive, err := r.exits.watch(id{c.Process.Pid, 1}); r.Watches() && (alive || err != nil) {
		t.Errorf("got %v, %v: the watch took another process for it", alive, err)
	}
}

func TestDeadProcess(t *testing.T) {
	c := spawn(t, "wait", nil)
	c.kill()
	if _, a := start(t).ask(engine.Who{Tool: "toy", PID: c.Process.Pid}); a.Yes || a.Elsewhere {
		t.Errorf("got %+v", a)
	}
}

func TestQuestionWithoutAProcessIsNotAnswered(t *testing.T) {
	r := start(t)
	r.table()
	r.Answer(engine.Question{Ask: engine.AskProcess, Who: engine.Who{Tool: "toy"}})
	if who, _ := r.ask(engine.Who{Tool: "toy", PID: os.Getpid()}); who.PID != os.Getpid() {
		t.Errorf("got %+v", who)
	}
}

func TestWatchesSurviveARestart(t *testing.T) {
	c := spawn(t, "wait", nil)
	r := start(t)
	if !r.Watches() {
		t.Skip("this system does not tell of the end of processes")
	}
	r.ask(engine.Who{Tool: "toy", PID: c.Process.Pid, Domain: ""})
	s := r.Source
	done := make(chan struct{})
	r.inbox.Put(func() {
		s.exits.close()
		s.exits, _ = newExits(func(p id) { s.inbox.Put(func() { s.ended(p) }) })
		for p := range s.watched {
			s.arm(p)
		}
		close(done)
	})
	<-done
	c.Process.Kill()
	if who, a := r.alive(c.Process.Pid); a.Yes {
		t.Errorf("got %+v %+v", who, a)
	}
}

// full is a system that has no room to watch another process.
type full struct {
	watcher
	is bool
}

func (f *full) watch(p id) (bool, error) {
	if f.is {
		return true, errors.New("too many open files")
	}
	return f.watcher.watch(p)
}

// TestFull checks that one process which cannot be watched is tried again, and that
// looking at each of them ends then.
func TestFull(t *testing.T) {
	r := start(t)
	if !r.Watches() {
		t.Skip("this system does not tell of the end of processes")
	}
	r.table()
	c := spawn(t, "wait", nil)
	system := &full{is: true}
	within := func(do func()) {
		done := make(chan struct{})
		r.inbox.Put(func() { do(); close(done) })
		<-done
	}
	within(func() { system.watcher = r.exits; r.exits = system })
	who := engine.Who{Tool: "toy", PID: c.Process.Pid}
	r.ask(who)
	if within(func() {}); r.Watches() {
		t.Error("it claims to watch")
	}
	within(func() { system.is = false })
	r.ask(who)
	if within(func() {}); !r.Watches() {
		t.Error("it looks at each process for ever")
	}
	c.Process.Kill()
	if who, a := r.alive(c.Process.Pid); a.Yes {
		t.Errorf("got %+v %+v", who, a)
	}
}

func TestQuietIsNoOther(t *testing.T) {
	now := time.Now()
	if idle(load{now, 500}, load{now.Add(time.Second), 20}) {
		t.Error("a process that did less than before is the same one, and idle")
	}
}
