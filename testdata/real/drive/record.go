package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// change is a change of a status, as the stream or a replay tells it.
type change struct {
	At        time.Time
	ID        string
	SessionID string `json:"session_id"`
	From, To  string
	Rule      string
	Notice    string
}

func (c change) String() string { return fmt.Sprintf("%s -> %s %s", c.From, c.To, c.Rule) }

// recorder is a `deskbell record` under way.
type recorder struct {
	path, file string
	env        []string
	cmd        *exec.Cmd
}

// startRecord records what deskbell is told from now on.
func startRecord(path string, env []string, dir string) (*recorder, error) {
	r := &recorder{path: path, env: env, file: filepath.Join(dir, "record.jsonl"), cmd: exec.Command(path, "record", filepath.Join(dir, "record.jsonl"))}
	r.cmd.Env = env
	says, err := r.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	line, _ := bufio.NewReader(says).ReadString('\n')
	if !strings.HasPrefix(line, "recording") {
		return nil, fmt.Errorf("record: %q", line)
	}
	return r, nil
}

// replay ends the record and replays it.
func (r *recorder) replay() (changes []change, err error) {
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if err := r.cmd.Wait(); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	cmd := exec.Command(r.path, "replay", "--json", r.file)
	cmd.Env, cmd.Stderr = r.env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for line := range bytes.Lines(out) {
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		if c.Notice == "" {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// differ says which sessions a replay shows otherwise than the stream did.
func differ(stream, replay []change) (wrong []string) {
	want, got := bySession(stream), bySession(replay)
	var ids []string
	for _, c := range slices.Concat(stream, replay) {
		if !slices.Contains(ids, c.SessionID) {
			ids = append(ids, c.SessionID)
		}
	}
	for _, id := range ids {
		if w, g := list(want[id]), list(got[id]); w != g {
			wrong = append(wrong, fmt.Sprintf("the replay of session %.8s shows [%s], the stream had [%s]", id, g, w))
		}
	}
	return wrong
}

func bySession(changes []change) map[string][]string {
	out := map[string][]string{}
	for _, c := range changes {
		out[c.SessionID] = append(out[c.SessionID], c.String()+",")
	}
	return out
}
