package tray

import "math"

// stroke is one line of a digit, drawn in a box of width 20 and height 32: a
// straight one from (a, b) to (c, d), or with a sweep the part of the ellipse
// around (a, b) with radii c and d, in degrees, clockwise from the right.
type stroke struct{ a, b, c, d, from, sweep float64 }

var digits = map[rune][]stroke{
	'1': {{a: 3, b: 7, c: 11, d: 0}, {a: 11, b: 0, c: 11, d: 32}},
	'2': {{a: 10, b: 9, c: 9, d: 9, from: 185, sweep: 205}, {a: 17.7, b: 14, c: 1, d: 32}, {a: 1, b: 32, c: 19.5, d: 32}},
	'3': {{a: 9.5, b: 8, c: 8.5, d: 8, from: 205, sweep: 245}, {a: 9.5, b: 24, c: 9.5, d: 8, from: 270, sweep: 245}},
	'4': {{a: 14, b: 0, c: 0.5, d: 23}, {a: 0.5, b: 23, c: 20, d: 23}, {a: 14, b: 0, c: 14, d: 32}},
	'5': {{a: 17.5, b: 0, c: 3.5, d: 0}, {a: 3.5, b: 0, c: 2.5, d: 14}, {a: 9.5, b: 21.5, c: 9.5, d: 10.5, from: 223, sweep: 277}},
	'6': {{a: 10, b: 22, c: 9.5, d: 10, from: 0, sweep: 360}, {a: 16, b: 22, c: 15.5, d: 22, from: 180, sweep: 90}},
	'7': {{a: 0.5, b: 0, c: 19.5, d: 0}, {a: 19.5, b: 0, c: 7, d: 32}},
	'8': {{a: 10, b: 8, c: 8, d: 8, from: 0, sweep: 360}, {a: 10, b: 24, c: 9.5, d: 8, from: 0, sweep: 360}},
	'9': {{a: 10, b: 10, c: 9.5, d: 10, from: 0, sweep: 360}, {a: 4, b: 10, c: 15.5, d: 22, from: 0, sweep: 90}},
	'+': {{a: 0, b: 16, c: 20, d: 16}, {a: 10, b: 0, c: 10, d: 32}},
}

// digit is a character whose strokes run inside the box at (x, y) of size w, h,
// with a pen as wide as given.
func digit(r rune, x, y, w, h, pen float64) shape {
	sx, sy := w/20, h/32
	var lines []shape
	for _, s := range digits[r] {
		if s.sweep == 0 {
			lines = append(lines, line(x+s.a*sx, y+s.b*sy, x+s.c*sx, y+s.d*sy))
			continue
		}
		steps := int(s.sweep / 15)
		at := func(k int) (float64, float64) {
			sin, cos := math.Sincos((s.from + s.sweep*float64(k)/float64(steps)) * math.Pi / 180)
			return x + (s.a+s.c*cos)*sx, y + (s.b+s.d*sin)*sy
		}
		for k := range steps {
			x1, y1 := at(k)
			x2, y2 := at(k + 1)
			lines = append(lines, line(x1, y1, x2, y2))
		}
	}
	frame := box(x+w/2, y+h/2, (w+pen)/2, (h+pen)/2, 0)
	return func(x, y float64) float64 {
		d := frame(x, y)
		if d > pen { // too far off to matter how far
			return d
		}
		d = math.Inf(1)
		for _, l := range lines {
			d = min(d, l(x, y))
		}
		return d - pen/2
	}
}
