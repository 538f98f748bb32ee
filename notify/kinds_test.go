package notify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every reason to be quiet and every reason to wait decides in some scenario.
func TestEveryReasonIsPlayed(t *testing.T) {
	files, err := filepath.Glob("testdata/plan/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var played strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		played.Write(text)
	}
	var whys []string
	for _, v := range vetoes {
		whys = append(whys, v.Why)
	}
	for _, h := range holds {
		whys = append(whys, h.Why)
	}
	for _, why := range whys {
		if !strings.Contains(played.String(), "held "+why+"\n") {
			t.Errorf("no scenario has %q", why)
		}
	}
}
