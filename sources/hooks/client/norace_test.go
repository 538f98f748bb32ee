//go:build !race

package client

const slow = false
