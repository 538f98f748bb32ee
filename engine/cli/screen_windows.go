package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// size returns the columns and lines of the console f, and has it understand the
// sequences that colour and move.
func size(f *os.File) (width, height int, err error) {
	console := windows.Handle(f.Fd())
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(console, &info); err != nil {
		return 0, 0, err
	}
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return 0, 0, err
	}
	if err := windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING); err != nil {
		return 0, 0, err
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1, nil
}

// resized never tells: a console has no such signal, and the next drawing fits.
func resized(chan<- os.Signal) {}
