// Command deskbell shows in the tray which coding-agent sessions need you, rings when
// one starts to, and can say why.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"deskbell/config"
	"deskbell/config/prefs"
	"deskbell/engine"
	"deskbell/engine/cli"
	"deskbell/engine/live"
	"deskbell/notify"
	"deskbell/sources"
	"deskbell/sources/all"
	"deskbell/sources/git"
	"deskbell/sources/hooks"
	"deskbell/sources/hooks/client"
	"deskbell/sources/listing"
	"deskbell/sources/process"
	"deskbell/sources/raw"
	"deskbell/sources/suspend"
	"deskbell/sources/terminal"
	"deskbell/sources/terminal/host"
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
		Stdout: os.Stdout, Stderr: os.Stderr, Socket: socket, Version: cli.Version(),
		More: []any{
			cli.NewHooks(func() (cli.Installer, error) { return hooks.NewInstaller(all.CLIs()) }, os.Stdin),
			cli.NewConfig(func() (cli.Configuration, error) { return configuration() }),
			cli.NewReplay(replayed, os.Stdin),
			cli.NewLog(live.Recent),
			cli.NewHost(func(h cli.Hosting) (int, error) {
				return host.Run(host.Options{ID: h.Terminal, Dir: h.Dir, Argv: h.Command, Stay: h.Stay, Socket: host.SocketPath(dir)})
			}),
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
	if err := hooks.RefreshClient(); err != nil {
		say(err.Error())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	file, err := configuration()
	if err != nil {
		say(err.Error())
	}
	if err := newBell(dir, file).run(ctx, claim); err != nil {
		return fail(err)
	}
	return 0
}

// configuration is the file with what you asked for. With an error there is none.
func configuration() (*config.File, error) {
	w := config.World{Real: sources.RealPath, Tools: sources.CLIs(all.CLIs()).Names()}
	w.Home, _ = os.UserHomeDir() // without one, "~" is no folder
	path, err := config.Path()
	return &config.File{Path: path, World: w, Say: say}, err
}

// replayed is what one replay has beside the engine.
func replayed() cli.Replayed {
	clis := all.CLIs()
	paper := notify.Paper{Prefs: notify.Prefs{Words: words(clis)}}
	return cli.Replayed{
		World: raw.New(raw.Options{CLIs: clis, Translate: hooks.Translate, RunsIn: process.RunsIn}),
		Plan:  paper.Apply,
	}
}

func fail(err error) int {
	fmt.Fprintf(os.Stderr, "deskbell: %v\n", err)
	return 1
}

// bell is all parts of a running deskbell, and what connects them.
type bell struct {
	file    *config.File
	clis    sources.CLIs
	limits  engine.Limits // belongs to the loop's goroutine
	engine  *engine.Engine
	loop    *live.Loop
	files   *watch.Source
	procs   *process.Source
	all     sources.Group
	guide   terminal.Guide
	hosts   *host.Source
	opener  *live.Opener
	config  atomic.Pointer[config.Config]
	tray    *tray.Tray
	view    *tray.View
	disk    *live.Disk // nil: nothing is kept over a restart
	wishes  *live.Wishes
	command *notify.Command
	notices *notify.Notices // belongs to the loop's goroutine
	rounds  engine.Rounds   // likewise
	errands *live.Errands
	scales  *live.Scales
}

func newBell(dir string, file *config.File) *bell {
	begin, _ := file.Load()
	b := &bell{file: file, errands: live.NewErrands(), command: notify.NewCommand(nil, say)}
	b.clis = slices.DeleteFunc(all.CLIs(), func(c sources.CLI) bool { return !begin.Config.Tools[c.Name].Enabled })
	b.engine = engine.New(begin.Config.Limits)
	b.loop = live.NewLoop(b.engine)
	b.scales = &live.Scales{Loop: b.loop, Engine: b.engine}
	bases := listing.New(listing.Options{CLIs: b.clis, Say: say})
	b.files = watch.New(watch.Options{CLIs: b.clis, Say: say, OnBase: bases.Changed})
	lives := sources.NewListeners(b.clis, watch.DefaultHomes, process.Look, say)
	b.procs = process.New(process.Options{CLIs: b.clis, Say: say, OnHome: func(cli, home string) {
		b.files.AddHome(cli, home)
		lives.AddHome(cli, home)
	}})
	b.scales.Measure = b.procs.Measure
	heads := git.New()
	b.hosts = host.New(host.Heard{CLIs: b.clis, Socket: host.SocketPath(dir), Say: say})
	b.all = sources.Group{
		b.procs, b.files, bases, lives, b.hosts, heads, suspend.Source{},
		hooks.New(hooks.Options{CLIs: b.clis, Socket: hooks.SocketPath(dir), Say: say, Look: process.Look}),
	}
	b.guide = terminal.NewGuide(terminal.Finder{Line: process.Line, In: process.In, Runs: b.clis.Runs})
	b.tray = tray.New(tray.Options{Say: say, LeftNext: begin.Config.Tray.LeftClick == tray.Next})
	b.view = tray.NewView(b.tray, b.loop.Feed.Snapshot)
	log.SetOutput(io.Discard) // the tray library says there what we say in our own words
	sender := notify.NewSender(notify.NewDesktop(tray.PNG(tray.Icon{Kind: tray.Quiet})), say)
	if cache, err := os.UserCacheDir(); err == nil { // without one, notices are seen, not heard
		sender.Bell = notify.NewBell(filepath.Join(cache, "deskbell"), say)
	}
	sender.Command = b.command
	b.notices = notify.NewNotices(sender)
	b.adopt(begin)
	b.loop.Ask = b.all.Answer
	b.loop.Ticks = []live.Tick{b.notices.Tick, b.look, heads.Tick, b.view.Tick}
	b.disk = live.Recall(b.engine, b.loop, client.BootID(), b.limits[engine.Kept], say)
	b.notices.Look, b.notices.Seen, b.notices.Note = b.glance, b.seen, b.disk.Note
	b.notices.Aside = b.errands.Do
	b.notices.Do = func(ctx context.Context, f func(now time.Time)) {
		_ = b.loop.Do(ctx, func() { f(time.Now()) })
		b.loop.Emit()
	}
	b.wishes = &live.Wishes{Loop: b.loop, Engine: b.engine, Disk: b.disk, Real: sources.RealPath, Now: time.Now}
	b.opener = &live.Opener{Loop: b.loop, Wishes: b.wishes, Tools: b.tools(), Name: host.Name, Open: b.window}
	return b
}

// carry is how a click in the menu is carried out.
type carry func(ctx context.Context, a tray.Act) error

// verbs are those of the menu that are carried out. The others are not in it.
func (b *bell) verbs() map[string]carry {
	wish := func(_ context.Context, a tray.Act) error {
		if _, err := b.act(string(a.Session), a.Verb, a.Body()); err != nil {
			return fmt.Errorf("%s: %w", a.Verb, err)
		}
		return nil
	}
	return map[string]carry{
		tray.Mute: wish, tray.Alert: wish, tray.Pin: wish,
		tray.Open:  func(ctx context.Context, a tray.Act) error { return b.open(ctx, a.Session) },
		tray.Turns: func(_ context.Context, a tray.Act) error { return b.file.SetTurns(a.Least()) },
		tray.Settings: func(context.Context, tray.Act) error {
			if err := b.file.Make(); err != nil {
				return err
			}
			return terminal.Edit(b.file.Path)
		},
	}
}

// adopt makes what you asked for hold. Once the loop runs it belongs to its goroutine.
func (b *bell) adopt(s config.State) {
	for _, p := range s.Problems {
		say(p.String())
	}
	menu := prefs.Tray(s)
	menu.Can = map[string]bool{}
	for verb := range b.verbs() {
		menu.Can[verb] = true
	}
	b.view.Use(menu)
	b.config.Store(&s.Config)
	b.limits = s.Config.Limits
	b.engine.SetLimits(b.limits)
	b.notices.Prefs = prefs.Notify(&s.Config, words(b.clis))
	b.command.Use(s.Config.Notify.Command)
	for name, t := range s.Config.Tools {
		if t.Home != "" {
			b.files.AddHome(name, t.Home)
		}
	}
}

// reload adopts what is saved to the configuration.
func (b *bell) reload(ctx context.Context) {
	w := watch.NewFolders()
	defer w.Close()
	b.file.Run(ctx, w, func(s config.State) {
		_ = b.loop.Do(ctx, func() { b.adopt(s) })
		b.loop.Emit() // all is read anew by it
		b.view.Draw()
	})
}

// words are what notices are made of.
func words(clis sources.CLIs) notify.Words {
	home, _ := os.UserHomeDir() // without one, folders are shown whole
	return notify.Words{Home: home, Tool: clis.Title}
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
	deciders.Go(func() { b.notices.Run(deciding) })
	deciders.Go(func() { b.disk.Run(deciding) })
	parts.Go(func() {
		if b.loop.Do(ctx, func() {}) == nil {
			debug.FreeOSMemory() // what was told of the last day took room, once
		}
	})
	parts.Go(func() { b.all.Run(ctx, b.loop.Emit, say) })
	why := &live.Explainer{Engine: b.engine, Disk: b.disk, Notice: b.notices.State, Cure: b.clis.Cure}
	server := &live.Server{Loop: b.loop, Why: why.Why, Past: why.Past, Refresh: b.refresh, Weigh: b.scales.Weigh, Retell: b.all.Retell, Act: b.act, Routes: b.wishes.Routes()}
	parts.Go(func() {
		if err := server.Serve(ctx, claim); err != nil {
			say(fmt.Sprintf("the API stopped: %v; `deskbell status` works again after a restart", err))
		}
	})
	parts.Go(func() { b.errands.Run(ctx) })
	parts.Go(func() { b.loop.Feed.Each(ctx, b.view.Draw) })
	parts.Go(func() { b.reload(ctx) })
	parts.Go(func() { b.clicks(ctx, quit) })
	defer quit()
	return b.tray.Run(ctx)
}

// look has the sources look around while some session is not at rest.
func (b *bell) look(now time.Time, _ engine.Step, s engine.Snapshot) time.Time {
	due, next := b.rounds.Apply(now, &b.limits, s.Sessions, !b.procs.Watches())
	for _, q := range due {
		if q.Ask == engine.AskMemory {
			b.scales.Begin()
			continue
		}
		b.all.Answer(q)
	}
	return next
}

// refresh has every source look, and waits until what they saw has been taken in.
func (b *bell) refresh(ctx context.Context) error {
	b.all.Refresh()
	return errors.Join(b.all.Sync(ctx), b.loop.Do(ctx, func() {}))
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
			b.click(a)
		case <-b.tray.Opened():
			b.errands.Do(b.scales.Weigh)
		case e := <-b.notices.Events():
			var open engine.ID
			var mute []engine.ID
			_ = b.loop.Do(ctx, func() { open, mute = b.notices.Answer(time.Now(), e, b.loop.Feed.Snapshot().Sessions) })
			if open != "" {
				b.click(tray.Act{Verb: tray.Open, Session: open})
			}
			for _, id := range mute {
				b.click(tray.Act{Verb: tray.Mute, Session: id, Arg: notify.Hour})
			}
		}
	}
}

// click has a click carried out, and what cannot be done told.
func (b *bell) click(a tray.Act) {
	if a.Verb == tray.Next {
		s, _ := engine.Next(b.loop.Feed.Snapshot().Sessions)
		a = tray.Act{Verb: tray.Open, Session: s.ID}
	}
	do := b.verbs()[a.Verb]
	if do == nil || a.Verb == tray.Open && a.Session == "" { // a line of text
		return
	}
	b.errands.Do(func(ctx context.Context) {
		if err := do(ctx, a); err != nil {
			say(err.Error())
		}
	})
}

// seen notes that you looked at a session.
func (b *bell) seen(id engine.ID) {
	b.loop.Emit(engine.Event{By: engine.User, Who: engine.Who{Card: id}, Fact: engine.Seen{}})
}

// act carries out an act of the API, or of a click; with an empty id, on no session.
func (b *bell) act(id, act string, body json.RawMessage) (any, error) {
	if act == "new" && id == "" {
		return b.opener.Act(body)
	}
	if act == tray.Open && id != "" {
		return nil, b.open(context.Background(), engine.ID(id))
	}
	return b.wishes.Act(id, act, body)
}

// tools are those that sessions are opened with.
func (b *bell) tools() (out []live.Tool) {
	for _, c := range b.clis {
		out = append(out, live.Tool{Name: c.Name, Title: c.Title, Terse: c.Terse, Command: func() ([]string, error) {
			return host.Command(c, b.config.Load().Tools[c.Name].Command)
		}})
	}
	return out
}

// window opens a terminal that we host, with argv in it.
func (b *bell) window(ctx context.Context, term, dir string, argv []string) error {
	return b.hosts.Open(ctx, host.Options{ID: term, Dir: dir, Argv: argv, Stay: true}, func(argv []string) (<-chan error, error) {
		w := terminal.Window{Dir: dir, Argv: argv, With: b.config.Load().Terminal.Command}
		return b.guide.Open(w, host.Environ(os.Environ(), ""))
	})
}

// open brings you to a session, and says what to do where that cannot be done.
func (b *bell) open(ctx context.Context, id engine.ID) error {
	b.seen(id)
	s, err := b.loop.Feed.Session(id)
	if err != nil {
		return err
	}
	_ = b.loop.Do(ctx, func() { b.notices.Known(time.Now(), id) })
	if err := b.guide.Bring(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(s.Project, string(id)), err)
	}
	return nil
}

// glance reports whether you look at the terminal of a session, if that is to be known.
func (b *bell) glance(ctx context.Context, id engine.ID) (yes, known bool) {
	s, err := b.loop.Feed.Session(id)
	if err != nil {
		return false, false
	}
	return b.guide.Glance(ctx, s)
}
