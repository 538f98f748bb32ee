// Command typecheck type-checks packages for a system whose C compiler is not
// here: with cgo on, and calls into C taken on trust.
//
//	go run ./testdata/ci/typecheck -goos darwin ./...
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	goos := flag.String("goos", "darwin", "the system to check for")
	goarch := flag.String("goarch", "arm64", "its processor")
	flag.Parse()
	checked, err := check(*goos, *goarch, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d packages type-check for %s/%s\n", checked, *goos, *goarch)
}

// listed is what go list says of one package.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	CgoFiles        []string
	ImportMap       map[string]string
	Standard        bool
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

// check type-checks the packages and what they import, tests included, and
// returns how many of them are ours.
func check(goos, goarch string, patterns []string) (ours int, err error) {
	list := exec.Command("go", append([]string{"list", "-deps", "-test", "-json=Dir,ImportPath,GoFiles,CgoFiles,ImportMap,Standard,Module,Error"}, patterns...)...)
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := list.Start(); err != nil {
		return 0, err
	}
	w := world{files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}, sizes: types.SizesFor("gc", goarch)}
	for in := json.NewDecoder(out); ; {
		var p listed
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return ours, err
		}
		if p.Error != nil {
			return ours, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		if filepath.Ext(p.ImportPath) == ".test" || p.ImportPath == "unsafe" {
			continue // a test's main is generated
		}
		mine := p.Module != nil && p.Module.Main
		if err := w.check(p, mine); err != nil {
			return ours, err
		}
		if mine {
			ours++
		}
	}
	return ours, list.Wait()
}

// world is what was checked so far. go list names a package after its imports.
type world struct {
	files *token.FileSet
	done  map[string]*types.Package
	sizes types.Sizes
}

func (w world) check(p listed, bodies bool) error {
	var files []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(w.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	var wrong []error
	conf := types.Config{
		Importer: imports{w, p.ImportMap}, FakeImportC: true, IgnoreFuncBodies: !bodies, Sizes: w.sizes,
		Error: func(err error) { wrong = append(wrong, err) },
	}
	w.done[p.ImportPath], _ = conf.Check(p.ImportPath, w.files, files, nil) // Error has them all
	if !bodies {
		return nil // others answer for theirs
	}
	return errors.Join(wrong...)
}

// imports finds the packages one package imports.
type imports struct {
	world
	names map[string]string // by the path written in the source, where that differs
}

// Import implements types.Importer.
func (i imports) Import(path string) (*types.Package, error) {
	if actual, ok := i.names[path]; ok {
		path = actual
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s was not listed", path)
}
