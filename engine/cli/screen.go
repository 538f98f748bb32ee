package cli

import "os"

// screen is what output goes to. A file or a pipe has no size.
type screen struct {
	terminal      bool
	width, height int
	colour        bool
}

// output looks at what Stdout is. It is asked again for every drawing: windows are resized.
func (in Env) output() screen {
	if in.screen != nil {
		return *in.screen
	}
	f, ok := in.Stdout.(*os.File)
	if !ok {
		return screen{}
	}
	width, height, err := size(f)
	if err != nil {
		return screen{}
	}
	if width <= 0 || height <= 0 { // a terminal that does not know
		width, height = 80, 24
	}
	colour := in.Getenv("NO_COLOR") == "" && in.Getenv("TERM") != "dumb"
	return screen{terminal: true, width: width, height: height, colour: colour}
}
