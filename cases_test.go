package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// caseList has the public bug cases that wrong states and files are made of: an id, and
// what must hold.
const caseList = "testdata/cases.txt"

// TestCases checks that every case of the list is named where it is tested.
func TestCases(t *testing.T) {
	text, err := os.ReadFile(caseList)
	if err != nil {
		t.Fatal(err)
	}
	named := tested(t)
	last := ""
	for line := range strings.Lines(string(text)) {
		id, holds, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !caseID.MatchString(id) || holds == "" || len(id) < len(last) || len(id) == len(last) && id <= last {
			t.Errorf("%s: %q is no case behind %s", caseList, line, last)
		}
		if last = id; !named[id] {
			t.Errorf("no test names %s: %s", id, holds)
		}
	}
	if last == "" {
		t.Errorf("%s is empty", caseList)
	}
}

var caseID = regexp.MustCompile(`\bC\d{2,3}\b`)

// tested is what ids are named in tests and their scenarios.
func tested(t *testing.T) map[string]bool {
	t.Helper()
	named := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch path = filepath.ToSlash(path); {
		case err != nil:
			return err
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") && path != "." {
				return filepath.SkipDir
			}
			return nil
		case path == caseList || !strings.HasSuffix(path, "_test.go") && !(strings.HasSuffix(path, ".txt") && strings.Contains(path, "testdata/")):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, id := range caseID.FindAllString(string(text), -1) {
			named[id] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return named
}
