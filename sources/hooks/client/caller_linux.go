package client

// look reads /proc/PID/stat.
func look(pid int) (p program, ok bool) {
	var room [1024]byte
	return parseStat(readFile("/proc/"+itoa(uint64(pid))+"/stat", room[:]))
}

// The fields that follow the name, counted from 0.
const (
	statParent = 1
	statTTY    = 4
	statTicks  = 19
)

// parseStat reads a line of /proc/PID/stat. The name stands in brackets, and may hold
// brackets and blanks too.
func parseStat(line []byte) (p program, ok bool) {
	open, end := -1, -1
	for i, c := range line {
		if c == '(' && open < 0 {
			open = i
		}
		if c == ')' {
			end = i
		}
	}
	if open < 0 || end < open {
		return p, false
	}
	p.name = string(line[open+1 : end])
	n := -1
	for i := end + 1; i < len(line); {
		for i < len(line) && (line[i] == ' ' || line[i] == '\n') {
			i++
		}
		from := i
		for i < len(line) && line[i] != ' ' && line[i] != '\n' {
			i++
		}
		n++
		switch field := string(line[from:i]); n {
		case statParent:
			p.parent = int(int32(atoi(field)))
		case statTTY:
			p.tty = ttyName(uint32(atoi(field)))
		case statTicks:
			p.ticks = atoi(field)
		}
	}
	return p, n > statTicks
}

// ttyName is the device with a number as Linux packs it; "": none.
func ttyName(n uint32) string {
	major, minor := n>>8&0xfff, n&0xff|n>>12&0xfff00
	switch {
	case n == 0:
		return ""
	case major >= 136 && major <= 143: // Unix98 terminals, 256 to each
		return "/dev/pts/" + digits((major-136)<<8+minor)
	case major == 4 && minor < 64:
		return "/dev/tty" + digits(minor)
	case major == 4:
		return "/dev/ttyS" + digits(minor-64)
	case major == 5 && minor == 1:
		return "/dev/console"
	case major == 188:
		return "/dev/ttyUSB" + digits(minor)
	}
	return "tty " + digits(major) + ":" + digits(minor)
}
