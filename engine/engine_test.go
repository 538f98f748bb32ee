package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/engine/script"
)

// TestScripts plays every scenario, and counts the rows that decided in one.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	spoke := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range script.Run(t, string(text), engine.Rules(), t.Errorf) {
				spoke[rule] = true
			}
		})
	}
	for _, r := range engine.Rules() {
		if !spoke[r.Name] {
			t.Errorf("no script in which %s decides", r.Name)
		}
	}
}
