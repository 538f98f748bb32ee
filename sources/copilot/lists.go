package copilot

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// open translates open-sessions-state.json: which sessions are open, and which of them
// work, also while they ask you something. What was killed stays in it as it was.
func open(f sources.File) ([]engine.Event, error) {
	if f.Text == nil {
		return nil, nil
	}
	var list map[string]struct {
		Opened    *time.Time `json:"openedAt"`
		Refreshed time.Time  `json:"refreshedAt"`
		Working   bool       `json:"working"`
	}
	if err := json.Unmarshal(f.Text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path.Base(f.Rel), err)
	}
	all := engine.Roster{Complete: true}
	var levels []engine.Event
	for _, id := range slices.Sorted(maps.Keys(list)) {
		s := list[id]
		if !form.MatchString(id) || s.Opened == nil {
			continue
		}
		all.Rows = append(all.Rows, engine.Member{ID: id, Level: engine.Present})
		fact := engine.Listed{Level: engine.ListedIdle}
		if s.Working {
			fact.Level = engine.ListedBusy
		}
		levels = append(levels, engine.Event{At: s.Refreshed, By: engine.Listing, Who: engine.Who{Tool: tool, ID: id}, Fact: fact})
	}
	if len(all.Rows) == 0 {
		return nil, nil // or of another shape than we know; the last one that is closed takes its process along
	}
	return append([]engine.Event{{At: f.Mod, By: engine.Listing, Who: engine.Who{Tool: tool}, Fact: all}}, levels...), nil
}

// owner is the session whose file that is.
func owner(rel string) (id string, ok bool) {
	id = path.Base(path.Dir(rel))
	return id, form.MatchString(id)
}

// lock translates inuse.<pid>.lock: the process that has a session open. It is left behind
// by one that was killed; whether that number is still its, its process tells.
func lock(f sources.File) ([]engine.Event, error) {
	id, ok := owner(f.Rel)
	pid, err := strconv.Atoi(strings.TrimSpace(string(f.Text)))
	if !ok || f.Text == nil || err != nil || pid <= 1 || path.Base(f.Rel) != fmt.Sprintf("inuse.%d.lock", pid) {
		return nil, nil
	}
	return []engine.Event{{At: f.Mod, By: engine.Listing, Who: engine.Who{Tool: tool, ID: id, PID: pid}, Fact: engine.Lived{}}}, nil
}

// workspace translates workspace.yaml: the folder and the name of a session.
func workspace(f sources.File) ([]engine.Event, error) {
	id, ok := owner(f.Rel)
	if !ok {
		return nil, nil
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(f.Text)) {
		if key, value, found := strings.Cut(strings.TrimRight(line, "\r\n"), ": "); found {
			fields[key] = plain(value)
		}
	}
	if fields["id"] != id {
		return nil, nil
	}
	who := engine.Who{Tool: tool, ID: id, Dir: fields["cwd"]}
	return []engine.Event{{At: f.Mod, By: engine.Listing, Who: who, Fact: engine.Described{Title: sources.OneLine(fields["name"])}}}, nil
}

// plain is a value of a line without its quotes.
func plain(value string) string {
	value = strings.TrimSpace(value)
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		return text
	}
	if n := len(value); n > 1 && value[0] == '\'' && value[n-1] == '\'' {
		return strings.ReplaceAll(value[1:n-1], "''", "'")
	}
	return value
}
