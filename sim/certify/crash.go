package certify

import (
	"fmt"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// A node that crashes loses what it keeps in memory, its timers and what has not left of its last
// step; what is sent to it while it is down is lost. When it starts again it has what it keeps on
// disk, handles the first message, and its monotonic clock begins anew: a reading of before
// compares with none of after, so that none may be kept.

// crash takes a node down, between two effects of a step or not: held is what never leaves.
func (r *reaction) crash(d *draft, k int, between bool, held []heldEffect) (err error) {
	f := &r.faults[k]
	d.left[k]--
	if d.nodes[d.at-1], err = r.restarted(d, &d.nodes[d.at-1]); err != nil {
		return err
	}
	d.pending = slices.DeleteFunc(d.pending, func(e event) bool { return e.to == d.at && e.class != message && e.class != second })
	d.stops[d.at-1] = &stop{down: true}
	if d.remembers(r.mono[d.at]) {
		return fmt.Errorf("%s crashes, and a reading of its monotonic clock, which begins anew, is kept: that is not covered", r.names[d.at-1])
	}
	end := never
	if !f.Forever {
		end = d.variable(d.now, dbm.AtMost(-int64(f.Least)), dbm.AtMost(int64(f.Most)), label{kind: faultLeast, n: k}, label{kind: faultMost, n: k})
		d.push(event{class: restart, to: d.at, from: d.at, msg: r.start, at: end})
	}
	if d.record != nil {
		before := held
		if !between {
			before = nil
		}
		d.record.begins(d, k, end, before)
		d.record.dropped(d.at, held)
	}
	return r.hearsOf(d, sim.Crashed, r.emit)
}

// crashed is a node in a state that crashes, and reborn is what is left of that: which of its symbols, in
// their new order.
type crashed struct {
	node  sim.NodeID
	state uint32
}

type reborn struct {
	id   uint32
	kept []int
}

// restarted is what a node is after a crash.
func (s *space) restarted(d *draft, n *part) (part, error) {
	c, symbols := crashed{d.at, n.id}, len(n.symbols)
	if _, ok := s.reborn[c]; !ok {
		if err := d.learns(func() error { return s.tryRestart(c, symbols) }); err != nil {
			return part{}, err
		}
	}
	r := s.reborn[c]
	p := part{id: r.id}
	for _, i := range r.kept {
		p.symbols = append(p.symbols, n.symbols[i])
	}
	return p, nil
}

func (s *space) tryRestart(c crashed, symbols int) error {
	names := make([]int, symbols)
	for i := range names {
		names[i] = i
	}
	in, node := s.node[c.node], s.Node(c.node)
	s.put(in, c.state, names, node)
	s.Restart(c.node)
	s.Forget(c.node)
	id, kept, err := s.save(in, node)
	s.reborn[c] = reborn{id, slices.Clone(kept)}
	return err
}

// restarts is a node that starts again. No pause can come before its first step.
func (r *reaction) restarts(d *draft, e event) error {
	d.stops[e.to-1] = nil
	return r.hearsOf(d, sim.Restarted, func(d *draft) error { return r.react(d, []event{e}) })
}

// hearsOf lets the property hear of what a fault does to a node, if it looks at that.
func (r *reaction) hearsOf(d *draft, what sim.Event, then func(*draft) error) error {
	if !r.Watches(r.property, what, 0) {
		return then(d)
	}
	return r.hears(d, what, r.start, nil, then)
}
