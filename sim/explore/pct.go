package explore

import (
	"math"
	"slices"

	"fencepost/sim"
)

// pct is the scheduler of probabilistic concurrency testing, for nodes with clocks:
// at d-1 of the choice points of the run, drawn uniformly, the node that is about to act
// falls behind: it is paused, or crashes, as the budget allows. Its start is a choice point as
// well, so that an order in which nodes start takes faults of the budget.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatti, "A randomized scheduler with
// probabilistic guarantees of finding bugs", ASPLOS 2010, section 2. There a thread
// that falls behind waits for all others; here it does for a time, since others act
// by their clocks and never are done. There the threads have a random order besides.
type pct struct {
	search  *Search
	choices uint64 // k: of a run

	points []uint64 // change points, ascending, as numbers of choices from 0
	next   int      // of points
	faults []sim.FaultChoice
	at     uint64 // choices so far
	done   []sim.Fault
	when   []sim.Time // of each

	kinds   []sim.FaultChoice // that the budget allows
	allowed []sim.FaultChoice // of them, those that are not used up
}

func newPCT(s *Search, choices int) pct {
	return pct{search: s, choices: uint64(max(choices, 1)), kinds: s.Budget.faultChoices(s.Config.Until)}
}

// begin draws the change points of a run, and what happens there.
func (p *pct) begin(c *Seeded, on bool) {
	p.points, p.faults, p.done, p.when, p.at, p.next = p.points[:0], p.faults[:0], p.done[:0], p.when[:0], 0, 0
	p.allowed = append(p.allowed[:0], p.kinds...)
	for range p.search.Depth - 1 {
		if !on || len(p.allowed) == 0 {
			break
		}
		d := p.allowed[c.Below(uint64(len(p.allowed)))]
		p.points = append(p.points, c.Below(p.choices))
		p.faults = append(p.faults, d)
		if p.uses(d.Do) == p.search.Budget.count(d.Do) {
			p.allowed = slices.DeleteFunc(p.allowed, func(other sim.FaultChoice) bool { return other.Do == d.Do })
		}
	}
	slices.Sort(p.points)
}

// uses is how often the run does a fault of a kind.
func (p *pct) uses(do sim.Action) int {
	n := 0
	for i := range p.faults {
		if p.faults[i].Do == do {
			n++
		}
	}
	return n
}

// Choose implements [sim.Adversary].
func (p *pct) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	if c.Point == sim.Sending {
		return sim.FaultChoice{}, false
	}
	n := p.at
	p.at++
	if p.next == len(p.points) || n < p.points[p.next] {
		return sim.FaultChoice{}, false
	}
	d := p.faults[p.next]
	p.next++
	if !p.search.Budget.May(d.Do, c.Node) {
		return sim.FaultChoice{}, false
	}
	p.done, p.when = append(p.done, c.Fault(d)), append(p.when, c.At)
	return d, true
}

// faultChoices is what may be done to a node, each with each of its lengths.
func (b *Budget) faultChoices(until sim.Time) (list []sim.FaultChoice) {
	for _, a := range b.verbs() {
		switch l := b.Lengths(a.do); {
		case a.count == 0 || !a.do.Row().AtChoice():
		case l != nil:
			for _, d := range l.finite(until) {
				list = append(list, sim.FaultChoice{Do: a.do, For: d})
			}
		default:
			for _, by := range b.steps(until) {
				list = append(list, sim.FaultChoice{Do: a.do, By: by})
			}
		}
	}
	return list
}

// Guarantee is the least probability with which one run of a PCT search, other than the
// first, which is fault-free, finds a violation of the searched depth d: one that comes about,
// as the seed draws all else, when d-1 faults within the budget happen at certain of the first k choice points.
// It is 1 / (k m)^(d-1) for k = [Report].Choices and m faults: kinds of fault, each with each of its lengths.
func (r *Report) Guarantee(s *Search) float64 {
	m := float64(max(len(s.Budget.faultChoices(s.Config.Until)), 1))
	return 1 / math.Pow(float64(r.Choices)*m, float64(r.Depth-1))
}
