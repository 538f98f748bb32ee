package terminal

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"deskbell/sources"
)

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// socket has serve answer one connection after the other.
func socket(t *testing.T, serve func(net.Conn)) (path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs that are asked over a socket are none of Windows'")
	}
	dir, err := os.MkdirTemp("", "sock") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path = filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			c.Close()
		}
	}()
	return path
}

// kittyAt is a kitty of which listing is true, and what it is told to do.
func kittyAt(t *testing.T, listing string) (path string, told *[]string) {
	told = &[]string{}
	return socket(t, func(c net.Conn) {
		text, err := upTo(c, kittyEnd)
		if err != nil {
			return
		}
		var asked struct {
			Cmd     string            `json:"cmd"`
			Payload map[string]string `json:"payload"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), kittyBegin)), &asked); err != nil {
			t.Error(err)
		}
		answer := map[string]any{"ok": true, "data": listing}
		if asked.Cmd != "ls" {
			*told = append(*told, asked.Cmd+" "+asked.Payload["match"])
			answer = map[string]any{"ok": asked.Payload["match"] != "id:3", "error": "No matching windows for expression: id:3"}
		}
		b, _ := json.Marshal(answer)
		io.WriteString(c, kittyBegin+string(b)+kittyEnd)
	}), told
}

// The listing is that of a kitty with two tabs in a window, and a second window in front.
func TestKitty(t *testing.T) {
	path, told := kittyAt(t, read(t, "kitty_0.26.5.json"))
	in := func(shell int) Pane {
		return Pane{PID: 70, RunsIn: "Kitty", Up: []sources.Proc{{PID: shell}, {PID: 11905}},
			Env: map[string]string{"KITTY_LISTEN_ON": "unix:" + path, "KITTY_WINDOW_ID": "1", "WINDOWID": "5"}}
	}
	f := newFake(t, nil)
	raised := f.on(0)
	look := f.desks[0].look
	f.desks[0].look = func(ctx context.Context, env func(string) string, p Pane) (view, error) {
		v, err := look(ctx, env, p)
		v.windows = append(v.windows, window{id: 4194316, pid: 11905}, window{id: 4194340, pid: 11905})
		return v, err
	}
	for _, tt := range []struct {
		name       string
		shell      int
		yes, known bool
		raised     []uint64
		err        string
	}{
		{"a tab behind another", 12091, false, true, []uint64{4194316}, ""},
		{"the tab of a window that is not in front", 12460, false, true, []uint64{4194316}, ""},
		{"the window in front, which closes", 12511, true, true, nil, "its kitty did not go there, go there yourself: No matching windows for expression: id:3"},
		{"another kitty's, whose id it has", 9999, false, false, nil, "no window of its kitty has the session any more: look for it yourself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			*raised = nil
			if yes, known := f.Looking(t.Context(), in(tt.shell)); yes != tt.yes || known != tt.known {
				t.Errorf("got %v %v, want %v %v", yes, known, tt.yes, tt.known)
			}
			err := f.Focus(t.Context(), in(tt.shell))
			if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("got %v, want %s", err, tt.err)
			}
			if !slices.Equal(*raised, tt.raised) {
				t.Errorf("raised %v, want %v", *raised, tt.raised)
			}
		})
	}
	if want := []string{"focus-window id:1", "focus-window id:2", "focus-window id:3"}; !slices.Equal(*told, want) {
		t.Errorf("told %q, want %q", *told, want)
	}
}

// A kitty that hangs costs no more than our patience, and one that says nonsense is told.
func TestKittyThatHangs(t *testing.T) {
	path := socket(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	p := Pane{PID: 70, RunsIn: "Kitty", Env: map[string]string{"KITTY_LISTEN_ON": "unix:" + path}}
	if err := newFake(t, nil).Focus(t.Context(), p); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("got %v", err)
	}
	p.Env["KITTY_LISTEN_ON"] = "unix:" + socket(t, func(c net.Conn) {
		bufio.NewReader(c).ReadString(kittyEnd[len(kittyEnd)-1]) // else it is closed under the asker's hands
		io.WriteString(c, "HTTP/1.1 400\r\n"+kittyEnd)
	})
	if err := newFake(t, nil).Focus(t.Context(), p); err == nil || !strings.Contains(err.Error(), "makes no sense") {
		t.Errorf("got %v", err)
	}
	p.Env["KITTY_LISTEN_ON"] = "tcp:localhost:1"
	if err := newFake(t, nil).Focus(t.Context(), p); err == nil || !strings.Contains(err.Error(), "set listen_on") {
		t.Errorf("got %v", err)
	}
}

// What WezTerm prints is as its documentation has it (wezterm.org, cli/list and
// cli/list-clients), with tty_name, which it prints since 2023.
const (
	wezList    = `[{"window_id":0,"tab_id":0,"pane_id":0,"tty_name":"/dev/pts/1"},{"window_id":0,"tab_id":1,"pane_id":4,"tty_name":"/dev/pts/2"}]`
	wezClients = `[{"username":"wez","hostname":"foo","pid":300,"idle_time":{"secs":0,"nanos":5},"workspace":"default","focused_pane_id":4}]`
)

func TestWezTerm(t *testing.T) {
	const env = "WEZTERM_UNIX_SOCKET=/run/wez "
	for _, tt := range []struct {
		name, tty, clients string
		active             uint64
		yes, known         bool
		err                string
	}{
		{"the pane in front", "/dev/pts/2", wezClients, 3000, true, true, ""},
		{"behind another program", "/dev/pts/2", wezClients, 7, false, true, ""},
		{"another pane", "/dev/pts/1", wezClients, 3000, false, true, ""},
		{"none of its", "/dev/pts/9", wezClients, 3000, false, false, "no pane of its WezTerm has its terminal /dev/pts/9: look for the session yourself"},
		{"shown twice", "/dev/pts/1", "[" + wezClients[1:len(wezClients)-1] + "," + wezClients[1:], 3000, false, true, "2 WezTerms show it: go to one of them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, map[string]string{
				env + "wezterm cli --no-auto-start list --":         wezList,
				env + "wezterm cli --no-auto-start list-clients":    tt.clients,
				env + "wezterm cli --no-auto-start activate-pane -": "",
			})
			f.on(tt.active, 300)
			p := Pane{PID: 70, TTY: tt.tty, RunsIn: "WezTerm", Env: map[string]string{"WEZTERM_PANE": "0", "WEZTERM_UNIX_SOCKET": "/run/wez"}}
			if yes, known := f.Looking(t.Context(), p); yes != tt.yes || known != tt.known {
				t.Errorf("got %v %v, want %v %v", yes, known, tt.yes, tt.known)
			}
			f.ran = nil
			err := f.Focus(t.Context(), p)
			if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("got %v, want %s", err, tt.err)
			}
			if last := f.ran[len(f.ran)-1]; err == nil && !strings.HasPrefix(last, env+"wezterm cli --no-auto-start activate-pane --pane-id ") {
				t.Errorf("ran %q", f.ran)
			}
		})
	}
}

func TestScreen(t *testing.T) {
	f := newFake(t, map[string]string{"screen -S 60.my work -X select 2": ""})
	p := Pane{PID: 70, RunsIn: "screen", Up: []sources.Proc{{PID: 61}, {PID: 60}}, Env: map[string]string{"STY": "60.my work", "WINDOW": "2"}}
	if yes, known := f.Looking(t.Context(), p); yes || known {
		t.Errorf("got %v %v", yes, known)
	}
	err := f.Focus(t.Context(), p)
	if want := "its screen shows it now, but does not tell in which terminal that is: run `screen -x '60.my work'`"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	p.Env["STY"] = "99.stale"
	if err := f.Focus(t.Context(), p); err == nil || !strings.Contains(err.Error(), "does not name") || len(f.ran) != 1 {
		t.Errorf("got %v, ran %q", err, f.ran)
	}
}

// The terminal is an argument of the script, not a part of it; no script is run unasked.
func TestScripted(t *testing.T) {
	for _, label := range []string{"iTerm", "Terminal"} {
		says := "there\n"
		f := newFake(t, nil)
		f.run = func(_ context.Context, _ []string, argv ...string) (string, error) {
			f.ran = argv
			return says, nil
		}
		p := Pane{PID: 70, TTY: "/dev/ttys003", RunsIn: label}
		if yes, known := f.Looking(t.Context(), p); yes || known || f.ran != nil {
			t.Errorf("%s: got %v %v, ran %q", label, yes, known, f.ran)
		}
		if err := f.Focus(t.Context(), p); err != nil {
			t.Errorf("%s: %v", label, err)
		}
		if n := len(f.ran); n == 0 || f.ran[n-1] != p.TTY || strings.Contains(strings.Join(f.ran[:n-1], "\n"), p.TTY) {
			t.Errorf("%s: ran %q", label, f.ran)
		}
		says = "gone\n"
		p.Command = "cd /w && claude"
		if err := f.Focus(t.Context(), p); err == nil || !strings.HasSuffix(err.Error(), "any more: look for the session yourself: run `cd /w && claude`") {
			t.Errorf("%s: got %v", label, err)
		}
	}
}

// swayAt is a sway that shows the recorded tree: two terminals, the second in front.
func swayAt(t *testing.T, tree string) (path string, told *[]string) {
	told = &[]string{}
	return socket(t, func(c net.Conn) {
		head := make([]byte, 14)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		payload := make([]byte, binary.NativeEndian.Uint32(head[6:]))
		io.ReadFull(c, payload)
		answer := tree
		if kind := binary.NativeEndian.Uint32(head[10:]); kind == swayCommand {
			*told = append(*told, string(payload))
			if answer = `[{"success":true}]`; string(payload) == "[con_id=999] focus" {
				answer = `[{"success":false,"parse_error":false,"error":"No matching node."}]`
			}
		}
		out := append([]byte(swayMagic), make([]byte, 8)...)
		binary.NativeEndian.PutUint32(out[6:], uint32(len(answer)))
		c.Write(append(out, answer...))
	}), told
}

func TestSway(t *testing.T) {
	path, told := swayAt(t, read(t, "sway_1.7.json"))
	f := newFake(t, nil)
	f.desks = []desk{{"sway", set("SWAYSOCK"), swayLook, swayRaise}}
	in := func(pid int) Pane {
		return Pane{PID: 70, RunsIn: "foot", Up: []sources.Proc{{PID: pid}}, Env: map[string]string{"SWAYSOCK": path}}
	}
	for pid, want := range map[int]bool{21831: true, 21832: false} {
		if yes, known := f.Looking(t.Context(), in(pid)); yes != want || !known {
			t.Errorf("%d: got %v %v", pid, yes, known)
		}
	}
	if err := f.Focus(t.Context(), in(21832)); err != nil || !slices.Equal(*told, []string{"[con_id=5] focus"}) {
		t.Errorf("got %v, told %q", err, *told)
	}
	if err := swayRaise(t.Context(), f.env(in(1)), 999); err == nil || err.Error() != "No matching node." {
		t.Errorf("got %v", err)
	}
}

// The fields are those of github.com/thiagokokada/hyprland-go, types.go.
func TestHyprland(t *testing.T) {
	const all = `[{"address":"0x55e0c6e75980","mapped":true,"hidden":false,"class":"kitty","title":"a","pid":716768},
		{"address":"0x55e0c6e557f0","mapped":false,"class":"foot","title":"b","pid":7},{"address":"","mapped":true}]`
	v, err := readHypr(all, `{"address":"0x55e0c6e75980","pid":716768}`)
	want := window{id: 0x55e0c6e75980, pid: 716768, title: "a"}
	if err != nil || len(v.windows) != 1 || v.windows[0] != want || v.active != want.id {
		t.Errorf("got %+v, %v", v, err)
	}
	if v, err := readHypr(all, `{}`); err != nil || v.active != 0 {
		t.Errorf("none is active: got %+v, %v", v, err)
	}
	if _, err := readHypr("Couldn't connect", "{}"); err == nil {
		t.Error("no error")
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(recorded)
	f.Add(read(f, "kitty_0.26.5.json"))
	f.Add(read(f, "sway_1.7.json"))
	f.Add(wezList)
	f.Fuzz(func(t *testing.T, text string) {
		p := Pane{PID: 70, TTY: "/dev/pts/16"}
		for _, l := range readTmux(text).where(p) {
			if l.tty != p.TTY && l.pid != p.PID {
				t.Errorf("%+v is not its pane", l)
			}
		}
		var screens []kittyScreen
		if json.Unmarshal([]byte(text), &screens) == nil {
			kittyWhere(screens, p)
		}
		var node swayNode
		if json.Unmarshal([]byte(text), &node) == nil {
			var v view
			node.into(&v)
			for _, w := range owned(v.windows, p) {
				if w.pid != p.PID {
					t.Errorf("%+v is not its window", w)
				}
			}
		}
		readHypr(text, text)
	})
}
