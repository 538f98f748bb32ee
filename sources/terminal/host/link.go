package host

import (
	"context"
	"net"
	"sync"
	"time"
)

// link is a relay's line to deskbell. Telling never blocks; while deskbell is away the
// newest of what it has to know is kept, and the rest dropped.
type link struct {
	socket string
	obey   func(order) error
	ring   chan struct{} // holds a token while there is something to tell

	mu    sync.Mutex
	hello greeting // guarded by mu
	runs  int      // guarded by mu
	title *string  // guarded by mu; the last one
	news  news     // guarded by mu
}

// news is what has not been told.
type news struct {
	title, drew, runs bool
	typed             *typed
	ended             *int
	did               []did
}

func newLink(socket string, hello greeting, obey func(order) error) *link {
	return &link{socket: socket, hello: hello, obey: obey, ring: make(chan struct{}, 1)}
}

func (l *link) tell(change func(n *news)) {
	l.mu.Lock()
	change(&l.news)
	l.mu.Unlock()
	select {
	case l.ring <- struct{}{}:
	default:
	}
}

func (l *link) titled(title string) {
	l.tell(func(n *news) {
		if l.title == nil || *l.title != title {
			l.title, n.title = &title, true
		}
	})
}

func (l *link) drew()             { l.tell(func(n *news) { n.drew = true }) }
func (l *link) typed(unsent bool) { l.tell(func(n *news) { n.typed = &typed{unsent} }) }
func (l *link) running(pid int)   { l.tell(func(n *news) { l.runs, n.runs = pid, true }) }
func (l *link) ended(status int) {
	l.tell(func(n *news) { n.ended, n.runs, l.runs = &status, false, 0 })
}

// dial reaches deskbell and greets it, or returns nil.
func (l *link) dial() net.Conn {
	c, err := net.DialTimeout("unix", l.socket, writing)
	if err != nil {
		return nil
	}
	l.mu.Lock()
	said := line(word{Hello: &l.hello})
	l.news.title, l.news.runs = l.title != nil, l.runs != 0
	l.news.drew, l.news.ended, l.news.did = false, nil, nil // of before: nobody waits for it
	l.mu.Unlock()
	if !send(c, said) {
		c.Close()
		return nil
	}
	return c
}

func send(c net.Conn, text []byte) bool {
	if err := c.SetWriteDeadline(time.Now().Add(writing)); err != nil {
		return false
	}
	_, err := c.Write(text)
	return err == nil
}

// run tells deskbell what there is to tell until ctx is done, beginning with c if it is
// reached already. It looks for one that is away less and less often, and when something
// happens.
func (l *link) run(ctx context.Context, c net.Conn) {
	retry := firstRetry
	for ctx.Err() == nil {
		if c != nil {
			retry = firstRetry
			l.attend(ctx, c)
		}
		tried := time.Now()
		again := time.NewTimer(retry)
		for waits := true; waits; {
			select {
			case <-ctx.Done():
				waits = false
			case <-again.C:
				waits, retry = false, min(2*retry, lastRetry)
			case <-l.ring:
				waits = time.Since(tried) < soonest
			}
		}
		again.Stop()
		if ctx.Err() == nil {
			c = l.dial()
		}
	}
}

// attend tells a deskbell and obeys it until it is gone.
func (l *link) attend(ctx context.Context, c net.Conn) {
	ctx, over := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer c.Close()
	defer over()
	wg.Go(func() {
		defer over()
		for in := newLines(c); ; {
			var o order
			if in.next(&o) != nil {
				return
			}
			d := did{N: o.N}
			if err := l.obey(o); err != nil {
				d.Error = err.Error()
			}
			l.tell(func(n *news) { n.did = append(n.did, d) })
		}
	})
	rest := time.NewTimer(0) // runs out when the next title may be told
	defer rest.Stop()
	early := true
	for {
		text, title := l.take(!early)
		if len(text) > 0 && !send(c, text) {
			return
		}
		if title {
			early = true
			rest.Reset(betweenTwo)
		}
		select {
		case <-ctx.Done():
			if text, _ := l.take(true); len(text) > 0 {
				send(c, text) // the end, if it was one
			}
			return
		case <-rest.C:
			early = false
		case <-l.ring:
		}
	}
}

// take returns what is to be told now, and whether a title is among it. Without titles
// they wait.
func (l *link) take(titles bool) (text []byte, title bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.news
	l.news = news{}
	var words []word
	if n.ended != nil {
		words = append(words, word{Ended: n.ended})
	}
	if n.runs {
		words = append(words, word{Runs: l.runs})
	}
	if n.title && !titles {
		l.news.title = true
	} else if n.title {
		title = true
		words = append(words, word{Title: l.title})
	}
	if n.drew {
		words = append(words, word{Drew: true})
	}
	if n.typed != nil {
		words = append(words, word{Typed: n.typed})
	}
	for i := range n.did {
		words = append(words, word{Did: &n.did[i]})
	}
	for _, w := range words {
		text = append(text, line(w)...)
	}
	return text, title
}
