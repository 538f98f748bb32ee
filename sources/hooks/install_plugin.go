package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// What a plugin of ours is told by, of any version of ours.
var (
	pluginMark   = []byte("// deskbell hooks:")
	pluginClient = regexp.MustCompile(`(?m)^const client = ("(?:[^"\\]|\\.)*")\r?$`)
	pluginEvents = regexp.MustCompile(`(?m)^const wanted = new Set\((\[[^\]]*\])\)\r?$`)
)

// plugged is a plugin of ours.
type plugged struct {
	client string
	events []string
}

// errForeign: the file that would be ours is somebody else's.
var errForeign = errors.New("it is not deskbell's: move it away, then try again")

// pluginIn reads a plugin. ok: it is ours.
func (t target) pluginIn(text []byte) (p plugged, ok bool) {
	if !bytes.HasPrefix(text, pluginMark) {
		return plugged{}, false
	}
	if m := pluginClient.FindSubmatch(text); m != nil {
		_ = json.Unmarshal(m[1], &p.client) // else it has none, and is not as it should be
	}
	if m := pluginEvents.FindSubmatch(text); m != nil {
		_ = json.Unmarshal(m[1], &p.events)
	}
	return p, true
}

// pluginOf returns the plugin that calls client at events.
func (t target) pluginOf(client string, events []string) ([]byte, error) {
	path, err := json.Marshal(client)
	if err != nil {
		return nil, err
	}
	names, err := json.Marshal(events)
	if err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(t.Plugin, "\r\n", "\n") // of a checkout on Windows
	return []byte(strings.NewReplacer("{{client}}", string(path), "{{events}}", string(names)).Replace(text)), nil
}

// replugged returns what becomes of the file old, nil: none. What is not ours is left alone.
func (t target) replugged(old []byte, client string, events []string, install bool) ([]byte, error) {
	_, ours := t.pluginIn(old)
	switch {
	case install && (ours || old == nil):
		return t.pluginOf(client, events)
	case install:
		return nil, errForeign
	case ours:
		return nil, nil
	}
	return old, nil
}

// judgePlugin adds what is wrong with the plugin.
func (in Installer) judgePlugin(t target, d Density, at place, r *Report, wrong func(cure, what string, args ...any)) {
	install := fmt.Sprintf("deskbell hooks install --tool %s", t.name)
	text, err := read(at.real)
	if err != nil {
		wrong("make the file readable", "%v", err)
		return
	}
	p, ours := t.pluginIn(text)
	switch {
	case text == nil:
		wrong(install, "no hooks are installed")
		return
	case !ours:
		wrong("move it away, then: "+install, "%s: it is not deskbell's", at.path)
		return
	}
	r.Events = slices.Sorted(slices.Values(p.events))
	r.Density = t.densityOf(p.events)
	if d == "" {
		d = r.Density
	}
	if want, err := t.pluginOf(in.client(), t.at(d)); err != nil || !bytes.Equal(text, want) {
		wrong(install+" --density "+string(d), "the plugin is not as it should be: it is of another version, or was changed")
	}
	if info, err := os.Stat(p.client); err != nil {
		wrong(install, "the client is gone: %s", p.client)
	} else if !info.Mode().IsRegular() || !onWindows && info.Mode().Perm()&0o111 == 0 {
		wrong(install, "the client cannot be run: %s", p.client)
	}
}
