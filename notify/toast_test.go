package notify

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Titles and bodies with quotes, backslashes and what a script or a document
// would read as its own arrive as they are, or without effect.
func TestToastC97(t *testing.T) {
	for _, text := range []string{`say "hi" \ now`, `a & b <i>`, `]]></text><audio src="x"/>`, "$(calc) `x`", `"@`, "--version", "'"} {
		n := Notice{ID: "s7", Title: text, Body: text + text, Line: text, Sound: true, Stays: true}
		var texts []string
		var toast struct {
			Launch   string   `xml:"launch,attr"`
			Duration string   `xml:"duration,attr"`
			Texts    []string `xml:"visual>binding>text"`
			Audio    *struct {
				Silent bool `xml:"silent,attr"`
			} `xml:"audio"`
			Actions []struct {
				Content   string `xml:"content,attr"`
				Arguments string `xml:"arguments,attr"`
			} `xml:"actions>action"`
		}
		decode(t, n, &toast)
		texts = toast.Texts
		if fmt.Sprint(texts) != fmt.Sprint([]string{text, text + text, text}) {
			t.Errorf("got %q", texts)
		}
		if toast.Audio != nil || toast.Duration != "long" || len(toast.Actions) != 2 || toast.Actions[0].Content != "Open" || toast.Actions[1].Content != "Mute 1 h" {
			t.Errorf("got %+v", toast)
		}
		for _, argument := range []string{toast.Launch, toast.Actions[0].Arguments} {
			if e, ok := clicked(argument); !ok || e != (Event{ID: "s7", Action: Open}) {
				t.Errorf("a click gives %q", argument)
			}
		}
		if e, ok := clicked(toast.Actions[1].Arguments); !ok || e != (Event{ID: "s7", Action: Mute}) {
			t.Errorf("a click gives %+v", e)
		}
		n.Sound, n.Stays = false, false
		toast.Audio, toast.Actions, toast.Texts = nil, nil, nil
		decode(t, n, &toast)
		if toast.Audio == nil || !toast.Audio.Silent || toast.Duration != "short" {
			t.Errorf("got %+v", toast)
		}
		if s := inert(text); strings.ContainsAny(s, "$`") || strings.Contains(s, "]]>") || strings.HasPrefix(s, "-") {
			t.Errorf("inert(%q) is %q", text, s)
		}
		// AppleScript knows \" and \\, none of Go's other escapes.
		quoted := fmt.Sprintf("%q", printable(text+"\u200d\u00ad\x07"))
		plain := strings.NewReplacer(`\\`, "", `\"`, "").Replace(quoted)
		if strings.Contains(plain, `\`) {
			t.Errorf("%s holds an escape", quoted)
		}
	}
	for _, argument := range []string{"", "open", "open "} {
		if e, ok := clicked(argument); ok {
			t.Errorf("%q gives %+v", argument, e)
		}
	}
}

func decode(t *testing.T, n Notice, into any) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(toast(n)))
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", toast(n), err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("%s: something follows", toast(n))
	}
}
