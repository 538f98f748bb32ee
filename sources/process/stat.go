package process

import (
	"bytes"
	"fmt"
	"strconv"
)

// stat is what a line of /proc/PID/stat tells.
type stat struct {
	name   string
	state  byte
	parent int
	tty    int64
	ticks  uint64
}

// The fields that follow the name, counted from 0.
const (
	statState  = 0
	statParent = 1
	statTTY    = 4
	statTicks  = 19
)

// parseStat reads a line of /proc/PID/stat. The name stands in brackets, may hold
// any character, brackets and spaces too, and is chosen by the program.
func parseStat(line []byte) (s stat, ok bool) {
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return s, false
	}
	s.name = string(line[open+1 : end])
	fields := bytes.Fields(line[end+1:])
	if len(fields) <= statTicks || len(fields[statState]) != 1 {
		return s, false
	}
	s.state = fields[statState][0]
	parent, err1 := strconv.ParseInt(string(fields[statParent]), 10, 32)
	tty, err2 := strconv.ParseInt(string(fields[statTTY]), 10, 32)
	ticks, err3 := strconv.ParseUint(string(fields[statTicks]), 10, 64)
	s.parent, s.tty, s.ticks = int(parent), tty, ticks
	return s, err1 == nil && err2 == nil && err3 == nil
}

// dead reports whether the process only waits to be collected by its parent.
func (s stat) dead() bool { return s.state == 'Z' || s.state == 'X' || s.state == 'x' }

// ttyName is the device with a number as Linux packs it; "": none.
func ttyName(nr int64) string {
	if nr == 0 {
		return ""
	}
	n := uint32(nr)
	major, minor := n>>8&0xfff, n&0xff|n>>12&0xfff00
	switch {
	case major >= 136 && major <= 143: // Unix98 terminals, 256 to each
		return fmt.Sprintf("/dev/pts/%d", (major-136)<<8+minor)
	case major == 4 && minor < 64:
		return fmt.Sprintf("/dev/tty%d", minor)
	case major == 4:
		return fmt.Sprintf("/dev/ttyS%d", minor-64)
	case major == 5 && minor == 1:
		return "/dev/console"
	case major == 188:
		return fmt.Sprintf("/dev/ttyUSB%d", minor)
	}
	return fmt.Sprintf("tty %d:%d", major, minor)
}
