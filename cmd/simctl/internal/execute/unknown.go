package execute

import (
	"strings"

	"fencepost/reports/units"
	"fencepost/sim/certify"
)

// limit is at which limit a search ended, and what would help.
func (p *Proof) limit(at certify.Limit) (why, remedy string) {
	switch at {
	case certify.States:
		return "stopped at " + units.Plural(p.Limits.States, "state"), "--states allows more; " + p.smaller()
	case certify.Memory:
		return "stopped at " + units.Size(p.Limits.Memory) + " of memory", "--memory allows more; " + p.smaller()
	case certify.Time:
		return "stopped after " + p.For.String(), "--for allows more; " + p.smaller()
	case certify.TooWide:
		return at.String(), "each message, timer and pause that is pending is one, and each reading that a node remembers: fewer nodes or rounds, or longer times between attempts need less"
	case certify.Grows:
		return at.String(), "--states allows more; a budget without clock steps and crashes, or a smaller scenario need less"
	case certify.Clocks:
		return at.String(), "a budget without slews, which has perfect clocks, may show a violation: if it does, no rate helps"
	case certify.Undrawn:
		return at.String(), "a drawn timer takes any time between its shortest and its longest here: one that is drawn from a range, such as {uniform: [1s, 2s]}, takes these in runs, too"
	}
	remedy = "a longer range may be violated by a run, and a shorter one certified"
	if len(p.search.Faults) > 0 && !p.NoEdge {
		remedy += ": see the edge"
	}
	return at.String(), remedy
}

// smaller is what of this proof would make it smaller.
func (p *Proof) smaller() string {
	s := p.search
	var list []string
	pauses := 0
	for i := range s.Faults {
		pauses += s.Faults[i].Count
	}
	if pauses > 0 {
		list = append(list, "fewer or shorter pauses")
	}
	if s.Losses+s.Copies > 0 {
		list = append(list, "fewer messages that are lost or duplicated")
	}
	if d := &s.Config.Network.Default.Delay; d.Least() < d.Most() {
		list = append(list, "a shorter range of delays")
	}
	if s.Rate > 0 {
		list = append(list, "clocks that are nearer to true time")
	}
	return strings.Join(append(list, "longer times between attempts"), ", ") + " or a smaller scenario need less"
}
