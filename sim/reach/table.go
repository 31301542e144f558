package reach

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"fencepost/sim"
)

// table knows what the numbers of a product stand for.
type table[M Message] struct {
	space *Space[M]
	p     *product
	trial *sim.Trial[M]
	homes []home[M] // of the nodes
	msgs  [][]M     // by number, of each link
	index []map[M]uint32
}

// newTable makes the tables of a space and its product, with nothing in them yet.
func newTable[M Message](s *Space[M]) *table[M] {
	t := &table[M]{space: s, p: &product{}, trial: sim.NewTrial[M](len(s.Nodes))}
	p := t.p
	p.local = t
	for i, n := range s.Nodes {
		t.homes = append(t.homes, n.home())
		p.nodes = append(p.nodes, &node{id: sim.NodeID(i + 1), part: partOf(i)})
		if t.homes[i].ages() {
			p.aging |= partOf(i)
		}
	}
	for _, q := range s.Pauses {
		n := p.nodes[q.Node-1]
		n.rest.need = max(n.rest.need, uint8(bits.Len(uint(q.Ticks))))
		p.aging |= n.part
		p.pauses = append(p.pauses, pause{node: n, ticks: uint32(q.Ticks)})
	}
	for i, l := range s.Links {
		q := &link{at: i, to: p.nodes[l.To-1], part: partOf(len(s.Nodes) + i), capacity: l.Capacity, order: l.Order, index: map[string]uint32{}}
		q.number(nil) // the empty content
		p.links = append(p.links, q)
		t.msgs, t.index = append(t.msgs, nil), append(t.index, map[M]uint32{})
	}
	for _, n := range p.nodes {
		p.layout = append(p.layout, &n.state, &n.rest)
	}
	for _, l := range p.links {
		p.layout = append(p.layout, &l.content)
	}
	return t
}

var errCircle = errors.New("links of capacity 0 run in a circle")

// step implements locals.
func (t *table[M]) step(l *link, state, msg uint32) (outcome, error) {
	in := sim.In[M]{Self: l.to.id, From: t.space.Links[l.at].From, Msg: t.msgs[l.at][msg]}
	return t.handle(in, state)
}

// start implements locals.
func (t *table[M]) start(n *node) (outcome, error) {
	return t.handle(sim.In[M]{Self: n.id, From: n.id}, 0)
}

// handle puts the reaction of a node into numbers.
func (t *table[M]) handle(in sim.In[M], state uint32) (outcome, error) {
	r, err := t.homes[in.Self-1].step(t.trial, state, in)
	o := outcome{next: r.next}
	switch {
	case err != nil:
		return o, fmt.Errorf("%s handles %v: %w", t.name(in.Self), in.Msg, err)
	case r.waits:
		o.verdict = waits
	case r.panicked != "":
		o.verdict, o.text = panics, t.name(in.Self)+": "+r.panicked
	}
	for _, e := range r.effects {
		to := in.Self
		switch e.Kind {
		case sim.Notes:
			continue
		case sim.Sends:
			to = e.To
		}
		l := t.route(in.Self, to, e.Msg.Label())
		if l == nil {
			return o, fmt.Errorf("%s handles %v: no link carries %v to %s", t.name(in.Self), in.Msg, e.Msg, t.name(to))
		}
		o.sends = append(o.sends, send{link: l, msg: t.number(l, e.Msg)})
	}
	return o, nil
}

// route is the link that a message takes.
func (t *table[M]) route(from, to sim.NodeID, kind sim.Kind) *link {
	for i, l := range t.space.Links {
		if l.From == from && l.To == to && (len(l.Kinds) == 0 || slices.Contains(l.Kinds, kind)) {
			return t.p.links[i]
		}
	}
	return nil
}

// number is the number of a message on a link, a new one if it was not seen before.
func (t *table[M]) number(l *link, m M) uint32 {
	i, known := t.index[l.at][m]
	if !known {
		i = uint32(len(t.msgs[l.at]))
		t.msgs[l.at] = append(t.msgs[l.at], m)
		t.index[l.at][m] = i
	}
	return i
}

// states implements locals.
func (t *table[M]) states(n *node) int { return t.homes[n.id-1].count() }

// age implements locals.
func (t *table[M]) age(n *node, state uint32) outcome {
	next, panicked := t.homes[n.id-1].age(state, t.space.Tick)
	if panicked != "" {
		return outcome{verdict: panics, text: t.name(n.id) + ": " + panicked}
	}
	return outcome{next: next}
}

// may implements locals.
func (t *table[M]) may(pause int, state uint32) bool {
	q := t.space.Pauses[pause]
	return q.When == nil || q.When(t.homes[q.Node-1].node(state))
}

// bytes is what the tables take, an estimate.
func (t *table[M]) bytes() int64 {
	n := t.p.bytes()
	for _, h := range t.homes {
		n += h.bytes()
	}
	for _, m := range t.msgs {
		n += 128 * int64(len(m))
	}
	return n
}

func (t *table[M]) name(id sim.NodeID) string { return t.space.Nodes[id-1].name }

// words describes a move out of a state.
func (t *table[M]) words(k key, m how) Move {
	switch m.what {
	case Handle:
		l := t.p.links[m.at]
		msg := l.contents[l.content.of(k)].takes[m.take].msg
		return Move{What: Handle, Node: l.to.id, Text: t.story(&k, l, msg)}
	case Suspend:
		q := t.space.Pauses[m.at]
		return Move{What: Suspend, Node: q.Node, Text: fmt.Sprintf("%s is suspended for %d ticks", t.name(q.Node), q.Ticks)}
	}
	return Move{What: Tick, Text: "a tick passes"}
}

// story tells how a message is handled, and changes the states in the key accordingly.
func (t *table[M]) story(k *key, l *link, msg uint32) string {
	var b strings.Builder
	from := "from " + t.name(t.space.Links[l.at].From)
	if t.space.Links[l.at].From == l.to.id {
		from = "of its own"
	}
	fmt.Fprintf(&b, "%s handles %v %s", t.name(l.to.id), t.msgs[l.at][msg], from)
	o := &t.p.outcomes[l.steps.at(l.to.state.of(*k), msg)-1]
	if o.verdict != happens {
		return b.String()
	}
	*k, _ = l.to.state.put(*k, o.next)
	for _, s := range o.sends {
		m := t.msgs[s.link.at][s.msg]
		if s.link.to == l.to && s.link.capacity > 0 {
			continue // what it does next is told when it does
		}
		fmt.Fprintf(&b, ", sends %v to %s", m, t.name(s.link.to.id))
		if s.link.capacity == 0 {
			fmt.Fprintf(&b, " (%s)", t.story(k, s.link, s.msg))
		}
	}
	return b.String()
}
