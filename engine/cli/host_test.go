package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"deskbell/engine"
)

func TestHost(t *testing.T) {
	for _, c := range []struct {
		args string
		want Hosting
	}{
		{"", Hosting{}},
		{"claude --resume x -h", Hosting{Command: []string{"claude", "--resume", "x", "-h"}}},
		{"--stay --dir=/w --terminal=t1 -- claude -- x", Hosting{Terminal: "t1", Dir: "/w", Stay: true, Command: []string{"claude", "--", "x"}}},
		{"-- -odd", Hosting{Command: []string{"-odd"}}},
	} {
		var got Hosting
		h := NewHost(func(h Hosting) (int, error) { got = h; return 7, nil })
		var out, errs strings.Builder
		code, handled := Run(append([]string{"host"}, strings.Fields(c.args)...), Env{Stdout: &out, Stderr: &errs, More: []any{h}})
		if len(got.Command) == 0 {
			got.Command = nil
		}
		if code != 7 || !handled || out.String()+errs.String() != "" || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %d, %q, %+v, want %+v", c.args, code, out.String()+errs.String(), got, c.want)
		}
	}
	h := NewHost(func(Hosting) (int, error) { return 127, errors.New("no such program") })
	var errs strings.Builder
	if code, _ := Run([]string{"host", "x"}, Env{Stdout: io.Discard, Stderr: &errs, More: []any{h}}); code != 127 || errs.String() != "deskbell: no such program\n" {
		t.Errorf("got %d, %q", code, errs.String())
	}
}

func TestNew(t *testing.T) {
	d := &daemon{}
	var got map[string]any
	d.HandleFunc("POST /sessions", func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		if got["tool"] == "none" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error": "no tool is called none: there is claude"}`)
			return
		}
		fmt.Fprint(w, asJSON(t, engine.Session{ID: "s9", Tool: "claude", Dir: "/w/app"}))
	})
	d.start()
	t.Cleanup(d.kill)
	here, err := filepath.Abs("app")
	if err != nil {
		t.Fatal(err)
	}
	if o := call(d, nil, "new", "--tool", "claude", "--room", "back end", "app"); o.code != ok || o.out != "s9 is opened in /w/app\n" {
		t.Errorf("got %+v", o)
	}
	if want := map[string]any{"tool": "claude", "dir": here, "room": "back end", "label": ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if o := call(d, nil, "new", "--tool", "none", "."); o.code != failed || o.err != "deskbell: no tool is called none: there is claude\n" {
		t.Errorf("got %+v", o)
	}
	if o := call(d, nil, "new"); o.code != misuse {
		t.Errorf("got %+v", o)
	}
}
