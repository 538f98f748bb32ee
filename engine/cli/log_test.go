package cli

import (
	"bytes"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// logged runs log over moments.
func logged(s *screen, moments []engine.Moment, args ...string) outcome {
	var out, errs bytes.Buffer
	read := func() (iter.Seq2[engine.Moment, []byte], error) {
		if moments == nil {
			return nil, errors.New("there is no folder")
		}
		return func(yield func(engine.Moment, []byte) bool) {
			for _, m := range moments {
				if !yield(m, []byte(`{"event":"`+m.Event+`"}`)) {
					return
				}
			}
		}, nil
	}
	in := Env{Stdout: &out, Stderr: &errs, Now: func() time.Time { return noon }, screen: s, More: []any{NewLog(read)}}
	code, handled := Run(append([]string{"log"}, args...), in)
	return outcome{code, handled, out.String(), errs.String()}
}

func TestLog(t *testing.T) {
	at := func(d time.Duration) time.Time { return noon.Add(-d) }
	day := []engine.Moment{
		{At: at(20 * time.Hour), Event: engine.Began},
		{At: at(19 * time.Hour), Event: engine.Changed, ID: "s1", Project: "app", To: "idle", Rule: "idle", Why: "nothing speaks against it"},
		{At: at(time.Hour), Event: engine.Changed, ID: "s1", Project: "app", From: "working", To: "approval", Rule: "dialog.permission", Why: "the CLI reports a permission prompt"},
		{At: at(time.Hour), Event: engine.Notice, ID: "s1", Project: "app", State: "raised", Kind: "approval", Why: "still open"},
		{At: at(time.Minute), Event: engine.Changed, ID: "s12", Project: "a\x1b[31m very long name of a project", From: "working", To: "waiting", Trouble: engine.RateLimit, Rule: "turn.failed", Why: "the CLI reported an error at the end of its turn"},
		{At: at(time.Minute), Event: engine.Missed, Lost: 12},
		{At: at(time.Second), Event: engine.Gone, ID: "s1"},
		{At: at(0), Event: engine.Stopped},
	}
	golden(t, "log", logged(nil, day).out)
	narrow := logged(&screen{terminal: true, width: 60, height: 24}, day).out
	for line := range strings.Lines(narrow) {
		if width(strings.TrimSuffix(line, "\n")) > 60 {
			t.Errorf("a line wraps: %q", line)
		}
	}
	if got := logged(nil, day[:2], "--json").out; got != "{\"event\":\"start\"}\n{\"event\":\"status\"}\n" {
		t.Errorf("got %s, want the lines as they are", got)
	}
	if got := logged(nil, []engine.Moment{}); got.code != ok || got.out != "nothing has happened in the last day\n" {
		t.Errorf("got %+v", got)
	}
	if got := logged(nil, []engine.Moment{}, "--json"); got.code != ok || strings.TrimSpace(got.out) != "" {
		t.Errorf("got %+v", got)
	}
	if got := logged(nil, nil); got.code != failed || got.err != "deskbell: there is no folder\n" {
		t.Errorf("got %+v", got)
	}
}
