package hooks

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"deskbell/sources"
)

// house is a user's home with a program that is us.
type house struct {
	*testing.T
	Installer
	env        map[string]string
	cannotSwap bool // as on some file systems
}

// newHouse makes a home of that name, with Claude Code in it.
func newHouse(t *testing.T, name string) *house {
	t.Helper()
	d := &house{T: t, env: map[string]string{}}
	home := filepath.Join(t.TempDir(), name)
	d.Installer = Installer{Home: home, Self: filepath.Join(home, "build", "deskbell"), Getenv: func(name string) string { return d.env[name] }, targets: targets}
	d.write(d.Self, "a program", 0o755)
	d.mkdir(filepath.Join(home, ".claude"))
	d.cli(claude.at(High)...)
	d.placeOf = func(path string) (place, error) {
		p, err := placeOf(path)
		p.wait = func(time.Duration) {}
		return p, err
	}
	return d
}

// cli makes a Claude Code that knows these events.
func (d *house) cli(events ...string) {
	d.Helper()
	text := "x\x00[\"PreToolUse\",\"PostToolUse\"];var a=[\"PreToolUse\",\"PostToolUse\""
	for _, e := range events {
		if e != "PreToolUse" && e != "PostToolUse" {
			text += fmt.Sprintf(",%q", e)
		}
	}
	d.write(filepath.Join(d.Home, "build", "bin", "claude"), text+"];", 0o755)
	d.env["PATH"] = "/nowhere" + string(filepath.ListSeparator) + filepath.Join(d.Home, "build", "bin")
}

func (d *house) settings() string { return filepath.Join(d.Home, ".claude", "settings.json") }

func (d *house) mkdir(path string) {
	d.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		d.Fatal(err)
	}
}

func (d *house) write(path, text string, mode fs.FileMode) {
	d.Helper()
	d.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		d.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		d.Fatal(err)
	}
}

func (d *house) read(path string) string {
	d.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		d.Fatal(err)
	}
	return string(text)
}

// files lists what is in the home but us, with modes and contents.
func (d *house) files() string {
	d.Helper()
	var b strings.Builder
	err := filepath.WalkDir(d.Home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(d.Home, path)
		if e.Type()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(path)
			fmt.Fprintf(&b, "%s -> %s\n", rel, to)
			return nil
		}
		if !strings.HasPrefix(rel, "build") && !strings.Contains(rel, executable) {
			fmt.Fprintf(&b, "%s %v %q\n", rel, info.Mode(), d.read(path))
		}
		return nil
	})
	if err != nil {
		d.Fatal(err)
	}
	return b.String()
}

// run plans and applies.
func (d *house) run(density string, install bool) error {
	_, apply, err := d.Plan("claude", density, install)
	if err != nil || apply == nil {
		return err
	}
	_, err = apply()
	return err
}

func (d *house) must(density string, install bool) {
	d.Helper()
	if err := d.run(density, install); err != nil {
		d.Fatal(err)
	}
}

// check returns the report of Claude Code.
func (d *house) check() Report {
	d.Helper()
	all, err := d.SettingsHooks("claude", "")
	if err != nil || len(all) != 1 {
		d.Fatal(all, err)
	}
	return all[0]
}

// TestRound goes install, status, uninstall over each hostile file on the disk: all
// files are then what they were, to the byte and the mode.
func TestRound_C78_C79_C83(t *testing.T) {
	d := newHouse(t, "home")
	for i, test := range hostile {
		mode := []fs.FileMode{0o644, 0o600, 0o640}[i%3]
		d.write(d.settings(), test.text, mode)
		before := d.files()
		d.must("", true)
		if r := d.check(); !r.Healthy() && test.name != "hooks are off" || r.Density != Medium {
			t.Errorf("%s: %+v", test.name, r)
		}
		info, err := os.Stat(d.settings())
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v, mode %v, want %v", test.name, err, info.Mode(), mode)
		}
		if got := d.read(backup(d.settings())); got != test.text {
			t.Errorf("%s: the backup is %q", test.name, got)
		}
		d.must("high", true)
		d.must("low", true)
		d.must("", false)
		if got := d.files(); got != before {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, before)
		}
	}
}

func TestRoundWithoutFile(t *testing.T) {
	for _, home := range []bool{true, false} {
		d := newHouse(t, "home")
		if !home {
			os.Remove(filepath.Join(d.Home, ".claude"))
		}
		before := d.files()
		d.must("", true)
		if r := d.check(); !r.Healthy() {
			t.Errorf("%+v", r)
		}
		d.must("high", true) // which has nothing to back up but our own
		d.must("", false)
		if got := d.files(); got != before {
			t.Errorf("got\n%s\nwant\n%s", got, before)
		}
		d.must("", true)
		d.write(d.settings(), strings.Replace(d.read(d.settings()), "{\n", "{\n  \"model\": \"opus\",\n", 1), 0o600)
		d.must("", false)
		if got, want := d.read(d.settings()), "{\n  \"model\": \"opus\"\n}\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestStaleBackup installs where an older backup tells of another file.
func TestStaleBackup(t *testing.T) {
	d := newHouse(t, "home")
	d.write(backup(d.settings()), `{"hooks": {"Stop": []}, "old": 1}`, 0o600)
	d.must("", true)
	d.must("", false)
	if got := d.files(); got != "" {
		t.Errorf("left %s", got)
	}
	d.write(backup(d.settings()), `{"hooks": {"Stop": []}, "old": 1}`, 0o600)
	d.write(d.settings(), "{ }", 0o600)
	d.must("", true)
	d.must("", false)
	if got := d.read(d.settings()); got != "{ }" {
		t.Errorf("got %q", got)
	}
	d.must("", true)
	d.write(backup(d.settings()), `{"broken`, 0o600)
	d.must("", false)
	if _, err := os.Stat(d.settings()); err == nil {
		t.Errorf("left %q", d.read(d.settings()))
	}
}

func TestBrokenStays(t *testing.T) {
	d := newHouse(t, "home")
	for _, test := range broken {
		d.write(d.settings(), test.text, 0o644)
		before := d.files()
		for _, install := range []bool{true, false} {
			err := d.run("", install)
			// Removal does not mind what is of another shape: none of ours is in there.
			if parses := strings.Contains(test.says, "not a"); install || !parses || test.name == "a secret" || test.name == "no quotes" {
				if err == nil || !strings.Contains(err.Error(), d.settings()+": "+test.says) {
					t.Errorf("%s: got %v, want %s", test.name, err, test.says)
				}
			}
		}
		if r := d.check(); r.Healthy() {
			t.Errorf("%s: healthy", test.name)
		}
		if got := d.files(); got != before {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, before)
		}
	}
	if _, err := os.Stat(d.client()); err == nil {
		t.Error("the client was copied all the same")
	}
}

func TestConfigDir(t *testing.T) {
	d := newHouse(t, "home")
	d.env["CLAUDE_CONFIG_DIR"] = filepath.Join(d.Home, "elsewhere")
	d.env["XDG_DATA_HOME"] = filepath.Join(d.Home, "data")
	d.must("", true)
	if _, err := os.Stat(d.settings()); err == nil {
		t.Error("CLAUDE_CONFIG_DIR was ignored")
	}
	r := d.check()
	if want := filepath.Join(d.Home, "data", "deskbell", "bin", executable); !r.Healthy() || r.Client != want {
		t.Errorf("%+v, want %s", r, want)
	}
	d.env["XDG_DATA_HOME"] = "not absolute" // and thus to be ignored
	if got := d.client(); !filepath.IsAbs(got) {
		t.Errorf("got %s", got)
	}
}

func TestWhichTools(t *testing.T) {
	d := newHouse(t, "home")
	quiet := target{name: "codex", home: ".codex", Install: sources.Install{Named: true}}
	d.targets = []target{claude, quiet}
	d.mkdir(filepath.Join(d.Home, ".codex"))
	if all, err := d.chosen(""); err != nil || len(all) != 1 || all[0].name != "claude" {
		t.Errorf("got %v, %v", all, err)
	}
	if all, err := d.chosen("codex"); err != nil || len(all) != 1 || all[0].name != "codex" {
		t.Errorf("got %v, %v", all, err)
	}
	for _, args := range [][2]string{{"aider", ""}, {"claude", "most"}} {
		if _, _, err := d.Plan(args[0], args[1], true); err == nil {
			t.Errorf("took %v", args)
		}
	}
	os.RemoveAll(filepath.Join(d.Home, ".claude"))
	if _, err := d.chosen(""); err == nil || !strings.Contains(err.Error(), "--tool") {
		t.Errorf("got %v", err)
	}
}

// TestFlat is a CLI whose events have no groups, with a file that needs a member
// of its own, and whose payload does not name the event.
func TestFlat(t *testing.T) {
	flat := target{
		name: "flat", title: "Flat", home: ".flat", Install: sources.Install{
			File: "hooks.json", Flat: true, Command: "bash", Before: sources.Members("type", "command"), After: sources.Members("timeoutSec", 5),
			TellsEvent: true, Head: sources.Members("version", 1),
			Low: []string{"agentStop", "userPrompt"}, High: []string{"preTool"}, Late: []string{"preTool"},
		},
	}
	d := newHouse(t, "home")
	d.targets = []target{flat}
	path := filepath.Join(d.Home, ".flat", "hooks.json")
	const foreign = "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"agentStop\": [\n\t\t\t{\"bash\": \"say\"}\n\t\t]\n\t}\n}\n"
	for _, text := range []string{"", foreign} {
		if text != "" {
			d.write(path, text, 0o644)
		}
		if _, apply, err := d.Plan("flat", "", true); err != nil {
			t.Fatal(err)
		} else if _, err := apply(); err != nil {
			t.Fatal(err)
		}
		if all, err := d.SettingsHooks("flat", ""); err != nil || !all[0].Healthy() || all[0].Density != Low {
			t.Errorf("%+v, %v", all, err)
		}
		command := flat.command(d.client(), "agentStop", onWindows)
		if got, want := d.read(path), fmt.Sprintf(`"bash": %q`, command); !strings.Contains(got, want) || !strings.HasSuffix(command, " flat agentStop") {
			t.Errorf("got\n%s\nwant %s", got, want)
		}
		if _, apply, err := d.Plan("flat", "", false); err != nil {
			t.Fatal(err)
		} else if _, err := apply(); err != nil {
			t.Fatal(err)
		}
		got, _ := read(path)
		if (text == "") != (got == nil) || !bytes.Equal(got, []byte(text)) {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
