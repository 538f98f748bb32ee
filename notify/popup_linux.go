package notify

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"

	"github.com/godbus/dbus/v5"
)

// small are the services that draw <small>. Others show unknown tags as text.
var small = map[string]bool{"dunst": true, "Xfce Notify Daemon": true}

// body is what stands below the title.
func (s *server) body(n Notice) string {
	if !s.caps["body-markup"] {
		return lines(n.Body, n.Line, "\n")
	}
	line := escape(n.Line)
	if small[s.name] && line != "" {
		line = "<small>" + line + "</small>"
	}
	return lines(escape(n.Body), line, "\n")
}

// actions are pairs of a key and what it is called. "default" is the notice
// itself; with a name xfce4-notifyd would draw a button for it, too.
func (s *server) actions() []string {
	if !s.caps["actions"] {
		return []string{}
	}
	keys := []string{"default", ""}
	for _, b := range buttons {
		keys = append(keys, string(b.Action), b.Text)
	}
	return keys
}

// pressed is the action behind a key.
func pressed(key string) Action {
	if key == "default" {
		return Open
	}
	return Action(key)
}

// closed is what a popup went by.
func closed(reason uint32) Action {
	const expired = 1
	if reason == expired {
		return Expired
	}
	return Dismissed
}

// hints say how the notice is to be shown. Urgency stays normal even for an
// approval: "critical" would break through a do-not-disturb. Only an alert may.
func (s *server) hints(n Notice, icon *dbus.Variant) map[string]dbus.Variant {
	const normal, critical = byte(1), byte(2)
	h := map[string]dbus.Variant{
		"urgency":       dbus.MakeVariant(normal),
		"category":      dbus.MakeVariant("x-deskbell." + string(n.Kind)),
		"desktop-entry": dbus.MakeVariant(app),
	}
	if n.Critical {
		h["urgency"] = dbus.MakeVariant(critical)
	}
	switch {
	case !n.Sound, !s.caps["sound"]: // ... then the bell rings, if anything does
		h["suppress-sound"] = dbus.MakeVariant(true)
	case n.bell != "":
		h["sound-file"] = dbus.MakeVariant(n.bell)
	default:
		h["sound-name"] = dbus.MakeVariant("message-new-instant")
	}
	if icon != nil {
		h["image-data"] = *icon
	}
	return h
}

// expire is how long the notice is up, in milliseconds: 0 is for ever, -1 as
// the service thinks fit.
func expire(n Notice) int32 {
	if n.Stays {
		return 0
	}
	return -1
}

// pixels is a PNG as the service wants it; nil if it is none.
func pixels(data []byte) *dbus.Variant {
	src, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	img := image.NewNRGBA(image.Rect(0, 0, src.Bounds().Dx(), src.Bounds().Dy()))
	draw.Draw(img, img.Bounds(), src, src.Bounds().Min, draw.Src)
	v := dbus.MakeVariant(struct {
		Width, Height, Stride int32
		Alpha                 bool
		Bits, Channels        int32
		Data                  []byte
	}{int32(img.Rect.Dx()), int32(img.Rect.Dy()), int32(img.Stride), true, 8, 4, img.Pix})
	return &v
}
