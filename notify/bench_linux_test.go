package notify

import (
	"context"
	"fmt"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/notify/internal/notifyd"
)

// From the wish to the notification service having it.
func BenchmarkRaise(b *testing.B) {
	service := notifyd.NewBus(b).Serve(b, all...)
	s := NewSender(NewDesktop(nil), nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	for b.Loop() {
		s.Show([]Notice{ask("s1")}, nil)
		<-service.Notes
	}
	cancel()
	<-done
}

// One change among fifty sessions, ten of which have a notice.
func BenchmarkApply(b *testing.B) {
	var p Planner
	var changes []engine.Transition
	for i := range 50 {
		s := engine.Session{ID: engine.ID(fmt.Sprint("s", i)), Project: "app", Status: engine.Working, Loud: engine.Loudly}
		changes = append(changes, engine.Transition{Session: s})
	}
	now := start
	p.Apply(now, changes, Prefs{})
	for i := range changes[:10] {
		changes[i].From, changes[i].Session.Status = engine.Working, engine.Approval
		p.Apply(now, changes[i:i+1], Prefs{})
		now = now.Add(3 * time.Second)
		p.Apply(now, nil, Prefs{})
	}
	one := changes[40:41]
	one[0].From = engine.Working
	for b.Loop() {
		p.Apply(now, one, Prefs{})
	}
}
