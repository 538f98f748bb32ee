package process

import "sync"

// inbox hands values to the one goroutine of a source. Putting never blocks.
type inbox[T any] struct {
	ring chan struct{} // holds a token while there is something to take
	mu   sync.Mutex    // guards box
	box  []T
}

func newInbox[T any]() *inbox[T] { return &inbox[T]{ring: make(chan struct{}, 1)} }

func (b *inbox[T]) put(v T) {
	b.mu.Lock()
	b.box = append(b.box, v)
	b.mu.Unlock()
	select {
	case b.ring <- struct{}{}:
	default:
	}
}

func (b *inbox[T]) take() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	box := b.box
	b.box = nil
	return box
}
