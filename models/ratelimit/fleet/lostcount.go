package fleet

import (
	"fmt"

	"fencepost/sim"
)

// NoLostCount holds if on the word of a store's counter never more is admitted than it
// has counted. A counter lives from the write that makes its key until the key is gone;
// of each life, whenever a request is admitted that was charged to it: the admitted so
// far are at most the count that the store last had. A counter may count more: rejected
// requests, calls that came twice, and what is decided without the store. Of a log, it
// is the members it has ever got that count.
//
// The other direction is no-false-rejection.
type NoLostCount struct {
	sim.Check
	lives    map[int64]life // by number
	admitted int64          // at the first violation
	counted  int64
	key      uint64
}

// life is a counter from when its key is made until it is gone.
type life struct{ admitted, counted int64 }

// Name implements [sim.Property].
func (p *NoLostCount) Name() string { return "no-lost-count" }

// Reset implements [sim.Observer].
func (p *NoLostCount) Reset(*sim.View[Msg]) {
	p.Clear()
	if p.lives == nil {
		p.lives = make(map[int64]life)
	}
	clear(p.lives)
	p.admitted, p.counted, p.key = 0, 0, 0
}

// Observe implements [sim.Observer].
func (p *NoLostCount) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch m := &o.Msg; {
	case m.Kind == StoreOp && m.Cost > 0:
		l := p.lives[int64(m.Cost)]
		l.counted = m.X
		p.lives[int64(m.Cost)] = l
	case m.Kind == Admitted && m.Y > 0:
		p.Saw()
		l := p.lives[m.Y]
		l.admitted += int64(m.Cost)
		p.lives[m.Y] = l
		if l.admitted > l.counted && p.Violate(v.Now(), o.Node) {
			p.admitted, p.counted, p.key = l.admitted, l.counted, m.Key
		}
	}
}

// End implements [sim.Observer].
func (p *NoLostCount) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoLostCount) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("with what %s admitted, %d of key %d have been admitted on the word of a counter that stands at %d", v.Name(p.Finding().Nodes[0]), p.admitted, p.key, p.counted)
}
