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
		q.travels = l.From != l.To && l.Capacity > 0
		if l.From == l.To && l.Capacity > 0 {
			q.to.own = append(q.to.own, q)
		}
		if p.links = append(p.links, q); l.Capacity > 0 {
			p.buffered = append(p.buffered, q)
		}
		t.msgs, t.index = append(t.msgs, nil), append(t.index, map[M]uint32{})
	}
	for _, id := range s.crashing() {
		p.nodes[id-1].crashes = s.Faults.Crashes > 0
	}
	for _, n := range p.nodes {
		p.layout = append(p.layout, &n.state, &n.rest)
	}
	for i, most := range []int{crashes: s.Faults.Crashes, duplicates: s.Faults.Duplicates, losses: s.Faults.Losses} {
		b := &p.budget[i]
		b.most, b.part = uint32(most), partOf(len(p.nodes)+len(p.links)+i)
		b.used.need = uint8(bits.Len(uint(most)))
		p.layout, p.faults = append(p.layout, &b.used), p.faults || most > 0
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

// handle lets a node handle a message.
func (t *table[M]) handle(in sim.In[M], state uint32) (outcome, error) {
	r, err := t.homes[in.Self-1].step(t.trial, state, in)
	return t.outcome(in, r, err)
}

// restart implements locals.
func (t *table[M]) restart(n *node, state uint32) (outcome, error) {
	in := sim.In[M]{Self: n.id, From: n.id}
	r, err := t.homes[n.id-1].crash(t.trial, state, in)
	return t.outcome(in, r, err)
}

// outcome is a reaction in numbers.
func (t *table[M]) outcome(in sim.In[M], r reaction[M], err error) (outcome, error) {
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
	case Suspend:
		q := t.space.Pauses[m.at]
		return Move{What: Suspend, Node: q.Node, Text: fmt.Sprintf("%s is suspended for %d ticks", t.name(q.Node), q.Ticks)}
	case Tick:
		return Move{What: Tick, Text: "a tick passes"}
	case Crash:
		n := t.p.nodes[m.at]
		o := &t.p.outcomes[n.restarts[n.state.of(k)].v]
		return Move{What: Crash, Node: n.id, Text: t.name(n.id) + " crashes and starts again" + t.sends(&k, n, o)}
	}
	l := t.p.links[m.at]
	msg := l.contents[l.content.of(k)].takes[m.take].msg
	if m.what == Lose {
		text := fmt.Sprintf("%v from %s to %s is lost", t.msgs[m.at][msg], t.name(t.space.Links[m.at].From), t.name(l.to.id))
		return Move{What: Lose, Node: l.to.id, Text: text}
	}
	text := t.describe(&k, l, msg)
	if m.what == Duplicate {
		text += "; a copy is on its way"
	}
	return Move{What: m.what, Node: l.to.id, Text: text}
}

// describe says how a message is handled, and changes the states in the key accordingly.
func (t *table[M]) describe(k *key, l *link, msg uint32) string {
	from := "from " + t.name(t.space.Links[l.at].From)
	if t.space.Links[l.at].From == l.to.id {
		from = "of its own"
	}
	o := &t.p.outcomes[l.steps.at(l.to.state.of(*k), msg)-1]
	return fmt.Sprintf("%s handles %v %s", t.name(l.to.id), t.msgs[l.at][msg], from) + t.sends(k, l.to, o)
}

// sends tells what a node sends, and changes the states in the key accordingly.
func (t *table[M]) sends(k *key, n *node, o *outcome) string {
	if o.verdict != happens {
		return ""
	}
	var b strings.Builder
	*k, _ = n.state.put(*k, o.next)
	for _, s := range o.sends {
		if s.link.to == n && s.link.capacity > 0 {
			continue // what it does next is told when it does
		}
		fmt.Fprintf(&b, ", sends %v to %s", t.msgs[s.link.at][s.msg], t.name(s.link.to.id))
		if s.link.capacity == 0 {
			fmt.Fprintf(&b, " (%s)", t.describe(k, s.link, s.msg))
		}
	}
	return b.String()
}
