package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"deskbell/engine"
)

const longestLine = 64 << 10 // bytes; what is longer is none of ours

// lines are those of a file that have an end. A file that is not there has none.
func lines(path string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		f, err := os.Open(path)
		if err != nil {
			return
		}
		defer f.Close()
		for r, long := bufio.NewReaderSize(f, longestLine), false; ; {
			line, err := r.ReadSlice('\n')
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				long = true
			case err != nil && !errors.Is(err, io.EOF):
				return
			case err != nil: // half a line, or none
				return
			case long:
				long = false
			case !yield(bytes.TrimSpace(line)):
				return
			}
		}
	}
}

// dated is the time of a line; zero: it is none of ours.
func dated(line []byte) time.Time {
	var l struct {
		At time.Time `json:"at"`
	}
	_ = json.Unmarshal(line, &l)
	return l.At
}

// segments are the files of a journal, the oldest first.
var segments = [...]string{journalOld, journalFile}

// marked are the lines of a file that hold mark.
func marked(path, mark string) iter.Seq[[]byte] {
	want := []byte(mark)
	return func(yield func([]byte) bool) {
		for line := range lines(path) {
			if bytes.Contains(line, want) && !yield(line) {
				return
			}
		}
	}
}

// Facts is what hooks told since the machine was started, for an engine that begins at
// now, and how many lines made no sense. Of what was before, no process lives. The first
// snapshot waits for it, so the files are read side by side.
func Facts(dir, boot string, kept time.Duration, now time.Time) (told []engine.Event, bad int) {
	var parts [len(segments)]struct {
		told []engine.Event
		bad  int
	}
	var wg sync.WaitGroup
	for i, name := range segments {
		part := &parts[i]
		wg.Go(func() {
			known, ours := reader{}, boot == ""
			for line := range lines(filepath.Join(dir, name)) {
				if bytes.Contains(line, []byte(`"boot":`)) && boot != "" {
					var m engine.Moment
					ours = json.Unmarshal(line, &m) == nil && m.Boot == boot
				}
				if !ours || !bytes.Contains(line, []byte(`"fact":`)) {
					continue
				}
				var l engine.Line
				if err := known.read(line, &l); err != nil {
					part.bad++
				} else if l.By == engine.Hook && now.Sub(l.At) <= kept && !l.At.After(now) {
					part.told = append(part.told, l.Event)
				}
			}
		})
	}
	wg.Wait()
	for _, part := range parts {
		told, bad = append(told, part.told...), bad+part.bad
	}
	return told, bad
}

// reader knows who was named before, by how that is written: most lines name the same few.
type reader map[string]engine.Who

// read is json.Unmarshal, but for what is known: half of each line.
func (r reader) read(line []byte, l *engine.Line) error {
	const begin = `"who":{`
	from := bytes.Index(line, []byte(begin))
	to := bytes.IndexByte(line[max(from, 0):], '}') + max(from, 0)
	if from < 0 || to+1 >= len(line) || line[to+1] != ',' {
		return l.UnmarshalJSON(line)
	}
	text := line[from+len(begin)-1 : to+1]
	if bytes.IndexByte(text, '\\') >= 0 || bytes.Count(text, []byte(`"`))%2 != 0 {
		return l.UnmarshalJSON(line) // the end may be inside a string
	}
	who, known := r[string(text)]
	if !known {
		if err := json.Unmarshal(text, &who); err != nil {
			return err
		}
		r[string(text)] = who
	}
	if err := l.UnmarshalJSON(append(line[:from], line[to+2:]...)); err != nil {
		return err
	}
	l.Who = who
	return nil
}

// Moments are those of the last hours, the oldest first, and as they are written.
func Moments(dir string, kept time.Duration, now time.Time) iter.Seq2[engine.Moment, []byte] {
	return func(yield func(engine.Moment, []byte) bool) {
		for _, name := range segments {
			for line := range marked(filepath.Join(dir, name), `"event":`) {
				var m engine.Moment
				if json.Unmarshal(line, &m) != nil || m.Event == "" || m.Event == engine.GoesOn || now.Sub(m.At) > kept {
					continue
				}
				if !yield(m, line) {
					return
				}
			}
		}
	}
}

// Recent are the moments of the journal that deskbell keeps.
func Recent() (iter.Seq2[engine.Moment, []byte], error) {
	dir, err := StateDir()
	if err != nil {
		return nil, err
	}
	return Moments(dir, engine.DefaultLimits()[engine.Kept], time.Now()), nil
}

// Past is what the journal has of one session.
type Past struct {
	Last    engine.Moment   // that tells its status
	History []engine.Moment // the last ones, the oldest first
}

// Session is the session as it was last told of: it is known no longer.
func (p *Past) Session() engine.Session {
	m := p.Last
	s := engine.Session{
		ID: m.ID, Tool: m.Tool, SessionID: m.SessionID, Project: m.Project, Dir: m.Dir, BeganIn: m.Dir,
		Status: engine.Ended, Since: m.At, Trouble: m.Trouble,
		Reason: engine.Signal{Rule: m.Rule, Since: m.At, Why: m.Why},
	}
	if !m.Since.IsZero() {
		s.Since, s.Reason.Since = m.Since, m.Since
	}
	_ = s.Reason.Weight.UnmarshalText([]byte(m.Weight)) // one that another version has is none here
	_ = s.Reason.By.UnmarshalText([]byte(m.By))
	return s
}

// historyKept is how many moments of a session are told.
const historyKept = 20

// Past returns what the journal has of a session by our id or the beginning of the
// tool's. Where several fit, none is taken.
func (j *Journal) Past(id string, now time.Time) (p Past, ok bool) {
	if id == "" {
		return p, false
	}
	of := map[engine.ID]*Past{}
	var exact *Past
	for m := range Moments(j.dir, j.kept, now) {
		is := string(m.ID) == id
		if m.ID == "" || !is && of[m.ID] == nil && (m.SessionID == "" || !strings.HasPrefix(m.SessionID, id)) {
			continue
		}
		one := of[m.ID]
		if one == nil {
			one = new(Past)
			of[m.ID] = one
		}
		if is {
			exact = one
		}
		if m.Event == engine.Changed {
			one.Last = m
		}
		one.History = append(one.History, m)
		if len(one.History) > historyKept {
			one.History = slices.Delete(one.History, 0, 1)
		}
	}
	if exact == nil && len(of) == 1 {
		for _, exact = range of {
		}
	}
	if exact == nil || exact.Last.ID == "" {
		return p, false
	}
	return *exact, true
}
