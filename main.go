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
			cli.NewConfig(func() (cli.Configuration, error) { return configuration() }),
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
	w := config.World{Real: sources.RealPath}
	for _, c := range all.CLIs() {
		w.Tools = append(w.Tools, c.Name)
	}
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
	file    *config.File
	clis    []sources.CLI
	limits  engine.Limits // belongs to the loop's goroutine
	engine  *engine.Engine
	loop    *live.Loop
	files   *watch.Source
	lives   *sources.Listeners
	bases   *listing.Source
	procs   *process.Source
	hooks   *hooks.Source
	git     *git.Source
	where   []string // the folders it follows; belongs to the loop's goroutine
	places  *terminal.Terminals
	tray    *tray.Tray
	disk    *live.Disk // nil: nothing is kept over a restart
	wishes  *live.Wishes
	acts    map[string]func(engine.ID) (any, error) // that are no wishes
	sender  *notify.Sender
	planner notify.Planner // belongs to the loop's goroutine
	rounds  engine.Rounds  // likewise
	prefs   notify.Prefs   // likewise

	errands chan func(context.Context)

	drawing sync.Mutex
	menu    tray.Prefs // guarded by drawing
}

func newBell(dir string, file *config.File) *bell {
	begin, _ := file.Load()
	b := &bell{file: file}
	b.clis = slices.DeleteFunc(all.CLIs(), func(c sources.CLI) bool { return !begin.Config.Tools[c.Name].Enabled })
	b.engine = engine.New(begin.Config.Limits)
	b.loop = live.NewLoop(b.engine)
	b.bases = listing.New(listing.Options{CLIs: b.clis, Say: say})
	b.files = watch.New(watch.Options{CLIs: b.clis, Say: say, OnBase: b.bases.Changed})
	b.hooks = hooks.New(hooks.Options{CLIs: b.clis, Socket: hooks.SocketPath(dir), Say: say, Look: process.Look})
	b.lives = sources.NewListeners(b.clis, watch.DefaultHomes, process.Look, say)
	b.procs = process.New(process.Options{CLIs: b.clis, Say: say, OnHome: func(cli, home string) {
		b.files.AddHome(cli, home)
		b.lives.AddHome(cli, home)
	}})
	b.git = git.New()
	b.places = terminal.New(pane)
	b.tray = tray.New(tray.Options{Say: say, LeftNext: begin.Config.Tray.LeftClick == tray.Next})
	log.SetOutput(io.Discard) // the tray library says there what we say in our own words
	bell := tray.PNG(tray.Icon{Kind: tray.Quiet})
	b.sender = notify.NewSender(notify.NewDesktop(bell), say)
	if cache, err := os.UserCacheDir(); err == nil { // without one, notices are seen, not heard
		b.sender.Bell = notify.NewBell(filepath.Join(cache, "deskbell"), say)
	}
	b.sender.Command = notify.NewCommand(nil, say)
	b.adopt(begin)
	b.errands = make(chan func(context.Context), 64)
	b.loop.Ask = b.ask
	b.loop.Ticks = []live.Tick{b.notify, b.look, b.follow}
	b.recall()
	b.wishes = &live.Wishes{Loop: b.loop, Engine: b.engine, Disk: b.disk, Real: sources.RealPath, Now: time.Now}
	b.acts = map[string]func(engine.ID) (any, error){
		tray.Open: func(id engine.ID) (any, error) { return nil, b.open(context.Background(), id) },
	}
	return b
}

// adopt makes what you asked for hold. Once the loop runs it belongs to its goroutine.
func (b *bell) adopt(s config.State) {
	for _, p := range s.Problems {
		say(p.String())
	}
	b.drawing.Lock()
	b.menu = prefs.Tray(s)
	b.drawing.Unlock()
	b.limits = s.Config.Limits
	b.engine.SetLimits(b.limits)
	b.prefs = prefs.Notify(&s.Config, words(b.clis))
	b.sender.Command.Use(s.Config.Notify.Command)
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
		b.draw()
	})
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
	deciders.Go(func() { b.sender.Command.Run(deciding) })
	deciders.Go(func() { b.disk.Run(deciding) })
	parts.Go(func() {
		if b.loop.Do(ctx, func() {}) == nil {
			debug.FreeOSMemory() // what was told of the last day took room, once
		}
	})
	for _, s := range []sources.Source{b.procs, b.files, b.bases, b.hooks, b.lives, b.git, suspend.Source{}} {
		parts.Go(func() { sources.Supervise(ctx, s, b.loop.Emit, say) })
	}
	server := &live.Server{Loop: b.loop, Why: b.why, Past: b.past, Refresh: b.refresh, Retell: b.retell, Act: b.act, Routes: b.wishes.Routes()}
	parts.Go(func() {
		if err := server.Serve(ctx, claim); err != nil {
			say(fmt.Sprintf("the API stopped: %v; `deskbell status` works again after a restart", err))
		}
	})
	parts.Go(func() { b.runErrands(ctx) })
	parts.Go(func() { b.show(ctx) })
	parts.Go(func() { b.reload(ctx) })
	parts.Go(func() { b.clicks(ctx, quit) })
	defer quit()
	return b.tray.Run(ctx)
}

// ask takes the engine's questions to whoever can answer them.
func (b *bell) ask(q engine.Question) {
	b.lives.Answer(q)
	switch q.Ask {
	case engine.AskRecord, engine.AskRecords, engine.AskSettings:
		b.files.Answer(q)
		b.bases.Answer(q)
	case engine.AskFiles:
		b.files.Refresh()
		b.git.Refresh()
	default:
		b.procs.Answer(q)
	}
}

// notify hands the planner what changed, and the desktop what the planner decided.
func (b *bell) notify(now time.Time, step engine.Step, s engine.Snapshot) time.Time {
	b.planner.Gone(step.Gone...)
	prefs := b.prefs
	prefs.Muted, prefs.MutedUntil, prefs.Folders = hushed(s)
	prefs.CanLook = true
	raise, withdraw, next := b.planner.Apply(now, step.Changes, prefs)
	if len(raise)+len(withdraw) > 0 {
		b.sender.Show(raise, withdraw)
	}
	for _, n := range b.planner.News(now) {
		b.disk.Note(n.Session.Notified(now, n.State, n.Kind, n.Why))
	}
	for _, id := range b.planner.Look() {
		b.errand(func(ctx context.Context) { b.glance(ctx, id) })
	}
	for _, id := range b.planner.Seen() {
		b.errand(func(context.Context) { b.seen(id) })
	}
	return next
}

// errand has something done beside the loop, which never waits for it. Where too much is
// to be done it is not.
func (b *bell) errand(do func(context.Context)) {
	select {
	case b.errands <- do:
	default:
	}
}

// run errands, each on its own: a terminal may take its time to answer.
func (b *bell) runErrands(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case do := <-b.errands:
			wg.Go(func() { do(ctx) })
		}
	}
}

// glance tells the planner whether you look at the terminal of a session, if that is to
// be known.
func (b *bell) glance(ctx context.Context, id engine.ID) {
	ctx, cancel := context.WithTimeout(ctx, reach)
	defer cancel()
	s, err := b.session(id)
	if err != nil {
		return
	}
	p, err := b.pane(s)
	if err != nil {
		return
	}
	if yes, known := b.places.Looking(ctx, p); known {
		_ = b.loop.Do(ctx, func() { b.planner.Looked(id, yes, time.Now()) })
		b.loop.Emit() // what waited for it is decided now
	}
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

// follow has the checkouts followed in which a session of this machine lives.
func (b *bell) follow(_ time.Time, _ engine.Step, s engine.Snapshot) time.Time {
	var dirs []string
	for i := range s.Sessions {
		if one := &s.Sessions[i]; one.Status.Live() && one.Peer == "" && one.Dir != "" {
			dirs = append(dirs, one.Dir)
		}
	}
	slices.Sort(dirs)
	if dirs = slices.Compact(dirs); !slices.Equal(dirs, b.where) {
		b.where = dirs
		b.git.Follow(dirs)
	}
	return time.Time{}
}

// refresh has every source look, and waits until what they saw has been taken in.
func (b *bell) refresh(ctx context.Context) error {
	b.files.Refresh()
	b.git.Refresh()
	b.procs.Answer(engine.Question{Ask: engine.AskProcesses})
	return errors.Join(b.files.Sync(ctx), b.bases.Sync(ctx), b.procs.Sync(ctx), b.git.Sync(ctx), b.loop.Do(ctx, func() {}))
}

// retell has every source tell again what it knows, for a record that begins now.
func (b *bell) retell() {
	b.files.Retell()
	b.git.Retell()
	b.bases.Retell()
	b.procs.Answer(engine.Question{Ask: engine.AskProcesses})
}

// show draws each new state.
func (b *bell) show(ctx context.Context) {
	r := b.loop.Feed.Read()
	defer r.Close()
	for {
		if _, err := r.Newest(ctx); err != nil {
			return
		}
		b.draw()
	}
}

// draw shows the newest state.
func (b *bell) draw() {
	b.drawing.Lock()
	defer b.drawing.Unlock()
	s, p := b.loop.Feed.Snapshot(), b.menu
	p.Can = clickable
	p.AllMuted, p.MutedUntil, _ = hushed(s)
	b.tray.Draw(func() tray.Menu { return tray.Build(s, p) })
}

// clickable are the verbs of the menu that are carried out.
var clickable = map[string]bool{tray.Mute: true, tray.Alert: true, tray.Pin: true}

// hour is how long a notice's button mutes.
const hour = "1h"

// asked is what a click asks for, as the API takes it.
func asked(a tray.Act) json.RawMessage {
	body := map[string]any{}
	switch a.Arg {
	case "":
	case "on", "off":
		body["on"] = a.Arg == "on"
	default:
		body["for"] = a.Arg
	}
	text, _ := json.Marshal(body) // of nothing that could fail
	return text
}

// clicks carries out what is clicked in the menu and on notices.
func (b *bell) clicks(ctx context.Context, quit func()) {
	var wg sync.WaitGroup
	defer wg.Wait()
	open := func(id engine.ID) {
		wg.Go(func() {
			if err := b.open(ctx, id); err != nil {
				say(err.Error())
			}
		})
	}
	wish := func(a tray.Act) {
		wg.Go(func() {
			if _, err := b.act(string(a.Session), a.Verb, asked(a)); err != nil {
				say(fmt.Sprintf("%s: %v", a.Verb, err))
			}
		})
	}
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-b.tray.Clicks():
			if a.Verb == tray.Quit {
				quit()
				return
			}
			switch {
			case a.Verb == tray.Open:
				open(a.Session)
			case a.Verb == tray.Next:
				if s, ok := engine.Next(b.loop.Feed.Snapshot().Sessions); ok {
					open(s.ID)
				}
			case a.Verb != "":
				wish(a)
			}
		case e := <-b.sender.Events():
			var about []engine.ID
			_ = b.loop.Do(ctx, func() {
				about = b.planner.About(e.ID)
				b.planner.Closed(time.Now(), e.ID, e.Action)
			})
			switch e.Action {
			case notify.Open:
				if s, ok := engine.Next(b.among(about)); ok { // the most urgent of several
					open(s.ID)
				} else if len(about) > 0 {
					open(about[0])
				}
			case notify.Mute:
				for _, id := range about {
					wish(tray.Act{Verb: tray.Mute, Session: id, Arg: hour})
				}
			}
		}
	}
}

// among are the sessions of a notice.
func (b *bell) among(ids []engine.ID) []engine.Session {
	return slices.DeleteFunc(slices.Clone(b.loop.Feed.Snapshot().Sessions), func(s engine.Session) bool { return !slices.Contains(ids, s.ID) })
}

// seen notes that you looked at a session.
func (b *bell) seen(id engine.ID) {
	b.loop.Emit(engine.Event{By: engine.User, Who: engine.Who{Card: id}, Fact: engine.Seen{}})
}

// act carries out an act of the API, or of a click; with an empty id, on no session.
func (b *bell) act(id, act string, body json.RawMessage) (any, error) {
	if do := b.acts[act]; do != nil && id != "" {
		return do(engine.ID(id))
	}
	return b.wishes.Act(id, act, body)
}

// hushed is what is muted of all sessions, and which folders are.
func hushed(s engine.Snapshot) (all bool, until time.Time, folders []notify.FolderMute) {
	for _, h := range s.Muted {
		if h.Dir == "" {
			all, until = true, h.Until
		} else {
			folders = append(folders, notify.FolderMute(h))
		}
	}
	return all, until, folders
}

// reach is how long it may take to bring you to a session.
const reach = 5 * time.Second

// open brings you to a session, and says what to do where that cannot be done.
func (b *bell) open(ctx context.Context, id engine.ID) error {
	b.seen(id)
	ctx, cancel := context.WithTimeout(ctx, reach)
	defer cancel()
	s, err := b.session(id)
	if err != nil {
		return err
	}
	_ = b.loop.Do(ctx, func() { b.planner.Known(time.Now(), id) })
	p, err := b.pane(s)
	if err == nil {
		err = b.places.Focus(ctx, p)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(s.Project, string(id)), err)
	}
	return nil
}

// session is the newest state of a session.
func (b *bell) session(id engine.ID) (engine.Session, error) {
	for _, s := range b.loop.Feed.Snapshot().Sessions {
		if s.ID == id {
			return s, nil
		}
	}
	return engine.Session{}, fmt.Errorf("no session is called %q: `deskbell status --all` lists them", id)
}

// pane is where a session runs now. A pid may have been given to another process, and a
// session may have been told to run where we do not see it.
func (b *bell) pane(s engine.Session) (terminal.Pane, error) {
	line := process.Line(s.PID)
	switch {
	case s.Peer != "":
		return terminal.Pane{}, fmt.Errorf("it runs on %s: go there", s.Peer)
	case !s.Status.Live() || s.Status == engine.Asleep:
		return terminal.Pane{}, fmt.Errorf("it is %s and has no terminal: start it again yourself", s.Status)
	case s.PID == 0:
		return terminal.Pane{}, errors.New("its process is not known yet: go there yourself")
	case len(line) == 0 || !b.runs(s.Tool, line[0]):
		return terminal.Pane{}, fmt.Errorf("its process %d is not here any more: go there yourself", s.PID)
	case s.TTY != "" && s.TTY != line[0].TTY:
		return terminal.Pane{}, fmt.Errorf("its process has left the terminal %s: go there yourself", s.TTY)
	}
	p, _ := pane(s.PID)
	p.RunsIn = cmp.Or(p.RunsIn, s.RunsIn)
	return p, nil
}

// runs reports whether a process is a run of the tool.
func (b *bell) runs(tool string, p sources.Proc) bool {
	return slices.ContainsFunc(b.clis, func(c sources.CLI) bool {
		if c.Name != tool || c.Runs == nil {
			return false
		}
		_, ok := c.Runs(p)
		return ok
	})
}

// pane reads where a process runs.
func pane(pid int) (terminal.Pane, bool) {
	line := process.Line(pid)
	if len(line) == 0 {
		return terminal.Pane{}, false
	}
	p := line[0]
	return terminal.Pane{PID: pid, TTY: p.TTY, Dir: p.Dir, RunsIn: process.In(line), Env: p.Env, Up: line[1:]}, true
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
