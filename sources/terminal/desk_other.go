//go:build !windows && !darwin

package terminal

// native is what this system has beside what is asked over a socket: nothing.
var native []desk
