package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim/internal/dist"
)

// Network is how messages travel. The zero Network delivers at once, in order.
type Network struct {
	Default Link
	Rules   []LinkRule // the last that matches decides
	Order   Order
}

// Order says whether a message may overtake another on the same link.
type Order uint8

// FIFO holds a message back until the one before it on its link has arrived; Free
// does not. The second copy of a message comes after the first, but keeps no order
// with others; nor does what a fault delays.
const (
	FIFO Order = iota
	Free
)

// Link is how messages travel from one node to another. What a node sends to
// itself travels over a link too.
type Link struct {
	Delay     Dist
	Loss      Chance // that a message is lost
	Duplicate Chance // that a second copy travels, with a delay of its own
}

// LinkRule gives the links from any of From to any of To; an empty set is every node.
type LinkRule struct {
	From, To []NodeID
	Link     Link
}

// networkState is a network during a run: what its links look like and where they stand.
// In a network that keeps order each link counts its own messages, since it must
// remember its last arrival anyway; otherwise the sender does, so that a million
// nodes that all talk to each other need no table of links.
type networkState struct {
	Network
	nodes int
	table []*Link          // by from*nodes+to, if there are rules and few nodes
	links []linkState      // in order: all links of few nodes, or those of many nodes that were used
	index map[uint64]int32 // in order, many nodes: from<<32|to to its place in links
}

type linkState struct {
	sent    uint64 // messages so far: the index of the link's next draw
	arrival Time   // of the last one
}

// fewNodes is the most nodes of which all links are kept in a table.
const fewNodes = 128

func newNetworkState(n Network, nodes int) networkState {
	f := networkState{Network: n, nodes: nodes}
	few := nodes <= fewNodes
	switch {
	case n.Order == Free: // the senders count, see [node]
	case few:
		f.links = make([]linkState, nodes*nodes)
	default:
		f.index = make(map[uint64]int32)
	}
	if few && len(n.Rules) > 0 {
		f.table = make([]*Link, nodes*nodes)
		for i := range f.table {
			f.table[i] = f.find(NodeID(i/nodes), NodeID(i%nodes))
		}
	}
	return f
}

func (f *networkState) reset() {
	if f.index != nil {
		clear(f.index)
		f.links = f.links[:0]
	}
	clear(f.links)
}

// plain is the delay of every message if that is all that can happen to it, else nil. Where
// it is the same for all messages, they keep their order by themselves.
func (f *networkState) plain(guarded bool) *Dist {
	d := &f.Default
	if guarded || f.Order == FIFO && dist.Draws(&d.Delay) || len(f.Rules) > 0 || d.Loss|d.Duplicate != 0 {
		return nil
	}
	return &d.Delay
}

// link is how messages travel from one node to another.
func (f *networkState) link(from, to NodeID) *Link {
	if len(f.Rules) == 0 {
		return &f.Default
	}
	return f.ruled(from, to)
}

func (f *networkState) ruled(from, to NodeID) *Link {
	if f.table != nil {
		return f.table[int(from)*f.nodes+int(to)]
	}
	return f.find(from, to)
}

func (f *networkState) find(from, to NodeID) *Link {
	for i := len(f.Rules) - 1; i >= 0; i-- {
		r := &f.Rules[i]
		if contains(r.From, from) && contains(r.To, to) {
			return &r.Link
		}
	}
	return &f.Default
}

func contains(set []NodeID, id NodeID) bool { return len(set) == 0 || slices.Contains(set, id) }

// keepOrder is when a message arrives that would arrive at the given instant: not
// before the last one on its link. A network that keeps no order has no state.
func (s *linkState) keepOrder(at Time) Time {
	if s == nil {
		return at
	}
	s.arrival = max(at, s.arrival)
	return s.arrival
}

// check refuses a network that names what there is not, or cannot be.
func (n *Network) check(nodes int) error {
	errs := []error{n.Default.check("network")}
	for i := range n.Rules {
		r := &n.Rules[i]
		name := fmt.Sprintf("network: rule %d", i+1)
		errs = append(errs, r.Link.check(name))
		for _, id := range slices.Concat(r.From, r.To) {
			if id <= None || int(id) >= nodes {
				errs = append(errs, fmt.Errorf("%s: there is no node %d, only 1 to %d", name, id, nodes-1))
			}
		}
	}
	return errors.Join(errs...)
}

func (l *Link) check(name string) error {
	var errs []error
	for _, c := range []struct {
		what string
		is   Chance
	}{{"loss", l.Loss}, {"duplicate", l.Duplicate}} {
		if c.is < 0 || c.is > Certain {
			errs = append(errs, fmt.Errorf("%s: %s: want 0 to %d parts per billion, got %d", name, c.what, Certain, c.is))
		}
	}
	return errors.Join(errs...)
}

// state is the state of a link in a network that keeps order.
func (f *networkState) state(from, to NodeID) *linkState {
	if f.index == nil {
		return &f.links[int(from)*f.nodes+int(to)]
	}
	k := uint64(from)<<32 | uint64(to)
	i, ok := f.index[k]
	if !ok {
		i = int32(len(f.links))
		f.index[k] = i
		f.links = append(f.links, linkState{})
	}
	return &f.links[i]
}

// intercept lets the faults on the network decide about a message, in their order,
// until one does not let it pass. It reports whether one did. What is buffered
// keeps the order of the link's state s, if it has one. Those that come after the
// one that decides count the message still, so that no fault moves what is the
// Nth of another.
func (w *World[M]) intercept(from, to NodeID, m M, delay time.Duration, s *linkState) bool {
	decided := false
	for i := range w.plans {
		p := &w.plans[i]
		if p.active == 0 || p.row.Subject == OneNode || !p.concerns(from, to, m.Label()) || decided {
			continue
		}
		decided = p.Do != Duplicate
		described := w.inject(p)
		w.watch.Journal.blame(i+1, to, m.Label())
		switch p.Do {
		case Cut, Lose:
			if described {
				w.sayMessage(p, from, to, m, w.now, (&Fault{Do: Lose}).Clause("", nil))
			}
		case Hold:
			if described {
				w.sayMessage(p, from, to, m, w.now, "is buffered"+till(p.ends))
			}
			if p.ends != Never {
				w.deliver(s.keepOrder(p.ends.Add(delay)), from, to, &m)
			}
		case Delay, Duplicate:
			late, how := p.draw(&w.src, &p.For), " %v"
			if p.Do == Duplicate {
				how = ", after %v"
			}
			if described {
				w.sayMessage(p, from, to, m, w.now.Add(late), p.Clause(fmt.Sprintf(how, late), nil))
			}
			w.deliver(w.now.Add(late), from, to, &m)
		}
	}
	w.watch.Journal.blame(0, None, 0)
	return decided
}

// concerns reports whether a fault decides about a message of a kind on a link.
func (p *plan) concerns(from, to NodeID, kind Kind) bool {
	if p.partitions() {
		return p.parts(from, to) && (!p.OneWay || p.side[from] == 1)
	}
	c := &p.Msg
	if c.Kind != kind || c.From != None && c.From != from || c.To != None && c.To != to {
		return false
	}
	p.seen++
	return c.Nth == 0 || p.seen == c.Nth
}

// partitions reports whether a fault divides nodes into sides.
func (f *Fault) partitions() bool { return f.Do.Of() == TwoSides }

// parts reports whether a partition has two nodes on different sides.
func (p *plan) parts(from, to NodeID) bool {
	a, b := p.side[from], p.side[to]
	return a != 0 && b != 0 && a != b
}

// LinkOf is how messages travel from one node to another.
func (n *Network) LinkOf(from, to NodeID) *Link {
	f := networkState{Network: *n}
	return f.link(from, to)
}
