package client

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where the fields are is what the system's own headers say, or this does not compile.
var (
	kinfo unix.KinfoProc
	_     = [1]struct{}{}[unsafe.Sizeof(kinfo)-kinfoSize]
	_     = [1]struct{}{}[unsafe.Offsetof(kinfo.Proc)+unsafe.Offsetof(kinfo.Proc.P_starttime)-kinfoStart]
	_     = [1]struct{}{}[unsafe.Offsetof(kinfo.Proc)+unsafe.Offsetof(kinfo.Proc.P_pid)-kinfoPID]
	_     = [1]struct{}{}[unsafe.Offsetof(kinfo.Proc)+unsafe.Offsetof(kinfo.Proc.P_comm)-kinfoComm]
	_     = [1]struct{}{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Ppid)-kinfoParent]
	_     = [1]struct{}{}[unsafe.Offsetof(kinfo.Eproc)+unsafe.Offsetof(kinfo.Eproc.Tdev)-kinfoTTY]
)

// TestLookAgrees checks that a process is read as the rest of deskbell reads it.
func TestLookAgrees(t *testing.T) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	start := k.Proc.P_starttime
	p, ok := look(os.Getpid())
	if !ok || p.parent != int(k.Eproc.Ppid) || p.ticks != uint64(start.Sec)*1e6+uint64(start.Usec) {
		t.Errorf("got %+v %v, want %d %v", p, ok, k.Eproc.Ppid, start)
	}
}
