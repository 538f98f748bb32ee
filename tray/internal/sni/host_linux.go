package sni

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/testdata/bus"
	"github.com/godbus/dbus/v5/prop"
)

const (
	name = "org.kde.StatusNotifierWatcher"
	path = "/StatusNotifierWatcher"
	item = "org.kde.StatusNotifierItem"
	menu = "com.canonical.dbusmenu"
)

// Host is a tray host: it owns the watcher's name, and items register with it.
type Host struct {
	conn *dbus.Conn
	came chan string // the key of each registration

	mu    sync.Mutex
	items []string // guarded by mu
	props *prop.Properties
}

// Serve starts a host.
func Serve(t testing.TB, b *bus.Bus) *Host {
	t.Helper()
	h := &Host{conn: b.Dial(t), came: make(chan string, 16)}
	if err := h.conn.ExportMethodTable(map[string]any{
		"RegisterStatusNotifierItem": h.register,
		"RegisterStatusNotifierHost": func(string) *dbus.Error { return nil },
	}, path, name); err != nil {
		t.Fatal(err)
	}
	var err error
	h.props, err = prop.Export(h.conn, path, prop.Map{name: {
		"IsStatusNotifierHostRegistered": {Value: true}, "ProtocolVersion": {Value: int32(0)},
		"RegisteredStatusNotifierItems": {Value: []string{}, Writable: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := h.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("%s: %v %v", name, r, err)
	}
	return h
}

// register takes a path on the sender's connection, or a name on the bus, as
// real hosts do.
func (h *Host) register(from dbus.Sender, service string) *dbus.Error {
	key := string(from) + service
	if !strings.HasPrefix(service, "/") {
		key = service + "/StatusNotifierItem"
	}
	h.mu.Lock()
	if !slices.Contains(h.items, key) {
		h.items = append(h.items, key)
	}
	h.props.SetMust(name, "RegisteredStatusNotifierItems", slices.Clone(h.items))
	h.mu.Unlock()
	h.came <- key
	return nil
}

// Stop takes the host away, as the end of a panel does.
func (h *Host) Stop() { h.conn.Close() }

// Items are the keys of those registered.
func (h *Host) Items() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.items)
}

// Next waits for a registration.
func (h *Host) Next(t testing.TB) *Item {
	t.Helper()
	select {
	case key := <-h.came:
		return newItem(h.conn, key)
	case <-time.After(10 * time.Second):
		t.Fatal("no tray item registered")
		return nil
	}
}

// Item is a tray icon.
type Item struct{ icon, menu dbus.BusObject }

func newItem(conn *dbus.Conn, key string) *Item {
	at := strings.IndexByte(key, '/')
	return &Item{conn.Object(key[:at], dbus.ObjectPath(key[at:])), conn.Object(key[:at], dbus.ObjectPath(key[at:]+"/menu"))}
}

// Registered lists the items a host that is not ours knows of.
func Registered(conn *dbus.Conn) (items []*Item) {
	var keys []string
	v, err := conn.Object(name, path).GetProperty(name + ".RegisteredStatusNotifierItems")
	if err != nil || v.Store(&keys) != nil {
		return nil
	}
	for _, key := range keys {
		items = append(items, newItem(conn, key))
	}
	return items
}

// Pixmap is an icon's picture, alpha, red, green and blue for each pixel.
type Pixmap struct {
	W, H int32
	Data []byte
}

// At is one pixel.
func (p Pixmap) At(x, y int) (a, r, g, b byte) {
	d := p.Data[4*(y*int(p.W)+x):]
	return d[0], d[1], d[2], d[3]
}

// Icon reads the picture; without one its width is 0.
func (i *Item) Icon() (p Pixmap, err error) {
	var all []Pixmap
	v, err := i.icon.GetProperty(item + ".IconPixmap")
	if err == nil {
		err = v.Store(&all)
	}
	if err == nil && len(all) > 0 {
		p = all[0]
	}
	return p, err
}

// ID is what a host remembers the icon by.
func (i *Item) ID() (id string, err error) {
	v, err := i.icon.GetProperty(item + ".Id")
	if err == nil {
		err = v.Store(&id)
	}
	return id, err
}

// Tip reads the tooltip.
func (i *Item) Tip() (string, error) {
	var tip struct {
		Name  string
		Icons []Pixmap
		Title string
		Text  string
	}
	v, err := i.icon.GetProperty(item + ".ToolTip")
	if err == nil {
		err = v.Store(&tip)
	}
	return tip.Title, err
}

// Activate is a left click.
func (i *Item) Activate() error { return i.icon.Call(item+".Activate", 0, int32(0), int32(0)).Err }

// Row is a row of the menu.
type Row struct {
	ID    int32
	Props map[string]dbus.Variant
	Under []Row
}

// Menu reads the whole menu.
func (i *Item) Menu() (Row, error) {
	type raw = struct {
		ID    int32
		Props map[string]dbus.Variant
		Under []dbus.Variant
	}
	var revision uint32
	var r raw
	for range 2 { // the library answers the first call one level deep
		if err := i.menu.Call(menu+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &r); err != nil {
			return Row{}, err
		}
	}
	return row(r.ID, r.Props, r.Under), nil
}

func row(id int32, props map[string]dbus.Variant, under []dbus.Variant) Row {
	r := Row{ID: id, Props: props}
	for _, u := range under {
		f := u.Value().([]any)
		r.Under = append(r.Under, row(f[0].(int32), f[1].(map[string]dbus.Variant), f[2].([]dbus.Variant)))
	}
	return r
}

// Label is the text a user sees: an underscore marks the key, two are one.
func (r Row) Label() string {
	if r.Props["type"].Value() == "separator" {
		return "---"
	}
	s, _ := r.Props["label"].Value().(string)
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, "__", "\x00"), "_", ""), "\x00", "_")
}

// Shown reports whether the row is to be seen.
func (r Row) Shown() bool {
	shown, ok := r.Props["visible"].Value().(bool)
	return shown || !ok
}

// Off reports whether the row cannot be clicked.
func (r Row) Off() bool {
	on, ok := r.Props["enabled"].Value().(bool)
	return ok && !on
}

// Text is what a user sees of the rows under this one.
func (r Row) Text() (lines []string) {
	for _, u := range r.Under {
		if !u.Shown() {
			continue
		}
		line := u.Label()
		if u.Off() {
			line = "(" + line + ")"
		}
		lines = append(lines, line)
		for _, l := range u.Text() {
			lines = append(lines, "  "+l)
		}
	}
	return lines
}

// Find returns the row with this label, at any depth.
func (r Row) Find(label string) (Row, bool) {
	for _, u := range r.Under {
		if u.Shown() && u.Label() == label {
			return u, true
		}
		if f, ok := u.Find(label); ok {
			return f, true
		}
	}
	return Row{}, false
}

// Click clicks a row.
func (i *Item) Click(id int32) error { return i.event(id, "clicked") }

// Open tells that the menu was opened.
func (i *Item) Open() error { return i.event(0, "opened") }

func (i *Item) event(id int32, what string) error {
	return i.menu.Call(menu+".Event", 0, id, what, dbus.MakeVariant(int32(0)), uint32(0)).Err
}
