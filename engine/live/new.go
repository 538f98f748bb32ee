package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deskbell/engine"
)

// Opener opens terminals with new sessions in them.
type Opener struct {
	Loop   *Loop
	Wishes *Wishes
	// Tools are what can be opened. The first that is installed is taken where none is
	// named.
	Tools []Tool
	// Name makes the name of a terminal; where that is empty, none is hosted.
	Name func() string
	// Open opens a terminal of that name with argv in it, and returns when it is there.
	Open func(ctx context.Context, term, dir string, argv []string) error
}

// Tool is one that can be opened.
type Tool struct {
	Name, Title string
	Terse       bool                     // it may say nothing before its first prompt
	Command     func() ([]string, error) // what starts it
}

// opening is the body of POST /sessions.
type opening struct {
	Tool  string `json:"tool"`
	Dir   string `json:"dir"`
	Room  string `json:"room"`
	Label string `json:"label"`
}

// Act opens a session as body asks for, and returns it.
func (o *Opener) Act(body json.RawMessage) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a, err := o.Wishes.ask(ctx, "new", body)
	if err != nil {
		return nil, err
	}
	var b opening
	if err := a.explain(a.fields(&b), `{"tool": "claude", "dir": "/folder", "room": "backend", "label": "HEAVY"}`); err != nil {
		return nil, err
	}
	tool, argv, err := o.tool(b.Tool)
	if err != nil {
		return nil, err
	}
	dir, err := o.folder(b.Dir)
	if err != nil {
		return nil, err
	}
	asked, err := b.wishes(a)
	if err != nil {
		return nil, err
	}
	term := o.Name()
	id, err := o.show(ctx, engine.Who{Tool: tool.Name, Dir: dir, Term: term}, engine.Opened{Terse: tool.Terse})
	if err != nil {
		return nil, err
	}
	for _, w := range asked {
		o.Loop.Emit(engine.Event{By: engine.User, Who: engine.Who{Card: id}, Fact: w})
	}
	if err := o.Open(ctx, term, dir, argv); err != nil {
		o.Loop.Emit(engine.Event{By: engine.Terminal, Who: engine.Who{Term: term}, Fact: engine.Hosted{}})
		return nil, err
	}
	s, err := o.Loop.Look(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(s.Sessions, func(s engine.Session) bool { return s.ID == id }); i >= 0 {
		return s.Sessions[i], nil
	}
	return nil, refuse(http.StatusConflict, "it ended at once: `deskbell host %s` in that folder shows why", tool.Name)
}

// show has the engine make the card, and returns its id: the last one that is new.
func (o *Opener) show(ctx context.Context, who engine.Who, f engine.Opened) (id engine.ID, err error) {
	before, err := o.Loop.Look(ctx)
	if err != nil {
		return "", err
	}
	o.Loop.Emit(engine.Event{By: engine.User, Who: who, Fact: f})
	after, err := o.Loop.Look(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range after.Sessions {
		known := slices.ContainsFunc(before.Sessions, func(b engine.Session) bool { return b.ID == s.ID })
		if !known && s.Status == engine.Connecting && s.Tool == who.Tool && s.Dir == who.Dir && s.Terminal == who.Term {
			id = s.ID
		}
	}
	if id == "" {
		return "", refuse(http.StatusConflict, "no session came of it: try again")
	}
	return id, nil
}

// tool finds the tool of that name; "": any that is installed.
func (o *Opener) tool(name string) (Tool, []string, error) {
	var names []string
	for _, t := range o.Tools {
		names = append(names, t.Name)
		if name != "" && t.Name != name {
			continue
		}
		argv, err := t.Command()
		if err == nil {
			return t, argv, nil
		}
		if name != "" {
			return t, nil, refuse(http.StatusConflict, "%s cannot be started: %v", t.Title, err)
		}
	}
	if name == "" {
		return Tool{}, nil, refuse(http.StatusConflict, "none of %s is found: install one, or say in the configuration what starts it", strings.Join(names, ", "))
	}
	return Tool{}, nil, refuse(http.StatusBadRequest, "no tool is called %q: there are %s", name, strings.Join(names, ", "))
}

// folder is where the session is to work. One that is gone is not replaced by another.
func (o *Opener) folder(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", refuse(http.StatusBadRequest, "%q is no whole path of a folder: begin it with %c", dir, filepath.Separator)
	}
	dir = o.Wishes.Real(dir)
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", refuse(http.StatusConflict, "%v: make the folder, or choose another", err)
	case !info.IsDir():
		return "", refuse(http.StatusConflict, "%s is no folder: choose one", dir)
	}
	return dir, nil
}

// wishes are what is asked for about the new session beside.
func (b opening) wishes(a ask) (out []engine.Wished, err error) {
	for _, w := range []struct {
		act, text string
	}{{"room", b.Room}, {"label", b.Label}} {
		if w.text == "" {
			continue
		}
		one := a
		one.act = w.act
		if one.body, err = json.Marshal(map[string]string{"name": w.text}); err != nil {
			return nil, fmt.Errorf("%s: %w", w.act, err)
		}
		f, err := one.wished()
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
