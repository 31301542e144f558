package broadcast

import "fencepost/sim"

// None delivers what comes when it comes, as often as it comes.
type None struct{ ready []Msg }

// Broadcast implements [Algorithm].
func (n *None) Broadcast(m Msg) Msg {
	n.ready = append(n.ready, m)
	return m
}

// Receive implements [Algorithm].
func (n *None) Receive(_ sim.NodeID, m Msg) (Msg, bool) {
	n.ready = append(n.ready, m)
	return Msg{}, false
}

// Next implements [Algorithm].
func (n *None) Next() (Msg, bool) {
	if len(n.ready) == 0 {
		return Msg{}, false
	}
	return pop(&n.ready, 0), true
}

// Waiting implements [Algorithm].
func (n *None) Waiting() int { return len(n.ready) }

// Reset makes n equal to initial.
func (n *None) Reset(initial *None) { n.ready = append(n.ready[:0], initial.ready...) }
