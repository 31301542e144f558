package sim

import "time"

// Slow replaces the cost of each step of a node by By, for For. It may also be less than what the node usually costs.
const Slow = FollowLog + 1

var _ = declare(Slow, FaultKind{
	Word: "slow", Plural: "slow spells", About: "each step takes this long, as on a slow disk or beside a busy neighbour; without `for` to the end",
	Clause: "takes {amount} per step{length}", Begins: "{node} is slow", Subject: OneNode, Lasting: true,
	Keys: "to at after on before by nth every for", Needs: "to", Triggered: true,
	Amount: Amount{Key: "to", Form: "duration", About: "The cost of each step, in place of the usual one.", Example: "to: 900ms", Grain: int64(time.Millisecond)},
	Budget: Allowing{
		Count: "slow-spells", CountAbout: "of nodes whose steps take longer, for random search only: 0",
		Length: "slow-for", LengthAbout: "of slow spells: the search chooses", Amount: "slow-to", AmountAbout: "the search chooses",
		Nodes: "slow-nodes", NodesAbout: "the nodes of slow spells: nodes", At: "slow spells at", One: "slow spell", Many: "slow spells", How: "of",
	},
	check: (*Fault).checkCost,
	begin: func(w any, p *plan, i int, until Time) { w.(burdened).slow(p, i, until) },
	end:   func(w any, p *plan) { w.(burdened).unslow(p) },
})

// burdened is a [World], as faults need it that change what steps cost.
type burdened interface {
	slow(p *plan, i int, until Time)
	unslow(p *plan)
}

// checkCost refuses a cost that no step can have.
func (f *Fault) checkCost() (wrong []string) {
	if f.By < 0 {
		wrong = append(wrong, "the cost of a step must not be negative, got "+f.By.String())
	}
	return wrong
}

// slow gives the steps of a node a cost until an instant. A step that is under way keeps its own.
func (w *World[M]) slow(p *plan, i int, until Time) {
	if until <= w.now {
		return
	}
	if w.inject(p) {
		w.say(p, until, lasting(w.now, until))
	}
	p.active++
	w.latest++
	p.latest = w.latest
	w.setCost(p.Node, Constant(p.By))
	w.at(until, p.Node, i, end)
}

// unslow gives the steps of a node the cost of the spell that began last and is not over, else the configured one.
// A crash changes nothing: the disk is as slow after the restart.
func (w *World[M]) unslow(p *plan) {
	cost, text := w.configuredCost(p.Node), "takes the usual time per step again"
	last := w.last(p.Node, func(p *plan) bool { return p.Do == Slow })
	if last != nil {
		cost, text = Constant(last.By), last.Clause("", nil)+" again"
	}
	if w.describing() {
		w.sayEnd(p.Node, Slow, text)
	}
	w.setCost(p.Node, cost)
}
