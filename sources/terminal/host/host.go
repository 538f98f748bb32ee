// Package host is the terminals that deskbell hosts: the relay that runs in each of
// them, between a shell and the terminal it is shown in, and the source that hears what
// the relays see. They talk over a socket, see wire.go.
package host

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
)

// Options are what a hosted terminal is made of. Every field but Socket may be empty.
type Options struct {
	ID     string   // its name; "": a fresh one
	Dir    string   // where it begins; "": where we are
	Argv   []string // what runs in it; empty: your shell
	Stay   bool     // when that has ended, your shell goes on in its place
	Socket string   // where deskbell hears terminals, see [SocketPath]
}

// Exit statuses of [Run] for what never ran, as shells have them.
const (
	notFound   = 127
	notAllowed = 126
	bySignal   = 128 // plus the number of the signal
)

// SocketPath returns where terminals are heard in a runtime folder.
func SocketPath(dir string) string { return filepath.Join(dir, "terminals.sock") }

// form is what the name of a terminal looks like.
var form = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// NewID returns a name that no terminal has had.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "t" + hex.EncodeToString(b[:])
}

// shell is the shell of the user.
func shell() string {
	if s := os.Getenv("SHELL"); filepath.IsAbs(s) {
		return s
	}
	return "/bin/sh"
}
