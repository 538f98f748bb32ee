package cli

import (
	"bytes"
	"errors"
	"testing"
)

// sheet is a configuration with mistakes.
type sheet []string

func (sheet) Where() string     { return "/x/config.toml" }
func (sheet) Sample() string    { return "# all\n" }
func (s sheet) Check() []string { return s }

func TestConfig(t *testing.T) {
	wrong := sheet{"/x/config.toml:1: a", "/x/config.toml:3: b"}
	for _, test := range []struct {
		name string
		with Configuration
		args []string
		want outcome
	}{
		{"sample", wrong, nil, outcome{ok, true, "# all\n", ""}},
		{"path", wrong, []string{"--path"}, outcome{ok, true, "/x/config.toml\n", ""}},
		{"fine", sheet{}, []string{"--check"}, outcome{ok, true, "", ""}},
		{"mistakes", wrong, []string{"--check"}, outcome{failed, true,
			"/x/config.toml:1: a\n/x/config.toml:3: b\n", "deskbell: nothing in /x/config.toml holds until that is mended\n"}},
		{"no folder", nil, nil, outcome{failed, true, "", "deskbell: no home\n"}},
		{"both", wrong, []string{"--path", "--check"}, outcome{misuse, true, "",
			"deskbell: --path and --check can't be used together (see `deskbell config --help`)\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			c := NewConfig(func() (Configuration, error) {
				if test.with == nil {
					return nil, errors.New("no home")
				}
				return test.with, nil
			})
			code, handled := Run(append([]string{"config"}, test.args...), Env{Stdout: &out, Stderr: &errs, More: []any{c}})
			if got := (outcome{code, handled, out.String(), errs.String()}); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
