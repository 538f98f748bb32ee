package sources

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

type failing struct{ runs int }

func (*failing) String() string { return "failing" }

func (f *failing) Run(context.Context, func(...engine.Event)) error {
	f.runs++
	return errors.New("no such thing")
}

// TestSupervise checks that a source that keeps failing is started less and less
// often, and that its error is told once.
func TestSupervise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		var f failing
		var told []string
		Supervise(ctx, &f, nil, func(s string) { told = append(told, s) })
		if f.runs < 250 || f.runs > 320 {
			t.Errorf("%d runs in a day", f.runs)
		}
		if len(told) != 1 {
			t.Errorf("told %q", told)
		}
	})
}
