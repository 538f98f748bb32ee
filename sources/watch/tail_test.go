package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// paper is a log file for tests, and a Tail that reads it.
type paper struct {
	t    testing.TB
	path string
	Tail
	buf []byte
}

func newPaper(t testing.TB, text string) *paper {
	p := &paper{t: t, path: filepath.Join(t.TempDir(), "log"), buf: make([]byte, chunkLen)}
	put(t, p.path, text)
	return p
}

// read returns the new lines and whether the tail started over.
func (p *paper) read() (lines []string, over bool) {
	p.t.Helper()
	f, err := os.Open(p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	over, err = p.Read(f, p.buf, func(line []byte) { lines = append(lines, string(line)) })
	if err != nil {
		p.t.Fatal(err)
	}
	return lines, over
}

func (p *paper) expect(over bool, want ...string) {
	p.t.Helper()
	if got, o := p.read(); !slices.Equal(got, want) || o != over {
		p.t.Errorf("got %s over %v, want %s over %v", short(got), o, short(want), over)
	}
}

func short(lines []string) string {
	text := fmt.Sprintf("%d %q", len(lines), lines)
	return text[:min(len(text), 300)]
}

func TestTailLines(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"lines", "a\nb\n", "a|b"},
		{"nothing", "", ""},
		{"an unfinished line", "a\nb", "a"},
		{"empty lines", "\n\na\n\r\n", "a"},
		{"lines as Windows ends them", "a\r\nb\r\n", "a|b"},
		{"C63 NUL bytes after a power loss", "a\n\x00\x00\x00b\n\x00\x00\nc\x00d\n", "a|b|cd"},
		{"invalid UTF-8", "\xff\xfe\n\xe4a\n", "\xff\xfe|\xe4a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines, _ := newPaper(t, tt.text).read()
			if got := strings.Join(lines, "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTailKeepsAnUnfinishedLine(t *testing.T) {
	p := newPaper(t, "a\nb")
	p.expect(false, "a")
	p.expect(false)
	grow(t, p.path, "c")
	p.expect(false)
	if p.Offset() != 2 {
		t.Errorf("got offset %d, want 2", p.Offset())
	}
	grow(t, p.path, "d\ne\n")
	p.expect(false, "bcd", "e")
}

// Nothing before the last lines is read (C64, C65).
func TestC64C65FirstReadStartsNearTheEnd(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	p := newPaper(t, strings.Repeat(line, 10_000))
	lines, _ := p.read()
	if want := window / len(line); len(lines) != want {
		t.Errorf("got %d lines, want the %d whole ones of the last 64 KB", len(lines), want)
	}
	for _, l := range lines {
		if l != line[:99] {
			t.Fatalf("got %q, a piece of a line", l)
		}
	}
}

func TestFirstReadReachesBackForOneWholeLine(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	p := newPaper(t, "a\n"+long+"\n")
	p.expect(false, "a", long)
}

// Nor is a line that is too long kept (C65).
func TestC65LongLinesAreSkipped(t *testing.T) {
	p := newPaper(t, "a\n")
	p.expect(false, "a")
	grow(t, p.path, strings.Repeat("x", longest))
	p.expect(false)
	grow(t, p.path, "xx")
	p.expect(false)
	if p.Long != 1 || cap(p.rest) > 0 {
		t.Errorf("got %d long lines and %d bytes kept", p.Long, cap(p.rest))
	}
	grow(t, p.path, strings.Repeat("x", 1000)+"\nb\n")
	p.expect(false, "b")
	if p.Long != 1 {
		t.Errorf("got %d long lines, want 1", p.Long)
	}
}

func TestALogThatLeaptIsJoinedNearItsEnd(t *testing.T) {
	p := newPaper(t, "a\n")
	p.expect(false, "a")
	if err := os.Truncate(p.path, leap+100); err != nil { // a hole costs nothing
		t.Fatal(err)
	}
	grow(t, p.path, "\nb\n")
	p.expect(true, "b")
}

// cut is a log that is cut between the look at its size and the first read of it.
type cut struct {
	*os.File
	once bool
}

func (c *cut) ReadAt(p []byte, at int64) (int, error) {
	if !c.once {
		c.once = true
		if err := c.Truncate(0); err != nil {
			return 0, err
		}
	}
	return c.File.ReadAt(p, at)
}

// A log that is cut while it is read is no error, and what is written to it then is read.
func TestTailCutMeanwhile(t *testing.T) {
	p := newPaper(t, strings.Repeat("old line\n", window/4))
	f, err := os.OpenFile(p.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	over, err := p.Read(&cut{File: f}, p.buf, func(line []byte) { t.Errorf("read %q", line) })
	if over || err != nil {
		t.Fatalf("over %v, %v", over, err)
	}
	put(t, p.path, "new line\n")
	p.expect(false, "new line")
}

// An offset in the middle of a line goes on at the next one (C62).
func TestC62SavedOffset(t *testing.T) {
	for _, tt := range []struct {
		offset int64
		want   string
	}{
		{0, "one|two|three"}, {4, "two|three"}, {5, "three"}, {7, "three"}, {8, "three"}, {13, ""}, {14, ""}, {99, "one|two|three"},
	} {
		p := newPaper(t, "one\ntwo\nthree\n")
		p.Tail = Resume(tt.offset)
		lines, _ := p.read()
		if got := strings.Join(lines, "|"); got != tt.want {
			t.Errorf("from %d: got %q, want %q", tt.offset, got, tt.want)
		}
		grow(t, p.path, "four\n")
		p.expect(false, "four")
	}
}

// A log is told to be another one by what was before the position (C66).
func TestC66LogThatIsNotTheSameAnyMore(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, path string)
		want   []string
	}{
		{"cut", func(t *testing.T, path string) { os.Truncate(path, 4) }, []string{"one"}},
		{"cut and longer again", func(t *testing.T, path string) { put(t, path, "1\n2\n3\n4\n5\n6\n7\n8\n") }, []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		{"rewritten in its length", func(t *testing.T, path string) { overwrite(t, path, "six\nten\n") }, []string{"six", "ten"}},
		{"rewritten and longer", func(t *testing.T, path string) { overwrite(t, path, "six\nten\nmore\n") }, []string{"six", "ten", "more"}},
		{"rotated", func(t *testing.T, path string) {
			os.Rename(path, path+".1")
			put(t, path, "one\ntwo\nnew\n")
		}, []string{"one", "two", "new"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPaper(t, "one\ntwo\n")
			p.expect(false, "one", "two")
			tt.change(t, p.path)
			p.expect(true, tt.want...)
			grow(t, p.path, "last\n")
			p.expect(false, "last")
		})
	}
}

// overwrite writes in place, without making the file shorter first.
func overwrite(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// A write that changes nothing is no news (C58).
func TestTouchedLogSaysNothing(t *testing.T) {
	p := newPaper(t, "one\ntwo\n")
	p.expect(false, "one", "two")
	overwrite(t, p.path, "one\ntwo\n")
	p.expect(false)
}

// FuzzTail checks that it does not matter in which pieces a log is written and
// read: the lines are those of one read.
func FuzzTail(f *testing.F) {
	f.Add([]byte("a\nbc\n\x00d\r\n"), []byte{1, 3, 2}, uint8(5))
	f.Add([]byte("{\"a\":1}\n{\"b\""), []byte{9}, uint8(255))
	f.Add([]byte("\n\n\n"), []byte{0, 1}, uint8(0))
	f.Fuzz(func(t *testing.T, text, cuts []byte, room uint8) {
		var want []string
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			line = bytes.TrimSuffix(bytes.ReplaceAll(line, []byte{0}, nil), []byte{'\r'})
			want = append(want, string(line))
		}
		want = slices.DeleteFunc(want[:len(want)-1], func(s string) bool { return s == "" })
		p := newPaper(t, "")
		p.buf = make([]byte, markLen+int(room))
		var got []string
		next := func() {
			lines, over := p.read()
			if over {
				t.Fatal("started over")
			}
			got = append(got, lines...)
		}
		next()
		for rest := text; ; {
			n := len(rest)
			if len(cuts) > 0 {
				n, cuts = min(n, int(cuts[0])), cuts[1:]
			}
			grow(t, p.path, string(rest[:n]))
			next()
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// BenchmarkTailOfALargeLog reads what is added to a log of 1 GB, 150 lines at a
// time as one coalesced read of 1,000 lines a second brings.
func BenchmarkTailOfALargeLog(b *testing.B) {
	p := newPaper(b, "")
	if err := os.Truncate(p.path, 1<<30); err != nil {
		b.Skip(err)
	}
	grow(b, p.path, "\n")
	p.read()
	lines := []byte(strings.Repeat(strings.Repeat("x", 999)+"\n", 150))
	w, err := os.OpenFile(p.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if _, err := w.Write(lines); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		f, err := os.Open(p.path)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		if _, err := p.Read(f, p.buf, func([]byte) { n++ }); err != nil || n != 150 {
			b.Fatalf("%d lines, %v", n, err)
		}
		f.Close()
	}
}

// huge is a log of a size that no test could write: one long line, and some others at
// its end. It counts what is read of it.
type huge struct {
	fs.FileInfo
	size, read int64
	end        string
	err        error
}

func (h *huge) Stat() (fs.FileInfo, error) { return h, nil }
func (h *huge) Size() int64                { return h.size + int64(len(h.end)) }

func (h *huge) ReadAt(p []byte, at int64) (n int, err error) {
	if h.err != nil {
		return 0, h.err
	}
	n = int(min(int64(len(p)), h.Size()-at))
	for i := range n {
		p[i] = 'x'
		if in := at + int64(i) - h.size; in >= 0 {
			p[i] = h.end[in]
		}
	}
	h.read += int64(n)
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// A log of several GB is read near its end, in bounded room and time, however it looks
// (C64, C65). What the system says against it is passed on as it is.
func TestHugeLog(t *testing.T) {
	for _, tt := range []struct {
		name, end, want string
		most            int64
	}{
		{"lines at its end", "\none\ntwo\n", "one|two", 2 * window},
		{"a line of 1 MB at its end", "\none\n" + strings.Repeat("y", 1<<20) + "\n", "one|" + strings.Repeat("y", 1<<20), 8 << 20},
		{"no line at all", "", "", 2 * longest},
		{"one unfinished line", "\nunfinished", "", 2 * longest},
	} {
		for _, size := range []int64{3_010_000_000, 5 << 32} {
			var before, after runtime.MemStats
			h := &huge{size: size, end: tt.end}
			var tail Tail
			var lines []string
			buf := make([]byte, chunkLen)
			runtime.ReadMemStats(&before)
			_, err := tail.Read(h, buf, func(line []byte) { lines = append(lines, string(line)) })
			runtime.ReadMemStats(&after)
			if got := strings.Join(lines, "|"); err != nil || got != tt.want {
				t.Errorf("%s, %d bytes: got %.80q, %v", tt.name, size, got, err)
			}
			if room := after.TotalAlloc - before.TotalAlloc; h.read > tt.most || room > 8*uint64(tt.most) {
				t.Errorf("%s, %d bytes: %d read, %d bytes of room taken", tt.name, size, h.read, room)
			}
			h.read, lines = 0, nil
			h.end += "\nnew\n"
			_, err = tail.Read(h, buf, func(line []byte) { lines = append(lines, string(line)) })
			if err != nil || len(lines) == 0 || lines[len(lines)-1] != "new" || h.read > 1000 {
				t.Errorf("%s, %d bytes: then %d lines, %v, of %d bytes read", tt.name, size, len(lines), err, h.read)
			}
			h.err = syscall.EIO
			if over, err := tail.Read(h, buf, func([]byte) {}); over || !errors.Is(err, syscall.EIO) {
				t.Errorf("%s, %d bytes: started over %v, %v, want %v", tt.name, size, over, err, syscall.EIO)
			}
			h.err, lines = nil, nil
			h.end += "last\n"
			over, err := tail.Read(h, buf, func(line []byte) { lines = append(lines, string(line)) })
			if over || err != nil || !slices.Equal(lines, []string{"last"}) {
				t.Errorf("%s, %d bytes: after an error started over %v, %v, %s", tt.name, size, over, err, short(lines))
			}
		}
	}
}
