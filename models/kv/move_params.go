package kv

import (
	"fmt"
	"time"

	"fencepost/internal/text"
	"fencepost/models/kv/core"
	"fencepost/models/kv/membership"
	"fencepost/models/kv/ring"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ChangeParams is a join or a leave.
type ChangeParams struct {
	At    time.Duration `yaml:"at" range:"0s..1000h"` // 0s
	Join  string        `yaml:"join"`                 // a spare node, or one that has left; spare: the first of the spare nodes
	Leave string        `yaml:"leave"`                // a member: it is drained
}

// ScaleParams are when the load changes the number of nodes.
type ScaleParams struct {
	Capacity   int            `yaml:"capacity,required" range:"1..1000000"`         // requests per second of a node, of clients and of coordinators, at a load of 100%
	Every      *time.Duration `yaml:"every" range:"100ms..1h"`                      // from one sample of the load to the next: 10s
	AddAbove   *sim.Chance    `yaml:"add-above,proportion" range:"1..1000000000"`   // the mean load of the members: 70%
	AddAfter   *int           `yaml:"add-after" range:"1..1000"`                    // samples in a row above that: 3
	DrainBelow *sim.Chance    `yaml:"drain-below,proportion" range:"1..1000000000"` // 30%
	DrainAfter *int           `yaml:"drain-after" range:"1..1000"`                  // samples in a row below that: 30
	CoolDown   *time.Duration `yaml:"cool-down" range:"0s..24h"`                    // from the end of one change to the start of the next: 300s
}

// maxChanges bounds the changes: a run has a ring for each set of those that are made.
const maxChanges = 6

// scale are the limits of the controller.
func (s *ScaleParams) scale() *membership.Scale {
	thousandths := func(c *sim.Chance, otherwise sim.Chance) int {
		return int(int64(values.Or(c, otherwise)) * 1000 / int64(sim.Certain))
	}
	return &membership.Scale{
		Capacity: s.Capacity, Every: values.Or(s.Every, 10*time.Second), CoolDown: values.Or(s.CoolDown, 300*time.Second),
		AddAbove: thousandths(s.AddAbove, sim.Certain*7/10), AddAfter: values.Or(s.AddAfter, 3),
		DrainBelow: thousandths(s.DrainBelow, sim.Certain*3/10), DrainAfter: values.Or(s.DrainAfter, 30),
	}
}

// maxRings bounds what all rings of a run need, in places of 16 to 64 bytes: four for each
// token, and for each key N and eight more.
const maxRings = 24_000_000

// ringCount is how many rings a run may need, see [Params.placeRings].
func (p *Params) ringCount() int {
	switch {
	case len(p.Changes) > 0:
		return 1 << len(p.Changes)
	case p.Scale != nil:
		return p.all() - p.n() + 1
	}
	return 1
}

// tokenCount is how many tokens a ring has with all nodes.
func (p *Params) tokenCount() int {
	switch r := p.ring(&model.Errors{}); r.Strategy {
	case ring.Hashed, ring.Random:
		return p.all() * r.VirtualNodes
	case ring.Partitions:
		return r.Partitions
	case ring.Explicit:
		return len(p.Ring.Tokens)
	}
	return p.all()
}

// memoryProblems refuses what needs a GB of rings.
func (p *Params) memoryProblems(found *model.Errors) {
	rings, tokens, keys := p.ringCount(), p.tokenCount(), p.keyCount()
	if rings*(4*tokens+keys*(p.n()+8)) <= maxRings {
		return
	}
	path := "scale"
	if len(p.Changes) > 0 {
		path = "changes"
	}
	found.Add(path, "%d rings of %d tokens and %d keys are too large: want fewer changes, nodes, tokens or keys", rings, tokens, keys)
}

// moveProblems are errors in changes and in the scale block.
func (p *Params) moveProblems(found *model.Errors) {
	switch {
	case len(p.Changes) > maxChanges:
		found.Add("changes", "want at most %d, got %d", maxChanges, len(p.Changes))
	case len(p.Changes) > 0 && p.Scale != nil:
		found.Add("scale", "either the load changes the ring or a list of changes does: leave out one of scale and changes")
	case p.Scale != nil:
		if s := p.Scale.scale(); s.DrainBelow >= s.AddAbove {
			found.Add("scale.drain-below", "want less than add-above, as the same load would add and drain nodes")
		}
		found.If(p.Spare == 0 && p.Nodes == p.n(), "scale", "no node can be added or drained: want spare-nodes, or more nodes than replicas")
	}
	for i, c := range p.Changes {
		p.changeProblems(found, fmt.Sprintf("changes.%d", i), i)
		if i > 0 && c.At <= p.Changes[i-1].At {
			found.Add(fmt.Sprintf("changes.%d.at", i), "a change cannot start while another one runs: want later than %v, got %v",
				values.Length(p.Changes[i-1].At), values.Length(c.At))
		}
	}
	if len(*found) == 0 {
		p.memoryProblems(found)
	}
}

// changeProblems are errors in a change that cannot be made, whichever of those before it are
// made and which are refused.
func (p *Params) changeProblems(found *model.Errors, path string, i int) {
	c := &p.Changes[i]
	name, id, key := c.Join+c.Leave, p.changed(c), ".join"
	if c.Leave != "" {
		key = ".leave"
	}
	member, most := id <= sim.NodeID(p.Nodes), p.Nodes
	for _, before := range p.Changes[:i] {
		if c.Join != "" && before.Leave == name || c.Leave != "" && before.Join == name {
			member = c.Leave != ""
		}
		if before.Join != "" {
			most++
		}
	}
	switch {
	case (c.Join == "") == (c.Leave == ""):
		found.Add(path, "want a node that joins or one that leaves")
	case id == sim.None:
		found.Add(path+key, "no node %q: want node-1 to node-%d; spare-nodes are those that may join", text.Excerpt(name, maxWord), p.all())
	case c.Join != "" && member:
		found.Add(path+key, "%s is a member already", name)
	case c.Leave != "" && !member:
		found.Add(path+key, "%s is not a member", name)
	case c.Leave != "" && most <= p.n():
		found.Add(path+key, "%d replicas of a key need as many nodes: want at least %d members, as one leaves", p.n(), p.n()+1)
	}
}

// changed is the node that joins or leaves, None if there is no such node.
func (p *Params) changed(c *ChangeParams) sim.NodeID {
	if c.Join == "spare" && p.Spare > 0 {
		return sim.NodeID(p.Nodes + 1)
	}
	return p.node(c.Join + c.Leave)
}

// placeRings makes all rings that the run may need, and divides the keys of each.
func (p *Params) placeRings(l *Layout) {
	l.Rings = []*core.Ring{l.Ring}
	switch {
	case len(p.Changes) > 0:
		p.changedRings(l)
	case p.Scale != nil:
		p.scaledRings(l)
	}
	if p.AntiEntropy > 0 {
		for _, r := range l.Rings {
			if r != nil {
				r.Shares = core.NewShares(r, l.N, p.keyCount())
			}
		}
	}
}

// changedRings are those after each set of changes: number i has the changes whose bits are
// set in i.
func (p *Params) changedRings(l *Layout) {
	l.Rings = make([]*core.Ring, 1<<len(p.Changes))
	l.Rings[0] = l.Ring
	for number := 1; number < len(l.Rings); number++ {
		last := len(p.Changes) - 1
		for number>>last == 0 {
			last--
		}
		before := l.Rings[number&^(1<<last)]
		if before == nil {
			continue
		}
		c := &p.Changes[last]
		change := before.Tokens.Join
		if c.Leave != "" {
			change = before.Tokens.Leave
		}
		if tokens, err := change(ring.NodeIndex(p.changed(c) - 1)); err == nil {
			l.Rings[number] = core.NewRing(tokens, p.all(), number)
		}
	}
}

// scaledRings are those of N members and more: number i has N + i.
func (p *Params) scaledRings(l *Layout) {
	l.Rings = make([]*core.Ring, p.all()-l.N+1)
	first := p.Nodes - l.N
	l.Ring.Number = first
	l.Rings[first] = l.Ring
	tokens := l.Ring.Tokens
	for i := first + 1; i < len(l.Rings); i++ {
		tokens, _ = tokens.Join(ring.NodeIndex(l.N + i - 1)) // the parameters are checked
		l.Rings[i] = core.NewRing(tokens, p.all(), i)
	}
	tokens = l.Ring.Tokens
	for i := first - 1; i >= 0; i-- {
		tokens, _ = tokens.Leave(ring.NodeIndex(l.N + i))
		l.Rings[i] = core.NewRing(tokens, p.all(), i)
	}
}

// controller is the node that changes the ring, nil if the ring does not change.
func (p *Params) controller(l *Layout) *membership.Controller {
	if len(p.Changes) == 0 && p.Scale == nil {
		return nil
	}
	c := &membership.Controller{Settings: l.Settings}
	for i := range p.Changes {
		change := &p.Changes[i]
		c.Changes = append(c.Changes, membership.Change{At: change.At, Node: p.changed(change), Leave: change.Leave != ""})
	}
	if p.Scale != nil {
		c.Scale = p.Scale.scale()
	}
	for i := range l.Clients {
		c.Clients = append(c.Clients, sim.NodeID(l.Nodes+i+1))
	}
	return c
}
