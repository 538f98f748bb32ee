//go:build linux

// Command tray prints what the tray costs while fifty sessions change every second, and
// whether its menu can be used meanwhile.
//
//	d=testdata/desktop/desktop.sh; $d start --host xfce
//	go build -o /tmp/measure-tray ./testdata/measure/tray
//	$d run /tmp/measure-tray -for 10m -click 20s; $d stop
//
// Each session changes its status once a second and its title once in ten, one after the
// other, and each change is to be drawn: what comes too fast the tray has to skip itself. With
// -click it opens the menu on the panel, waits, and chooses the first row that can be
// clicked.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"deskbell/engine"
	"deskbell/tray"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("sessions", 50, "sessions")
	long := flag.Duration("for", 10*time.Minute, "how long")
	every := flag.Duration("report", time.Minute, "between two lines")
	click := flag.Duration("click", 0, "between two uses of the menu; 0: it is not used")
	script := flag.String("script", "testdata/desktop/desktop.sh", "what moves the pointer")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *long)
	defer cancel()
	t := tray.New(tray.Options{Say: func(text string) { fmt.Println(text) }})
	s := &soak{tray: t, script: *script, all: make([]engine.Session, *n)}
	var wg sync.WaitGroup
	wg.Go(func() { s.change(ctx) })
	wg.Go(func() { s.listen(ctx) })
	wg.Go(func() { s.report(ctx, *every) })
	if *click > 0 {
		wg.Go(func() { s.use(ctx, *click) })
	}
	if err := t.Run(ctx); err != nil {
		log.Fatal(err)
	}
	cancel()
	wg.Wait()
}

// soak is a tray, and what is shown in it.
type soak struct {
	tray   *tray.Tray
	script string
	all    []engine.Session // belongs to change

	shown, opened, clicked atomic.Int64
}

var statuses = []engine.Status{engine.Working, engine.Approval, engine.Working, engine.Waiting, engine.Idle, engine.Input}

// prefs has every verb: the menu is as large as it gets.
func prefs() tray.Prefs {
	p := tray.Prefs{Can: map[string]bool{}, Recent: []string{"/home/dev/app", "/home/dev/web"}}
	for _, verb := range []string{tray.Resume, tray.Sleep, tray.Mute, tray.Alert, tray.Pin, tray.Begin, tray.Turns, tray.IdleTime, tray.Board, tray.Settings} {
		p.Can[verb] = true
	}
	return p
}

// change has one session after the other change, each once a second.
func (s *soak) change(ctx context.Context) {
	began := time.Now()
	for i := range s.all {
		s.all[i] = engine.Session{ID: engine.ID(fmt.Sprint("s", i+1)), Tool: "claude", Project: fmt.Sprint("app", i%20), Asks: "Bash: npm test", Resumable: true}
	}
	tick := time.NewTicker(time.Second / time.Duration(len(s.all)))
	defer tick.Stop()
	p := prefs()
	for round := 0; ; round++ {
		now := time.Now()
		one := &s.all[round%len(s.all)]
		one.Status = statuses[(round/len(s.all)+round)%len(statuses)]
		one.Title = fmt.Sprintf("Turn %d of many", round/len(s.all)/10)
		one.Since, one.NeedsYou = now, one.Status.NeedsYou()
		one.Memory = 100e6 + int64(now.Sub(began))/1e6
		snap := engine.Snapshot{At: now, Sessions: append([]engine.Session(nil), s.all...)}
		s.tray.Draw(func() tray.Menu { return tray.Build(snap, p) })
		s.shown.Add(1)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *soak) listen(ctx context.Context) {
	for {
		select {
		case a := <-s.tray.Clicks():
			if a.Verb == tray.Open {
				s.clicked.Add(1)
			}
		case <-ctx.Done():
			return
		}
	}
}

// use opens the menu, leaves it open for a while, and clicks a row.
func (s *soak) use(ctx context.Context, every time.Duration) {
	do := func(args ...string) {
		if out, err := exec.CommandContext(ctx, s.script, args...).CombinedOutput(); err != nil && ctx.Err() == nil {
			log.Printf("%s %s: %v: %s", s.script, strings.Join(args, " "), err, out)
		}
	}
	wait := func(d time.Duration) bool {
		select {
		case <-time.After(d):
			return true
		case <-ctx.Done():
			return false
		}
	}
	for wait(every) {
		do("tray", "3")
		if !wait(5 * time.Second) {
			return
		}
		do("key", "Down", "Return")
		s.opened.Add(1)
	}
}

// report prints a line now and then.
func (s *soak) report(ctx context.Context, every time.Duration) {
	began, tick := time.Now(), time.NewTicker(every)
	defer tick.Stop()
	last, shown := cpu(), int64(0)
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now, all := cpu(), s.shown.Load()
		fmt.Printf("%7s  %5.2f %% of a core  %s  %d goroutines  %d menus shown  menu used %d of %d times\n",
			time.Since(began).Round(time.Second), 100*(now-last).Seconds()/every.Seconds(), memory(), runtime.NumGoroutine(),
			all-shown, s.clicked.Load(), s.opened.Load())
		last, shown = cpu(), all
	}
}

// cpu is the time this process has taken.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func memory() string {
	text, _ := os.ReadFile("/proc/self/status")
	var out []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "RssAnon") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, " ")
}
