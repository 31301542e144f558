// Package arena gives slices that are forgotten all at once.
package arena

// An Arena gives slices from blocks.
type Arena[T any] struct {
	block []T
	taken int
}

// Take is a slice of n values, which may be any, with room for more.
func (a *Arena[T]) Take(n, more int) []T {
	all := n + more
	if all > len(a.block)-a.taken {
		a.block, a.taken = make([]T, max(256, 2*len(a.block), all)), 0
	}
	at := a.taken
	a.taken += all
	return a.block[at : at+n : at+all]
}

// Clone is a copy of a slice, with room for more.
func (a *Arena[T]) Clone(s []T, more int) []T {
	c := a.Take(len(s), more)
	copy(c, s)
	return c
}

// Reset forgets all slices at once: what is taken next is where they were.
func (a *Arena[T]) Reset() { a.taken = 0 }
