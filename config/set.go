package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/natefinch/atomic"
)

// set puts a key of [notify] to a TOML value, and leaves every other byte of the text as it
// is. Only a value on one line can be replaced: where something else came of it than
// change says, the text is to be edited by hand.
func set(text []byte, key, value string, w World, change func(*Notify)) ([]byte, error) {
	out := spliced(text, "notify", key, value)
	want, _ := Parse("", text, w)
	change(&want.Notify)
	got, problems := Parse("", out, w)
	same := reflect.DeepEqual(got.Notify, want.Notify) && got.Limits == want.Limits && got.Tray == want.Tray &&
		reflect.DeepEqual(got.Tools, want.Tools) && len(got.Rules) == len(want.Rules)
	if len(problems) > 0 || !same {
		return nil, fmt.Errorf("%s = %s could not be written to [notify]: do it by hand", key, value)
	}
	return out, nil
}

var (
	header = regexp.MustCompile(`^\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$`)
	tables = regexp.MustCompile(`^\s*\[`)
	oneSet = regexp.MustCompile(`^(\s*([A-Za-z0-9_-]+)\s*=\s*)(.*?)(\s*(#[^"'\]]*)?)$`)
)

// spliced replaces the value of the first key of that name in the section, or adds a line for
// it below the section's name, or the section at the end.
func spliced(text []byte, section, key, value string) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	in, at := false, -1
	for i, line := range lines {
		body, end := cutEnd(line)
		if m := header.FindSubmatch(body); m != nil {
			if in = string(m[1]) == section; in && at < 0 {
				at = i + 1
			}
			continue
		}
		if tables.Match(body) {
			in = false
		}
		if m := oneSet.FindSubmatch(body); in && m != nil && string(m[2]) == key {
			lines[i] = slices.Concat(m[1], []byte(value), m[4], end)
			return bytes.Join(lines, nil)
		}
	}
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	line := key + " = " + value + end
	if at >= 0 {
		if before := lines[at-1]; !bytes.HasSuffix(before, []byte("\n")) {
			line = end + strings.TrimSuffix(line, end)
		}
		return bytes.Join(slices.Insert(lines, at, []byte(line)), nil)
	}
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString(end)
		}
		b.WriteString(end)
	}
	b.WriteString("[" + section + "]" + end + line)
	return b.Bytes()
}

func cutEnd(line []byte) (body, end []byte) {
	body = bytes.TrimRight(line, "\r\n")
	return body, line[len(body):]
}

// SetTurns sets which ends of turns are told: those of turns that took at least so long,
// or, with a negative time, none. Other kinds are told as before.
func (f *File) SetTurns(least time.Duration) error {
	text, err := slurp(f.Path)
	if err != nil {
		return err
	}
	c, problems := Parse(f.Path, text, f.World)
	if len(problems) > 0 {
		return errors.New(problems[0].String())
	}
	const waiting = "waiting"
	kinds := slices.DeleteFunc(slices.Clone(c.Notify.Kinds), func(k string) bool { return k == waiting })
	if least >= 0 {
		kinds = slices.Insert(kinds, min(2, len(kinds)), waiting)
	}
	if len(kinds) != len(c.Notify.Kinds) {
		var quoted []string
		for _, k := range kinds {
			quoted = append(quoted, strconv.Quote(k))
		}
		text, err = set(text, "kinds", "["+strings.Join(quoted, ", ")+"]", f.World, func(n *Notify) { n.Kinds = kinds })
		if err != nil {
			return err
		}
	}
	if least >= 0 && least != c.Notify.MinTurn {
		text, err = set(text, "min_turn", strconv.Quote(brief(least)), f.World, func(n *Notify) { n.MinTurn = least })
		if err != nil {
			return err
		}
	}
	return f.write(text)
}

// brief is a duration as one writes it: "15s", not "15.0s", and "1h" without its zeros.
func brief(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

// Make writes the sample where there is no file yet.
func (f *File) Make() error {
	if _, err := os.Stat(f.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return f.write([]byte(f.Sample()))
}

// write replaces the file, or that which it is a link to.
func (f *File) write(text []byte) error {
	if f.Path == "" {
		return errors.New("there is no folder for a configuration: set XDG_CONFIG_HOME")
	}
	path, err := filepath.EvalSymlinks(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		path, err = f.Path, os.MkdirAll(filepath.Dir(f.Path), 0o700)
	}
	if err != nil {
		return err
	}
	return atomic.WriteFile(path, bytes.NewReader(text))
}
