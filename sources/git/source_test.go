package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// replace puts a file in the place of another, as git does.
func replace(t *testing.T, path, text string) {
	t.Helper()
	put(t, path+".lock", text)
	if err := os.Rename(path+".lock", path); err != nil {
		t.Fatal(err)
	}
}

func checkout(dir string) string {
	p, ok := find(dir)
	if !ok {
		return "none"
	}
	c := p.checkout()
	return strings.TrimSpace(c.Project + " on " + c.Head)
}

// TestCheckouts reads checkouts of every kind, as git lays them out.
func TestCheckouts(t *testing.T) {
	root := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	const commit = "0123456789abcdef0123456789abcdef01234567\n"
	put(t, at("app/.git/HEAD"), "ref: refs/heads/main\n")
	put(t, at("app/sub/deep/file"), "")
	put(t, at("detached/.git/HEAD"), commit)
	put(t, at("rebasing/.git/HEAD"), commit)
	put(t, at("rebasing/.git/rebase-merge/head-name"), "refs/heads/topic\n")
	put(t, at("reftable/.git/HEAD"), "ref: refs/heads/.invalid\n")
	put(t, at("broken/.git/HEAD"), "\x00\xff nonsense")
	put(t, at("empty/.git/config"), "")
	put(t, at("slash/.git/HEAD"), "ref: refs/heads/fix/the\x1b[31m-login\n")

	put(t, at("app/.git/worktrees/wt/HEAD"), "ref: refs/heads/login\n")
	put(t, at("app/.git/worktrees/wt/commondir"), "../..\n")
	put(t, at("wt/.git"), "gitdir: "+at("app/.git/worktrees/wt")+"\n")
	put(t, at("wt/sub/file"), "")
	put(t, at("app/.git/worktrees/loose/HEAD"), commit)
	put(t, at("app/.git/worktrees/loose/commondir"), "../..\n")
	put(t, at("loose/.git"), "gitdir: ../app/.git/worktrees/loose\n")
	put(t, at("bare.git/worktrees/b/HEAD"), "ref: refs/heads/b\n")
	put(t, at("bare.git/worktrees/b/commondir"), "../..\n")
	put(t, at("b/.git"), "gitdir: "+at("bare.git/worktrees/b")+"\n")
	put(t, at("proj/.bare/worktrees/c/HEAD"), "ref: refs/heads/c\n")
	put(t, at("proj/.bare/worktrees/c/commondir"), "../..\n")
	put(t, at("proj/c/.git"), "gitdir: "+at("proj/.bare/worktrees/c")+"\n")
	put(t, at("app/.git/modules/lib/HEAD"), "ref: refs/heads/v2\n")
	put(t, at("app/lib/.git"), "gitdir: ../.git/modules/lib\n")
	put(t, at("lost/.git"), "gitdir: /nowhere/at/all\n")

	for dir, want := range map[string]string{
		"app": "on main", "app/sub/deep": "on main", "detached": "on 0123456", "rebasing": "on topic", "reftable": "on",
		"broken": "on", "slash": "on fix/the[31m-login", "wt": "app@login on login", "wt/sub": "app@login on login",
		"loose": "app@loose on 0123456", "b": "bare@b on b", "proj/c": "proj@c on c", "app/lib": "on v2",
		"empty": "none", "lost": "none", "nowhere": "none",
	} {
		if got := checkout(at(dir)); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}

// rig is a Source at work.
type rig struct {
	*Source
	t    *testing.T
	told chan engine.Event
	last map[string]string // by folder
}

func start(t *testing.T) rig {
	t.Helper()
	r := rig{New(), t, make(chan engine.Event, 1000), map[string]string{}}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = r.Run(ctx, func(evs ...engine.Event) {
			for _, ev := range evs {
				r.told <- ev
			}
		})
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return r
}

// expect waits until the folder is told to be so.
func (r rig) expect(dir, want string) {
	r.t.Helper()
	for late := time.After(5 * time.Second); r.last[dir] != want; {
		select {
		case ev := <-r.told:
			c := ev.Fact.(engine.Checkout)
			r.last[ev.Who.Dir] = strings.TrimSpace(c.Project + " on " + c.Head)
		case <-late:
			r.t.Fatalf("of %s it tells %q last, want %q", dir, r.last[dir], want)
		}
	}
}

// silent checks that nothing is told of what was done so far.
func (r rig) silent() {
	r.t.Helper()
	if err := r.Sync(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	select {
	case ev := <-r.told:
		r.t.Errorf("it tells %+v", ev)
	default:
	}
}

func TestFollow(t *testing.T) {
	root := sources.RealPath(t.TempDir())
	app, other := filepath.Join(root, "app"), filepath.Join(root, "other")
	head := filepath.Join(app, ".git", "HEAD")
	put(t, head, "ref: refs/heads/main\n")
	put(t, filepath.Join(app, "sub", "file"), "")
	put(t, filepath.Join(other, "file"), "")
	r := start(t)
	r.Follow([]string{app, other, filepath.Join(app, "sub"), "relative", ""})
	r.expect(app, "on main")
	r.expect(filepath.Join(app, "sub"), "on main")
	r.expect(other, "on")
	clear(r.last)
	r.Retell()
	r.expect(app, "on main")
	r.expect(filepath.Join(app, "sub"), "on main")
	r.expect(other, "on")
	for n := range 50 { // each HEAD takes the watch of the one before with it
		replace(t, head, fmt.Sprintf("ref: refs/heads/b%d\n", n))
		r.expect(app, fmt.Sprintf("on b%d", n))
	}
	r.expect(filepath.Join(app, "sub"), "on b49")
	put(t, head, "ref: refs/heads/in-place\n")
	r.expect(app, "on in-place")
	r.expect(filepath.Join(app, "sub"), "on in-place")
	r.Refresh()
	r.silent()
	put(t, filepath.Join(app, ".git", "index"), "what else changes there is of no interest")
	r.silent()

	put(t, filepath.Join(other, ".git", "HEAD"), "ref: refs/heads/new\n")
	r.Refresh()
	r.expect(other, "on new")
	r.Follow([]string{app})
	r.silent()
	replace(t, filepath.Join(other, ".git", "HEAD"), "ref: refs/heads/unheard\n")
	replace(t, head, "ref: refs/heads/last\n")
	r.expect(app, "on last") // app/sub had the same file
	r.silent()
	if err := os.RemoveAll(filepath.Join(app, ".git")); err != nil {
		t.Fatal(err)
	}
	r.expect(app, "on")
	if err := os.RemoveAll(app); err != nil {
		t.Fatal(err)
	}
	r.Refresh()
	r.silent()
}

// TestRealGit checks out, adds a worktree, rebases, and removes it, with git itself.
func TestRealGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git: ", err)
	}
	root := sources.RealPath(t.TempDir())
	app, wt := filepath.Join(root, "app"), filepath.Join(root, "somewhere", "wt")
	git := func(dir string, args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git(root, "init", "-q", "app")
	git(app, "checkout", "-q", "-b", "trunk")
	git(app, "commit", "-q", "--allow-empty", "-m", "one")
	r := start(t)
	r.Follow([]string{app})
	r.expect(app, "on trunk")
	git(app, "checkout", "-q", "-b", "fix/login")
	r.expect(app, "on fix/login")
	git(app, "worktree", "add", "-q", "-b", "side", wt)
	r.Follow([]string{app, wt})
	r.expect(wt, "app@side on side")
	git(wt, "checkout", "-q", "-b", "other")
	r.expect(wt, "app@other on other")
	git(app, "checkout", "-q", "trunk")
	r.expect(app, "on trunk")
	git(app, "worktree", "remove", wt)
	r.Refresh()
	r.silent()
}

// FuzzHead reads what anybody may have written in git's place.
func FuzzHead(f *testing.F) {
	f.Add("ref: refs/heads/main\n", "gitdir: ../x\n", "../..")
	f.Add("0123456789abcdef\n", "gitdir: \n", "")
	f.Add("\x00", "\xff", "/")
	f.Fuzz(func(t *testing.T, head, link, common string) {
		root := t.TempDir()
		put(t, filepath.Join(root, "a", ".git"), link)
		put(t, filepath.Join(root, "x", "HEAD"), head)
		put(t, filepath.Join(root, "x", "commondir"), common)
		put(t, filepath.Join(root, "b", ".git", "HEAD"), head)
		for _, dir := range []string{"a", "b"} {
			if got := checkout(filepath.Join(root, dir)); strings.ContainsAny(got, "\n\x1b\x00") {
				t.Errorf("%q", got)
			}
		}
	})
}

// TestTick checks which folders are followed: those of live sessions of this machine.
func TestTick(t *testing.T) {
	s := New()
	for _, tt := range []struct {
		sessions []engine.Session
		want     string
		told     bool // it is another list
	}{
		{nil, "[]", false},
		{[]engine.Session{
			{Dir: "/w/b", Status: engine.Idle}, {Dir: "/w/a", Status: engine.Working}, {Dir: "/w/b", Status: engine.Asleep},
			{Dir: "/w/gone", Status: engine.Ended}, {Dir: "/w/far", Status: engine.Idle, Peer: "box"}, {Status: engine.Idle},
		}, "[/w/a /w/b]", true},
		{[]engine.Session{{Dir: "/w/a", Status: engine.Working}, {Dir: "/w/b", Status: engine.Idle}}, "[/w/a /w/b]", false},
		{[]engine.Session{{Dir: "/w/b", Status: engine.Idle}}, "[/w/b]", true},
		{nil, "[]", true},
	} {
		if next := s.Tick(time.Time{}, engine.Step{}, engine.Snapshot{Sessions: tt.sessions}); !next.IsZero() {
			t.Errorf("it wants to be called at %v", next)
		}
		told := s.inbox.Take()
		for _, do := range told {
			do()
		}
		if got := fmt.Sprint(s.where); got != tt.want || (len(told) > 0) != tt.told || len(s.folders) != len(s.where) {
			t.Errorf("%+v: follows %s, told %v, %d folders, want %s, %v", tt.sessions, got, len(told) > 0, len(s.folders), tt.want, tt.told)
		}
	}
}
