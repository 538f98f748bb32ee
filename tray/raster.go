package tray

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"
)

// layer is a shape in one colour; a transparent one takes away what lies below.
type layer struct {
	in shape
	of color.NRGBA
}

const samples = 4 // per pixel, across and down

// render draws layers on a square of so many pixels. Colours blend into each
// other. Unless soft, a pixel is either there or not: the systray library makes
// noise of one that is half transparent.
func render(layers []layer, pixels int, soft bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, pixels, pixels))
	unit := side / float64(pixels)
	for py := range pixels {
		for px := range pixels {
			if c, even := middle(layers, (float64(px)+0.5)*unit, (float64(py)+0.5)*unit, unit); even {
				img.SetNRGBA(px, py, c)
				continue
			}
			var r, g, b, n int
			for k := range samples * samples {
				x := (float64(px) + (float64(k%samples)+0.5)/samples) * unit
				y := (float64(py) + (float64(k/samples)+0.5)/samples) * unit
				if c := top(layers, x, y); c.A != 0 {
					r, g, b, n = r+int(c.R), g+int(c.G), b+int(c.B), n+1
				}
			}
			if n == 0 || !soft && n < samples*samples/2 {
				continue
			}
			a := 0xff
			if soft {
				a = 0xff * n / (samples * samples)
			}
			img.SetNRGBA(px, py, color.NRGBA{uint8(r / n), uint8(g / n), uint8(b / n), uint8(a)})
		}
	}
	return img
}

// middle is the colour of a pixel of this size around a point, if no edge runs
// through it.
func middle(layers []layer, x, y, size float64) (c color.NRGBA, even bool) {
	for i := len(layers) - 1; i >= 0; i-- {
		switch d := layers[i].in(x, y); {
		case math.Abs(d) <= size*math.Sqrt2/2:
			return bare, false
		case d < 0:
			return layers[i].of, true
		}
	}
	return bare, true
}

// top is the colour that is seen at a point.
func top(layers []layer, x, y float64) color.NRGBA {
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].in(x, y) <= 0 {
			return layers[i].of
		}
	}
	return bare
}

func encode(img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // an image in memory, written to memory
	}
	return b.Bytes()
}

// ico wraps pictures of several sizes as a Windows icon.
func ico(pictures ...*image.NRGBA) []byte {
	const header, entry = 6, 16
	var head, body bytes.Buffer
	le := binary.LittleEndian
	head.Write(le.AppendUint16(le.AppendUint16(le.AppendUint16(nil, 0), 1), uint16(len(pictures))))
	for _, p := range pictures {
		data := encode(p)
		size := byte(p.Rect.Dx()) // 256 is written as 0
		head.Write([]byte{size, size, 0, 0, 1, 0, 32, 0})
		head.Write(le.AppendUint32(nil, uint32(len(data))))
		head.Write(le.AppendUint32(nil, uint32(header+entry*len(pictures)+body.Len())))
		body.Write(data)
	}
	return append(head.Bytes(), body.Bytes()...)
}

// drawn keeps the bytes of each picture: there are not many, and Windows keeps
// a handle for ever for each it has not seen.
type drawn struct {
	draw func(Icon) []byte
	mu   sync.Mutex
	of   map[Icon][]byte // guarded by mu
}

func (d *drawn) bytes(i Icon) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := i.picture()
	if d.of[key] == nil {
		if d.of == nil {
			d.of = map[Icon][]byte{}
		}
		d.of[key] = d.draw(key)
	}
	return d.of[key]
}

var (
	pngs      = drawn{draw: func(i Icon) []byte { return encode(render(picture(i), side, false)) }}
	icos      = drawn{draw: drawIco}
	templates = drawn{draw: func(i Icon) []byte { return encode(render(stencil(i), side, true)) }}
)

func drawIco(i Icon) []byte {
	var all []*image.NRGBA
	for _, pixels := range []int{16, 20, 24, 32, 40, 48, 64} {
		all = append(all, render(picture(i), pixels, true))
	}
	return ico(all...)
}

// PNG is the icon as a picture of 64 by 64 pixels, each opaque or not there.
func PNG(i Icon) []byte { return pngs.bytes(i) }

// ICO is the icon as a Windows icon in several sizes.
func ICO(i Icon) []byte { return icos.bytes(i) }

// Template is the bell in black, for macOS to colour.
func Template(i Icon) []byte { return templates.bytes(i) }
