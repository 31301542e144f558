package sim

import (
	"math"
	"reflect"

	"fencepost/sim/internal/fingerprint"
)

// Print is a fingerprint of a world in the middle of a run: two worlds with the same
// print continue alike, whatever becomes of them. Of a million states two differ and have
// the same print with a probability below 2^-88. Its Fold takes in words, its Value a value and
// all that it refers to, which is slower by far.
type Print = fingerprint.Print

// A Printer is a node, a property, or what one of these has a pointer to, that takes its state
// into a fingerprint itself, by a method Print(p *Print): all that what it does from now on depends on.
// Without it the fields are gone through one by one, which is most of the time of a search.
type Printer = fingerprint.Printer

// Immutable is implemented by a type to which states hold pointers and which never changes
// during a search, such as a compiled program: it says so by having a method Immutable(). A fingerprint
// does not look behind such a pointer: that would take time at every state, and tell no two apart.
type Immutable = fingerprint.Immutable

// Fingerprint is the print of the world at a [Choice] at Stepping: true time, the
// states and clocks of the nodes, what is pending, and what the properties remember.
// It panics if a node or a property holds a channel or an unsafe pointer; what it
// calls through a func is not part of it.
func (w *World[M]) Fingerprint() Print {
	k := &w.kept
	if k.nodes == nil {
		k.nodes = make([]keptPrint, len(w.names))
	}
	p := Print{uint64(w.now), 1}
	for i := 1; i < len(w.slots); i++ {
		n := &k.nodes[i]
		if !n.fresh {
			*n = keptPrint{fresh: true}
			if x, ok := w.slots[i].node().(Printer); ok {
				x.Print(&n.print)
			} else {
				fingerprint.Value(&n.print, w.slots[i].value())
			}
		}
		fingerprint.Take(&p, n.print)
		w.foldAside(&p, NodeID(i))
	}
	w.foldPending(&p)
	w.foldLinks(&p)
	w.foldEvent(&p, w.q.PoppedSlot()) // what is at hand: no longer pending, and not yet done
	for i := range w.plans {
		q := &w.plans[i]
		p.Fold(uint64(q.noted), uint64(q.seen), uint64(q.next), uint64(q.active), uint64(q.drawn), uint64(q.latest), uint64(q.base), uint64(q.ends))
	}
	w.foldProperties(&p)
	if g := w.goal; g != nil {
		p.Fold(uint64(g.found.Verdict), uint64(g.total))
	}
	return p
}

// foldProperties takes in what the ledgers and the properties remember. One that was
// notified of nothing has not changed, and what it shares with another, that one takes in.
func (w *World[M]) foldProperties(p *Print) {
	k, all := &w.kept, w.remembering()
	if k.properties == nil {
		k.properties = make([]Print, len(all))
	}
	for i, o := range all {
		if k.heard>>(i&63)&1 != 0 {
			k.properties[i] = Print{}
			if x, ok := o.(Printer); ok {
				x.Print(&k.properties[i])
			} else {
				fingerprint.Value(&k.properties[i], reflect.ValueOf(o))
			}
		}
		fingerprint.Take(p, k.properties[i])
	}
	k.heard = 0
}

// keptPrints are prints of what has not changed since the last fingerprint.
type keptPrints struct {
	nodes      []keptPrint
	properties []Print
	heard      uint64       // the ledgers and properties that were notified of something, see printBit
	events     []eventPrint // by slot
	pending    pendingPrints
}

type keptPrint struct {
	fresh   bool
	print   Print
	inbox   Print // of those that had arrived: until the node changes more are only added
	arrived int
}

// eventPrint is the print of the event of a sequence, of which there is never another in its slot.
type eventPrint struct {
	seq   uint64
	print Print
}

// reset forgets the run before; the nodes are marked when they begin.
func (k *keptPrints) reset() {
	k.heard = math.MaxUint64
	k.forgetEvents()
}

func (k *keptPrints) forgetEvents() {
	clear(k.events)
	k.pending.forget()
}

// changed marks the prints of a node and its inbox as out of date.
func (w *World[M]) changed(id NodeID) {
	if w.kept.nodes != nil {
		w.kept.nodes[id].fresh = false
	}
}

// foldAside takes in what the engine keeps of a node.
func (w *World[M]) foldAside(p *Print, id NodeID) {
	n, a, c := w.nodes[id], &w.saved[id], &w.clocks[id]
	raw, frac := c.rawAt(w.now)
	p.Fold(uint64(n.state), uint64(raw), uint64(frac), uint64(c.rate), uint64(c.bootRaw), uint64(c.boot(w.now)), uint64(c.ahead),
		fingerprint.OneIf(c.suspended))
	if n.state&(paused|busy|down) != 0 {
		p.Fold(uint64(a.until), uint64(a.occupied), uint64(a.frozen))
	}
	if n.state&paused != 0 { // properties may ask
		p.Fold(uint64(a.since))
	}
	if w.adversary != nil { // at an instant a node is asked for once
		p.Fold(fingerprint.OneIf(w.adversary.stepped[id] == w.now))
	}
	if w.drawsMatter() {
		p.Fold(n.sent, a.drawn, a.costs)
	}
	inbox := a.inbox[min(a.handled, len(a.inbox)):]
	p.Fold(uint64(len(a.effects))<<32 | uint64(len(inbox)))
	for _, e := range a.effects {
		p.Fold(uint64(e.kind)<<32|uint64(e.to), uint64(e.length), fingerprint.OneIf(e.met))
		foldMessage(p, e.msg)
	}
	k := &w.kept.nodes[id]
	for ; k.arrived < len(inbox); k.arrived++ {
		foldEvent(&k.inbox, &inbox[k.arrived].Body)
	}
	fingerprint.Take(p, k.inbox)
}

// drawsMatter reports whether it matters which draw comes next: not if all are 0.
func (w *World[M]) drawsMatter() bool {
	return !w.config.Minimal || len(w.config.Overrides) > 0 || w.src.choose != nil || w.fork != 0
}

// foldLinks takes in what the future of the links depends on.
func (w *World[M]) foldLinks(p *Print) {
	if w.net.index == nil {
		for i := range w.net.links {
			w.foldLink(p, uint64(i), &w.net.links[i])
		}
		return
	}
	var sum Print // whatever the order in which they were first used
	for i := reflect.ValueOf(w.net.index).MapRange(); i.Next(); {
		var e Print
		w.foldLink(&e, i.Key().Uint(), &w.net.links[i.Value().Int()])
		sum[0] += e[0]
		sum[1] += e[1]
	}
	p.Fold(sum[0], sum[1])
}

// foldLink takes in what the future of a link depends on; one that has none leaves a
// print as it is.
func (w *World[M]) foldLink(p *Print, name uint64, s *linkState) {
	if s.arrival >= w.now || w.drawsMatter() && s.sent > 0 {
		p.Fold(name, uint64(max(s.arrival, w.now-1)))
	}
	if w.drawsMatter() && s.sent > 0 {
		p.Fold(s.sent)
	}
}

// foldEvent takes in the event in a slot. What it is does not change from when it is pushed.
func (w *World[M]) foldEvent(p *Print, slot uint32) {
	due := w.q.Entry(slot)
	e := &due.Body
	if e.stale(w.nodes[e.to].incarnation) {
		p.Fold(1)
		return
	}
	for len(w.kept.events) <= int(slot) {
		w.kept.events = append(w.kept.events, eventPrint{})
	}
	k := &w.kept.events[slot]
	if k.seq != due.Seq {
		*k = eventPrint{seq: due.Seq}
		foldEvent(&k.print, e)
	}
	fingerprint.Take(p, k.print)
}

func foldEvent[M Message](p *Print, e *body[M]) {
	p.Fold(uint64(e.class)<<32|uint64(e.to), uint64(e.from))
	if e.class != message {
		p.Fold(uint64(e.due))
	}
	foldMessage(p, e.msg)
}

func foldMessage[M Message](p *Print, m M) {
	a, b := m.Fold(Digest(p[0])), m.Fold(Digest(p[1]))
	p.Fold(uint64(a), uint64(b))
}
