//go:build unix

package sim

import (
	"syscall"
	"time"
)

// cpuTime is the processor time of this process so far, so that a busy machine does not
// count as work of the engine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
