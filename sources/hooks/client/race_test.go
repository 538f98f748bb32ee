//go:build race

package client

const slow = true
