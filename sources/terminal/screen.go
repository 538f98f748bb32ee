package terminal

import (
	"context"
	"fmt"
	"strings"
)

// findScreen is about GNU screen. It tells nobody which terminals show it, so that it
// can be made to show the window, and the rest is left to the user.
func findScreen(_ context.Context, t *Terminals, p Pane) (spot, error) {
	session, window := p.variable("STY"), p.variable("WINDOW")
	server, _, _ := strings.Cut(session, ".")
	if pid := number(server); pid == 0 || !p.under(pid) {
		return spot{}, blocked("it runs in a screen that it does not name: attach to that yourself")
	}
	bring := func(ctx context.Context) (*Pane, error) {
		if window != "" {
			if _, err := t.run(ctx, nil, "screen", "-S", session, "-X", "select", window); err != nil {
				return nil, fmt.Errorf("its screen does not answer, attach to it yourself: %w", err)
			}
		}
		return nil, &Blocked{"its screen shows it now, but does not tell in which terminal that is", quoted("screen", "-x", session)}
	}
	return spot{shown: true, bring: bring}, nil
}
