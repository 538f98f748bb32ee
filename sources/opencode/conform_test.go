package opencode

import (
	"path/filepath"
	"strings"
	"testing"

	"deskbell/sources/clitest"
)

// TestConforms checks what every adapter must keep, on all recordings.
func TestConforms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var recordings []*clitest.Recording
	for _, file := range files {
		rec, err := clitest.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(rec.Scenario, "print") {
			continue // nobody's: it says nothing
		}
		recordings = append(recordings, rec)
	}
	for _, fault := range clitest.Faults(CLI, recordings...) {
		t.Error(fault)
	}
}
