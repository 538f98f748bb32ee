package client

import "testing"

func TestParseStat(t *testing.T) {
	const rest = " S 40 41 41 34817 41 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 9 10 18446744073709551615\n"
	want := program{name: "claude", parent: 40, ticks: 4711, tty: "/dev/pts/1"}
	for _, c := range []struct {
		line string
		name string
		ok   bool
	}{
		{"41 (claude)" + rest, "claude", true},
		{"41 (a) b (c))" + rest, "a) b (c)", true},
		{"41 ()" + rest, "", true},
		{"41 (claude) S 40 41", "", false},
		{"41 claude" + rest, "", false},
		{"", "", false},
		{")(", "", false},
	} {
		p, ok := parseStat([]byte(c.line))
		want.name = c.name
		if ok != c.ok || ok && p != want {
			t.Errorf("%q: got %+v %v, want %+v %v", c.line, p, ok, want, c.ok)
		}
	}
}

func TestTTYName(t *testing.T) {
	for nr, want := range map[uint32]string{
		0: "", 136 << 8: "/dev/pts/0", 34816 + 7: "/dev/pts/7", 137<<8 | 3: "/dev/pts/259",
		4<<8 | 1: "/dev/tty1", 4<<8 | 64: "/dev/ttyS0", 5<<8 | 1: "/dev/console", 188<<8 | 2: "/dev/ttyUSB2", 9<<8 | 1: "tty 9:1",
	} {
		if got := ttyName(nr); got != want {
			t.Errorf("%#x: got %q, want %q", nr, got, want)
		}
	}
}
