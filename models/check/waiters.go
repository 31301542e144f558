package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// Waiters is which clients want the lock: from the first attempt of an acquisition until they have it, give up or crash.
type Waiters struct {
	By    Table[Wait] // client
	Count int
}

// Wait is the latest wait of a client.
type Wait struct {
	Waits bool // still
	Since sim.Time
}

func (w *Waiters) hear(f *fact.Fact) {
	if int(f.Node) >= len(w.By) {
		return
	}
	c := &w.By[f.Node]
	switch {
	case c.Waits && (f.Kind == fact.Crashed || f.Kind == fact.Acquired || f.Kind == fact.GaveUp):
		c.Waits = false
		w.Count--
	case !c.Waits && f.Kind == fact.Attempt:
		*c = Wait{true, f.At}
		w.Count++
	}
}

// first is the first client that waits, [sim.None] if none does.
func (w *Waiters) first() sim.NodeID {
	for c := range w.By {
		if w.By[c].Waits {
			return sim.NodeID(c)
		}
	}
	return sim.None
}
