package tray

const (
	mark  = "_"  // of the key of a menu row
	early = true // the icon is to be set before Run, else it may be lost
)

// caption is what the icon is called; hosts remember it by that.
func caption(Icon) string { return "deskbell" }

func pixels(i Icon) []byte { return PNG(i) }
func template(Icon) []byte { return nil }
