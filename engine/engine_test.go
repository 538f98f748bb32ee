package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/engine/script"
)

// scripts are the scenarios by name.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(filepath.Base(file), ".txt")] = string(text)
	}
	return texts
}

// TestScripts plays every scenario, and counts the rows that decided in one.
func TestScripts(t *testing.T) {
	spoke := map[string]bool{}
	texts := scripts(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		t.Run(name, func(t *testing.T) {
			decided := script.Run(texts[name], engine.Rules(), engine.DefaultLimits(), t.Logf, func(err error) bool { t.Error(err); return true })
			for _, rule := range decided {
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
