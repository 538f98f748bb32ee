package engine_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is all that package engine may import. None of it knows the time, a file
// or another goroutine.
var allowed = []string{
	"bytes", "cmp", "encoding", "encoding/json", "errors", "fmt", "iter", "maps", "math", "path", "reflect", "slices", "sort", "strconv", "strings", "time", "unicode", "unicode/utf8",
}

// ofTime is what of package time depends on when it is called, or runs by itself.
var ofTime = []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTicker", "NewTimer", "Timer", "Ticker", "Local", "LoadLocation"}

// TestPure checks that the engine decides by what it is handed and by nothing else.
func TestPure(t *testing.T) {
	for name, file := range sources(t) {
		for _, i := range file.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); !slices.Contains(allowed, p) {
				t.Errorf("%s imports %s", name, p)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				t.Errorf("%s: a %T", name, n)
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					t.Errorf("%s: receives from a channel", name)
				}
			case *ast.SelectorExpr:
				if x, is := n.X.(*ast.Ident); is && x.Name == "time" && slices.Contains(ofTime, n.Sel.Name) {
					t.Errorf("%s: time.%s", name, n.Sel.Name)
				}
				if n.Sel.Name == "Lock" || n.Sel.Name == "Unlock" {
					t.Errorf("%s: %s", name, n.Sel.Name)
				}
			case *ast.CallExpr:
				if x, is := n.Fun.(*ast.Ident); is && (x.Name == "print" || x.Name == "println" || x.Name == "panic") {
					t.Errorf("%s: %s", name, x.Name)
				}
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: an init function", name)
				}
			}
			return true
		})
		for _, c := range file.Comments {
			if strings.Contains(c.Text(), "TODO") || strings.Contains(c.Text(), "FIXME") {
				t.Errorf("%s: something is left to do", name)
			}
		}
	}
}
