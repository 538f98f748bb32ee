package terminal

import (
	"fmt"
	"os/exec"
	"runtime"
)

// editors open a file with what the user has for it.
var editors = map[string][]string{
	"linux": {"xdg-open"}, "freebsd": {"xdg-open"}, "darwin": {"open", "-t"}, "windows": {"notepad.exe"},
}

// Edit shows a file in the user's editor, and does not wait for that. Where none can be
// started the error says what to do.
func Edit(path string) error {
	argv := append(editors[runtime.GOOS], path)
	c := exec.Command(argv[0], argv[1:]...)
	if len(argv) == 1 { // nobody is known here
		return fmt.Errorf("edit %s", path)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("%w: edit %s yourself", err, path)
	}
	go func() { _ = c.Wait() }() // it ends with the editor, not with us
	return nil
}
