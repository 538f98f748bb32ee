package terminal

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/screensaver"
	"github.com/jezek/xgb/xproto"
)

// localDisplay reports whether an X server is on this machine and of ours: the windows of
// one that is reached through SSH are somewhere else.
func localDisplay(display string) bool {
	return strings.HasPrefix(display, ":") || strings.HasPrefix(display, "unix:") || strings.HasPrefix(display, "/")
}

// xTurn lets one at a time ask an X server. The library cannot be told to give up: a
// server that hangs keeps one goroutine waiting, and no more.
var xTurn = make(chan struct{}, 1)

// xQuiet has the library keep to itself what it returns as an error anyway.
var xQuiet = sync.OnceFunc(func() { xgb.Logger = log.New(io.Discard, "", 0) })

// withX runs do with a connection to the X server at display.
func withX(ctx context.Context, display string, do func(*x) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case xTurn <- struct{}{}:
	case <-ctx.Done():
		return errSilent
	}
	xQuiet()
	done := make(chan error, 1)
	go func() {
		defer func() { <-xTurn }()
		c, err := xgb.NewConnDisplay(display)
		if err != nil {
			done <- err
			return
		}
		defer c.Close()
		defer context.AfterFunc(ctx, c.Close)() // who waits for an event that never comes is woken
		done <- do(&x{Conn: c, root: xproto.Setup(c).DefaultScreen(c).Root, atoms: map[string]xproto.Atom{}})
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errSilent
	}
}

var errSilent = errors.New("no answer in time")

// x is a connection to an X server.
type x struct {
	*xgb.Conn
	root  xproto.Window
	atoms map[string]xproto.Atom
}

func (c *x) atom(name string) xproto.Atom {
	if a, ok := c.atoms[name]; ok {
		return a
	}
	r, err := xproto.InternAtom(c.Conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return xproto.AtomNone
	}
	c.atoms[name] = r.Atom
	return r.Atom
}

// longest is what is read of a property, in units of four bytes.
const longest = 1 << 14

func (c *x) property(w xproto.Window, name string) []byte {
	r, err := xproto.GetProperty(c.Conn, false, w, c.atom(name), xproto.GetPropertyTypeAny, 0, longest).Reply()
	if err != nil {
		return nil // the window has just gone
	}
	return r.Value
}

func (c *x) numbers(w xproto.Window, name string) (out []uint32) {
	text := c.property(w, name)
	for ; len(text) >= 4; text = text[4:] {
		out = append(out, binary.NativeEndian.Uint32(text))
	}
	return out
}

func (c *x) first(w xproto.Window, name string) uint32 {
	if all := c.numbers(w, name); len(all) > 0 {
		return all[0]
	}
	return 0
}

// window reads what is known of a window. The process of one that is shown for another
// machine is none of ours.
func (c *x) window(id xproto.Window, host string) window {
	w := window{id: uint64(id), pid: int(c.first(id, "_NET_WM_PID"))}
	if machine := string(c.property(id, "WM_CLIENT_MACHINE")); machine != "" && machine != host && machine != "localhost" {
		w.pid = 0
	}
	if w.title = string(c.property(id, "_NET_WM_NAME")); w.title == "" {
		w.title = string(c.property(id, "WM_NAME"))
	}
	kind := xproto.Atom(c.first(id, "_NET_WM_WINDOW_TYPE"))
	w.dialog = kind != xproto.AtomNone && kind != c.atom("_NET_WM_WINDOW_TYPE_NORMAL")
	return w
}

func xLook(ctx context.Context, env func(string) string, _ Pane) (v view, err error) {
	host, err := os.Hostname()
	if err != nil {
		return v, err
	}
	var seen view // a late answer is nobody's
	err = withX(ctx, env("DISPLAY"), func(c *x) error {
		if c.first(c.root, "_NET_SUPPORTING_WM_CHECK") == 0 {
			return errors.New("no window manager that tells of its windows")
		}
		for _, id := range c.numbers(c.root, "_NET_CLIENT_LIST") {
			seen.windows = append(seen.windows, c.window(xproto.Window(id), host))
		}
		seen.active = uint64(c.first(c.root, "_NET_ACTIVE_WINDOW"))
		seen.away = c.saved()
		return nil
	})
	if err != nil {
		return v, err
	}
	return seen, nil
}

// saved reports whether a screen saver covers everything. The library's own Init of an
// extension writes into maps that the goroutine of an earlier connection may still read.
func (c *x) saved() bool {
	const name = "MIT-SCREEN-SAVER"
	has, err := xproto.QueryExtension(c.Conn, uint16(len(name)), name).Reply()
	if err != nil || !has.Present {
		return false
	}
	c.ExtLock.Lock()
	c.Extensions[name] = has.MajorOpcode
	c.ExtLock.Unlock()
	r, err := screensaver.QueryInfo(c.Conn, xproto.Drawable(c.root)).Reply()
	return err == nil && r.State == screensaver.StateOn
}

// pager says that you asked for it: window managers let no other program take the focus.
const pager = 2

// everywhere is the desktop of a window that is on all of them.
const everywhere = 0xffffffff

// xRaise asks the window manager to bring a window to the front, as a pager does, and
// waits until that has been done.
func xRaise(ctx context.Context, env func(string) string, id uint64) error {
	w := xproto.Window(id)
	return withX(ctx, env("DISPLAY"), func(c *x) error {
		err := xproto.ChangeWindowAttributesChecked(c.Conn, c.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
		if err != nil {
			return err
		}
		on, now := c.numbers(w, "_NET_WM_DESKTOP"), c.numbers(c.root, "_NET_CURRENT_DESKTOP")
		if len(on) > 0 && len(now) > 0 && on[0] != now[0] && on[0] != everywhere {
			// openbox 3.6 does not go there by itself.
			if err := c.tell(c.root, "_NET_CURRENT_DESKTOP", on[0]); err != nil {
				return err
			}
		}
		if err := c.tell(w, "_NET_ACTIVE_WINDOW", pager); err != nil {
			return err
		}
		for xproto.Window(c.first(c.root, "_NET_ACTIVE_WINDOW")) != w {
			if ev, err := c.WaitForEvent(); ev == nil && err == nil {
				return io.ErrUnexpectedEOF
			}
		}
		return nil
	})
}

// tell sends the window manager a message about a window.
func (c *x) tell(w xproto.Window, message string, what uint32) error {
	m := xproto.ClientMessageEvent{
		Format: 32, Window: w, Type: c.atom(message),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{what, xproto.TimeCurrentTime, 0, 0, 0}),
	}
	const to = xproto.EventMaskSubstructureNotify | xproto.EventMaskSubstructureRedirect
	return xproto.SendEventChecked(c.Conn, false, c.root, to, string(m.Bytes())).Check()
}
