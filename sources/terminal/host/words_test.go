package host

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// heard are all titles in output that comes in these parts.
func heard(r *reader, parts ...[]byte) (titles []string) {
	for _, p := range parts {
		if t, is := r.read(p); is {
			titles = append(titles, t)
		}
	}
	return titles
}

func TestTitles(t *testing.T) {
	long := strings.Repeat("x", longestTitle)
	for _, c := range []struct{ name, out, want string }{
		{"BEL", "a\x1b]0;one\x07b", "one"},
		{"ST", "a\x1b]2;◐ two\x1b\\b", "◐ two"},
		{"the last one counts", "\x1b]0;one\x07\x1b]0;two\x07", "two"},
		{"empty", "\x1b]0;\x07", ""},
		{"an icon", "\x1b]1;icon\x07", "-"},
		{"a link", "\x1b]8;;http://x\x07y\x1b]8;;\x07", "-"},
		{"a colour", "\x1b]10;?\x07", "-"},
		{"twenty", "\x1b]20;x\x07", "-"},
		{"no number", "\x1b];x\x07", "-"},
		{"given up", "\x1b]0;one\x18two\x07", "-"},
		{"another sequence", "\x1b]0;one\x1b[1mtwo\x07", "-"},
		{"another title", "\x1b]0;one\x1b]0;two\x07", "two"},
		{"long", "\x1b]0;" + long + "yz\x07", long},
		{"without an end", "\x1b]0;" + strings.Repeat("x", longestRun+1) + "\x07", "-"},
		{"half a rune", "\x1b]0;" + long[1:] + "é\x07", long[1:]},
		{"no text", "\x1b]0;\xff\xfe!\x07", "!"},
	} {
		for i := range len(c.out) + 1 { // cut in two anywhere
			got := "-"
			for _, title := range heard(new(reader), []byte(c.out[:i]), []byte(c.out[i:])) {
				got = title
			}
			if got != c.want {
				t.Errorf("%s, cut at %d: got %q, want %q", c.name, i, got, c.want)
				break
			}
		}
	}
}

func TestPastes(t *testing.T) {
	for _, c := range []struct {
		out  string
		want bool
	}{{"\x1b[?2004h", true}, {"\x1b[?2004h\x1b[?2004l", false}, {"\x1b[?1049;2004h", true}, {"\x1b[?1004h", false}, {"\x1b[2004h", false}} {
		for i := range len(c.out) + 1 {
			r := new(reader)
			heard(r, []byte(c.out[:i]), []byte(c.out[i:]))
			if r.Pastes != c.want {
				t.Errorf("%q, cut at %d: got %v", c.out, i, r.Pastes)
			}
		}
	}
}

// FuzzTitles checks that it does not matter where output is cut, and that titles are text
// of bounded length.
func FuzzTitles(f *testing.F) {
	for _, s := range []string{"\x1b]0;one\x07", "\x1b]2;two\x1b\\", "\x1b[?2004h\x1b]0;", "\x1b\x1b]0;x\x07"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, out []byte, at int) {
		whole, bytewise := new(reader), new(reader)
		want, is := whole.read(out)
		got := []string{}
		for i := range out {
			got = append(got, heard(bytewise, out[i:i+1])...)
		}
		if is != (len(got) > 0) || is && got[len(got)-1] != want {
			t.Errorf("%q: got %q, want %q", out, got, want)
		}
		if whole.state != bytewise.state || whole.Pastes != bytewise.Pastes || len(want) > longestTitle || !bytes.Equal([]byte(want), bytes.ToValidUTF8([]byte(want), nil)) {
			t.Errorf("%q: got %+v and %+v", out, whole, bytewise)
		}
	})
}

func TestTyping(t *testing.T) {
	for _, c := range []struct {
		name, in      string
		typed, unsent bool
	}{
		{"text", "hello", true, true},
		{"sent", "hello\r", true, false},
		{"an answer", "1\r", true, false},
		{"thrown away", "hello\x03", true, false},
		{"an arrow", "\x1b[A\x1bOB", true, false},
		{"a new line in it", "one\x1b\rtwo", true, true},
		{"only a new line", "\x1b\r", true, false},
		{"a paste", "\x1b[200~one\rtwo\r\x1b[201~", true, true},
		{"a paste, sent", "\x1b[200~one\rtwo\x1b[201~\r", true, false},
		{"the focus", "\x1b[I\x1b[O", false, false},
		{"the mouse", "\x1b[<35;10;20M\x1b[<0;1;1m", false, false},
		{"what it is", "\x1b[?62;22c\x1b[>0;276;0c", false, false},
		{"where it is", "\x1b[12;40R\x1b[?2026;2$y", false, false},
		{"its colour", "\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1bP>|xterm(390)\x1b\\", false, false},
		{"letters as sequences", "\x1b[97u", true, true},
		{"Enter as a sequence", "a\x1b[13u", true, false},
		{"Shift and Enter", "a\x1b[13;2u", true, true},
		{"Control and a letter", "\x1b[97;5u", true, false},
		{"umlauts", "ü", true, true},
	} {
		for i := range len(c.in) + 1 {
			var k typist
			typed := k.read([]byte(c.in[:i]))
			typed = k.read([]byte(c.in[i:])) || typed
			if typed != c.typed || k.Unsent != c.unsent {
				t.Errorf("%s, cut at %d: got typed %v, unsent %v", c.name, i, typed, k.Unsent)
				break
			}
		}
	}
}

// FuzzTyping checks that it does not matter where input is cut.
func FuzzTyping(f *testing.F) {
	f.Add([]byte("a\x1b[200~b\r\x1b[201~\r"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var whole, bytewise typist
		whole.read(in)
		for i := range in {
			bytewise.read(in[i : i+1])
		}
		if whole != bytewise {
			t.Errorf("%q: got %+v and %+v", in, whole, bytewise)
		}
	})
}

func TestKeystrokes(t *testing.T) {
	for _, c := range []struct {
		text   string
		pastes bool
		want   string
	}{
		{"one", true, "one"},
		{"one\ntwo\r\n", true, "\x1b[200~one\ntwo\n\x1b[201~"},
		{"one\ntwo", false, "one two"},
		{"a\x1b[201~b\x03\u009b", true, "a[201~b"},
		{"a\tb", true, "a b"},
		{"rm `x` $(y)", false, "rm `x` $(y)"},
	} {
		if got := keystrokes(c.text, c.pastes); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestPulse checks that the first thing is told at once, a flood every two seconds, and at
// rest nothing.
func TestPulse(t *testing.T) {
	var p pulse
	now := time.Unix(1e9, 0)
	told := 0
	for range 1000 { // ten seconds of output
		if now = now.Add(10 * time.Millisecond); p.beats(now) {
			told++
		}
	}
	if told != 5 {
		t.Errorf("got %d, want 5", told)
	}
	if now = now.Add(silence); !p.beats(now) {
		t.Error("the first after a silence is not told")
	}
}

// TestNews checks that a title that moves is told often enough to be believed, and no more.
func TestNews(t *testing.T) {
	busy := func(form string) engine.Titled {
		return engine.Titled{Form: form, Level: engine.ListedBusy, Moves: true}
	}
	now := time.Unix(1e9, 0)
	s := &Source{opt: Heard{CLIs: []sources.CLI{{Name: "x", Titles: []sources.Form{
		{Lead: "/", Says: engine.ListedBusy, Moves: true}, {Lead: "-", Says: engine.ListedBusy, Moves: true}, {Lead: "?", Says: engine.ListedAsking},
	}}}}, emit: func(...engine.Event) {}}
	seat := &seat{titles: make([]said, 1)}
	var told []string
	s.emit = func(evs ...engine.Event) { told = append(told, evs[0].Fact.(engine.Titled).Form) }
	for _, title := range []string{"/ a", "/ b", "- a", "/ a", "- a", "? a", "nothing", "/ a"} {
		s.titled(seat, title)
	}
	if got := strings.Join(told, " "); got != "/ - ? /" {
		t.Errorf("got %s", got)
	}
	if was := (said{busy("/"), now, true}); was.news(busy("-"), now.Add(refresh-1)) || !was.news(busy("-"), now.Add(refresh)) || was.news(busy("/"), now.Add(time.Hour)) {
		t.Error("it is told too often, or not often enough")
	}
}

// FuzzWire checks that no line of either side does harm.
func FuzzWire(f *testing.F) {
	title := "x"
	for _, v := range []any{word{Hello: &greeting{"t1", "/dev/pts/1", 1}}, word{Title: &title}, order{N: 1, Type: "x", Enter: true}} {
		f.Add(line(v))
	}
	f.Add([]byte("{}\nnull\n[]\n{\"title\":1}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		in := newLines(bytes.NewReader(text))
		for {
			var w word
			if in.next(&w) != nil {
				break
			}
			if w.Hello != nil && w.Hello.check() == nil && (len(w.Hello.Term) > 64 || strings.ContainsAny(w.Hello.TTY, "\n\x1b")) {
				t.Errorf("%+v", w.Hello)
			}
		}
		var o order
		_ = newLines(bytes.NewReader(text)).next(&o)
	})
}
