// Package machine says what the machine has that the program runs on.
package machine

import (
	"os"
	"strconv"
	"strings"
)

// fallback is what a machine is taken to have that does not say so, in bytes.
const fallback = 4 << 30

// Memory is how much memory the program may take, in bytes: that of the machine or of the container
// it is in, or 4 GiB where neither says so.
func Memory() int64 {
	m := total(read("/proc/meminfo"))
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if limit, err := strconv.ParseInt(strings.TrimSpace(read(file)), 10, 64); err == nil && limit > 0 && (m == 0 || limit < m) {
			m = limit
		}
	}
	if m == 0 {
		return fallback
	}
	return m
}

func read(file string) string {
	b, _ := os.ReadFile(file) // what is not there says nothing
	return string(b)
}

// total is MemTotal of /proc/meminfo in bytes, 0 if it does not say.
func total(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			if kilobytes, err := strconv.ParseInt(f[1], 10, 64); err == nil && kilobytes > 0 && kilobytes < 1<<50 {
				return kilobytes << 10
			}
		}
	}
	return 0
}
