package cli

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"deskbell/engine"
)

// sessionArg names a session.
type sessionArg struct {
	Session string `arg:"" help:"Its id, the beginning of the tool's session id, or a part of title or project."`
}

// ask has the running deskbell do act with the session that is named, and prints what is
// so now.
func (a sessionArg) ask(in Env, act string, body map[string]any, says func(engine.Prefs) string) error {
	ctx, cancel := in.begin()
	defer cancel()
	c := in.dial()
	s, err := c.find(ctx, a.Session)
	if err != nil {
		return err
	}
	var now engine.Prefs
	if err := c.post(ctx, "/sessions/"+url.PathEscape(string(s.ID))+"/"+act, body, &now); err != nil {
		return err
	}
	return put(in.Stdout, []byte(clean(head(s)+": "+says(now))))
}

// switches are what can be turned on and off, by the names of the commands.
var switches = map[string]struct {
	act     string
	on, off string
	is      func(engine.Prefs) bool
}{
	"pin":      {"pin", "pinned", "not pinned any more", func(p engine.Prefs) bool { return p.Pinned }},
	"alert":    {"alert", "rings loudly", "rings as others do", func(p engine.Prefs) bool { return p.Alert }},
	"share":    {"share", "shown to your other devices", "not shown to your other devices", func(p engine.Prefs) bool { return p.Shared }},
	"handsoff": {"hands_off", "nothing steers it or puts it to sleep", "may be steered and put to sleep", func(p engine.Prefs) bool { return p.HandsOff }},
	"central":  {"central", "may steer others", "may not steer others", func(p engine.Prefs) bool { return p.Central }},
}

// turnCmd is each of switches.
type turnCmd struct {
	sessionArg
	Turn string `arg:"" optional:"" enum:"on,off" default:"on" help:"on or off."`
}

// Help is shown below the usage.
func (turnCmd) Help() string { return kept }

const kept = "It is kept over a restart, and over a /clear of the session. With two sessions that match it lists them and does nothing."

// Run turns it on or off.
func (t turnCmd) Run(in Env, k *kong.Context) error {
	s := switches[k.Selected().Name]
	return t.ask(in, s.act, map[string]any{"on": t.Turn == "on"}, func(p engine.Prefs) string {
		if s.is(p) {
			return s.on
		}
		return s.off
	})
}

type muteCmd struct {
	Session string `arg:"" optional:"" help:"Its id, the beginning of the tool's session id, or a part of title or project."`
	Turn    string `arg:"" optional:"" enum:"on,off" default:"on" help:"on or off."`
	For     string `placeholder:"TIME" help:"For how long: 30m, 1h, or tomorrow for until tomorrow morning. Without it until you say so."`
	whole
}

// whole is what is muted in place of a single session.
type whole struct {
	All bool   `help:"All sessions."`
	Dir string `placeholder:"DIR" help:"All sessions in this folder and below it."`
}

// Help is shown below the usage.
func (muteCmd) Help() string {
	return "A muted session raises no notice, and is still shown and counted. `deskbell mute app --for 1h`, `deskbell mute --all --for tomorrow`, `deskbell mute --dir .`"
}

// Run mutes.
func (m muteCmd) Run(in Env) error {
	body := map[string]any{"on": m.Turn == "on"}
	if m.For != "" {
		body["for"] = m.For
	}
	return m.mute(in, m.Session, "mute", body)
}

type unmuteCmd struct {
	Session string `arg:"" optional:"" help:"Its id, the beginning of the tool's session id, or a part of title or project."`
	whole
}

// Help is shown below the usage.
func (unmuteCmd) Help() string {
	return "Each mute is taken back as it was made: that of all with --all, that of a folder with --dir."
}

// Run takes a mute back.
func (u unmuteCmd) Run(in Env) error { return u.mute(in, u.Session, "unmute", map[string]any{}) }

func (w whole) mute(in Env, session, act string, body map[string]any) error {
	given := 0
	for _, is := range []bool{session != "", w.All, w.Dir != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return Misuse(fmt.Sprintf("name a session, --dir or --all, one of them (see `deskbell %s --help`)", act))
	}
	if session != "" {
		return sessionArg{session}.ask(in, act, body, func(p engine.Prefs) string {
			if !p.Muted {
				return "not muted"
			}
			return "muted" + until(p.MutedUntil, in.Now())
		})
	}
	body["scope"] = "all"
	if w.Dir != "" {
		dir, err := filepath.Abs(w.Dir)
		if err != nil {
			return err
		}
		body["scope"], body["dir"] = "dir", dir
	}
	return hushed(in, act, body)
}

// hushed has all sessions, or those of a folder, muted or heard again, and prints what
// is muted now.
func hushed(in Env, act string, body map[string]any) error {
	ctx, cancel := in.begin()
	defer cancel()
	var now struct {
		Muted []engine.Hush `json:"muted"`
	}
	if err := in.dial().post(ctx, "/"+act, body, &now); err != nil {
		return err
	}
	var lines []string
	for _, h := range now.Muted {
		what := "all sessions"
		if h.Dir != "" {
			what = "sessions in " + h.Dir
		}
		lines = append(lines, clean(what+": muted"+until(h.Until, in.Now())))
	}
	if lines == nil {
		lines = []string{"no folder is muted, and not all sessions are"}
	}
	return put(in.Stdout, []byte(strings.Join(lines, "\n")))
}

type labelCmd struct {
	sessionArg
	Name []string `arg:"" help:"Its name, or none."`
}

// Help is shown below the usage.
func (labelCmd) Help() string { return "`deskbell labels` lists the labels there are. " + kept }

// Run labels a session.
func (l labelCmd) Run(in Env) error {
	return l.ask(in, "label", map[string]any{"name": words(l.Name)}, func(p engine.Prefs) string {
		if p.Label == nil {
			return "no label"
		}
		return "labelled " + p.Label.Name
	})
}

type roomCmd struct {
	sessionArg
	Name []string `arg:"" help:"Its name, or none."`
}

// Help is shown below the usage.
func (roomCmd) Help() string { return "A room is there as long as a session is in it. " + kept }

// Run puts a session in a room.
func (r roomCmd) Run(in Env) error {
	return r.ask(in, "room", map[string]any{"name": words(r.Name)}, func(p engine.Prefs) string {
		if p.Room == "" {
			return "in no room"
		}
		return "in room " + p.Room
	})
}

type renameCmd struct {
	sessionArg
	Title []string `arg:"" help:"What you call it, or none: then it is called as before."`
}

// Help is shown below the usage.
func (renameCmd) Help() string { return kept }

// Run renames a session.
func (r renameCmd) Run(in Env) error {
	return r.ask(in, "rename", map[string]any{"title": words(r.Title)}, func(p engine.Prefs) string {
		if p.Name == "" {
			return "called as before"
		}
		return "called " + p.Name
	})
}

// words are those of an argument; none is no words.
func words(args []string) string {
	text := strings.Join(args, " ")
	if strings.EqualFold(strings.TrimSpace(text), "none") {
		return ""
	}
	return text
}

type labelsCmd struct {
	List   labelsList   `cmd:"" default:"1" help:"List the labels, with their colours and how many sessions have them."`
	Add    labelsAdd    `cmd:"" help:"Add a label of your own, or give it another colour."`
	Remove labelsRemove `cmd:"" help:"Remove a label of your own, also from the sessions that have it."`
}

type labelsList struct{}

// Run lists the labels.
func (labelsList) Run(in Env) error {
	ctx, cancel := in.begin()
	defer cancel()
	body, err := in.dial().get(ctx, "/labels")
	if err != nil {
		return err
	}
	var all struct {
		Labels []struct {
			engine.Label
			BuiltIn  bool `json:"built_in"`
			Sessions int  `json:"sessions"`
		} `json:"labels"`
	}
	if err := decode(body, &all); err != nil {
		return err
	}
	rows := [][]string{{"LABEL", "COLOUR", "", "ON"}}
	for _, l := range all.Labels {
		whose := "yours"
		if l.BuiltIn {
			whose = "built in"
		}
		rows = append(rows, []string{clean(l.Name), clean(l.Color), whose, plural(l.Sessions, "session")})
	}
	return put(in.Stdout, []byte(strings.Join(aligned(rows), "\n")))
}

type labelsAdd struct {
	Name  string `arg:"" help:"What it is called."`
	Color string `arg:"" help:"Its colour, as #rrggbb; in most shells in quotes."`
}

// Run adds a label.
func (l labelsAdd) Run(in Env) error {
	ctx, cancel := in.begin()
	defer cancel()
	return labelled(ctx, in, "/labels", map[string]any{"name": l.Name, "color": l.Color}, "is a label now")
}

type labelsRemove struct {
	Name string `arg:"" help:"What it is called."`
}

// Run removes a label.
func (l labelsRemove) Run(in Env) error {
	ctx, cancel := in.begin()
	defer cancel()
	return labelled(ctx, in, "/labels/remove", map[string]any{"name": l.Name}, "is no label any more")
}

func labelled(ctx context.Context, in Env, path string, body map[string]any, says string) error {
	var now struct {
		Name     string `json:"name"`
		Sessions int    `json:"sessions"`
	}
	if err := in.dial().post(ctx, path, body, &now); err != nil {
		return err
	}
	text := now.Name + " " + says
	if now.Sessions > 0 {
		text += ": " + plural(now.Sessions, "session") + " had it before"
	}
	return put(in.Stdout, []byte(clean(text)))
}
