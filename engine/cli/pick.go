package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"deskbell/engine"
)

// Pick returns the session that s means: our id, the tool's id or the beginning of
// it, or a part of title or project. Live sessions come before ended ones. Where
// several fit, none is taken.
func Pick(sessions []engine.Session, s string) (engine.Session, error) {
	want := strings.ToLower(s)
	for _, fits := range []func(engine.Session) bool{
		func(one engine.Session) bool { return string(one.ID) == want || one.SessionID == s },
		func(one engine.Session) bool {
			return strings.ToLower(one.Project) == want || strings.ToLower(one.Title) == want || called(one, want)
		},
		func(one engine.Session) bool {
			return one.SessionID != "" && strings.HasPrefix(strings.ToLower(one.SessionID), want) ||
				strings.Contains(strings.ToLower(one.Project), want) || strings.Contains(strings.ToLower(one.Title), want)
		},
	} {
		for _, live := range []bool{true, false} {
			var found []engine.Session
			for _, one := range sessions {
				if s != "" && one.Status.Live() == live && fits(one) {
					found = append(found, one)
				}
			}
			if len(found) == 1 {
				return found[0], nil
			}
			if len(found) > 1 {
				return engine.Session{}, fmt.Errorf("no session matches %q: %s (say more)", s, names(found))
			}
		}
	}
	return engine.Session{}, fmt.Errorf("%w %q: see `deskbell status --all`", errUnmatched, s)
}

// called reports whether want is the project of a session and its number.
func called(s engine.Session, want string) bool {
	number, _ := numbered(s)
	return number != "" && strings.ToLower(s.Project+number) == want
}

var errUnmatched = errors.New("no session matches")

// most is how many names are listed.
const most = 8

// names lists sessions so that each can be told from the others.
func names(sessions []engine.Session) string {
	full := func(s engine.Session) string { // "app" would be all of them
		number, _ := numbered(s)
		return cmp.Or(s.Project+number, head(s))
	}
	count := map[string]int{}
	for _, s := range sessions {
		count[full(s)]++
	}
	var out []string
	for _, s := range sessions {
		n := clean(full(s))
		if count[full(s)] > 1 {
			n += " (" + string(s.ID) + ")"
		}
		out = append(out, n)
	}
	slices.Sort(out)
	if len(out) > most {
		out = append(out[:most], "…")
	}
	return strings.Join(out, ", ")
}

// find asks the running deskbell for the session that s means.
func (c client) find(ctx context.Context, s string) (engine.Session, error) {
	body, err := c.get(ctx, "/sessions/live?all=1")
	if err != nil {
		return engine.Session{}, err
	}
	var snap engine.Snapshot
	if err := decode(body, &snap); err != nil {
		return engine.Session{}, err
	}
	return Pick(snap.Sessions, s)
}
