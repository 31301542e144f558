package replica

import (
	"slices"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// hint is an object that a node keeps for another one.
type hint struct {
	key    uint32
	target uint16
	object *version.Object
}

// hints are those that a node keeps, the oldest first.
type hints struct {
	list    []hint
	scans   bool   // a scan is due; lost in a crash
	dropped uint32 // hints that a crash has lost, until the node starts again
}

func (h *hints) reset(to *hints) {
	h.list, h.scans, h.dropped = core.Refill(h.list, to.list), to.scans, to.dropped
}

func (h *hints) print(p *sim.Print) {
	p.Fold(uint64(len(h.list)), core.One(h.scans)|uint64(h.dropped)<<32)
	for i := range h.list {
		p.Fold(uint64(h.list[i].key)|uint64(h.list[i].target)<<32, h.list[i].object.Digest())
	}
}

// keepHint keeps a write for a node that its coordinator could not reach: with what is kept
// for it of the key already. It reports whether there is room for it.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.6.
func (n *Node) keepHint(key uint32, target uint16, o *version.Object, out *sim.Out[core.Msg]) bool {
	h := &n.hints
	i := slices.IndexFunc(h.list, func(h hint) bool { return h.key == key && h.target == target })
	switch {
	case i >= 0:
		h.list[i].object = n.Policy.Merge(h.list[i].object, o)
	case len(h.list) >= n.HintLimit:
		out.Note(core.NewHintNote(core.HintRefused, key, target, o))
		return false
	default:
		h.list = append(h.list, hint{key, target, o})
	}
	out.Note(core.NewHintNote(core.Hinted, key, target, o))
	n.armScan(out)
	return true
}

// armScan sees to it that a node with hints looks through them. One without has no timer.
func (n *Node) armScan(out *sim.Out[core.Msg]) {
	if h := &n.hints; !h.scans && len(h.list) > 0 && n.HandoffEvery > 0 {
		h.scans = true
		out.After(n.HandoffEvery, core.Msg{Kind: core.HandoffScan})
	}
}

// scan sends each hint to the node that it is for, if that one is not suspected. The hint is
// kept until that node has acknowledged it.
func (n *Node) scan(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	n.hints.scans = false
	n.armScan(out)
	for i := range n.hints.list {
		h := &n.hints.list[i]
		if to := sim.NodeID(h.target); !n.suspects.suspected(to, in.Mono) {
			out.Send(to, core.NewHandoff(h.key, h.object))
		}
	}
}

// handedOver deletes a hint that its node has stored, unless it has grown meanwhile.
func (n *Node) handedOver(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	i := slices.IndexFunc(n.hints.list, func(h hint) bool {
		return h.key == m.Key() && sim.NodeID(h.target) == in.From && h.object.Digest() == m.Acknowledged()
	})
	if i >= 0 {
		out.Note(core.NewHintNote(core.HandedOver, m.Key(), uint16(in.From), n.hints.list[i].object))
		n.hints.list = slices.Delete(n.hints.list, i, i+1)
	}
}

// recoverHints is what is left of the hints after a crash.
func (n *Node) recoverHints(before *hints) {
	if n.HintsDurable {
		n.hints.reset(before)
		n.hints.scans = false // with all timers
		return
	}
	n.hints.dropped = uint32(len(before.list))
}

// restartHints tells of hints that were lost, and looks through those that were not.
func (n *Node) restartHints(out *sim.Out[core.Msg]) {
	if n.hints.dropped > 0 {
		out.Note(core.NewHintsLost(n.hints.dropped))
		n.hints.dropped = 0
	}
	n.armScan(out)
}
