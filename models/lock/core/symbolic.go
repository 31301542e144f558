package core

import "fencepost/sim"

// Symbolic is an [Algorithm] that can be driven with time as a symbol: see [sim.Symbolic].
type Symbolic interface {
	// Unsupported says why it cannot be, as its parameters are; "": it can.
	Unsupported() string
	// Forget clears what no later step reads.
	Forget()
	// Ignores reports whether a message of the protocol, or a timer, has no effect any more.
	Ignores(e *sim.Arrival[Msg]) bool
}

// RenamedGrant is a grant, or the value of a lock, under other numbers: see [sim.Renamer].
func RenamedGrant(grant uint64, to sim.Renaming) uint64 {
	client := Client(grant)
	if client == sim.None {
		return grant // there is none, or every client has the same value
	}
	return GrantOf(to.Node(client), to.Serial(client, uint32(grant)))
}

// Rename implements [sim.Renamer], for the clients of the locks that are [Symbolic].
func (m *Msg) Rename(to sim.Renaming) {
	by := sim.None // the client is an end of the message
	switch m.Kind {
	case Issued, Applied, Fenced, Rejected:
		by = Client(m.value) // of a note of a server
	}
	m.Try = to.Serial(by, m.Try)
	switch m.Kind {
	case Timeout:
		m.value = uint64(to.Serial(by, uint32(m.value))) // the number of a call; 0: it has none
	case Set, GetReply, DelIf, Extend, ExtendOrSet, Enter, Leave, Register, Write, Trying, Acquired, Owned, Freed, Issued, Applied, Fenced, Rejected:
		m.value = RenamedGrant(m.value, to)
	}
	if registered, compares := m.Registered(); m.Kind == Rejected && compares {
		m.x = int64(RenamedGrant(registered, to))
	}
}

// Renumber gives the attempt of a client other numbers.
func (a *Attempt) Renumber(to sim.Renaming) {
	a.Try, a.Grant = to.Serial(sim.None, a.Try), RenamedGrant(a.Grant, to)
}

// Renumber gives what a client holds other numbers.
func (h *Hold) Renumber(to sim.Renaming) {
	h.Try, h.Grant, h.Value = to.Serial(sim.None, h.Try), RenamedGrant(h.Grant, to), RenamedGrant(h.Value, to)
}
