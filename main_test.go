package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that the first screen of the README has its two commands.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	screen := strings.Join(strings.SplitN(string(text), "\n", 31)[:30], "\n")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(screen)
	if block == nil {
		t.Fatal("no commands on the first screen")
	}
	var got []string
	for line := range strings.Lines(block[1]) {
		command, _, _ := strings.Cut(line, "#")
		got = append(got, strings.TrimSpace(command))
	}
	if want := "go run .|go test ./..."; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
