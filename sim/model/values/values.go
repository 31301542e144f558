// Package values is what the parameters of models have in common: what they leave out, what
// is wrong with them, and lengths as scenarios write them.
package values

import (
	"strings"
	"time"
)

// Or is a value, or else another.
func Or[T any](value *T, otherwise T) T {
	if value != nil {
		return *value
	}
	return otherwise
}

// At is the i-th value of a list, the last for the rest; of an empty list it is another.
func At[T any](list []T, i int, otherwise T) T {
	if len(list) == 0 {
		return otherwise
	}
	return list[min(i, len(list)-1)]
}

// Length is a duration without the zeros at its end: 1m and not 1m0s.
func Length(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
