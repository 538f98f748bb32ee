package bus

import "syscall"

var mortal = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
