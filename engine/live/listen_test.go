package live

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// claimer is set in the environment of the copy of this program that claims a
// folder and then waits to be killed.
const claimer = "DESKBELL_TEST_CLAIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writer); dir != "" {
		write(dir)
	}
	if dir := os.Getenv(wisher); dir != "" {
		wishOn(dir)
	}
	dir := os.Getenv(claimer)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := Claim(dir, SocketPath(dir)); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("claimed")
	select {}
}

func TestOnlyOne(t *testing.T) {
	dir := sockets(t)
	first, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(dir, SocketPath(dir)); !errors.Is(err, ErrRunning) {
		t.Errorf("a second one: got %v, want %v", err, ErrRunning)
	}
	if c, err := net.Dial("unix", SocketPath(dir)); err != nil {
		t.Errorf("the second one took the socket of the first: %v", err)
	} else {
		c.Close()
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(SocketPath(dir)); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
	second, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

// TestKilled checks that one that was killed is in nobody's way.
func TestKilled(t *testing.T) {
	dir := sockets(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), claimer+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "claimed\n" {
		t.Errorf("the first one says %q", line)
	}
	if _, err := Claim(dir, SocketPath(dir)); !errors.Is(err, ErrRunning) {
		t.Errorf("while it runs: got %v, want %v", err, ErrRunning)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if _, err := os.Lstat(SocketPath(dir)); err != nil {
		t.Errorf("it should have left its socket: %v", err)
	}
	in, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	in.Close()
}

func TestClaimRefuses(t *testing.T) {
	dir := sockets(t)
	long := filepath.Join(dir, strings.Repeat("x", 120))
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, dir, path, want string }{
		{"a long path", dir, long, "shorter folder"},
		{"a file in the way", dir, file, "move it away"},
		{"a file for a folder", file, SocketPath(dir), "not a directory"},
		{"a folder of others", dir, filepath.Join(open, "s"), "chmod 700"},
	} {
		if runtime.GOOS == "windows" && test.want != "shorter folder" {
			continue // has no modes, and other words
		}
		if _, err := Claim(test.dir, test.path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("the file in the way now says %q", text)
	}
	in, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatalf("the lock was not given back: %v", err)
	}
	in.Close()
}

// TestOwnFolderIsMended checks that our own folder is closed to others.
func TestOwnFolderIsMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	dir := filepath.Join(sockets(t), "deskbell")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	in, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v, want mode 700", info.Mode(), err)
	}
}

func TestRuntimeDir(t *testing.T) {
	run := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", run)
	if got, err := RuntimeDir(); err != nil || got != filepath.Join(run, "deskbell") {
		t.Errorf("got %q, %v", got, err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	for _, bad := range []string{"", "relative"} {
		t.Setenv("XDG_RUNTIME_DIR", bad)
		if got, err := RuntimeDir(); err != nil || got != filepath.Join(cache, "deskbell") {
			t.Errorf("with %q: got %q, %v", bad, got, err)
		}
	}
}

func TestModes(t *testing.T) {
	s := serve(t, &Server{})
	for path, want := range map[string]os.FileMode{s.path: 0o600, filepath.Dir(s.path): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want && os.PathSeparator == '/' {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}
