package explore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fencepost/sim"
)

// naming translates between numbers and names; it keeps the first mistake.
type naming struct {
	program *sim.Program
	where   string // what is being translated, for an error
	err     error
}

func (n *naming) fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf("%s: %w", n.where, fmt.Errorf(format, args...))
	}
}

// name is the name of the i-th of a list, from 1; "" is none. Nothing else may have it.
func (n *naming) name(what string, list []string, i int) string {
	switch {
	case i == 0:
		return ""
	case i < 0 || i > len(list):
		n.fail("there is no %s %d", what, i)
		return ""
	case list[i-1] == "" || slices.Index(list, list[i-1]) != i-1:
		n.fail("%s %d has the name %q, which is empty or that of another", what, i, list[i-1])
	}
	return list[i-1]
}

// number is the place of a name in a list, from 1; 0 is "".
func (n *naming) number(what string, list []string, name string) int {
	i := slices.Index(list, name) + 1
	if i == 0 && name != "" {
		n.fail("there is no %s %q", what, name)
	}
	return i
}

// others are the kinds but for the first, the zero message.
func (n *naming) others() []string { return n.program.Kinds[min(1, len(n.program.Kinds)):] }

func (n *naming) node(id sim.NodeID) string { return n.name("node", n.program.Nodes, int(id)) }
func (n *naming) kind(k sim.Kind) string    { return n.name("kind of message", n.others(), int(k)) }
func (n *naming) nodeOf(name string) sim.NodeID {
	return sim.NodeID(n.number("node", n.program.Nodes, name))
}
func (n *naming) kindOf(name string) sim.Kind {
	return sim.Kind(n.number("kind of message", n.others(), name))
}

func (n *naming) nodes(ids []sim.NodeID) []string {
	var names []string
	for _, id := range ids {
		names = append(names, n.node(id))
	}
	return names
}

func (n *naming) nodesOf(names []string) []sim.NodeID {
	var ids []sim.NodeID
	for _, name := range names {
		ids = append(ids, n.nodeOf(name))
	}
	return ids
}

func (n *naming) fault(f *sim.Fault) faultRecord {
	w := &f.When
	r := faultRecord{Do: f.Do.String(), Name: f.Name, Node: n.node(f.Node),
		Note: n.kind(w.Note), Before: n.kind(w.Before), By: n.node(w.By), Nth: w.Nth, Every: w.Every, Span: w.Span, After: w.After, Ends: w.Ends, At: w.At,
		For: f.For, Forever: f.Forever, Step: f.By, Rate: f.Rate, OneWay: f.OneWay}
	for _, s := range w.Replay {
		r.Replay = append(r.Replay, stopRecord(s))
	}
	for _, c := range f.Changes {
		r.Changes = append(r.Changes, changeRecord(c))
	}
	for _, side := range f.Sides {
		r.Sides = append(r.Sides, n.nodes(side))
	}
	if m := f.Msg; m != (sim.MsgChoice{}) {
		r.Message = &messageRecord{n.kind(m.Kind), n.node(m.From), n.node(m.To), m.Nth}
	}
	return r
}

// actions are the words for what a fault does.
func actions() (words []string) {
	for _, a := range sim.Actions() {
		words = append(words, a.String())
	}
	return
}

// action is what a fault of this word does, the first action if there is no such word.
func (n *naming) action(word string) sim.Action {
	return sim.Actions()[max(n.number("action", actions(), word)-1, 0)]
}

func (n *naming) faultOf(r *faultRecord) sim.Fault {
	f := sim.Fault{Do: n.action(r.Do), Name: r.Name, Node: n.nodeOf(r.Node),
		When: sim.When{Note: n.kindOf(r.Note), Before: n.kindOf(r.Before), By: n.nodeOf(r.By), Nth: r.Nth, Every: r.Every,
			Span: r.Span, After: r.After, Ends: r.Ends, At: r.At},
		For: r.For, Forever: r.Forever, By: r.Step, Rate: r.Rate, OneWay: r.OneWay}
	if r.Do == "" {
		n.fail("it does not say what it does")
	}
	for _, s := range r.Replay {
		f.When.Replay = append(f.When.Replay, sim.Stop(s))
	}
	for _, c := range r.Changes {
		f.Changes = append(f.Changes, sim.ClockChange(c))
	}
	for _, side := range r.Sides {
		f.Sides = append(f.Sides, n.nodesOf(side))
	}
	if m := r.Message; m != nil {
		f.Msg = sim.MsgChoice{Kind: n.kindOf(m.Kind), From: n.nodeOf(m.From), To: n.nodeOf(m.To), Nth: m.Nth}
	}
	return f
}

// purposes are the words for [sim.Purpose].
var purposes = []string{"delay", "loss", "duplicate", "timer", "cost", "fault"}

func (n *naming) override(s *Schedule, o *sim.Override) overrideEntry {
	d := &o.Draw
	e := overrideEntry{Purpose: n.name("purpose", purposes, int(d.Purpose)), From: n.node(d.From), To: n.node(d.To),
		Index: d.Index, Value: hex(o.Value)}
	if e.Purpose == "" {
		n.fail("it has no purpose")
	}
	if d.Purpose != sim.Faults && d.Name == 0 {
		return e
	}
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Name != "" && f.Stream() == d.Name {
			e.Fault = f.Name
			return e
		}
	}
	e.Stream = hex(d.Name)
	return e
}

func (n *naming) overrideOf(e *overrideEntry) sim.Override {
	o := sim.Override{Value: n.unhex("value", e.Value), Draw: sim.Draw{From: n.nodeOf(e.From), To: n.nodeOf(e.To), Index: e.Index,
		Purpose: sim.Purpose(n.number("purpose", purposes, e.Purpose))}}
	switch {
	case e.Purpose == "":
		n.fail("it has no purpose")
	case e.Fault != "" && e.Stream != "":
		n.fail("it has both a fault and a stream")
	case e.Fault != "":
		o.Draw.Name = sim.Hash(e.Fault)
	case e.Stream != "":
		o.Draw.Name = n.unhex("stream", e.Stream)
	}
	return o
}

func (n *naming) outcome(f *Failure) *outcomeRecord {
	r := &outcomeRecord{Run: f.Run, Steps: f.Steps, Digest: hex(f.Digest)}
	if f.Property != NoProperty {
		r.Property = n.name("property", n.program.Properties, f.Property+1)
		r.Violations, r.First = f.Finding.Violations, f.Finding.First
		nodes := f.Finding.Nodes[:]
		for len(nodes) > 0 && nodes[len(nodes)-1] == sim.None {
			nodes = nodes[:len(nodes)-1]
		}
		r.Nodes = n.nodes(nodes)
	}
	if p := f.Panic; p != nil {
		r.Panic = &panicRecord{At: p.At, Node: n.node(p.Node), Message: p.Message, Value: p.Value}
	}
	if r.Property == "" && r.Panic == nil {
		n.fail("it has neither a property nor a panic")
	}
	return r
}

func (n *naming) failure(r *outcomeRecord) *Failure {
	f := &Failure{Run: r.Run, Steps: r.Steps, Digest: n.unhex("digest", r.Digest), Property: NoProperty}
	if r.Property != "" {
		f.Property = n.number("property", n.program.Properties, r.Property) - 1
		f.Finding = sim.Finding{Verdict: sim.Violated, Violations: r.Violations, First: r.First}
		if len(r.Nodes) > len(f.Finding.Nodes) {
			n.fail("it concerns more than %d nodes", len(f.Finding.Nodes))
		}
		copy(f.Finding.Nodes[:], n.nodesOf(r.Nodes))
	}
	if p := r.Panic; p != nil {
		f.Panic = &sim.Panic{At: p.At, Node: n.nodeOf(p.Node), Name: p.Node, Message: p.Message, Value: p.Value}
	}
	if r.Property == "" && r.Panic == nil {
		n.fail("it has neither a property nor a panic")
	}
	return f
}

// schedule translates the schedule. Whether a fault can be is for the world to say.
func (r *record) schedule(p *sim.Program) (*Schedule, error) {
	n := naming{program: p}
	s := &Schedule{Seed: r.Seed, Minimal: r.Minimal}
	for i := range r.Faults {
		n.where = fmt.Sprintf("fault %d", i+1)
		s.Faults = append(s.Faults, n.faultOf(&r.Faults[i]))
	}
	for i := range r.Overrides {
		n.where = fmt.Sprintf("override %d", i+1)
		s.Overrides = append(s.Overrides, n.overrideOf(&r.Overrides[i]))
	}
	if n.err != nil {
		return nil, n.err
	}
	return s, nil
}

// hex is a word as text that no reader of JSON rounds.
func hex(x uint64) string { return fmt.Sprintf("0x%016x", x) }

func (n *naming) unhex(what, text string) uint64 {
	x, err := strconv.ParseUint(text, 0, 64)
	if err != nil || hex(x) != text {
		if errors.Is(err, strconv.ErrRange) {
			n.fail("%s: %s is more than 64 bits", what, text)
		}
		n.fail("%s: want 0x and 16 hexadecimal digits, got %q", what, text)
	}
	return x
}
