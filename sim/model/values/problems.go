package values

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Problems collects the mistakes in the parameters of a model, each at a path below them.
type Problems[P ~struct{ Path, Message string }] []P

// Bad adds a mistake.
func (l *Problems[P]) Bad(path, format string, args ...any) {
	*l = append(*l, P{path, fmt.Sprintf(format, args...)})
}

// Count checks a number of things, from least to most.
func (l *Problems[P]) Count(path string, n, least, most int, things string) {
	if n < least || n > most {
		l.Bad(path, "want %d to %d %s, got %d", least, most, things, n)
	}
}

// Length checks a length, from least to most.
func (l *Problems[P]) Length(path string, d, least, most time.Duration) {
	if d < least || d > most {
		l.Bad(path, "want %v to %v, got %v", least, most, d)
	}
}

// Each checks that a list has a value for each of n things, the last for the rest, or
// fewer.
func (l *Problems[P]) Each(path string, values, n int, things string) {
	if values > max(n, 1) {
		l.Bad(path, "%d values for %d %s", values, n, things)
	}
}

// Brief reports whether half of what a distribution gives is next to nothing: what continues
// without end that often makes no progress.
func Brief(d sim.Dist) bool {
	return d.Least() < time.Microsecond && d.Sample(1<<63) < time.Microsecond
}
