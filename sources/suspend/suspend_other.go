//go:build !linux

package suspend

import "context"

func follow(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return context.Cause(ctx)
}
