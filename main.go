// Command deskbell shows in the tray which coding-agent sessions need you, rings when
// one starts to, and can say why.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"deskbell/engine"
	"deskbell/engine/cli"
	"deskbell/engine/live"
	"deskbell/notify"
	"deskbell/sources"
	"deskbell/sources/all"
	"deskbell/sources/hooks"
	"deskbell/sources/hooks/client"
	"deskbell/sources/process"
	"deskbell/sources/raw"
	"deskbell/sources/suspend"
	"deskbell/sources/watch"
	"deskbell/tray"
)

func main() { os.Exit(start()) }

// start runs a command, or deskbell itself. A second deskbell says that one runs.
func start() int {
	dir, err := live.RuntimeDir()
	if err != nil {
		return fail(err)
	}
	socket := live.SocketPath(dir)
	code, handled := cli.Run(os.Args[1:], cli.Env{
		Stdout: os.Stdout, Stderr: os.Stderr, Socket: socket, Version: version(),
		More: []any{
			cli.NewHooks(func() (cli.Installer, error) { return hooks.NewInstaller() }, os.Stdin),
			cli.NewReplay(replayed, os.Stdin),
			cli.NewLog(moments),
		},
	})
	if handled {
		return code
	}
	claim, err := live.Claim(dir, socket)
	if errors.Is(err, live.ErrRunning) {
		fmt.Println("deskbell is running already: its icon is in the tray, `deskbell status` shows its sessions")
		return 0
	}
	if err != nil {
		return fail(err)
	}
	refreshClient()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newBell(dir).run(ctx, claim); err != nil {
		return fail(err)
	}
	return 0
}

// replayed is what one replay has beside the engine.
func replayed() cli.Replayed {
	clis := all.CLIs()
	paper := notify.Paper{Prefs: notify.Prefs{Words: words(clis)}}
	return cli.Replayed{
		World: raw.New(raw.Options{CLIs: clis, Translate: hooks.Translate, RunsIn: process.RunsIn}),
		Plan: func(now time.Time, step engine.Step) (news []cli.Notice, next time.Time) {
			told, next := paper.Apply(now, step)
			for _, n := range told {
				news = append(news, cli.Notice(n))
			}
			return news, next
		},
	}
}

// moments are those the journal has.
func moments() (iter.Seq2[engine.Moment, []byte], error) {
	dir, err := live.StateDir()
	if err != nil {
		return nil, err
	}
	return live.Moments(dir, engine.DefaultLimits()[engine.Kept], time.Now()), nil
}

// refreshClient brings the installed hook client up to this version. Where none is
// installed it does nothing.
func refreshClient() {
	in, err := hooks.NewInstaller()
	if err == nil {
		err = hooks.Refresh(in.Dir(), in.Self)
	}
	if err != nil {
		say(fmt.Sprintf("the hook client stays as it is: %v", err))
	}
}

func fail(err error) int {
	fmt.Fprintf(os.Stderr, "deskbell: %v\n", err)
	return 1
}

// version is that of the module, or of the checkout it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return s.Value[:min(len(s.Value), 12)]
		}
	}
	return info.Main.Version
}

// bell is all parts of a running deskbell, and what connects them.
type bell struct {
	clis    []sources.CLI
	limits  engine.Limits
	engine  *engine.Engine
	loop    *live.Loop
	files   *watch.Source
	procs   *process.Source
	hooks   *hooks.Source
	tray    *tray.Tray
	disk    *live.Disk // nil: nothing is kept over a restart
	sender  *notify.Sender
	planner notify.Planner // belongs to the loop's goroutine
	rounds  engine.Rounds  // likewise
	words   notify.Words
}

func newBell(dir string) *bell {
	b := &bell{clis: all.CLIs(), limits: engine.DefaultLimits()}
	b.engine = engine.New(b.limits)
	b.loop = live.NewLoop(b.engine)
	b.files = watch.New(watch.Options{CLIs: b.clis, Say: say})
	b.hooks = hooks.New(hooks.Options{CLIs: b.clis, Socket: hooks.SocketPath(dir), Say: say, Look: process.Look})
	b.procs = process.New(process.Options{CLIs: b.clis, Say: say, OnHome: b.files.AddHome})
	b.tray = tray.New(tray.Options{Say: say})
	log.SetOutput(io.Discard) // the tray library says there what we say in our own words
	bell := tray.PNG(tray.Icon{Kind: tray.Quiet})
	b.sender = notify.NewSender(notify.NewDesktop(bell), say)
	if cache, err := os.UserCacheDir(); err == nil { // without one, notices are seen, not heard
		b.sender.Bell = notify.NewBell(filepath.Join(cache, "deskbell"), say)
	}
	b.words = words(b.clis)
	b.loop.Ask = b.ask
	b.loop.Ticks = []live.Tick{b.notify, b.look}
	b.recall()
	return b
}

// recall takes over what an earlier run left.
func (b *bell) recall() {
	dir, err := live.StateDir()
	var m engine.Memory
	if err == nil {
		b.disk, m, b.loop.First, err = live.OpenDisk(dir, client.BootID(), b.limits[engine.Kept], say)
	}
	if err != nil {
		say(fmt.Sprintf("nothing is kept over a restart: %v", err))
	}
	b.engine.Recall(m)
	b.disk.Keep(b.loop, b.engine.Memory)
}

// words are what notices are made of.
func words(clis []sources.CLI) notify.Words {
	home, _ := os.UserHomeDir() // without one, folders are shown whole
	return notify.Words{Home: home, Tool: func(tool string) string {
		for _, c := range clis {
			if c.Name == tool {
				return c.Title
			}
		}
		return tool
	}}
}

// say tells the user, on the terminal deskbell was started from, what cannot be done.
func say(text string) { fmt.Fprintf(os.Stderr, "deskbell: %s\n", text) }

// run runs every part until ctx is done or the menu's Quit, and stops them in order:
// first who asks, then who sees, then who decides. The tray wants the main goroutine.
func (b *bell) run(ctx context.Context, claim *live.Instance) error {
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	deciding, decided := context.WithCancel(context.WithoutCancel(ctx))
	var deciders, parts sync.WaitGroup
	defer func() {
		parts.Wait()
		decided()
		deciders.Wait()
		if err := b.disk.Close(b.engine.Memory()); err != nil {
			say(err.Error())
		}
		_ = claim.Close()
	}()

	deciders.Go(func() { _ = b.loop.Run(deciding) }) // ends with its context, and with nothing else
	deciders.Go(func() { b.sender.Run(deciding) })
	deciders.Go(func() { b.disk.Run(deciding) })
	parts.Go(func() {
		if b.loop.Do(ctx, func() {}) == nil {
			debug.FreeOSMemory() // what was told of the last day took room, once
		}
	})
	for _, s := range []sources.Source{b.procs, b.files, b.hooks, suspend.Source{}} {
		parts.Go(func() { sources.Supervise(ctx, s, b.loop.Emit, say) })
	}
	server := &live.Server{Loop: b.loop, Why: b.why, Past: b.past, Refresh: b.refresh, Retell: b.retell, Act: b.act}
	parts.Go(func() {
		if err := server.Serve(ctx, claim); err != nil {
			say(fmt.Sprintf("the API stopped: %v; `deskbell status` works again after a restart", err))
		}
	})
	parts.Go(func() { b.show(ctx) })
	parts.Go(func() { b.clicks(ctx, quit) })
	defer quit()
	return b.tray.Run(ctx)
}

// ask takes the engine's questions to whoever can answer them.
func (b *bell) ask(q engine.Question) {
	switch q.Ask {
	case engine.AskRecord, engine.AskRecords, engine.AskSettings:
		b.files.Answer(q)
	case engine.AskFiles:
		b.files.Refresh()
	default:
		b.procs.Answer(q)
	}
}

// notify hands the planner what changed, and the desktop what the planner decided.
func (b *bell) notify(now time.Time, step engine.Step, _ engine.Snapshot) time.Time {
	b.planner.Gone(step.Gone...)
	raise, withdraw, next := b.planner.Apply(now, step.Changes, notify.Prefs{Words: b.words})
	if len(raise)+len(withdraw) > 0 {
		b.sender.Show(raise, withdraw)
	}
	for _, n := range b.planner.News(now) {
		b.disk.Note(n.Session.Notified(now, n.State, n.Kind, n.Why))
	}
	return next
}

// look has the sources look around while some session is not at rest.
func (b *bell) look(now time.Time, _ engine.Step, s engine.Snapshot) time.Time {
	due, next := b.rounds.Apply(now, &b.limits, s.Sessions, !b.procs.Watches())
	for _, a := range due {
		if a != engine.AskProcess {
			b.ask(engine.Question{Ask: a})
			continue
		}
		for i := range s.Sessions {
			if one := &s.Sessions[i]; one.Status.Live() && one.PID != 0 {
				b.ask(engine.Question{Ask: a, Session: one.ID, Who: engine.Who{Tool: one.Tool, PID: one.PID}})
			}
		}
	}
	return next
}

// refresh has every source look, and waits until what they saw has been taken in.
func (b *bell) refresh(ctx context.Context) error {
	b.files.Refresh()
	b.procs.Answer(engine.Question{Ask: engine.AskProcesses})
	return errors.Join(b.files.Sync(ctx), b.procs.Sync(ctx), b.loop.Do(ctx, func() {}))
}

// retell has every source tell again what it knows, for a record that begins now.
func (b *bell) retell() {
	b.files.Retell()
	b.procs.Answer(engine.Question{Ask: engine.AskProcesses})
}

// show draws each new state.
func (b *bell) show(ctx context.Context) {
	r := b.loop.Feed.Read()
	defer r.Close()
	for {
		s, err := r.Newest(ctx)
		if err != nil {
			return
		}
		b.tray.Show(tray.Build(live.Live(s), tray.Prefs{}))
	}
}

// clicks carries out what is clicked in the menu and on notices.
func (b *bell) clicks(ctx context.Context, quit func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-b.tray.Clicks():
			if a.Verb == tray.Quit {
				quit()
				return
			}
			b.seen(a.Session)
		case e := <-b.sender.Events():
			if e.Action == notify.Open {
				b.seen(e.ID)
			}
			_ = b.loop.Do(ctx, func() { b.planner.Closed(time.Now(), e.ID, e.Action) })
		}
	}
}

// seen notes that you looked at a session.
func (b *bell) seen(id engine.ID) {
	b.loop.Emit(engine.Event{By: engine.User, Who: engine.Who{Card: id}, Fact: engine.Seen{}})
}

// act carries out an act of the API.
func (b *bell) act(id, act string, _ json.RawMessage) (any, error) {
	if act != tray.Open {
		return nil, live.ErrUnknownAct
	}
	b.seen(engine.ID(id))
	return nil, nil
}

// explained is the answer to "why", API.md.
type explained struct {
	engine.Why
	For    []engine.Signal `json:"for"`
	Notice *notice         `json:"notice,omitempty"`
	// History is what the journal has of it, the newest last.
	History []engine.Moment `json:"history,omitempty"`
}

type notice struct {
	State string    `json:"state"`
	Why   string    `json:"why,omitempty"`
	At    time.Time `json:"at"`
}

// why explains a session. It runs on the goroutine that owns engine and planner.
func (b *bell) why(id engine.ID) (any, bool) {
	w, ok := b.engine.Why(id)
	if !ok {
		return nil, false
	}
	out := explained{Why: w, For: w.For}
	i := slices.IndexFunc(b.clis, func(c sources.CLI) bool { return c.Name == w.Session.Tool })
	for m := range w.Missing {
		if i >= 0 {
			w.Missing[m].How = b.clis[i].Cure[w.Missing[m].Witness]
		}
	}
	if state, why, at := b.planner.State(id); state != "" {
		out.Notice = &notice{state, why, at.UTC()}
	}
	return out, true
}

// past adds to what why said what the journal has. Of a session that is known no longer
// that is all there is.
func (b *bell) past(ctx context.Context, id string, said any) (any, bool) {
	p, ok := b.disk.Past(ctx, id)
	out, known := said.(explained)
	if !known {
		out.Why = engine.Why{Session: p.Session(), Matched: "nothing any more: this is from the journal", Silent: []engine.Unheard{}, Missing: []engine.Missing{}}
		out.For = []engine.Signal{out.Session.Reason}
		for _, m := range p.History {
			if m.Event == engine.Notice {
				out.Notice = &notice{m.State, m.Why, m.At}
			}
		}
	}
	out.History = p.History
	return out, known || ok
}
