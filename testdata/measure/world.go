//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// world is a scratch HOME with sessions in it.
type world struct {
	home     string
	sessions []*session
	bare     bool // their CLI is one that keeps no status in its session file
}

func newWorld() (*world, error) {
	home, err := os.MkdirTemp("", "deskbell-measure-")
	return &world{home: home}, err
}

type session struct {
	id, dir, file, log string
	process            *exec.Cmd
	start              string
	bare               bool
	calls              int
}

func (w *world) env() []string {
	return []string{"HOME=" + w.home, "XDG_RUNTIME_DIR=" + filepath.Join(w.home, "run"), "PATH=" + os.Getenv("PATH")}
}

// add starts a process called claude and writes what Claude Code would write for it.
func (w *world) add(i int) error {
	s := &session{id: fmt.Sprintf("%08d-0000-4000-8000-%012d", i, i), dir: filepath.Join(w.home, fmt.Sprint("project", i)), bare: w.bare}
	claude := filepath.Join(w.home, ".claude")
	s.log = w.transcript(s)
	for _, d := range []string{s.dir, filepath.Dir(s.log), filepath.Join(claude, "sessions"), filepath.Join(w.home, "run")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	s.process = &exec.Cmd{Path: "/bin/sleep", Args: []string{"claude", "86400"}, Dir: s.dir}
	if err := s.process.Start(); err != nil {
		return err
	}
	w.sessions = append(w.sessions, s)
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid))
	if err != nil {
		return err
	}
	s.start = strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))[19]
	s.file = filepath.Join(claude, "sessions", fmt.Sprint(s.process.Process.Pid, ".json"))
	return s.say("idle", time.Now().Add(-time.Hour))
}

// say writes the session file in place, as the CLI does.
func (s *session) say(status string, at time.Time) error {
	version, level := "2.1.332", fmt.Sprintf(`,"status":%q,"waitingFor":"permission prompt","statusUpdatedAt":%d`, status, at.UnixMilli())
	if s.bare {
		version, level = "2.1.90", ""
	}
	text := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"procStart":%q,"version":%q,"kind":"interactive","entrypoint":"cli"%s}`,
		s.process.Process.Pid, s.id, s.dir, at.Add(-time.Hour).UnixMilli(), s.start, version, level)
	f, err := os.OpenFile(s.file, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}

// record appends one line to the transcript.
func (s *session) record(kind, message string) error {
	f, err := os.OpenFile(s.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line(kind, message, s))
	return err
}

// line is one of a transcript.
func line(kind, message string, s *session) string {
	return fmt.Sprintf(`{"type":%q,"message":%s,"timestamp":%q,"cwd":%q,"sessionId":%q,"entrypoint":"cli","origin":{"kind":"human"}}`+"\n",
		kind, message, time.Now().UTC().Format(time.RFC3339Nano), s.dir, s.id)
}

// history writes n transcripts of 1 MB, most of it a hole, of which the last few are those
// of the sessions to come, in 200 folders. A fifth are of the last day.
func (w *world) history(n, live int) error {
	for i := range n {
		k := n - 1 - i
		s := &session{id: fmt.Sprintf("%08d-0000-4000-8000-%012d", k, k), dir: filepath.Join(w.home, fmt.Sprint("project", k%200))}
		age := time.Duration(i%5) * 20 * time.Hour
		if s.log = w.transcript(s); i >= n-live {
			age = time.Minute
		}
		if err := os.MkdirAll(filepath.Dir(s.log), 0o700); err != nil {
			return err
		}
		if err := s.record("user", `{"role":"user","content":"do something"}`); err != nil {
			return err
		}
		if err := os.Truncate(s.log, 1<<20); err != nil {
			return err
		}
		f, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("\n" + line("assistant", `{"role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"done"}]}`, s))
		f.Close()
		if err != nil {
			return err
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(s.log, then, then); err != nil {
			return err
		}
	}
	return nil
}

// transcript is where the CLI keeps that of s.
func (w *world) transcript(s *session) string {
	return filepath.Join(w.home, ".claude", "projects", strings.NewReplacer("/", "-", ".", "-").Replace(s.dir), s.id+".jsonl")
}

// turn is one step of a session's work.
func (s *session) turn(step int) error {
	now := time.Now()
	switch step % 6 {
	case 0:
		if err := s.say("busy", now); err != nil {
			return err
		}
		return s.record("user", `{"role":"user","content":"do something"}`)
	case 1, 3:
		s.calls++
		return s.record("assistant", fmt.Sprintf(`{"role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_%s_%d","name":"Bash","input":{"command":"ls"}}]}`, s.id, s.calls))
	case 2, 4:
		return s.record("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%s_%d","content":"ok"}]}`, s.id, s.calls))
	}
	if err := s.record("assistant", `{"role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"done"}]}`); err != nil {
		return err
	}
	return s.say("idle", now)
}

// work lets every session take a step a second, for d.
func (w *world) work(d time.Duration) (events int) {
	for step, end := 0, time.Now().Add(d); time.Now().Before(end); step++ {
		for i, s := range w.sessions {
			if err := s.turn(step + i); err == nil {
				events++
			}
		}
		time.Sleep(time.Second)
	}
	return events
}

// rest brings every session to rest as if it had been idle for an hour: their turns
// are long over, so that not even "your turn" has a deadline.
func (w *world) rest() {
	for _, s := range w.sessions {
		_ = os.Remove(s.file) // the CLI ends and is resumed
	}
	time.Sleep(500 * time.Millisecond)
	for _, s := range w.sessions {
		_ = s.say("idle", time.Now())
	}
}

func (w *world) end() {
	for _, s := range w.sessions {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	}
	_ = os.RemoveAll(w.home)
}
