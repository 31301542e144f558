package simtest

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Change is a change of what a run is played in. The program knows the names of the
// nodes; a func of this type that a test writes itself does as well as those below.
type Change func(c *sim.Config, p *sim.Program)

// Until lets the run end at this instant.
func Until(end sim.Time) Change {
	return func(c *sim.Config, _ *sim.Program) { c.Until = end }
}

// Delay is how long every message takes for which the network has no rule of its own.
func Delay(d time.Duration) Change {
	return func(c *sim.Config, _ *sim.Program) { c.Network.Default.Delay = sim.Constant(d) }
}

// Link is how messages from one node to another travel, "" being any, whatever the rules
// so far say.
func Link(from, to string, l sim.Link) Change {
	return func(c *sim.Config, p *sim.Program) {
		c.Network.Rules = append(c.Network.Rules, sim.LinkRule{From: side(p, from), To: side(p, to), Link: l})
	}
}

// side is one node, or all of them.
func side(p *sim.Program, who string) []sim.NodeID {
	if who == "" {
		return nil
	}
	return []sim.NodeID{node(p, who)}
}

// Clock is how the clocks of a node begin.
func Clock(who string, clock sim.Clock) Change {
	return func(c *sim.Config, p *sim.Program) {
		id := node(p, who)
		if id < 1 { // a clock for a node that is not there, which NewWorld reports
			id = sim.NodeID(len(p.Nodes) + 1)
		}
		for len(c.Clocks) < max(int(id), len(p.Nodes)) {
			c.Clocks = append(c.Clocks, sim.Clock{})
		}
		c.Clocks[id-1] = clock
	}
}

// Once takes each step once: for runs of which to take it twice takes too long.
func Once() Change {
	return func(c *sim.Config, _ *sim.Program) { c.Twice = false }
}

// Inject adds a fault of a node: a pause, a crash, or a fault of its clock.
//
//	simtest.Inject("primary", sim.Fault{Do: sim.Pause, When: sim.When{Note: InCharge}, For: sim.Constant(time.Second)})
func Inject(who string, f sim.Fault) Change {
	return func(c *sim.Config, p *sim.Program) {
		injection := f
		injection.Node = node(p, who)
		add(c, injection, fmt.Sprintf("%v %s %d", f.Do, who, len(c.Faults)))
	}
}

// InjectAll adds the same fault of every node, each with draws of its own.
func InjectAll(f sim.Fault) Change {
	return func(c *sim.Config, p *sim.Program) {
		for _, n := range p.Nodes {
			Inject(n, f)(c, p)
		}
	}
}

// Disturb adds a fault of the messages from one node to another, "" being any: they are
// late, lost or doubled. Which of them, f.Msg says.
//
//	simtest.Disturb("standby", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Taken, Nth: 1}})
func Disturb(from, to string, f sim.Fault) Change {
	return func(c *sim.Config, p *sim.Program) {
		disturb := f
		disturb.Msg.From, disturb.Msg.To = node(p, from), node(p, to)
		add(c, disturb, fmt.Sprintf("%v from %q to %q %d", f.Do, from, to, len(c.Faults)))
	}
}

// Part adds a fault that keeps groups of nodes apart: a cut, in which messages between
// them are lost, or a hold, in which they wait.
//
//	simtest.Part(sim.Fault{Do: sim.Cut, Forever: true}, []string{"primary"}, []string{"standby"})
func Part(f sim.Fault, groups ...[]string) Change {
	return func(c *sim.Config, p *sim.Program) {
		part := f
		part.Sides = nil
		for _, names := range groups {
			var side []sim.NodeID
			for _, name := range names {
				side = append(side, node(p, name))
			}
			part.Sides = append(part.Sides, side)
		}
		add(c, part, fmt.Sprintf("%v %q %d", f.Do, groups, len(c.Faults)))
	}
}

// add adds a fault, by this name if it has none of its own. The name is that of its
// draws, too.
func add(c *sim.Config, f sim.Fault, name string) {
	if f.Name == "" {
		f.Name = name
	}
	c.Faults = append(c.Faults, f)
}

// node is the node of a name, and None for "". There is none of a name that the system
// does not have, which NewWorld reports.
func node(p *sim.Program, name string) sim.NodeID {
	if id := p.Node(name); id != sim.None || name == "" {
		return id
	}
	return -1
}

// Lengths are lengths in milliseconds, for the tables of a test.
func Lengths(milliseconds ...int) (list []time.Duration) {
	for _, n := range milliseconds {
		list = append(list, time.Duration(n)*time.Millisecond)
	}
	return list
}

// Constants are what always gives these lengths, in milliseconds.
func Constants(milliseconds ...int) (list []sim.Dist) {
	for _, d := range Lengths(milliseconds...) {
		list = append(list, sim.Constant(d))
	}
	return list
}
