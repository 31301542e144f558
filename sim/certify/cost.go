package certify

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// A step that takes time reads its clocks when it begins. Its effects leave at its end, and what comes to its node meanwhile
// waits for that, as if the node were paused. A pause during a step makes it as much longer, so that it may as well begin at the
// end, before the effects leave.

// occupied is a node whose step is under way, with what waits for its end.
func (r *reaction) occupied(d *draft, wait stop) error {
	cost := r.costs[d.at]
	d.stops[d.at-1] = &wait
	at := d.variable(d.now, dbm.AtMost(-cost), dbm.AtMost(cost), label{kind: costs}, label{kind: costs})
	d.push(event{class: wake, to: d.at, from: d.at, at: at})
	return r.emit(d)
}

// unlikeCosts says which costs of steps are not covered.
func (s *Search) unlikeCosts() (errs []error) {
	for i := range s.Config.Costs {
		switch c := &s.Config.Costs[i]; {
		case i >= len(s.Program.Nodes):
		case c.Least() != c.Most():
			errs = append(errs, fmt.Errorf("cost of a step of %s: it is drawn, which is not covered: want one duration, such as 1ms", s.Program.Nodes[i]))
		case c.Most() > Longest:
			errs = append(errs, fmt.Errorf("cost of a step of %s: want at most %v, got %v", s.Program.Nodes[i], Longest, c.Most()))
		}
	}
	return errs
}

// stepCosts is how long a step of each node takes.
func stepCosts(list []sim.Dist, nodes int) []int64 {
	costs := make([]int64, nodes+1)
	for i := range min(nodes, len(list)) {
		costs[i+1] = int64(list[i].Most())
	}
	return costs
}
