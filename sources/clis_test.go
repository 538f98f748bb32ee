package sources

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"deskbell/engine"
)

// TestCLIs checks that what is unknown, or cannot do a thing, does nothing.
func TestCLIs(t *testing.T) {
	l := CLIs{
		{Name: "toy", Title: "Toy", Cure: map[engine.Witness]string{engine.Hook: "install"},
			Runs: func(p Proc) (engine.Who, bool) { return engine.Who{}, p.PID == 41 }},
		{Name: "mute", Title: "Mute"},
	}
	for _, tt := range []struct{ name, want string }{
		{"toy", "Toy install true false"},
		{"mute", "Mute  false false"},
		{"other", "other  false false"},
	} {
		got := fmt.Sprint(l.Title(tt.name), " ", l.Cure(tt.name, engine.Hook), " ", l.Runs(tt.name, Proc{PID: 41}), " ", l.Runs(tt.name, Proc{PID: 42}))
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := l.Names(); !slices.Equal(got, []string{"toy", "mute"}) {
		t.Errorf("got %v", got)
	}
}

// still is a source that does nothing; able can do all there is.
type still struct{}

func (still) String() string { return "still" }

func (still) Run(ctx context.Context, _ func(...engine.Event)) error {
	<-ctx.Done()
	return nil
}

type able struct {
	still
	did *[]string
}

func (a able) Answer(q engine.Question)   { *a.did = append(*a.did, fmt.Sprint("answer ", q.Ask)) }
func (a able) Sync(context.Context) error { return errStuck }
func (a able) Retell()                    { *a.did = append(*a.did, "retell") }

var errStuck = errors.New("stuck")

// TestGroup checks that each source is asked for what it can do.
func TestGroup(t *testing.T) {
	var did []string
	g := Group{still{}, able{did: &did}}
	g.Answer(engine.Question{Ask: engine.AskQuiet})
	g.Refresh()
	g.Retell()
	want := []string{fmt.Sprint("answer ", engine.AskQuiet), fmt.Sprint("answer ", engine.AskFiles), fmt.Sprint("answer ", engine.AskProcesses), "retell"}
	if !slices.Equal(did, want) {
		t.Errorf("got %v, want %v", did, want)
	}
	if err := g.Sync(t.Context()); !errors.Is(err, errStuck) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g.Run(ctx, func(...engine.Event) {}, func(s string) { t.Error(s) }) // it returns
}
