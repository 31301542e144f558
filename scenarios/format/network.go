package format

import (
	"slices"
	"strings"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// networkFormat is the block `network:`.
type networkFormat struct {
	Delay     sim.Dist     `yaml:"delay"`                 // how long a message travels: 0s
	Loss      sim.Chance   `yaml:"loss,proportion"`       // the share of messages that are lost: 0
	Duplicate sim.Chance   `yaml:"duplicate,proportion"`  // the share of messages that arrive twice: 0
	Order     string       `yaml:"order,oneof=fifo|free"` // a message does not overtake another on its link, or it may: fifo
	Links     []linkFormat `yaml:"links"`                 // rules for some links; the last one that names a link decides
}

// linkFormat is a rule for some links; what it leaves out is as in the network.
type linkFormat struct {
	From      *strict.Value `yaml:"from" schema:"nodes"`  // every node
	To        *strict.Value `yaml:"to" schema:"nodes"`    // every node
	Delay     *sim.Dist     `yaml:"delay"`                // as in network
	Loss      *sim.Chance   `yaml:"loss,proportion"`      // as in network
	Duplicate *sim.Chance   `yaml:"duplicate,proportion"` // as in network
}

// clockFormat is how the clocks of a node start out.
type clockFormat struct {
	Drift  sim.PPB       `yaml:"drift,ppb"`     // the rate error of the oscillator, at most 500000ppm either way: 0ppm
	Offset time.Duration `yaml:"offset,signed"` // what the wall clock is ahead at the start: 0s
}

func (d *decoding) network() sim.Network {
	f := &d.format.Network
	n := sim.Network{Default: sim.Link{Delay: f.Delay, Loss: f.Loss, Duplicate: f.Duplicate}}
	if f.Order == "free" {
		n.Order = sim.Free
	}
	for i := range f.Links {
		l := &f.Links[i]
		r := sim.LinkRule{Link: n.Default}
		setIf(&r.Link.Delay, l.Delay)
		setIf(&r.Link.Loss, l.Loss)
		setIf(&r.Link.Duplicate, l.Duplicate)
		if l.From != nil {
			r.From = d.nodes(l.From)
		}
		if l.To != nil {
			r.To = d.nodes(l.To)
		}
		n.Rules = append(n.Rules, r)
	}
	return n
}

func setIf[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// perNode spreads entries for nodes and patterns over the nodes. The most specific
// entry for a node decides: its name, else the longest pattern.
func perNode[T any](d *decoding, entries strict.Map[T]) []T {
	if len(entries) == 0 || d.words.program == nil {
		return nil
	}
	byLength := slices.Clone(entries)
	slices.SortStableFunc(byLength, func(a, b strict.Entry[T]) int { return specific(a.Key) - specific(b.Key) })
	list := make([]T, len(d.words.program.Nodes))
	for _, e := range byLength {
		for _, id := range d.matching(e.Pos, e.Key, true) {
			list[id-1] = e.Value
		}
	}
	return list
}

// specific is larger for a name than for a pattern, and for a longer pattern.
func specific(pattern string) int {
	if !strings.HasSuffix(pattern, "*") {
		return 1 << 30
	}
	return len(pattern)
}

func (d *decoding) clocks() []sim.Clock {
	for _, e := range d.format.Clocks {
		if v := d.doc.Lookup("clocks." + e.Key + ".drift"); v != nil {
			checkRate(v, e.Value.Drift)
		}
	}
	var clocks []sim.Clock
	for _, c := range perNode(d, d.format.Clocks) {
		clocks = append(clocks, sim.Clock{Rate: c.Drift, Offset: c.Offset})
	}
	return clocks
}

// checkRate refuses a clock error that no clock has.
func checkRate(v *strict.Value, rate sim.PPB) bool {
	if rate < -sim.MaxPPB || rate > sim.MaxPPB {
		v.Errorf("a clock error of %v is out of range: want %v to %v", rate, -sim.MaxPPB, sim.MaxPPB)
		return false
	}
	return true
}

// costs are how long each step occupies each node.
func (d *decoding) costs() []sim.Dist { return perNode(d, d.format.Costs) }

// nameOf is the name of a node.
func (d *decoding) nameOf(id sim.NodeID) string {
	if d.words.program == nil || id == sim.None {
		return "no node"
	}
	return d.words.program.Nodes[id-1]
}

// namesOf are the names of some nodes in one text.
func (d *decoding) namesOf(ids []sim.NodeID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = d.nameOf(id)
	}
	return strings.Join(names, ", ")
}
