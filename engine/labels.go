package engine

import (
	"slices"
	"strings"
)

// BuiltIn returns the labels that are always there (SPEC section 10).
func BuiltIn() []Label {
	return []Label{{"ONEOFF", "#ff9100"}, {"HEAVY", "#ff3355"}, {"IMPORTANT", "#aa66ff"}}
}

// LabelsOwn is how many labels of your own there may be.
const LabelsOwn = 30

// Labels lists the labels there are, your own last.
func (e *Engine) Labels() []Label { return append(BuiltIn(), e.labels...) }

// label finds a label by its name, however that is written.
func (e *Engine) label(name string) (Label, bool) { return FindLabel(e.Labels(), name) }

// FindLabel finds a label by its name, however that is written.
func FindLabel(labels []Label, name string) (Label, bool) {
	i := slices.IndexFunc(labels, func(l Label) bool { return strings.EqualFold(l.Name, name) })
	if i < 0 {
		return Label{}, false
	}
	return labels[i], true
}

// ValidColor reports whether a colour is of the form #rrggbb.
func ValidColor(s string) bool {
	return len(s) == 7 && s[0] == '#' && strings.Trim(s[1:], "0123456789abcdefABCDEF") == ""
}

// colour makes a label of yours, gives it another colour, or takes it away. Whoever has
// it goes with it.
func (e *Engine) colour(f Coloured) {
	f.Name, f.Color = Tidy(f.Name), strings.ToLower(f.Color)
	if _, built := FindLabel(BuiltIn(), f.Name); built || f.Name == "" || !f.Gone && !ValidColor(f.Color) {
		return
	}
	i := slices.IndexFunc(e.labels, func(l Label) bool { return strings.EqualFold(l.Name, f.Name) })
	var now *Label
	switch {
	case f.Gone && i < 0, i < 0 && len(e.labels) >= LabelsOwn:
		return
	case f.Gone:
		e.labels = slices.Delete(e.labels, i, i+1)
	default:
		now = &Label{f.Name, f.Color}
		if i < 0 {
			e.labels = append(e.labels, *now)
		} else {
			e.labels[i] = *now
		}
	}
	has := func(l *Label) bool { return l != nil && strings.EqualFold(l.Name, f.Name) }
	for _, s := range e.order {
		if has(s.prefs.Label) {
			s.prefs.Label = now
			e.touch(s)
		}
	}
	for i := range e.memory {
		if has(e.memory[i].Label) {
			e.memory[i].Label = now
		}
	}
}

// recallLabels takes over the labels of an earlier run, as far as they are any.
func (e *Engine) recallLabels(labels []Label) {
	for _, l := range labels {
		e.colour(Coloured{Name: l.Name, Color: l.Color})
	}
}
