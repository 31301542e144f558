package version

import "fencepost/models/clock"

// byActor is what is kept of one actor, of which the later one replaces the other.
type byActor[T any] interface {
	*T
	actor() clock.Actor
	compare(*T) int // negative, zero or positive, as one is earlier or later than the other
}

// latest merges two lists in the order of their actors: of each actor the later entry.
func latest[T any, P byActor[T]](x, y []T) []T {
	all := make([]T, 0, len(x)+len(y)+1)
	for len(x) > 0 && len(y) > 0 {
		a, b := P(&x[0]), P(&y[0])
		switch {
		case a.actor() < b.actor():
			all, x = append(all, x[0]), x[1:]
		case a.actor() > b.actor():
			all, y = append(all, y[0]), y[1:]
		default:
			if a.compare(&y[0]) < 0 {
				a = b
			}
			all, x, y = append(all, *a), x[1:], y[1:]
		}
	}
	return append(append(all, x...), y...)
}
