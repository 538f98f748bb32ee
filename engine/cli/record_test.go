package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	firstLine = `{"at":"2026-11-30T11:59:58Z","by":"clock"}` + "\n"
	nextLine  = `{"at":"2026-11-30T11:59:59Z","by":"hook","who":{"id":"a"},"fact":"started"}` + "\n"
	lastLine  = `{"at":"2026-11-30T12:00:00Z","by":"clock"}` + "\n"
)

// callRecord records what d serves to file, and is interrupted after a while.
func callRecord(t *testing.T, d *daemon, file string) outcome {
	t.Helper()
	ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
	defer interrupt()
	var out, errs bytes.Buffer
	code, handled := Run([]string{"record", file}, Env{
		Stdout: &out, Stderr: &errs, Now: func() time.Time { return noon }, Context: ctx, connect: d.connect,
	})
	return outcome{code, handled, out.String(), errs.String()}
}

// records is a daemon that tells two lines, and then what more does.
func records(more func(w http.ResponseWriter, r *http.Request)) *daemon {
	d := &daemon{}
	d.HandleFunc("GET /record", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, firstLine)
		w.(http.Flusher).Flush()
		fmt.Fprint(w, nextLine)
		w.(http.Flusher).Flush()
		more(w, r)
	})
	d.start()
	return d
}

func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := records(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		defer d.kill()
		file := filepath.Join(t.TempDir(), "record")
		begins := "recording to " + file + ", until interrupted (Ctrl-C)\n"
		if got := callRecord(t, d, file); got != (outcome{ok, true, "3 lines recorded to " + file + "\n", begins}) {
			t.Errorf("got %+v", got)
		}
		if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode() != fs.FileMode(0o600) {
			t.Errorf("got %v, %v", info.Mode(), err)
		}
		if err := os.WriteFile(file, []byte("half a line"), 0o600); err != nil {
			t.Fatal(err)
		}
		callRecord(t, d, file)
		if got, want := slurp(t, file), "half a line\n"+firstLine+nextLine+lastLine; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		got := callRecord(t, d, "-")
		want := outcome{ok, true, firstLine + nextLine + lastLine, "recording to standard output, until interrupted (Ctrl-C)\n3 lines recorded to standard output\n"}
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// TestRecordEnds checks that a record that is not whole says so.
func TestRecordEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		more func(w http.ResponseWriter, r *http.Request)
		want string
	}{
		{"it goes away", func(http.ResponseWriter, *http.Request) {}, "deskbell went away"},
		{"half a line", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"at":`) }, "deskbell went away"},
		{"it breaks off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "unexpected EOF"},
		{"it says why", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, `{"error":"too slow"}`) }, "too slow"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := records(test.more)
				defer d.kill()
				file := filepath.Join(t.TempDir(), "record")
				got := callRecord(t, d, file)
				if want := fmt.Sprintf("deskbell: the record in %s has 2 lines and is not whole: %s\n", file, test.want); got.code != failed || !strings.HasSuffix(got.err, want) {
					t.Errorf("got %+v, want %q", got, want)
				}
				if got := slurp(t, file); got != firstLine+nextLine {
					t.Errorf("got %q", got)
				}
			})
		})
	}
}

func TestRecordToNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := records(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		defer d.kill()
		if got := callRecord(t, d, t.TempDir()); got.code != failed || got.out != "" {
			t.Errorf("got %+v", got)
		}
	})
	if got := call(nil, nil, "record", "-"); got.code != failed || got.err != "deskbell: it is not running: start it with `deskbell`\n" {
		t.Errorf("got %+v", got)
	}
}

func slurp(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
