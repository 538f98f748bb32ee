//go:build cgo

package tray

const (
	mark  = ""    // menu rows have no keys
	early = false // before Run there is nothing to set an icon on
)

// caption is the text beside the icon.
func caption(i Icon) string { return i.Text }

func pixels(i Icon) []byte   { return PNG(i) }
func template(i Icon) []byte { return Template(i) }
