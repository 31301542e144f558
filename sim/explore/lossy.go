package explore

import (
	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// lossy is an adversary that loses each message with a chance.
type lossy struct {
	chance sim.Chance
	budget *Budget
	draw   Seeded
	on     bool
	done   []sim.Fault // what it did, as faults
}

// begin prepares it for a run; half of the runs, besides those that are to be fault-free,
// lose nothing.
func (l *lossy) begin(c *Seeded, on bool) {
	l.done = l.done[:0]
	l.on = on && l.chance > 0 && c.Below(2) == 0
	l.draw = Seeded{c.state ^ splitmix.Stream(sim.Hash("loss"))}
}

// Choose implements [sim.Adversary].
func (l *lossy) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	if !l.on || c.Point != sim.Sending || !l.budget.May(sim.Lose, c.Node) || l.draw.Below(uint64(sim.Certain)) >= uint64(l.chance) {
		return sim.FaultChoice{}, false
	}
	d := sim.FaultChoice{Do: sim.Lose}
	l.done = append(l.done, c.Fault(d))
	return d, true
}
