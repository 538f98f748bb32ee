package tray

import (
	"image/color"
	"math"
	"strconv"

	"deskbell/engine"
)

// Drawing happens on a square of 64 units, whatever its size in pixels. An
// outline of three units is one pixel where panels show the icon at 22.
const (
	side    = 64.0
	outline = 3.0
)

var (
	dark  = color.NRGBA{0x1b, 0x1f, 0x27, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	blue  = color.NRGBA{0x3b, 0x82, 0xf6, 0xff}
	grey  = color.NRGBA{0x8a, 0x8f, 0x98, 0xff}
	red   = color.NRGBA{0xef, 0x44, 0x44, 0xff}
	black = color.NRGBA{0, 0, 0, 0xff}
	bare  = color.NRGBA{}
)

// paint is the colour of a status that needs you, and that of the digits on it.
var paint = map[engine.Status][2]color.NRGBA{
	engine.Approval: {{0xf5, 0xb3, 0x01, 0xff}, dark},
	engine.Input:    {{0xa8, 0x55, 0xf7, 0xff}, white},
	engine.Waiting:  {{0x22, 0xc5, 0x5e, 0xff}, white},
}

// picture lays the layers of an icon, the lowest first.
func picture(i Icon) (layers []layer) {
	switch i.Kind {
	case Needs:
		layers = badge(i)
	case Busy:
		layers = full(blue)
	case Quiet:
		layers = full(grey)
	default:
		layers = []layer{{grow(bell, outline), dark}, {bell, grey}, {grow(bell, -5), bare}}
	}
	if i.Muted && i.Kind != Needs {
		layers = append(layers, struck(white)...)
	}
	if i.Wrong {
		layers = append(layers, layer{grow(corner, outline), dark}, layer{corner, red})
	}
	return layers
}

func badge(i Icon) []layer {
	c, ok := paint[i.Status]
	if !ok {
		c = paint[engine.Waiting]
	}
	disc := circle(32, 32, 32-outline)
	layers := []layer{{grow(disc, outline), dark}, {disc, c[0]}}
	if i.Muted { // behind the number, which is still what matters
		layers = append(layers, struck(white)...)
		layers = append(layers, layer{circle(32, 32, 21), c[0]})
	}
	var number shape
	if i.Count > most {
		number = either(digit('9', 13, 15, 19, 34, 7), digit('+', 36, 23, 18, 18, 7))
	} else {
		number = digit(rune(strconv.Itoa(i.Count)[0]), 20.5, 12.5, 23, 39, 8.5)
	}
	return append(layers, layer{number, c[1]})
}

// struck is a slash through what lies below.
func struck(c color.NRGBA) []layer {
	return []layer{{grow(slash, 3+outline), dark}, {grow(slash, 3), c}}
}

func full(c color.NRGBA) []layer {
	return []layer{{grow(bell, outline), dark}, {bell, c}}
}

// stencil is the bell in black, for a system that colours it itself.
func stencil(i Icon) []layer {
	layers := []layer{{grow(bell, outline-1), black}, {gap, bare}}
	if i.Kind == None {
		layers = []layer{{grow(bell, outline-1), black}, {grow(bell, -3.5), bare}}
	}
	if i.Muted {
		layers = append(layers, layer{grow(slash, 3+outline), bare}, layer{grow(slash, 3), black})
	}
	return layers
}

// The desk bell: a dome on a base, with a button on top.
var (
	dome   = both(circle(32, 47, 26), func(_, y float64) float64 { return y - 47 })
	base   = box(32, 55, 29, 5, 3)
	bell   = either(either(dome, base), either(box(32, 16, 3.5, 7, 0), box(32, 8.5, 9, 4, 3)))
	gap    = box(32, 48.5, 32, 1.5, 0)
	slash  = line(8, 58, 56, 6)
	corner = func(x, y float64) float64 { return (105 - x - y) / math.Sqrt2 } // the lower right one
)

// shape is the distance of a point to an edge, negative inside.
type shape func(x, y float64) float64

func circle(cx, cy, r float64) shape {
	return func(x, y float64) float64 { return math.Hypot(x-cx, y-cy) - r }
}

// box has the half sides w and h and corners of radius r.
func box(cx, cy, w, h, r float64) shape {
	return func(x, y float64) float64 {
		dx, dy := math.Abs(x-cx)-w+r, math.Abs(y-cy)-h+r
		return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - r
	}
}

func line(x1, y1, x2, y2 float64) shape {
	dx, dy := x2-x1, y2-y1
	return func(x, y float64) float64 {
		t := ((x-x1)*dx + (y-y1)*dy) / (dx*dx + dy*dy)
		t = min(max(t, 0), 1)
		return math.Hypot(x-x1-t*dx, y-y1-t*dy)
	}
}

func grow(s shape, by float64) shape {
	return func(x, y float64) float64 { return s(x, y) - by }
}

func either(a, b shape) shape {
	return func(x, y float64) float64 { return min(a(x, y), b(x, y)) }
}

func both(a, b shape) shape {
	return func(x, y float64) float64 { return max(a(x, y), b(x, y)) }
}
