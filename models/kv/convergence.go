package kv

import (
	"fmt"
	"time"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// convergence holds if at the end all replicas of a key store the same. A key is checked if it
// was not written for a while, and no node crashed or paused; a replica that is down or paused
// at the end is left out. An observer does not see the network: replicas that are partitioned
// to the end do not converge.
//
// Source: Vogels, "Eventually Consistent", Communications of the ACM 52, 2009; Terry et al.,
// "Managing Update Conflicts in Bayou", SOSP 1995, section 1.
type convergence struct {
	*Layout
	Within  time.Duration              // 0: it is not checked
	Stores  map[uint64]*version.Object // by node and key
	Written []lastWrite                // by key
	Latest  int                        // ring that a node has adopted, or that a change has led to
	Fault   sim.Time                   // the last; also the end of a change of the ring
}

// lastWrite is when a client wrote a key last.
type lastWrite struct {
	at  sim.Time
	was bool
}

// Bound implements [sim.Bounded].
func (p *convergence) Bound() sim.Bound {
	if p.Within == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("the same at all replicas %v after the last write, crash or pause", p.Within)}
}

// stored names what a node stores of a key.
func stored(id sim.NodeID, key uint32) uint64 { return uint64(id)<<32 | uint64(key) }

// Check implements [model.Checker].
func (p *convergence) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case r.Event != sim.Noted:
		p.Fault = r.Now()
	case m.Kind == core.Adopted:
		p.Latest = max(p.Latest, int(m.Ring()))
	case m.Kind == core.ChangeDone:
		_, after := p.RingsOf(m.Rings())
		p.Latest, p.Fault = after.Number, r.Now()
	case m.Kind == core.Stored:
		p.Stores[stored(r.Node, m.Key())] = m.Obj
	case m.Kind == core.Collected, m.Kind == core.Discarded:
		delete(p.Stores, stored(r.Node, m.Key()))
	case m.Write != nil:
		*model.At(&p.Written, m.Key()) = lastWrite{r.Now(), true}
	}
}

// End is called when the run is over.
func (p *convergence) End(r *model.Report[core.Msg]) {
	if p.Within == 0 || r.Now().Sub(p.Fault) < p.Within {
		return
	}
	for key, w := range p.Written {
		if w.was && r.Now().Sub(w.at) >= p.Within {
			p.compare(r, uint32(key))
		}
	}
}

// compare compares what the replicas of a key store.
func (p *convergence) compare(r *model.Report[core.Msg], key uint32) {
	first := sim.None
	for i := range p.N {
		id := p.Rings[p.Latest].At(key, i)
		if _, paused := r.PausedSince(id); paused || r.Down(id) {
			continue
		}
		if first == sim.None {
			first = id
			continue
		}
		r.Saw()
		a, b := p.Stores[stored(first, key)], p.Stores[stored(id, key)]
		if a.Digest() != b.Digest() && r.Violated(first, id) {
			r.Why("%s stores %s at %s, and %s stores %s", r.Name(first), p.siblings(a), p.key(key), r.Name(id), p.siblings(b))
		}
	}
}
