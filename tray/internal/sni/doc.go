// Package sni plays the desktop for tests: a session bus of their own and a
// tray host on it that reads and clicks the tray's menu. It needs Linux.
package sni
