package certify

import (
	"fencepost/sim/certify/internal/arena"
	"fencepost/sim/certify/internal/dbm"
	"fencepost/sim/certify/internal/serial"
)

// memory is where the states of one expansion are made: all are forgotten at once, after those that
// are kept were written elsewhere. On a path, which keeps them, it is never reset.
type memory struct {
	drafts   arena.Arena[draft]
	outcomes arena.Arena[outcome]
	held     arena.Arena[heldEffect]
	parts    arena.Arena[part]
	stopped  arena.Arena[*stop]
	events   arena.Arena[event]
	vars     arena.Arena[variable]
	ints     arena.Arena[int]
	bytes    arena.Arena[byte]
	bounds   arena.Arena[dbm.Bound]
	serials  arena.Arena[serial.Number]
}

func (m *memory) reset() {
	m.drafts.Reset()
	m.outcomes.Reset()
	m.held.Reset()
	m.parts.Reset()
	m.stopped.Reset()
	m.events.Reset()
	m.vars.Reset()
	m.ints.Reset()
	m.bytes.Reset()
	m.bounds.Reset()
	m.serials.Reset()
}
