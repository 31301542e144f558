package properties

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// windowForm is window-limit by Before alone: of what was admitted of a key, one by one, the newest that are one more
// than the bound do not lie in a window.
type windowForm struct {
	Bound  int
	Window time.Duration
	Newest [][]sim.Time // by key less 1: the oldest first, at most Bound
}

// The largest bound and the most keys of which a proof is to remember all admissions.
const mostBound, mostKeys = 16, 16

// Symbolic has the form that a proof checks.
func (p *windowLimit) Symbolic() (model.Checker[message.Msg], []sim.Kind) {
	l := &p.Layout
	if p.Refusal() != "" {
		return nil, nil
	}
	return &windowForm{Bound: int(l.Bound), Window: l.Window, Newest: make([][]sim.Time, l.Keys)}, []sim.Kind{message.Admitted}
}

// Refusal says why a proof does not check it, "" if one does.
func (p *windowLimit) Refusal() string {
	switch l := &p.Layout; {
	case l.Dimensions != nil:
		return "requests of several dimensions are not covered: want none"
	case l.Bound > mostBound:
		return fmt.Sprintf("a proof remembers as many admissions as the bound says: want a bound of at most %d, got %d", mostBound, l.Bound)
	case l.Keys > mostKeys:
		return fmt.Sprintf("a proof remembers the admissions of each key: want at most %d keys, got %d", mostKeys, l.Keys)
	}
	return ""
}

// Check implements [model.Checker].
func (p *windowForm) Check(r *model.Report[message.Msg]) {
	r.Saw()
	list := &p.Newest[r.Msg.Key-1]
	for range min(int(r.Msg.Cost), p.Bound+1) {
		*list = append(*list, r.Now())
		if len(*list) <= p.Bound {
			continue
		}
		if r.Now().Before((*list)[0].Add(p.Window)) {
			r.Violated(r.Node)
		}
		*list = slices.Delete(*list, 0, 1)
	}
}
