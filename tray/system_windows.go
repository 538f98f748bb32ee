package tray

const (
	mark  = "&"   // of the key of a menu row
	early = false // before Run there is nothing to set an icon on
)

func caption(Icon) string  { return "" }
func pixels(i Icon) []byte { return ICO(i) }
func template(Icon) []byte { return nil }
