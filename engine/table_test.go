package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"deskbell/engine"
)

// tools are the CLIs there are. No rule knows one.
var tools = []string{"claude", "codex", "opencode", "gemini", "copilot", "cursor"}

// TestTable checks what the engine relies on, and what a reader does.
func TestTable(t *testing.T) {
	seen := map[string]int{}
	rules := engine.Rules()
	for i, r := range rules {
		seen[r.Name] = i
	}
	last := engine.Certain
	for i, r := range rules {
		if r.Weight < last {
			t.Errorf("%s: a %v row after a %v one", r.Name, r.Weight, last)
		}
		last = r.Weight
		if seen[r.Name] != i {
			t.Errorf("%s: twice", r.Name)
		}
		if (r.On == nil) == (r.Each == nil) {
			t.Errorf("%s: neither or both of On and Each", r.Name)
		}
		if r.Topic == "" {
			t.Errorf("%s: no topic", r.Name)
		}
		for _, u := range r.Unless {
			if j, is := seen[u]; !is || j == i {
				t.Errorf("%s: unless %q", r.Name, u)
			}
		}
		if r.Loud != engine.Silent && !r.Says.NeedsYou() {
			t.Errorf("%s: %v is no reason to ring", r.Name, r.Says)
		}
		if r.Weight == engine.Inferred && r.Loud == engine.Loudly {
			t.Errorf("%s: a guess rings", r.Name)
		}
		if r.Trouble != "" && r.Says != engine.Waiting && r.Says != engine.Ended {
			t.Errorf("%s: the trouble of a %v", r.Name, r.Says)
		}
		switch {
		case r.Why == "" || strings.HasSuffix(r.Why, ".") || strings.ContainsFunc(r.Why, unicode.IsDigit):
			t.Errorf("%s: %q is not one clause without numbers", r.Name, r.Why)
		case unicode.IsUpper([]rune(r.Why)[0]) && !strings.HasPrefix(r.Why, "CLI"):
			t.Errorf("%s: %q begins like a sentence", r.Name, r.Why)
		}
		for _, tool := range tools {
			if text := strings.ToLower(r.Name + " " + r.Why); strings.Contains(text, tool) {
				t.Errorf("%s: knows %s", r.Name, tool)
			}
		}
	}
	if r := rules[len(rules)-1]; r.Says != engine.Idle || r.For != engine.Always || r.After != engine.Always || r.Unless != nil {
		t.Errorf("%s: the last row does not speak where no other does", r.Name)
	}
}

// TestNoToolIsNamed checks that the engine knows no CLI in its code either.
func TestNoToolIsNamed(t *testing.T) {
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			var text string
			switch n := n.(type) {
			case *ast.BasicLit:
				text = n.Value
			case *ast.Ident:
				text = n.Name
			}
			for _, tool := range tools {
				if strings.Contains(strings.ToLower(text), tool) {
					t.Errorf("%s: %s", name, text)
				}
			}
			return true
		})
	}
}

// TestLimits checks that every limit has a length and a use.
func TestLimits(t *testing.T) {
	limits := engine.DefaultLimits()
	names := map[string]bool{}
	for i := range limits {
		l := engine.Limit(i)
		if name := l.String(); name == "" || names[name] {
			t.Errorf("limit %d is called %q", i, name)
		}
		names[l.String()] = true
		if l != engine.Always && limits[l] <= 0 {
			t.Errorf("%v takes %v", l, limits[l])
		}
	}
	used := map[string]bool{}
	set := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == filepath.Join("..", "engine", "limits.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				used[n.Name] = used[n.Name] || filepath.Base(filepath.Dir(path)) == "engine"
			case *ast.SelectorExpr:
				if x, is := n.X.(*ast.Ident); is && x.Name == "engine" {
					used[n.Sel.Name] = true
				}
				return false
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range limits {
		name := engine.Limit(i).String()
		ident := ""
		for word := range strings.SplitSeq(name, "_") {
			ident += strings.ToUpper(word[:1]) + word[1:]
		}
		if !used[ident] {
			t.Errorf("nothing rests on the limit %s", name)
		}
	}
}
