package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value is a value of the file.
type value struct {
	form  form
	text  string // of a string what it says, of others as written
	items []value
	line  int
}

// form is what a value looks like.
type form uint8

// The forms that are told apart.
const (
	another form = iota
	aString
	anInteger
	aBool
	aList
	aTable
)

// String is the value as one would recognize it in the file.
func (v value) String() string {
	switch v.form {
	case aString:
		return strconv.Quote(cut(v.text))
	case aList:
		return "a list"
	case aTable:
		return "a table"
	}
	return cut(v.text)
}

func cut(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

// kind is a sort of value.
type kind[F any] interface {
	// read turns a value of the file into one of ours. The error is a [wrong].
	read(v value, w *World) (F, error)
	// wants is what a value should look like. It ends a sentence.
	wants() string
}

// taker puts a value into the struct of its section.
type taker struct {
	into  func(target any, v value, w *World) error
	wants string   // what a value should look like
	words []string // what there is to choose from
}

// to takes values of a kind into a field.
func to[T, F any](k kind[F], at func(*T) *F) taker {
	t := taker{wants: k.wants(), into: func(target any, v value, w *World) error {
		f, err := k.read(v, w)
		if err == nil {
			*at(target.(*T)) = f
		}
		return err
	}}
	t.words, _ = any(k).(word)
	return t
}

// wrong is an error that is told with its own line.
type wrong struct {
	value
	why string
}

func (w wrong) Error() string { return w.why }

// unlike is the error of a value that looks like something else.
func unlike(v value, wants string) error {
	return wrong{v, fmt.Sprintf("%s is not %s", v, wants)}
}

// duration is a length of time.
type duration struct {
	least, most time.Duration
	zero        bool // 0 is fine, too, and means something else
}

func (d duration) wants() string { return `a duration such as "90s" or "1h30m"` }

func (d duration) read(v value, _ *World) (t time.Duration, err error) {
	switch {
	case v.form == aString:
		if t, err = time.ParseDuration(v.text); err != nil {
			return 0, unlike(v, d.wants())
		}
	case v.form != anInteger || v.text != "0": // zero needs no unit
		return 0, unlike(v, d.wants())
	}
	switch {
	case t == 0 && d.zero:
	case t < d.least:
		return 0, wrong{v, fmt.Sprintf("%s is too short: at least %q%s", v, length(d.least), d.orZero())}
	case t > d.most:
		return 0, wrong{v, fmt.Sprintf("%s is too long: at most %q", v, length(d.most))}
	}
	return t, nil
}

func (d duration) orZero() string {
	if d.zero {
		return ", or 0"
	}
	return ""
}

// number is a whole number.
type number struct{ least, most int }

func (n number) wants() string { return fmt.Sprintf("a whole number from %d to %d", n.least, n.most) }

func (n number) read(v value, _ *World) (int, error) {
	i, err := strconv.ParseInt(v.text, 0, 64)
	if v.form != anInteger || err != nil || i < int64(n.least) || i > int64(n.most) {
		return 0, unlike(v, n.wants())
	}
	return int(i), nil
}

// yes is true or false.
type yes struct{}

func (yes) wants() string { return "true or false" }

func (y yes) read(v value, _ *World) (bool, error) {
	if v.form != aBool {
		return false, unlike(v, y.wants())
	}
	return v.text == "true", nil
}

// word is one of a set of words.
type word []string

func (w word) wants() string { return oneOf(w) }

func (w word) read(v value, _ *World) (string, error) {
	if v.form != aString || !slices.Contains(w, v.text) {
		return "", unlike(v, w.wants()+meant(v.text, w))
	}
	return v.text, nil
}

// words is a list of words out of a set.
type words []string

func (w words) wants() string { return "a list of " + oneOf(w) }

func (w words) read(v value, world *World) ([]string, error) {
	return list(v, w.wants(), func(item value) (string, error) { return word(w).read(item, world) })
}

// list reads the items of a list.
func list[F any](v value, wants string, read func(value) (F, error)) ([]F, error) {
	if v.form != aList {
		return nil, unlike(v, wants)
	}
	out := make([]F, 0, len(v.items))
	for _, item := range v.items {
		f, err := read(item)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// oneOf lists words in a sentence.
func oneOf(all []string) string {
	var b strings.Builder
	for i, w := range all {
		switch {
		case i == 0:
		case i == len(all)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(w))
	}
	return b.String()
}

// argv is a program and its arguments; empty: none.
type argv struct{}

func (argv) wants() string {
	return `a program and its arguments, each for itself, such as ["prog", "--flag"]`
}

func (a argv) read(v value, _ *World) ([]string, error) {
	out, err := list(v, a.wants(), func(item value) (string, error) {
		if item.form != aString || strings.ContainsRune(item.text, 0) {
			return "", unlike(item, "a string, as all parts of a command are")
		}
		return item.text, nil
	})
	if err == nil && len(out) > 0 && out[0] == "" {
		return nil, wrong{v, "the program has no name: its list begins with it"}
	}
	return out, err
}

// folder is a place in the file system; "": none.
type folder struct{}

func (folder) wants() string { return `a folder such as "~/work" or "/srv/work"` }

func (f folder) read(v value, w *World) (string, error) {
	if v.form != aString || strings.ContainsRune(v.text, 0) {
		return "", unlike(v, f.wants())
	}
	if v.text == "" {
		return "", nil
	}
	dir := w.expand(v.text)
	if !filepath.IsAbs(dir) {
		return "", unlike(v, f.wants())
	}
	return filepath.Clean(dir), nil
}

// expand puts the user's home in place of a leading "~".
func (w *World) expand(dir string) string {
	rest, ok := strings.CutPrefix(dir, "~")
	if !ok || w.Home == "" || rest != "" && !strings.HasPrefix(filepath.ToSlash(rest), "/") {
		return dir
	}
	return w.Home + rest
}
