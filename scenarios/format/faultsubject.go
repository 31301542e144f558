package format

import (
	"fmt"
	"strings"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

func (e *entry) readNode(v *strict.Value) {
	if e.fault.Node, _ = e.node(v); e.fault.Node != sim.None {
		e.what = e.nameOf(e.fault.Node)
	}
}

func (t *faultWriter) oneNode() string { return t.node(t.fault.Node) }

// MaxSides is the most groups that a cut keeps apart.
const MaxSides = 200

// SidesFormat is who is cut off from whom.
type SidesFormat struct {
	Between []*strict.Value `yaml:"between" schema:"nodes"` // groups of nodes that are partitioned, 2 to 200; in place of from and to
	From    *strict.Value   `yaml:"from" schema:"nodes"`    // one side: everyone else
	To      *strict.Value   `yaml:"to" schema:"nodes"`      // the other side: everyone else
	OneWay  bool            `yaml:"one-way"`                // only messages from the first side to the others are concerned: false
}

// readSides reads who is cut off from whom.
func (e *entry) readSides(v *strict.Value) {
	var f SidesFormat
	if !v.Decode(&f) {
		return
	}
	e.fault.OneWay = f.OneWay
	between := v.Field("between")
	groups := f.Between
	switch {
	case between != nil && (f.From != nil || f.To != nil):
		between.Errorf("between stands alone: want it, or from and to")
		return
	case between != nil && (len(groups) < 2 || len(groups) > MaxSides):
		between.Errorf("%d groups: want 2 to %d", len(groups), MaxSides)
		return
	case between == nil && f.From == nil && f.To == nil:
		v.Errorf("%s needs the sides, as in {between: [[a], [b, c]]} or {from: a, to: [b, c]}", e.verb.Do)
		return
	case between == nil:
		groups = []*strict.Value{f.From, f.To}
	}
	e.group(v, groups)
	arrow := " | "
	if e.fault.OneWay {
		arrow = " -> "
	}
	var names []string
	for _, side := range e.fault.Sides {
		names = append(names, e.namesOf(side))
	}
	e.what = strings.Join(names, arrow)
}

// group reads the groups, of which nil is everyone else.
func (e *entry) group(v *strict.Value, groups []*strict.Value) {
	sides := make([][]sim.NodeID, len(groups))
	in := map[sim.NodeID]bool{}
	for i, g := range groups {
		if g == nil {
			continue
		}
		sides[i] = e.nodes(g)
		if len(sides[i]) == 0 {
			return // it is reported, or the model is not known
		}
		for _, id := range sides[i] {
			if in[id] {
				g.Errorf("%s is on two sides", e.nameOf(id))
				return
			}
			in[id] = true
		}
	}
	for i, g := range groups {
		for j := 0; g == nil && j < len(e.words.program.Nodes); j++ {
			if id := sim.NodeID(j + 1); !in[id] {
				sides[i] = append(sides[i], id)
			}
		}
		if len(sides[i]) == 0 {
			v.Errorf("no node is left for the other side")
			return
		}
	}
	e.fault.Sides = sides
}

func (t *faultWriter) sides() string {
	var sides []string
	for _, side := range t.fault.Sides {
		var names []string
		for _, id := range side {
			names = append(names, t.node(id))
		}
		sides = append(sides, "["+strings.Join(names, ", ")+"]")
	}
	text := "{between: [" + strings.Join(sides, ", ") + "]"
	if t.fault.OneWay {
		text += ", one-way: true"
	}
	return text + "}"
}

// MessageFormat is which messages are chosen.
type MessageFormat struct {
	Kind *strict.Value `yaml:"kind,required" schema:"kind"` // what message it is
	From *strict.Value `yaml:"from" schema:"node"`          // any node
	To   *strict.Value `yaml:"to" schema:"node"`            // any node
	Nth  *strict.Value `yaml:"nth" schema:"count"`          // which such message since the fault began: each
}

// readMessage reads which messages are chosen.
func (e *entry) readMessage(v *strict.Value) {
	var f MessageFormat
	if !v.Decode(&f) {
		return
	}
	m := &e.fault.Msg
	m.Kind, _ = e.sent(f.Kind)
	e.what = f.Kind.Scalar()
	if n, ok := e.count(f.Nth, "nth", MaxRuns); ok {
		m.Nth = n
		e.what += fmt.Sprintf(" nth %d", n)
	}
	if f.From != nil {
		m.From, _ = e.node(f.From)
		e.what += " from " + f.From.Scalar()
	}
	if f.To != nil {
		m.To, _ = e.node(f.To)
		e.what += " to " + f.To.Scalar()
	}
}

func (t *faultWriter) message() string {
	in, m := faultWriter{program: t.program}, &t.fault.Msg
	in.add("kind", in.kind(m.Kind))
	if m.From != sim.None {
		in.add("from", in.node(m.From))
	}
	if m.To != sim.None {
		in.add("to", in.node(m.To))
	}
	in.count(m.Nth)
	return in.mapping(t)
}
