package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// owned is a CLI whose logs say in their first line whose they are: "of <id>"; others are
// nobody's.
func owned(o *Options) {
	o.CLIs = []sources.CLI{{Name: "owned", Title: "Owned", Files: []sources.Tree{{
		Glob: "logs/*/*.log", Find: func(w engine.Who) []string { return nil },
		Begin: func(_ string, first []byte) sources.Translate {
			id, is := strings.CutPrefix(string(first), "of ")
			if !is {
				return nil
			}
			return func(line []byte) ([]engine.Event, error) {
				return []engine.Event{{By: engine.Transcript, Who: engine.Who{Tool: "owned", ID: id}, Fact: engine.Described{Title: string(line)}}}, nil
			}
		},
	}}}}
}

// TestFirstLine checks that a log is told of whom its first line names, wherever it is
// joined and whatever takes its place.
func TestFirstLine(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "logs", "today")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("0123456789abcde\n", 16<<10) // more than is read at first
	write("old.log", "of a\n"+long+"last of a\n")
	write("none.log", "hello\nthere\n")
	r := start(t, home, owned).started()
	told := func(want string) {
		t.Helper()
		for late := time.After(5 * time.Second); ; {
			select {
			case batch := <-r.batches:
				for _, ev := range batch {
					got := ev.Who.ID + ": " + ev.Fact.(engine.Described).Title
					if got == want {
						return
					}
					if strings.HasPrefix(got, ": ") || strings.HasSuffix(got, "there") || strings.HasPrefix(got, "a: of b") {
						t.Fatalf("told %q", got)
					}
				}
			case <-late:
				t.Fatalf("%q was never told", want)
			}
		}
	}
	r.Answer(engine.Question{Ask: engine.AskRecords, Who: engine.Who{Tool: "owned"}}) // nobody knows whose
	told("a: last of a")
	write("new.log", "of b\nfirst of b\n")
	told("b: first of b")
	write("old.log", "of c\nfirst of c\n") // another in its place
	told("c: first of c")
	f, err := os.OpenFile(filepath.Join(dir, "slow.log"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, part := range []string{"of ", "d\n", "first of d\n"} { // it is written bit by bit
		if _, err := f.WriteString(part); err != nil {
			t.Fatal(err)
		}
		r.do(func() { r.look() })
	}
	told("d: first of d")
	write("huge.log", strings.Repeat("x", longestFirst+chunkLen+1)+"\nmore\n")
	select {
	case text := <-r.said:
		if !strings.Contains(text, "its first line has more than 1 MB") {
			t.Errorf("said %q", text)
		}
	case <-time.After(5 * time.Second):
		t.Error("nothing was said of the huge one")
	}
}
