package tray

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"
)

// An icon on a real panel is told by what it looks like: of all icons, drawn as a panel
// would draw them, it has to be the one that comes nearest.

// place is where a panel shows the icon, and what is behind it.
type place struct {
	square image.Rectangle
	behind color.NRGBA
}

// strange is what looks like nothing we draw. Panels make icons small in ways of their
// own, so the right one is off by some.
const strange = 20

// find waits for an icon, a disc that needs you, and returns where it is.
func (s screen) find(want Icon) (p place) {
	s.t.Helper()
	s.away()
	disc := paint[want.Status][0]
	until(s.t, fmt.Sprintf("an icon in %v", disc), func() bool {
		img := s.shot(s.panel())
		where, n := spot(img, s.panel(), disc)
		if k := s.scale; n < 80*k*k || where.Dx() < 16*k || where.Dx() > 24*k || where.Dy() < 16*k || where.Dy() > 24*k {
			return false
		}
		r, g, b, _ := img.At(where.Min.X-20*s.scale, where.Min.Y+4).RGBA()
		p.behind = color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
		best := math.Inf(1)
		for size := 20 * s.scale; size <= 26*s.scale; size++ {
			model := onto(s.t, want, p.behind, size)
			for y := where.Max.Y - size; y <= where.Min.Y; y++ {
				for x := where.Max.X - size; x <= where.Min.X; x++ {
					if d := far(model, img, image.Rect(x, y, x+size, y+size)); d < best {
						best, p.square = d, image.Rect(x, y, x+size, y+size)
					}
				}
			}
		}
		return best < strange
	})
	s.t.Logf("the icon is at %v on %v", p.square, p.behind)
	return p
}

// away takes the pointer off the panel, which lights up what is pointed at.
func (s screen) away() {
	s.t.Helper()
	s.run("move", "40", fmt.Sprint(600*s.scale))
}

// wears waits until the icon at p is this one.
func (s screen) wears(p place, want Icon) {
	s.t.Helper()
	s.away()
	models := map[Icon][]color.NRGBA{}
	for _, i := range icons() {
		models[i] = onto(s.t, i, p.behind, p.square.Dx())
	}
	var nearest Icon
	var d float64
	defer func() { s.t.Logf("looks like %+v, by %.1f", nearest, d) }()
	until(s.t, fmt.Sprintf("the icon %+v", want), func() bool {
		img := s.shot(p.square)
		d = math.Inf(1)
		for i, model := range models {
			if one := far(model, img, p.square); one < d {
				nearest, d = i, one
			}
		}
		return nearest == want.picture() && d < strange
	})
	s.keep(fmt.Sprintf("%s%d-%v-%v", kinds[want.Kind], want.Count, want.Muted, want.Wrong))
}

// onto is an icon on a plain panel, so many pixels wide and high.
func onto(t *testing.T, i Icon, behind color.NRGBA, size int) (model []color.NRGBA) {
	img := decode(t, PNG(i)).(*image.NRGBA)
	unit := side / float64(size)
	for k := range size * size {
		var r, g, b, n int
		for y := int(float64(k/size) * unit); y < int(float64(k/size+1)*unit); y++ {
			for x := int(float64(k%size) * unit); x < int(float64(k%size+1)*unit); x++ {
				c := img.NRGBAAt(x, y)
				if c.A == 0 {
					c = behind
				}
				r, g, b, n = r+int(c.R), g+int(c.G), b+int(c.B), n+1
			}
		}
		model = append(model, color.NRGBA{uint8(r / n), uint8(g / n), uint8(b / n), 0xff})
	}
	return model
}

// far is by how much a square of a picture differs from a model, a colour of a pixel on
// average.
func far(model []color.NRGBA, img image.Image, square image.Rectangle) float64 {
	var sum float64
	for k, c := range model {
		r, g, b, _ := img.At(square.Min.X+k%square.Dx(), square.Min.Y+k/square.Dx()).RGBA()
		sum += math.Abs(float64(r>>8)-float64(c.R)) + math.Abs(float64(g>>8)-float64(c.G)) + math.Abs(float64(b>>8)-float64(c.B))
	}
	return sum / float64(3*len(model))
}
