package notify

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// partial is one tone of the bell: how high, how loud, and how fast it dies away.
type partial struct{ Hz, Loud, Seconds float64 }

// tones are those of a small desk bell, struck softly.
var tones = []partial{{1318.5, 1, 0.16}, {2637, 0.45, 0.1}, {3955, 0.2, 0.06}, {659.3, 0.25, 0.2}}

const (
	rate   = 22050                  // samples a second
	length = 600 * time.Millisecond // of the sound
	rise   = 4 * time.Millisecond   // a sound that begins at once clicks
	fall   = 60 * time.Millisecond
	volume = 0.22 // of what is possible
)

// chime is the bell as a WAV file.
func chime() []byte {
	count := int(length.Seconds() * rate)
	samples := make([]int16, count)
	var sum float64
	for _, p := range tones {
		sum += p.Loud
	}
	for i := range samples {
		at := float64(i) / rate
		v := 0.0
		for _, p := range tones {
			v += p.Loud * math.Exp(-at/p.Seconds) * math.Sin(2*math.Pi*p.Hz*at)
		}
		v *= min(1, at/rise.Seconds(), (length.Seconds()-at)/fall.Seconds())
		samples[i] = int16(v / sum * volume * math.MaxInt16)
	}
	var b bytes.Buffer
	size := uint32(2 * count)
	put := func(parts ...any) {
		for _, part := range parts {
			_ = binary.Write(&b, binary.LittleEndian, part) // a Buffer cannot fail
		}
	}
	put([]byte("RIFF"), 36+size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2*rate),
		uint16(2), uint16(16), []byte("data"), size, samples)
	return b.Bytes()
}

// ringer is a program that plays a file. None gets its name through a shell.
type ringer struct {
	Name string
	Args func(file string) []string
}

// ringers are tried in this order.
var ringers = []ringer{
	{"canberra-gtk-play", func(file string) []string { return []string{"--file=" + file} }},
	{"pw-play", func(file string) []string { return []string{file} }},
	{"paplay", func(file string) []string { return []string{file} }},
	{"aplay", func(file string) []string { return []string{"-q", file} }},
	{"afplay", func(file string) []string { return []string{file} }},
}

// errNoPlayer is said once: without a player notices are seen, not heard.
var errNoPlayer = errors.New("no program plays sounds (pw-play, paplay, aplay and canberra-gtk-play are some)")

// Bell is the sound of notices: one short, soft bell. It keeps nobody waiting, and while
// it rings it does not ring again.
type Bell struct {
	dir string
	say func(string)

	tasks sync.WaitGroup
	free  chan struct{} // holds a token unless it rings
	once  sync.Once     // what is wrong is said once
}

// playtime is how long a player may take.
const playtime = 10 * time.Second

// NewBell makes the bell, whose sound is a file in the folder dir from when it is needed.
func NewBell(dir string, say func(string)) *Bell {
	b := &Bell{dir: dir, say: say, free: make(chan struct{}, 1)}
	b.free <- struct{}{}
	return b
}

// File is where the sound is; "": it could not be written.
func (b *Bell) File() string {
	if b == nil {
		return ""
	}
	file, err := b.write()
	if err != nil {
		b.fail(err)
	}
	return file
}

// write writes the sound, unless it is there: a cache may be emptied at any time.
func (b *Bell) write() (string, error) {
	file, sound := filepath.Join(b.dir, "bell.wav"), chime()
	if there, err := os.ReadFile(file); err == nil && bytes.Equal(there, sound) {
		return file, nil
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(b.dir, "bell-*.wav")
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(sound)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // it is of no use
		return "", err
	}
	return file, nil
}

// Ring has the bell heard until ctx is done.
func (b *Bell) Ring(ctx context.Context) {
	if b == nil {
		return
	}
	select {
	case <-b.free:
	default:
		return
	}
	b.tasks.Go(func() {
		defer func() { b.free <- struct{}{} }()
		if file := b.File(); file != "" {
			if err := sound(ctx, file); err != nil && ctx.Err() == nil {
				b.fail(err)
			}
		}
	})
}

// Wait waits for the end of what rings.
func (b *Bell) Wait() {
	if b != nil {
		b.tasks.Wait()
	}
}

func (b *Bell) fail(err error) {
	b.once.Do(func() {
		if b.say != nil {
			b.say("notices make no sound: " + cut(clean(err.Error()), 2*maxBody))
		}
	})
}

// sound plays file by the first program that does.
func sound(ctx context.Context, file string) error {
	var failed []string
	for _, p := range ringers {
		path, err := exec.LookPath(p.Name)
		if err != nil {
			continue
		}
		call, cancel := context.WithTimeout(ctx, playtime)
		cmd := exec.CommandContext(call, path, p.Args(file)...)
		cmd.WaitDelay = time.Second
		err = cmd.Run()
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		failed = append(failed, fmt.Sprintf("%s: %v", p.Name, err))
	}
	if failed == nil {
		return errNoPlayer
	}
	return errors.New(strings.Join(failed, "; "))
}
