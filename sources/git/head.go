package git

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"deskbell/engine"
)

// place is where what is checked out in a folder is kept.
type place struct {
	top    string // the folder that has the .git
	dir    string // git's folder of this checkout: HEAD is in it
	common string // that of the repository; the same unless the checkout is a linked worktree
}

// find returns the checkout that a folder is in. ok is false where it is in none.
func find(folder string) (p place, ok bool) {
	for top := folder; ; top = filepath.Dir(top) {
		dot := filepath.Join(top, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir() && regular(filepath.Join(dot, "HEAD")):
			return place{top, dot, dot}, true
		case err == nil && info.Mode().IsRegular():
			if dir := within(top, line(dot), "gitdir: "); dir != "" && regular(filepath.Join(dir, "HEAD")) {
				common := within(dir, line(filepath.Join(dir, "commondir")), "")
				if common == "" { // a submodule is a repository of its own
					common = dir
				}
				return place{top, dir, common}, true
			}
		}
		if filepath.Dir(top) == top {
			return place{}, false
		}
	}
}

// within is the path behind a prefix, which may be told from a folder on; "" if there is none.
func within(folder, text, prefix string) string {
	path, ok := strings.CutPrefix(text, prefix)
	switch {
	case !ok || path == "":
		return ""
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// checkout reads what is checked out there. A linked worktree is called by its repository
// and its branch, or by its folder while it is on none (SPEC section 10).
func (p place) checkout() engine.Checkout {
	c := engine.Checkout{Head: p.head()}
	if p.common != p.dir {
		on := p.branch()
		if on == "" {
			on = filepath.Base(p.top)
		}
		c.Project = p.repository() + "@" + on
	}
	return c
}

// repository is what the repository is called: by its folder, or by its own name where it
// is bare.
func (p place) repository() string {
	name := filepath.Base(p.common)
	if bare, ok := strings.CutSuffix(name, ".git"); ok && bare != "" {
		return bare
	}
	if strings.HasPrefix(name, ".") {
		return filepath.Base(filepath.Dir(p.common))
	}
	return name
}

const (
	branches = "refs/heads/"
	short    = 7 // digits of a commit
)

// branch is the one that is checked out, or that is being rebased; "": none, or git keeps
// it where we do not look.
func (p place) branch() string {
	for _, at := range []string{"HEAD", "rebase-merge/head-name", "rebase-apply/head-name"} {
		ref := strings.TrimPrefix(line(filepath.Join(p.dir, at)), "ref: ")
		if name, ok := strings.CutPrefix(ref, branches); ok && name != ".invalid" {
			return engine.Tidy(name)
		}
	}
	return ""
}

// head is the branch, or else the commit.
func (p place) head() string {
	if b := p.branch(); b != "" {
		return b
	}
	commit := line(filepath.Join(p.dir, "HEAD"))
	if len(commit) < short || strings.Trim(commit, "0123456789abcdef") != "" {
		return ""
	}
	return commit[:short]
}

const longest = 4 << 10 // bytes; such a file has one line

// line is the first line of a file; "" where there is none.
func line(path string) string {
	if !regular(path) { // a pipe would have us wait
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, longest)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	first, _, _ := strings.Cut(string(text[:n]), "\n")
	return strings.TrimSpace(strings.ToValidUTF8(first, ""))
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
