package clitest

import (
	"encoding/json"
	"errors"
	"path"
	"strconv"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

// sound is a CLI that keeps everything an adapter must keep: one listing and one log
// for each session.
func sound() sources.CLI {
	const tool = "sound"
	return sources.CLI{
		Name: tool, Title: "Sound", Home: ".sound",
		Runs: func(p sources.Proc) (engine.Who, bool) {
			w := engine.Who{Tool: tool, PID: p.PID, Ticks: p.Ticks, Parent: p.Parent, Dir: p.Dir, TTY: p.TTY, Loose: p.TTY == ""}
			return w, len(p.Args) > 0 && p.Args[0] == tool
		},
		Files: []sources.Tree{
			{Glob: "live/*.json", Whole: true, Read: func(f sources.File) ([]engine.Event, error) {
				pid, err := strconv.Atoi(strings.TrimSuffix(path.Base(f.Rel), ".json"))
				if err != nil || pid <= 0 {
					return nil, err
				}
				w := engine.Who{Tool: tool, PID: pid}
				if f.Text == nil {
					return []engine.Event{{At: f.Mod, By: engine.Listing, Who: w, Fact: engine.Listed{}}}, nil
				}
				var s struct{ ID, Status string }
				var l engine.Level
				if err := errors.Join(json.Unmarshal(f.Text, &s), l.UnmarshalText([]byte(s.Status))); err != nil {
					return nil, err
				}
				w.ID = s.ID
				return []engine.Event{{At: f.Mod, By: engine.Listing, Who: w, Fact: engine.Listed{Level: l}}}, nil
			}},
			{Glob: "logs/*.log", Find: func(w engine.Who) []string {
				if strings.ContainsFunc(w.ID, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef-", c) }) || w.ID == "" || len(w.ID) > 36 {
					return nil
				}
				return []string{"logs/" + w.ID + ".log"}
			}, Record: func(rel string, line []byte) ([]engine.Event, error) {
				who := engine.Who{Tool: tool, ID: strings.TrimSuffix(path.Base(rel), ".log")}
				if string(line) != "prompt" {
					return nil, nil
				}
				return []engine.Event{{By: engine.Transcript, Who: who, Fact: engine.Prompted{Human: true}}}, nil
			}},
		},
		Bases: []sources.Base{{Glob: "*.db", Known: "Sound 1", Tables: []sources.Table{{
			Name: "said", Columns: map[string]string{"id": "t.id", "text": "t.text"},
			Open: func(r sources.Row) bool { return r.Text("text") == "" },
			Read: func(r sources.Row) ([]engine.Event, error) {
				if r.Text("text") != "prompt" {
					return nil, nil
				}
				return []engine.Event{{By: engine.Transcript, Who: engine.Who{Tool: tool, ID: r.Text("id")}, Fact: engine.Prompted{Human: true}}}, nil
			},
		}}}},
		Answers: func(_, _ string, read func(string) ([]byte, error)) engine.Answering {
			text, err := read("settings")
			return engine.Answering{Yes: err == nil && string(text) == "yes"}
		},
	}
}

func TestSoundHasNoFaults(t *testing.T) {
	for _, fault := range Faults(sound(), sample()) {
		t.Error(fault)
	}
}

// TestBrokenHasFaults breaks a sound adapter in every way that is looked for.
func TestBrokenHasFaults(t *testing.T) {
	record := func(c *sources.CLI, change func(ev *engine.Event)) {
		old := c.Files[1].Record
		c.Files[1].Record = func(rel string, line []byte) ([]engine.Event, error) {
			evs, err := old(rel, line)
			for i := range evs {
				change(&evs[i])
			}
			return evs, err
		}
	}
	for name, tc := range map[string]struct {
		breaks func(c *sources.CLI)
		want   string
	}{
		"name":       {func(c *sources.CLI) { c.Name = "Sound CLI" }, "name:"},
		"title":      {func(c *sources.CLI) { c.Title = "" }, "title:"},
		"home":       {func(c *sources.CLI) { c.Home = "../.sound" }, "home:"},
		"glob":       {func(c *sources.CLI) { c.Files[0].Glob = "live/[" }, "not a pattern"},
		"glob above": {func(c *sources.CLI) { c.Files[0].Glob = "../live/*" }, "not a pattern"},
		"unread":     {func(c *sources.CLI) { c.Files[0].Read = nil }, "nothing reads it"},
		"read twice": {func(c *sources.CLI) { c.Files[1].Read = c.Files[0].Read }, "read whole and by lines"},
		"whole log":  {func(c *sources.CLI) { c.Files[1].Whole = true }, "only its lines"},
		"find all": {func(c *sources.CLI) {
			c.Files[1].Find = func(w engine.Who) []string { return []string{"logs/" + w.ID + ".log"} }
		}, `for the id "*"`},
		"find elsewhere": {func(c *sources.CLI) {
			old := c.Files[1].Find
			c.Files[1].Find = func(w engine.Who) []string {
				if old(w) == nil {
					return nil
				}
				return []string{"other/*.log"}
			}
		}, "not among its files"},
		"panic on nil": {func(c *sources.CLI) {
			old := c.Files[0].Read
			c.Files[0].Read = func(f sources.File) ([]engine.Event, error) { _ = f.Text[0]; return old(f) }
		}, "panics"},
		"panic on a line": {func(c *sources.CLI) {
			c.Files[1].Record = func(_ string, line []byte) ([]engine.Event, error) { _ = line[:2]; return nil, nil }
		}, "panics"},
		"panic on a name": {func(c *sources.CLI) {
			c.Files[0].Read = func(f sources.File) ([]engine.Event, error) { _ = strings.Split(f.Rel, "/")[1]; return nil, nil }
		}, "panics"},
		"garbage": {func(c *sources.CLI) {
			c.Files[1].Record = func(string, []byte) ([]engine.Event, error) {
				return []engine.Event{{By: engine.Transcript, Who: engine.Who{Tool: "sound", ID: "x"}, Fact: engine.Wrote{}}}, nil
			}
		}, "garbage says engine.Wrote"},
		"a file of garbage": {func(c *sources.CLI) {
			c.Files[0].Read = func(f sources.File) ([]engine.Event, error) {
				return []engine.Event{{By: engine.Listing, Who: engine.Who{Tool: "sound", PID: 1}, Fact: engine.Listed{Level: engine.Present}}}, nil
			}
		}, "garbage says engine.Listed"},
		"takes an editor": {func(c *sources.CLI) {
			old := c.Runs
			c.Runs = func(p sources.Proc) (engine.Who, bool) {
				w, _ := old(p)
				return w, strings.Contains(strings.Join(p.Args, " "), "sound")
			}
		}, "runs: takes"},
		"panic on no arguments": {func(c *sources.CLI) {
			old := c.Runs
			c.Runs = func(p sources.Proc) (engine.Who, bool) { _ = p.Args[0]; return old(p) }
		}, "runs: panics"},
		"knows nobody": {func(c *sources.CLI) {
			c.Runs = func(sources.Proc) (engine.Who, bool) { return engine.Who{}, false }
		}, "does not know"},
		"forgets the ticks": {func(c *sources.CLI) {
			old := c.Runs
			c.Runs = func(p sources.Proc) (engine.Who, bool) { w, is := old(p); w.Ticks = 0; return w, is }
		}, "runs: makes"},
		"resumes anything": {func(c *sources.CLI) { c.Resume = func(id string) []string { return []string{"sound", id} } }, "resume: runs"},
		"resumes another":  {func(c *sources.CLI) { c.Resume = func(id string) []string { return nil } }, "does not name"},
		"answers to garbage": {func(c *sources.CLI) {
			c.Answers = func(_, _ string, read func(string) ([]byte, error)) engine.Answering {
				_, err := read("x")
				return engine.Answering{Yes: err == nil}
			}
		}, "answers: a hook is read"},
		"answers without settings": {func(c *sources.CLI) {
			c.Answers = func(string, string, func(string) ([]byte, error)) engine.Answering {
				return engine.Answering{Checks: true}
			}
		}, "without a settings file"},
		"panic on settings": {func(c *sources.CLI) {
			c.Answers = func(_, _ string, read func(string) ([]byte, error)) engine.Answering {
				b, _ := read("x")
				return engine.Answering{Yes: b[0] == 0}
			}
		}, "answers: panics"},
		"base glob":     {func(c *sources.CLI) { c.Bases[0].Glob = "../x.db" }, `base "../x.db": not a pattern`},
		"base unknown":  {func(c *sources.CLI) { c.Bases[0].Known = "" }, "which version's"},
		"table no id":   {func(c *sources.CLI) { delete(c.Bases[0].Tables[0].Columns, "id") }, "no id or no reader"},
		"table no name": {func(c *sources.CLI) { c.Bases[0].Tables[0].Name = "said; DROP TABLE said" }, "no name"},
		"table unread":  {func(c *sources.CLI) { c.Bases[0].Tables[0].Read = nil }, "no reader"},
		"panic on a row": {func(c *sources.CLI) {
			c.Bases[0].Tables[0].Read = func(r sources.Row) ([]engine.Event, error) { _ = r["text"].(string); return nil, nil }
		}, "said panics"},
		"a row of garbage": {func(c *sources.CLI) {
			c.Bases[0].Tables[0].Read = func(r sources.Row) ([]engine.Event, error) {
				return []engine.Event{{By: engine.Transcript, Who: engine.Who{Tool: "sound", ID: "x"}, Fact: engine.Wrote{}}}, nil
			}
		}, "a row of garbage in said says engine.Wrote"},
		"another tool": {func(c *sources.CLI) { record(c, func(ev *engine.Event) { ev.Who.Tool = "other" }) }, `the tool "other"`},
		"no witness":   {func(c *sources.CLI) { record(c, func(ev *engine.Event) { ev.By = engine.Clock }) }, "nobody witnessed"},
		"no fact":      {func(c *sources.CLI) { record(c, func(ev *engine.Event) { ev.Fact = nil }) }, "recording sample"},
		"of nobody":    {func(c *sources.CLI) { record(c, func(ev *engine.Event) { ev.Who.ID = "" }) }, "of nobody"},
		"crooked id":   {func(c *sources.CLI) { record(c, func(ev *engine.Event) { ev.Who.ID = "../x" }) }, `of the id "../x"`},
		"deaf": {func(c *sources.CLI) {
			c.Files[0].Glob, c.Files[1].Glob = "nowhere/*.json", "nowhere/*.log"
		}, "says nothing"},
		"refuses the recording": {func(c *sources.CLI) {
			c.Files[1].Record = func(string, []byte) ([]engine.Event, error) { return nil, errors.New("not understood") }
		}, "not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			cli := sound()
			tc.breaks(&cli)
			faults := strings.Join(Faults(cli, sample()), "\n")
			if !strings.Contains(faults, tc.want) {
				t.Errorf("faults are %q, none is %q", faults, tc.want)
			}
		})
	}
}
