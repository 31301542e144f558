//go:build !unix

package sim

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
