package sources

import "sync"

// Inbox hands work to the one goroutine of a source. Putting never blocks.
type Inbox struct {
	ring chan struct{} // holds a token while there is something to take
	mu   sync.Mutex    // guards box
	box  []func()
}

// NewInbox returns an empty Inbox.
func NewInbox() *Inbox { return &Inbox{ring: make(chan struct{}, 1)} }

// Put adds f to what is to be done.
func (b *Inbox) Put(f func()) {
	b.mu.Lock()
	b.box = append(b.box, f)
	b.mu.Unlock()
	select {
	case b.ring <- struct{}{}:
	default:
	}
}

// Ring holds a token while there is something to take.
func (b *Inbox) Ring() <-chan struct{} { return b.ring }

// Take returns what is to be done, in order.
func (b *Inbox) Take() []func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	box := b.box
	b.box = nil
	return box
}
