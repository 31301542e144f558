package sim

// Shown is an answer that leaves the system for a reader outside, as it is written there.
type Shown struct {
	At    Time
	Node  NodeID // that gives it
	To    NodeID // that stands for the receiver
	Lines []string
}

// Show says what leaves the system for a reader outside, such as the header fields of an
// answer. It is no effect: no observer sees it, no digest has it, and it costs nothing
// unless a [Watch] asks for it.
func (o *Out[M]) Show(to NodeID, m M) {
	if w := o.w; w.watch.Shown != nil && w.system.Show != nil && o.mode != mocking && o.mode != losing {
		copied := m // so that a message is on the heap only if it is asked for
		w.watch.Shown(Shown{w.now, o.self, to, w.system.Show(&copied)})
	}
}
