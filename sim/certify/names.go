package certify

import (
	"encoding/binary"
	"errors"
	"slices"

	"fencepost/sim"
)

// errNames is of a [sim.Renamer] that leaves something out, or of nodes that are not alike.
var errNames = errors.New("what follows from a state depends on the numbers of alike nodes, or on serial numbers: a Rename leaves something out, or a node does more than compare them")

// checkNames compares what follows from a state with what follows from it when alike nodes have
// changed places and each serial number is one larger.
func (w *worker) checkNames(s *state) error {
	to := stay(make(places, w.nodes+1))
	for _, g := range w.like.groups {
		for i, n := range g {
			to[n] = byte(g[(i+1)%len(g)])
		}
	}
	d := (&draft{state: *s, memory: &w.drafts}).copied()
	err := w.alter(d, func(in *parts, p part, _ sim.NodeID) (part, error) {
		var serials []byte
		if in.numbered && !w.keepSerials {
			for _, n := range in.serials[p.id] {
				serials = binary.AppendUvarint(serials, uint64(n.N)+1)
			}
		}
		return w.renamed(d, in, p, to, serials)
	})
	if err != nil {
		return err
	}
	w.settleIn(d, to)
	before, err := w.follows(s, to)
	if err != nil {
		return err
	}
	after, err := w.follows(&d.state, stay(make(places, w.nodes+1)))
	if err == nil && !slices.Equal(before, after) {
		return errNames
	}
	return err
}

// follows is the keys of all that can follow from a state, when nodes have changed places, in their order.
func (w *worker) follows(s *state, to places) (keys []string, err error) {
	for i := range len(s.pending) + len(w.strikes) {
		list, err := w.fire(s, i, draft{memory: &w.drafts})
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			if o.violated {
				keys = append(keys, "")
				continue
			}
			if err := w.place(o.draft, to); err != nil {
				return nil, err
			}
			key, _ := w.writer.write(&o.state)
			keys = append(keys, string(key))
		}
	}
	slices.Sort(keys)
	return keys, nil
}
