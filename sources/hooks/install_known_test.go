package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// old are the events of Claude Code 2.0.76, as it lists them itself when it meets
// another one.
var old = []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "Notification", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop",
	"SubagentStart", "SubagentStop", "PreCompact", "PermissionRequest"}

// TestOldCLI leaves out what an old version would refuse its settings for.
func TestOldCLI(t *testing.T) {
	d := newHouse(t, "home")
	d.cli(old...)
	const left = "StopFailure, PostToolBatch, PermissionDenied, PostCompact, CwdChanged, Elicitation, ElicitationResult"
	show, apply, err := d.Plan("claude", "", true)
	if err != nil || !strings.Contains(show, "Left out: "+left+" (the Claude Code here does not know them") {
		t.Errorf("%v, %s", err, show)
	}
	if _, err := apply(); err != nil {
		t.Fatal(err)
	}
	r := d.check()
	if !r.Healthy() || r.Density != Medium || strings.Join(r.Left, ", ") != left || len(r.Events) != len(old) || !strings.Contains(r.String(), "left out  "+left) {
		t.Errorf("got %s", r)
	}
	d.cli(slices.Concat(old, []string{"StopFailure"})...) // an update
	if r := d.check(); len(r.Problems) != 1 || r.Problems[0].What != "missing for density medium: StopFailure" {
		t.Errorf("got %s", r)
	}
	d.must("", true)
	if r := d.check(); !r.Healthy() {
		t.Errorf("got %s", r)
	}
	d.env["PATH"] = "" // not found any more: what is installed stays
	if r := d.check(); !r.Healthy() {
		t.Errorf("got %s", r)
	}
	before := d.read(d.settings())
	d.must("", true)
	if got := d.read(d.settings()); got != before {
		t.Errorf("got\n%s", got)
	}
	d.cli(old...) // and back
	if r := d.check(); len(r.Problems) != 1 || !strings.Contains(r.Problems[0].What, "refuses its settings: StopFailure") {
		t.Errorf("got %s", r)
	}
	d.must("", true)
	if r := d.check(); !r.Healthy() || slices.Contains(r.Events, "StopFailure") {
		t.Errorf("got %s", r)
	}
	d.must("", false)
	if got := d.files(); got != "" {
		t.Errorf("left %s", got)
	}
}

// TestUnknownCLI installs what every version knows where none is found.
func TestUnknownCLI(t *testing.T) {
	d := newHouse(t, "home")
	d.env["PATH"] = ""
	show, _, err := d.Plan("claude", "low", true)
	if err != nil || !strings.Contains(show, "Left out: StopFailure (no Claude Code was found here") {
		t.Errorf("%v, %s", err, show)
	}
	d.must("high", true)
	if r := d.check(); !r.Healthy() || !slices.Equal(r.Events, slices.Sorted(slices.Values(old))) {
		t.Errorf("got %s", r)
	}
}

// TestSeveralCLIs takes what all versions know, wherever they are.
func TestSeveralCLIs(t *testing.T) {
	d := newHouse(t, "home")
	d.cli(old...)
	bin := filepath.Join(d.Home, "build", "bin", "claude")
	local := filepath.Join(d.Home, ".local", "bin", "claude")
	d.mkdir(filepath.Dir(local))
	if err := os.Rename(bin, filepath.Join(d.Home, "build", "2.0.76")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(d.Home, "build", "2.0.76"), local); err != nil {
		t.Skip(err)
	}
	d.write(filepath.Join(d.Home, "build", "other", "claude"), "#!/bin/sh\nexec claude\n", 0o755)
	d.cli(append(claude.at(High), "SomethingNew")...)
	d.env["PATH"] += string(filepath.ListSeparator) + filepath.Join(d.Home, "build", "other")
	known, sure := d.known(claude)
	slices.Sort(known)
	if want := slices.Sorted(slices.Values(old)); !sure || !slices.Equal(known, want) {
		t.Errorf("got %v, %v, want %v", known, sure, want)
	}
}

// TestListed finds the list wherever it is in the file.
func TestListed(t *testing.T) {
	d := newHouse(t, "home")
	const list = `["PreToolUse","PostToolUse","SessionStart","Stop"]`
	path := filepath.Join(d.Home, "program")
	for _, n := range []int{0, 1, 1<<20 - len(list) - 1, 1<<20 - len(list), 1<<20 - 10, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3<<20 - 5, 3 << 20} {
		for _, end := range []string{"", "x", strings.Repeat("y", longestList), strings.Repeat("y", 1<<20)} {
			d.write(path, strings.Repeat("x", n)+list+end, 0o755)
			if got := listed(path, claude.List); strings.Join(got, " ") != "PreToolUse PostToolUse SessionStart Stop" {
				t.Errorf("behind %d and before %d bytes: got %v", n, len(end), got)
			}
		}
	}
	for _, text := range []string{"", `["PreToolUse","PostToolUse"`, `["PreToolUse","PostToolUse","Stop"]`, `["PreToolUse","PostToolUse",` + strings.Repeat(`"A",`, 2000) + `"SessionStart"]`} {
		d.write(path, text, 0o755)
		if got := listed(path, claude.List); got != nil {
			t.Errorf("%.40q: got %v", text, got)
		}
	}
	if got := listed(d.Home, claude.List); got != nil {
		t.Errorf("a folder: got %v", got)
	}
}
