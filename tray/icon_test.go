package tray

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"unicode/utf16"

	"deskbell/engine"
)

// icons are all that can be told apart.
func icons() (all []Icon) {
	for _, muted := range []bool{false, true} {
		for _, wrong := range []bool{false, true} {
			for _, kind := range []Kind{None, Quiet, Busy} {
				all = append(all, Icon{Kind: kind, Muted: muted, Wrong: wrong})
			}
			for _, st := range []engine.Status{engine.Approval, engine.Input, engine.Waiting} {
				for n := 1; n <= most+1; n++ {
					all = append(all, Icon{Kind: Needs, Status: st, Count: n, Muted: muted, Wrong: wrong})
				}
			}
		}
	}
	return all
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestIconsAreHardAndDistinct(t *testing.T) {
	seen := map[string]Icon{}
	for _, i := range icons() {
		data := PNG(i)
		if twin, ok := seen[string(data)]; ok {
			t.Errorf("%+v looks like %+v", i, twin)
		}
		seen[string(data)] = i
		img := decode(t, data)
		if img.Bounds() != image.Rect(0, 0, side, side) {
			t.Fatalf("%+v: %v", i, img.Bounds())
		}
		full := 0
		for y := range int(side) {
			for x := range int(side) {
				switch _, _, _, a := img.At(x, y).RGBA(); a {
				case 0:
				case 0xffff:
					full++
				default:
					t.Fatalf("%+v: alpha %#x at %d,%d", i, a, x, y)
				}
			}
		}
		if full < side*side/4 {
			t.Errorf("%+v: only %d pixels", i, full)
		}
	}
}

func TestADiscHasItsColour(t *testing.T) {
	for st, want := range paint {
		for _, i := range []Icon{{Kind: Needs, Status: st, Count: 1}, {Kind: Needs, Status: st, Count: 12, Wrong: true, Muted: true}} {
			if got := decode(t, PNG(i)).At(32, 6); got != want[0] {
				t.Errorf("%v: got %v, want %v", st, got, want[0])
			}
		}
	}
}

// shrink takes the mean of each block, as panels do.
func shrink(img image.Image, to int) [][3]float64 {
	from := img.Bounds().Dx()
	out := make([][3]float64, to*to)
	for i := range out {
		n := 0.0
		for y := i / to * from / to; y < (i/to+1)*from/to; y++ {
			for x := i % to * from / to; x < (i%to+1)*from/to; x++ {
				r, g, b, _ := img.At(x, y).RGBA()
				out[i][0], out[i][1], out[i][2], n = out[i][0]+float64(r>>8), out[i][1]+float64(g>>8), out[i][2]+float64(b>>8), n+1
			}
		}
		for c := range 3 {
			out[i][c] /= n
		}
	}
	return out
}

// At the size of a panel any two digits differ clearly, by a quarter of the
// contrast, in several pixels. The closest are 3, 6, 8 and 9.
func TestDigitsDifferOnAPanel(t *testing.T) {
	for st := range paint {
		for a := 1; a <= most+1; a++ {
			for b := a + 1; b <= most+1; b++ {
				p := shrink(decode(t, PNG(Icon{Kind: Needs, Status: st, Count: a})), 22)
				q := shrink(decode(t, PNG(Icon{Kind: Needs, Status: st, Count: b})), 22)
				far := 0
				for i := range p {
					d := 0.0
					for c := range 3 {
						d = max(d, p[i][c]-q[i][c], q[i][c]-p[i][c])
					}
					if d > 64 {
						far++
					}
				}
				if far < 5 {
					t.Errorf("%v: %d and %d differ in %d pixels", st, a, b, far)
				}
			}
		}
	}
}

var icoSizes = []int{16, 20, 24, 32, 40, 48, 64}

// pictures are those of a Windows icon.
func pictures(t *testing.T, data []byte) (all []image.Image) {
	t.Helper()
	le := binary.LittleEndian
	if kind, n := le.Uint16(data[2:]), le.Uint16(data[4:]); kind != 1 || int(n) != len(icoSizes) {
		t.Fatalf("kind %d, %d pictures", kind, n)
	}
	end := uint32(6 + 16*len(icoSizes))
	for k, size := range icoSizes {
		e := data[6+16*k:]
		length, offset := le.Uint32(e[8:]), le.Uint32(e[12:])
		if int(e[0]) != size || int(e[1]) != size || offset != end || le.Uint16(e[6:]) != 32 {
			t.Errorf("picture %d: %d x %d at %d, want %d at %d", k, e[0], e[1], offset, size, end)
		}
		img := decode(t, data[offset:offset+length])
		if img.Bounds().Dx() != size || img.Bounds().Dy() != size {
			t.Errorf("picture %d: %v, want %d", k, img.Bounds(), size)
		}
		all, end = append(all, img), offset+length
	}
	if int(end) != len(data) {
		t.Errorf("%d bytes, want %d", len(data), end)
	}
	return all
}

// Windows draws the icon in the size it likes best, and never frees one it has seen.
func TestWindowsIcons(t *testing.T) {
	if n := len(icons()); n > 150 {
		t.Errorf("%d icons can be told apart, and Windows keeps each for ever", n)
	}
	seen := map[string]Icon{}
	for _, i := range icons() {
		if i.Kind == Needs && i.Count != 3 && i.Count <= most {
			continue
		}
		data := ICO(i)
		if twin, ok := seen[string(data)]; ok {
			t.Errorf("%+v looks like %+v", i, twin)
		}
		seen[string(data)] = i
		want := map[Kind]color.NRGBA{Needs: paint[i.Status][0], Busy: blue, Quiet: grey, None: grey}[i.Kind]
		for k, img := range pictures(t, data) {
			x, y := icoSizes[k]/2, icoSizes[k]*6/64
			if i.Kind != Needs { // the base of the bell
				y = icoSizes[k] * 56 / 64
			}
			if got := img.At(x, y); got != want {
				t.Errorf("%+v at %d pixels: got %v, want %v", i, icoSizes[k], got, want)
			}
		}
	}
}

func TestTemplateIsBlack(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range []Icon{{}, {Kind: Quiet}, {Muted: true}, {Kind: Quiet, Muted: true}} {
		data := Template(i)
		if seen[string(data)] {
			t.Errorf("%+v looks like another", i)
		}
		seen[string(data)] = true
		img := decode(t, data)
		for p := range int(side * side) {
			if r, g, b, _ := img.At(p%side, p/side).RGBA(); r|g|b != 0 {
				t.Fatalf("%+v: a colour at %d", i, p)
			}
		}
	}
}

// Beside its black bell macOS shows how many need you, of how many that are at it.
func TestWordsBesideTheIcon(t *testing.T) {
	type S = engine.Session
	needs, works, rests := S{Status: engine.Waiting}, S{Status: engine.Working}, S{Status: engine.Idle}
	for _, c := range []struct {
		all   []S
		notes []string
		want  string
	}{
		{nil, nil, ""},
		{[]S{rests}, nil, ""},
		{[]S{needs, needs, rests}, nil, "2"},
		{[]S{needs, needs, works, works, works}, nil, "2/5"},
		{[]S{works}, nil, "0/1"},
		{[]S{needs}, []string{"config error"}, "1!"},
	} {
		if got := Build(cards(c.all...), Prefs{Notes: c.notes}).Icon.Text; got != c.want {
			t.Errorf("%v: got %q, want %q", c.all, got, c.want)
		}
	}
}

// Windows cuts a longer tooltip in the middle of a character.
func TestTipFits(t *testing.T) {
	for _, sum := range []string{"1 idle", strings.Repeat("x", 200), strings.Repeat("👩", 64), strings.Repeat("👩", 63) + "xyz"} {
		tip := icon(nil, Prefs{AllMuted: true}, sum).Tip
		if n := len(utf16.Encode([]rune(tip))); n > 127 || n < 100 && tip != sum+" · muted" {
			t.Errorf("%q: %d units: %q", sum, n, tip)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	for _, i := range []Icon{{Kind: Busy}, {Kind: Needs, Status: engine.Approval, Count: 8}, {Kind: Needs, Status: engine.Approval, Count: 12}} {
		b.Run(fmt.Sprint(i.Kind, i.Count), func(b *testing.B) {
			for b.Loop() {
				encode(render(picture(i), side, false))
			}
		})
		b.Run(fmt.Sprint("ico", i.Kind, i.Count), func(b *testing.B) {
			for b.Loop() {
				drawIco(i)
			}
		})
	}
}
