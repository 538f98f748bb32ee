package hooks

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Report is what the settings of a CLI say about our hooks.
type Report struct {
	Tool, Title string
	Path        string    // of the settings
	Client      string    // where the client belongs
	Density     Density   // "": none is installed
	Events      []string  // that are reported
	Left        []string  // events of that density that the CLI here does not know
	Problems    []Problem // none: all is well
}

// Problem is something that is wrong, and what to do about it.
type Problem struct{ What, Cure string }

// Healthy reports whether the hooks are installed and will be called.
func (r Report) Healthy() bool { return len(r.Problems) == 0 }

// String is the report as text.
func (r Report) String() string {
	var b strings.Builder
	state := "healthy"
	if !r.Healthy() {
		state = "needs attention"
	}
	fmt.Fprintf(&b, "%s hooks: %s\n", r.Title, state)
	fmt.Fprintf(&b, "  settings  %s\n", r.Path)
	if r.Density != "" {
		fmt.Fprintf(&b, "  density   %s, %d events\n", r.Density, len(r.Events))
		fmt.Fprintf(&b, "  client    %s\n", r.Client)
	}
	if len(r.Left) > 0 {
		fmt.Fprintf(&b, "  left out  %s: not known to the %s here\n", strings.Join(r.Left, ", "), r.Title)
	}
	var cures []string
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "  problem   %s\n", p.What)
		if !slices.Contains(cures, p.Cure) {
			cures = append(cures, p.Cure)
		}
	}
	for _, c := range cures {
		fmt.Fprintf(&b, "  to do     %s\n", c)
	}
	return b.String()
}

// SettingsHooks returns what the settings of each CLI meant by tool say, "": those
// that are here. Density "" is the one there is.
func (in Installer) SettingsHooks(tool string, d Density) ([]Report, error) {
	chosen, err := in.chosen(tool)
	if err != nil {
		return nil, err
	}
	var all []Report
	for _, t := range chosen {
		all = append(all, in.report(t, d))
	}
	return all, nil
}

// Check is SettingsHooks as text. healthy: there is nothing to do.
func (in Installer) Check(tool, density string) (text string, healthy bool, err error) {
	all, err := in.SettingsHooks(tool, Density(density))
	healthy = true
	for _, r := range all {
		text += r.String()
		healthy = healthy && r.Healthy()
	}
	return text, healthy, err
}

func (in Installer) report(t target, d Density) Report {
	r := Report{Tool: t.name, Title: t.title, Client: in.client()}
	install := fmt.Sprintf("deskbell hooks install --tool %s", t.name)
	wrong := func(cure, what string, args ...any) {
		r.Problems = append(r.Problems, Problem{fmt.Sprintf(what, args...), cure})
	}
	p, err := in.place(t)
	if err != nil {
		wrong("make the file readable", "%v", err)
		return r
	}
	r.Path = p.path
	if t.Plugin != "" {
		in.judgePlugin(t, d, p, &r, wrong)
		return r
	}
	var found []found
	off := false
	_, _, err = p.change(func(text []byte) ([]byte, error) {
		if blank(text) {
			return nil, nil
		}
		_, body := unmarked(text)
		root, err := parseSettings(body)
		if err != nil {
			return nil, err
		}
		found = t.find(root)
		if t.Off != "" {
			v := member(root, t.Off)
			off = v != nil && v.Value.Kind() == 't'
		}
		return text, nil
	})
	if err != nil {
		wrong("mend the file, then look again", "%v", err)
		return r
	}
	if off {
		wrong(fmt.Sprintf("take %q out of %s", t.Off, p.path), "%q silences all hooks", t.Off)
	}
	if len(found) == 0 {
		wrong(install, "no hooks are installed")
		return r
	}
	in.judge(t, d, found, &r, func(what string, args ...any) { wrong(install, what, args...) })
	return r
}

// judge adds what is wrong with our entries.
func (in Installer) judge(t target, d Density, all []found, r *Report, wrong func(what string, args ...any)) {
	times, strange := map[string]int{}, map[string]int{}
	elsewhere := map[string][]string{}
	paths := map[string]bool{}
	for _, f := range all {
		paths[f.path] = true
		times[f.name]++
		command := t.command(in.client(), f.name, onWindows)
		switch {
		case !f.fits:
			strange[f.name]++
		case f.path != program(command):
			elsewhere[f.path] = append(elsewhere[f.path], f.name)
		case !t.exact(f, command):
			strange[f.name]++
		}
	}
	r.Events = slices.Sorted(maps.Keys(times))
	r.Density = t.densityOf(r.Events)
	if d == "" {
		d = r.Density
	}
	known, sure := in.known(t)
	var want, refused []string
	for _, e := range t.at(d) {
		switch {
		case slices.Contains(known, e):
			want = append(want, e)
		case times[e] == 0:
			r.Left = append(r.Left, e)
		case sure:
			refused = append(refused, e)
		default:
			want = append(want, e)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(want), func(e string) bool { return times[e] > 0 })
	extra := slices.DeleteFunc(slices.Clone(r.Events), func(e string) bool { return slices.Contains(want, e) || slices.Contains(refused, e) })
	twice := slices.DeleteFunc(slices.Clone(r.Events), func(e string) bool { return times[e] < 2 })
	for _, one := range []struct {
		what   string
		events []string
	}{
		{"missing for density " + string(d) + ": %s", missing},
		{"more than density " + string(d) + ": %s", extra},
		{"not known to the " + t.title + " here, which then refuses its settings: %s", refused},
		{"installed twice: %s", twice},
		{"not as it should be: %s", slices.Sorted(maps.Keys(strange))},
	} {
		if len(one.events) > 0 {
			wrong(one.what, strings.Join(one.events, ", "))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(elsewhere)) {
		wrong("calls %s, an earlier place of the client: %s", path, strings.Join(elsewhere[path], ", "))
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if info, err := os.Stat(path); err != nil {
			wrong("the client is gone: %s", path)
		} else if !info.Mode().IsRegular() || !onWindows && info.Mode().Perm()&0o111 == 0 {
			wrong("the client cannot be run: %s", path)
		}
	}
}
