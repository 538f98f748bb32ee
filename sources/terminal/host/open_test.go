package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"deskbell/sources"
)

// TestCommand checks that a tool is started by its own program, which need not have its
// name, by what you said instead, and that one that is not there says what to do.
func TestCommand(t *testing.T) {
	dir, ext := t.TempDir(), ""
	if runtime.GOOS == "windows" {
		ext = ".exe"
	}
	for _, name := range []string{"tool", "tool-agent", "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name+ext), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("HOME", t.TempDir())
	at := func(name string, more ...string) []string {
		return append([]string{filepath.Join(dir, name+ext)}, more...)
	}
	for _, tt := range []struct {
		name string
		tool sources.CLI
		own  []string
		want []string
	}{
		{"its name", sources.CLI{Name: "tool"}, nil, at("tool")},
		{"its program", sources.CLI{Name: "tool", Program: "tool-agent"}, nil, at("tool-agent")},
		{"yours", sources.CLI{Name: "tool", Program: "tool-agent"}, []string{"mine", "-x"}, at("mine", "-x")},
	} {
		if got, err := Command(tt.tool, tt.own); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q and %v, want %q", tt.name, got, err, tt.want)
		}
	}
	if _, err := Command(sources.CLI{Name: "none"}, nil); err == nil || !strings.HasSuffix(err.Error(), "[tools.none] command") {
		t.Errorf("one that is not there: %v", err)
	}
}
