package terminal

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// native asks the window manager of Windows.
var native = []desk{{
	name:  "Windows",
	here:  func(func(string) string) bool { return true },
	look:  winLook,
	raise: winRaise,
}}

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	setForeground  = user32.NewProc("SetForegroundWindow")
	flashWindow    = user32.NewProc("FlashWindow")
	isIconic       = user32.NewProc("IsIconic")
	showWindow     = user32.NewProc("ShowWindow")
	getWindow      = user32.NewProc("GetWindow")
	getWindowTextW = user32.NewProc("GetWindowTextW")
)

const (
	swRestore = 9
	gwOwner   = 4
)

// listing is the view that EnumWindows fills. A callback is never given back, so that
// there is one, and one view at a time.
var (
	listing sync.Mutex
	listed  *view // guarded by listing
	list    = syscall.NewCallback(func(h windows.HWND, _ uintptr) uintptr {
		if !windows.IsWindowVisible(h) {
			return 1
		}
		var pid uint32
		if _, err := windows.GetWindowThreadProcessId(h, &pid); err != nil {
			return 1
		}
		owner, _, _ := getWindow.Call(uintptr(h), gwOwner)
		text := make([]uint16, 512)
		n, _, _ := getWindowTextW.Call(uintptr(h), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
		listed.windows = append(listed.windows, window{
			id: uint64(h), pid: int(pid), title: windows.UTF16ToString(text[:n]), dialog: owner != 0 || n == 0,
		})
		return 1
	})
)

func winLook(context.Context, func(string) string, Pane) (view, error) {
	listing.Lock()
	defer listing.Unlock()
	var v view
	listed = &v
	defer func() { listed = nil }()
	if err := windows.EnumWindows(list, nil); err != nil {
		return view{}, err
	}
	v.active = uint64(windows.GetForegroundWindow())
	return v, nil
}

// winRaise raises a window if Windows lets us: only the program that you use may pass
// the foreground on. Otherwise its button in the taskbar flashes.
func winRaise(_ context.Context, _ func(string) string, id uint64) error {
	if icon, _, _ := isIconic.Call(uintptr(id)); icon != 0 {
		_, _, _ = showWindow.Call(uintptr(id), swRestore)
	}
	if ok, _, _ := setForeground.Call(uintptr(id)); ok != 0 {
		return nil
	}
	_, _, _ = flashWindow.Call(uintptr(id), 1)
	return errors.New("its button in the taskbar flashes instead")
}
