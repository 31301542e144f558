package simtest_test

import (
	"maps"
	"time"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// Nodes with one bug each.

// round is a system of a node that sends itself something each second, and of a
// property that is content.
func round(nodes ...sim.Spec[Msg]) simtest.Case[Msg] {
	return simtest.Case[Msg]{
		System: func() sim.System[Msg] {
			return sim.System[Msg]{Nodes: nodes, Kinds: kinds.Names(), Notes: []sim.Kind{InCharge, Relieved}, Properties: []sim.Property[Msg]{&content{}}}
		},
		Config: sim.Config{Until: sim.Time(10 * time.Second)},
	}
}

// content is a property that holds, and is violated by nothing.
type content struct{ sim.Check }

func (p *content) Name() string              { return "content" }
func (p *content) Reset(*sim.View[Msg])      { p.Clear() }
func (p *content) End(*sim.View[Msg])        {}
func (p *content) Why(*sim.View[Msg]) string { return "" }
func (p *content) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted {
		p.Saw()
	}
}

// blind is a property that never sees anything.
type blind struct{ content }

func (p *blind) Name() string                                  { return "blind" }
func (p *blind) Observe(*sim.View[Msg], *sim.Observation[Msg]) {}

// grudging is a property that is violated by a node that noted something in the run before.
type grudging struct {
	content
	seen bool
}

func (p *grudging) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.content.Observe(v, o)
	if p.seen && v.Now() > sim.Time(5*time.Second) {
		p.Violate(v.Now(), o.Node)
	}
}

func (p *grudging) End(*sim.View[Msg]) { p.seen = true }

// ticker notes something each second.
type ticker struct{}

func (*ticker) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	out.Note(Say(InCharge))
	out.After(time.Second, Say(retire))
}

// clumsy falls over when its draws are long.
type clumsy struct{}

func (c *clumsy) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	out.Note(Say(InCharge))
	out.AfterDraw(sim.Uniform(time.Millisecond, time.Second), Say(retire))
	if in.Mono > sim.Mono(300*time.Millisecond) && in.Msg.Kind == retire {
		panic("fell over")
	}
}

// unordered goes through a map.
type unordered struct{ sent map[sim.Kind]bool }

func (u *unordered) Reset(initial *unordered) { u.sent = maps.Clone(initial.sent) }
func (u *unordered) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	for k := range u.sent { //fencepost:allow the impurity is planted
		out.After(time.Second, Say(k))
		break
	}
}

// counted counts its steps in a variable of the package.
type counted struct{}

var steps int

func (*counted) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	steps++ //fencepost:allow the impurity is planted
	out.Note(Say(InCharge))
	out.After(time.Duration(steps)*time.Millisecond, Say(retire))
}

// sharing has a slice, and nothing to copy it with.
type sharing struct{ count []int }

func (s *sharing) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	s.count[0]++
	out.After(time.Duration(s.count[0])*time.Second, Say(retire))
}
