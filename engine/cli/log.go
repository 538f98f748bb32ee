package cli

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"deskbell/engine"
)

// Log is the command log, for [Env.More].
type Log struct {
	Log logCmd `cmd:"" help:"Tell what happened in the last day. Works without a running deskbell."`
}

type logCmd struct {
	JSON bool `name:"json" help:"Print the lines of the journal as they are."`

	read func() (iter.Seq2[engine.Moment, []byte], error)
}

// NewLog returns the command log over a journal: its moments, the oldest first, and as
// they are written.
func NewLog(read func() (iter.Seq2[engine.Moment, []byte], error)) *Log {
	return &Log{logCmd{read: read}}
}

// Help is shown below the usage.
func (logCmd) Help() string {
	return "Prints each change of a status with its reason, and each notice that was raised, withdrawn or held, the newest last. The journal holds no text of prompts, answers or commands."
}

// Run prints the journal.
func (l logCmd) Run(in Env) error {
	all, err := l.read()
	if err != nil {
		return err
	}
	var out strings.Builder
	for m, line := range all {
		if l.JSON {
			out.Write(line)
			out.WriteByte('\n')
			continue
		}
		text := dated(m.At, in.Now()) + gap + told(m)
		if m.ID != "" {
			text = dated(m.At, in.Now()) + gap + pad(cut(clean(string(m.ID)+" "+m.Project), named), named) + gap + told(m)
		}
		if w := in.output().width; w > 0 {
			text = cut(text, w)
		}
		out.WriteString(text + "\n")
	}
	if out.Len() == 0 && !l.JSON {
		out.WriteString("nothing has happened in the last day\n")
	}
	return put(in.Stdout, []byte(strings.TrimSuffix(out.String(), "\n")))
}

// named is how wide a session's name is in the log.
const named = 20

// dated tells when something was in the last day, by the clock that shows now.
func dated(t, now time.Time) string { return t.In(now.Location()).Format("Mon 15:04:05") }

// told is a moment in words.
func told(m engine.Moment) (text string) {
	switch m.Event {
	case engine.Changed:
		text = cmp.Or(m.From, "new") + " -> " + m.To
		if m.Trouble != "" {
			text += " (" + m.Trouble.Words() + ")"
		}
		text += "  " + m.Rule + ": " + m.Why
	case engine.Notice:
		text = "notice " + strings.TrimSpace(m.State+" "+m.Kind) + ": " + m.Why
	case engine.Gone:
		text = "known no longer"
	case engine.Began:
		text = "deskbell started"
	case engine.Stopped:
		text = "deskbell stopped"
	case engine.Missed:
		text = fmt.Sprintf("%d lines were lost, there was too much at once", m.Lost)
	default:
		text = m.Event
	}
	return clean(text)
}
