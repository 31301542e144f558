package listing

import (
	"fmt"
	"strings"
)

// ranges lists nodes; several with consecutive numbers are "redis-1 to redis-5".
func ranges(names []string) string {
	var parts []string
	for i := 0; i < len(names); {
		last := i
		for last+1 < len(names) && follows(names[last], names[last+1]) {
			last++
		}
		if last-i < 2 {
			parts = append(parts, names[i])
			i++
			continue
		}
		parts = append(parts, names[i]+" to "+names[last])
		i = last + 1
	}
	return strings.Join(parts, ", ")
}

// follows reports whether two names end with a number and the next one.
func follows(a, b string) bool {
	kind := strings.TrimRight(a, "0123456789")
	var n int
	if _, err := fmt.Sscanf(a[len(kind):], "%d", &n); err != nil {
		return false
	}
	return b == fmt.Sprintf("%s%d", kind, n+1)
}
