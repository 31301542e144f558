package certify

// memory is where the states of one expansion are made: all are forgotten at once, after those that
// are kept were written elsewhere. On a path, which keeps them, it is never reset.
type memory struct {
	parts   arena[part]
	stopped arena[*stop]
	events  arena[event]
	vars    arena[variable]
	ints    arena[int]
	bytes   arena[byte]
	bounds  arena[bound]
	serials arena[serial]
}

func (m *memory) reset() {
	m.parts.reset()
	m.stopped.reset()
	m.events.reset()
	m.vars.reset()
	m.ints.reset()
	m.bytes.reset()
	m.bounds.reset()
	m.serials.reset()
}

// An arena gives slices from blocks.
type arena[T any] struct{ block, free []T }

// take is a slice of n values, which may be any, with room for more.
func (a *arena[T]) take(n, more int) []T {
	all := n + more
	if all > len(a.free) {
		a.block = make([]T, max(256, 2*len(a.block), all))
		a.free = a.block
	}
	s := a.free[:n:all]
	a.free = a.free[all:]
	return s
}

// clone is a copy of a slice, with room for more.
func (a *arena[T]) clone(s []T, more int) []T {
	c := a.take(len(s), more)
	copy(c, s)
	return c
}

func (a *arena[T]) reset() { a.free = a.block }
