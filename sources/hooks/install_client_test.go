package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPaths installs into homes with all kinds of names, and has a shell run what
// was installed.
func TestPaths_C88_C89(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if runtime.GOOS == "windows" {
		t.Skip("such names are not possible here")
	}
	if err != nil {
		t.Fatal("needs sh, which every Unix system has")
	}
	for _, name := range []string{
		"home", "a b", "o'neil", `say "hi"`, "größe 日本語", "$HOME `x` $(y)", `back\slash`, "a;b&c|d>e", "-dash", "new\nline", "*?[x]", "tab\there", "~", "#x", "!x",
	} {
		d := newHouse(t, name)
		d.write(d.settings(), "{\n  \"hooks\": {}\n}\n", 0o600)
		d.must("", true)
		if r := d.check(); !r.Healthy() {
			t.Errorf("%s: %+v", name, r)
		}
		if strings.Contains(d.read(d.settings()), filepath.Dir(d.Self)) {
			t.Errorf("%s: the build's path was installed", name)
		}
		root, err := parseSettings([]byte(d.read(d.settings())))
		if err != nil {
			t.Fatal(err)
		}
		all := claude.find(root)
		command, _ := stringOf(member(all[0].value, "command"))
		out := filepath.Join(d.Home, "out")
		d.write(d.client(), "#!/bin/sh\nprintf '%s|' \"$@\" >\"$OUT\"\n", 0o755)
		run := exec.Command(sh, "-c", command)
		run.Env = []string{"OUT=" + out}
		if text, err := run.CombinedOutput(); err != nil || d.read(out) != "claude|" {
			t.Errorf("%s: %s: %v %s", name, command, err, text)
		}
		if all[0].path != d.client() {
			t.Errorf("%s: read %q back as %q", name, command, all[0].path)
		}
		os.Remove(out)
		d.must("", true) // puts the client right again
		d.must("", false)
		if got := d.read(d.settings()); got != "{\n  \"hooks\": {}\n}\n" {
			t.Errorf("%s: got back %q", name, got)
		}
	}
	d := newHouse(t, "home")
	d.env["XDG_DATA_HOME"] = "/x/\xff"
	if err := d.run("", true); err == nil || !strings.Contains(err.Error(), "XDG_DATA_HOME") {
		t.Errorf("got %v", err)
	}
}

func TestWindowsPaths_C90(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{`C:\Users\ann\AppData\Local\deskbell\bin\deskbell-hook.exe`, `C:/Users/ann/AppData/Local/deskbell/bin/deskbell-hook.exe`},
		{`C:\Users\Ann Lee\AppData\Local\deskbell\bin\deskbell-hook.exe`, `"C:/Users/Ann Lee/AppData/Local/deskbell/bin/deskbell-hook.exe"`},
		{`C:\Users\ánn\deskbell-hook.exe`, `"C:/Users/ánn/deskbell-hook.exe"`},
		{`C:\$x y\deskbell-hook.exe`, `'C:/$x y/deskbell-hook.exe'`},
		{`\\server\share\deskbell-hook.exe`, `//server/share/deskbell-hook.exe`},
	} {
		got := shellWord(test.path, true)
		if got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
		if back := program(got + " claude"); back != strings.ReplaceAll(test.path, `\`, "/") || !ours(back) {
			t.Errorf("%s is read as %s", got, back)
		}
	}
}

func TestOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"deskbell-hook":                     true,
		"  /a/deskbell-hook  claude":        true,
		`'/a b/deskbell-hook'`:              true,
		`"/a b/deskbell-hook" claude Stop`:  true,
		`/a\ b/deskbell-hook claude`:        true,
		`C:\a\deskbell-hook.exe claude`:     true,
		`"C:\a b\deskbell-hook.exe" claude`: true,
		"/a/deskbell-hook;true":             true,
		"":                                  false,
		"'":                                 false,
		`\`:                                 false,
		"deskbell":                          false,
		"deskbell hook claude":              false,
		"/a/deskbell-hook-old":              false,
		"/a/deskbell-hook/x":                false,
		"wrap /a/deskbell-hook":             false,
		"echo deskbell-hook":                false,
		"my-deskbell-hook":                  false,
		"/a/deskbell-hook.sh":               false,
		"test -x /a/deskbell-hook && deskbell-hook": false,
	} {
		if got := ours(program(command)); got != want {
			t.Errorf("%q: got %v", command, got)
		}
	}
}

func TestRefresh(t *testing.T) {
	d := newHouse(t, "home")
	newer := func(by time.Duration) {
		info, err := os.Stat(d.Self)
		if err != nil {
			t.Fatal(err)
		}
		at := info.ModTime().Add(by)
		if err := os.Chtimes(d.Self, at, at); err != nil {
			t.Fatal(err)
		}
	}
	refresh := func(want string) {
		t.Helper()
		if err := Refresh(d.Dir(), d.Self); err != nil {
			t.Error(err)
		}
		got, _ := read(d.client())
		if string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	refresh("") // nothing was installed
	d.must("", true)
	refresh("a program")
	d.write(d.Self, "another one", 0o755)
	newer(time.Hour)
	refresh("another one")
	d.write(d.Self, "an old one", 0o755)
	newer(-48 * time.Hour)
	refresh("another one")
	if show, apply, err := d.Plan("", "", true); err != nil || apply == nil || !strings.Contains(show, d.client()) {
		t.Errorf("%q, %v", show, err) // to whom installs, an older one is as good
	} else if did, err := apply(); err != nil || !strings.Contains(did, d.client()) {
		t.Errorf("%q, %v", did, err)
	}
	refresh("an old one")
	info, err := os.Stat(d.client())
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o755 {
		t.Error(err, info.Mode())
	}
	if err := Refresh(d.Dir(), d.client()); err != nil || d.read(d.client()) != "an old one" {
		t.Error("the client is not to be replaced by itself", err)
	}
	os.Remove(d.client())
	if err := os.Symlink(d.Self, d.client()); err == nil {
		newer(time.Hour)
		refresh("an old one")
		if info, _ := os.Lstat(d.client()); info.Mode().IsRegular() {
			t.Error("a link that the user made is gone")
		}
	}
	entries, err := os.ReadDir(d.Dir())
	if err != nil || len(entries) != 1 {
		t.Error("left", entries, err)
	}
	if err := Refresh(d.Dir(), filepath.Join(d.Home, "gone")); err == nil {
		d.write(d.client(), "x", 0o755)
	}
}

// TestStatus tells what is wrong, and what to do.
func TestStatus_C88(t *testing.T) {
	d := newHouse(t, "home")
	has := func(name string, problems ...string) {
		t.Helper()
		r := d.check()
		text := r.String()
		if len(r.Problems) != len(problems) || r.Healthy() != (len(problems) == 0) {
			t.Errorf("%s: got %s", name, text)
		}
		for _, p := range problems {
			if !strings.Contains(text, "problem   "+p) {
				t.Errorf("%s: no %q in %s", name, p, text)
			}
		}
		if len(problems) > 0 && !strings.Contains(text, "  to do     ") {
			t.Errorf("%s: what to do? %s", name, text)
		}
		if _, healthy, err := d.Check("claude", ""); err != nil || healthy != r.Healthy() {
			t.Errorf("%s: %v %v", name, healthy, err)
		}
	}
	edit := func(old, new string) {
		t.Helper()
		text := d.read(d.settings())
		if !strings.Contains(text, old) {
			t.Fatalf("no %q in %s", old, text)
		}
		d.write(d.settings(), strings.Replace(text, old, new, 1), 0o600)
	}
	has("nothing", "no hooks are installed")
	d.write(d.settings(), `{"hooks": {}, `, 0o600)
	has("cut", d.settings()+": line 1, column 15")
	d.write(d.settings(), "{\"disableAllHooks\": true}", 0o600)
	has("off and nothing", `"disableAllHooks" silences`, "no hooks are installed")
	d.must("", true)
	has("off", `"disableAllHooks" silences`)
	edit("true", "false")
	has("on")
	if _, healthy, err := d.Check("", "low"); err != nil || healthy {
		t.Error("medium is not low", err)
	}
	if text, healthy, err := d.Check("claude", "high"); err != nil || healthy || !strings.Contains(text, "missing for density high: TeammateIdle, TaskCreated, TaskCompleted") {
		t.Error(text, err)
	}
	before := d.read(d.settings())
	os.Remove(d.client())
	has("gone", "the client is gone: "+filepath.ToSlash(d.client()))
	d.must("", true)
	if runtime.GOOS != "windows" {
		os.Chmod(d.client(), 0o644)
		has("not to be run", "the client cannot be run: "+filepath.ToSlash(d.client()))
		d.must("", true)
	}
	has("back")
	for name, test := range map[string][]string{
		"missing":      {`"Stop"`, `"Stopped"`, "missing for density medium: Stop", "more than density medium: Stopped"},
		"twice":        {`"Stop": [`, `"Stop": [{"hooks": [{"command": "deskbell-hook"}]},`, "installed twice: Stop", "calls deskbell-hook, an earlier place of the client: Stop", "the client is gone: deskbell-hook"},
		"synchronous":  {`"async": true`, `"async": false`, "not as it should be: SessionStart"},
		"milliseconds": {`"timeout": 5`, `"timeout": 5000`, "not as it should be: SessionStart"},
		"matcher":      {`"PreToolUse": [{`, `"PreToolUse": [{"matcher": "Bash", `, "not as it should be: PreToolUse"},
	} {
		edit(test[0], test[1])
		has(name, test[2:]...)
		d.must("", true)
		has(name + ", mended")
		d.write(d.settings(), before, 0o600)
	}
	client := d.client()
	d.env["XDG_DATA_HOME"] = filepath.Join(d.Home, "moved")
	has("moved", "calls "+filepath.ToSlash(client)+", an earlier place of the client")
	d.must("", true)
	has("moved, mended")
	if got := d.check(); got.Tool != "claude" || got.Path != d.settings() || got.Density != Medium || !slices.Equal(got.Events, slices.Sorted(slices.Values(claude.at(Medium)))) {
		t.Errorf("got %+v", got)
	}
}
