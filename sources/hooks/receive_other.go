//go:build !linux && !darwin

package hooks

import "context"

func (s *Source) receive(ctx context.Context) error { return s.receiveNet(ctx) }
