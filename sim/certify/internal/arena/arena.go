// Package arena gives slices that are forgotten all at once.
package arena

// An Arena gives slices from blocks.
type Arena[T any] struct{ block, free []T }

// Take is a slice of n values, which may be any, with room for more.
func (a *Arena[T]) Take(n, more int) []T {
	all := n + more
	if all > len(a.free) {
		a.block = make([]T, max(256, 2*len(a.block), all))
		a.free = a.block
	}
	s := a.free[:n:all]
	a.free = a.free[all:]
	return s
}

// Clone is a copy of a slice, with room for more.
func (a *Arena[T]) Clone(s []T, more int) []T {
	c := a.Take(len(s), more)
	copy(c, s)
	return c
}

// Reset forgets all slices at once: what is taken next is where they were.
func (a *Arena[T]) Reset() { a.free = a.block }
