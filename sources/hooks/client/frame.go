package client

import "syscall"

// Frame is what the client sends: one per connection. On the wire it is [Magic], the
// lengths of header and payload as four bytes each, most significant first, the
// header and the payload. The header is a list of NAME=VALUE, each ended by a NUL;
// names that are not known are skipped.
type Frame struct {
	Tool, Event string
	Wall, Boot  int64  // when the client was started: by the wall clock, and since boot; in ns
	BootID      string // which boot that was
	Self        int    // the client's pid, as it counts itself
	PID         int    // the CLI's
	Ticks       uint64 // when that was started
	TTY         string
	Env         []string // NAME=VALUE, of the names in [Env]
	Size        int64    // bytes of the payload as it came in
	Cut         bool     // parts of the payload were left out
	Payload     []byte
}

// Magic is how a frame begins.
const Magic = "dbh1"

// What a frame may hold. The client sends far less.
const (
	mostHeader  = 32 << 10
	mostPayload = 1 << 20
	prefix      = len(Magic) + 8
)

// Errors of [Length] and [Parse].
const (
	errMagic = frameError("not a hook's message")
	errLarge = frameError("a hook's message that is too large")
	errShort = frameError("half a hook's message")
)

type frameError string

func (e frameError) Error() string { return string(e) }

// Append adds the frame as it is sent to dst.
func (f *Frame) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, Magic+"\x00\x00\x00\x00\x00\x00\x00\x00"...)
	header := len(dst)
	dst = field(dst, "tool", f.Tool)
	dst = field(dst, "event", f.Event)
	dst = field(dst, "wall", itoa(uint64(f.Wall)))
	dst = field(dst, "boot", itoa(uint64(f.Boot)))
	dst = field(dst, "bootid", f.BootID)
	dst = field(dst, "self", itoa(uint64(f.Self)))
	dst = field(dst, "pid", itoa(uint64(f.PID)))
	dst = field(dst, "ticks", itoa(f.Ticks))
	dst = field(dst, "tty", f.TTY)
	dst = field(dst, "size", itoa(uint64(f.Size)))
	if f.Cut {
		dst = field(dst, "cut", "1")
	}
	for _, e := range f.Env {
		dst = field(dst, "env", e)
	}
	put(dst[start+len(Magic):], len(dst)-header)
	put(dst[start+len(Magic)+4:], len(f.Payload))
	return append(dst, f.Payload...)
}

// longest is what a header's value may have: a longer one is left out.
const longest = 4 << 10

func field(dst []byte, name, value string) []byte {
	if value == "" || len(value) > longest {
		return dst
	}
	for i := range len(value) {
		if value[i] == 0 {
			return dst
		}
	}
	dst = append(append(dst, name...), '=')
	return append(append(dst, value...), 0)
}

func put(dst []byte, n int) {
	dst[0], dst[1], dst[2], dst[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
}

func get(b []byte) int {
	return int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
}

// Length is how long the frame is that begins with b; 0: not enough of it is there to
// tell.
func Length(b []byte) (int, error) {
	for i := range min(len(b), len(Magic)) {
		if b[i] != Magic[i] {
			return 0, errMagic
		}
	}
	if len(b) < prefix {
		return 0, nil
	}
	header, payload := get(b[len(Magic):]), get(b[len(Magic)+4:])
	if header < 0 || payload < 0 || header > mostHeader || payload > mostPayload {
		return 0, errLarge
	}
	return prefix + header + payload, nil
}

// Parse reads a frame. Its payload is a part of b.
func Parse(b []byte) (f Frame, err error) {
	n, err := Length(b)
	if err != nil {
		return f, err
	}
	if n == 0 || len(b) < n {
		return f, errShort
	}
	body := prefix + get(b[len(Magic):])
	header := b[prefix:body]
	for len(header) > 0 {
		end, equals := 0, -1
		for end < len(header) && header[end] != 0 {
			if header[end] == '=' && equals < 0 {
				equals = end
			}
			end++
		}
		if equals >= 0 {
			f.set(string(header[:equals]), string(header[equals+1:end]))
		}
		header = header[min(end+1, len(header)):]
	}
	f.Payload = b[body:n]
	return f, nil
}

func (f *Frame) set(name, value string) {
	switch name {
	case "tool":
		f.Tool = value
	case "event":
		f.Event = value
	case "wall":
		f.Wall = int64(atoi(value))
	case "boot":
		f.Boot = int64(atoi(value))
	case "bootid":
		f.BootID = value
	case "self":
		f.Self = int(int32(atoi(value)))
	case "pid":
		f.PID = int(int32(atoi(value)))
	case "ticks":
		f.Ticks = atoi(value)
	case "tty":
		f.TTY = value
	case "size":
		f.Size = int64(atoi(value))
	case "cut":
		f.Cut = value == "1"
	case "env":
		f.Env = append(f.Env, value)
	}
}

// itoa is n in decimal, "" for 0.
func itoa(n uint64) string {
	var b [20]byte
	i := len(b)
	for ; n > 0; n /= 10 {
		i--
		b[i] = byte('0' + n%10)
	}
	return string(b[i:])
}

// digits is n in decimal.
func digits(n uint32) string {
	if n == 0 {
		return "0"
	}
	return itoa(uint64(n))
}

// atoi reads a decimal number; 0 if it is none.
func atoi(s string) (n uint64) {
	for i := range len(s) {
		d := uint64(s[i] - '0')
		if d > 9 || n > (1<<64-1-d)/10 {
			return 0
		}
		n = n*10 + d
	}
	return n
}

// written is a write of all of b, with a write that takes what it can.
func written(b []byte, write func([]byte) (int, error), inTime func() bool) error {
	for len(b) > 0 {
		n, err := write(b)
		if n > 0 {
			b = b[n:]
		}
		if err != nil && err != syscall.EINTR {
			return err
		}
		if len(b) > 0 && !inTime() {
			return syscall.EAGAIN
		}
	}
	return nil
}
