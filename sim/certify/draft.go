package certify

import (
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// draft is a state in the making: an event that fires, and what becomes of it. Its variables are
// those of the state before, and after these the ones that are new.
type draft struct {
	state
	*memory
	now     int // the variable of the event that fires
	at      sim.NodeID
	starts  bool      // it is the start of the node, at which every monotonic clock reads 0
	chosen  []byte    // the choices so far, of which there is one for each branch
	follows *[]byte   // on a path: the choices to come
	record  *recorder // on a path: takes down what a search puts into the zone
}

// The choices of a branch.
const (
	yes     = 'y' // of a comparison
	no      = 'n'
	happens = '.' // what is due happens
	pauses  = 'p' // the node is paused before that, by the fault whose number follows
	crashes = 'c' // or crashes
	some    = 's' // of the effects that are sent to alike nodes leave before that, a bit each
	lost    = 'l' // a message is
	twice   = '2' // a message comes twice
	ahead   = 'f' // the reading of an alarm is to come
	already = 'd' // it has been
)

// copied is a draft that shares nothing with d that either changes.
func (d *draft) copied() *draft {
	m := d.memory
	c := &m.drafts.Take(1, 0)[0]
	*c = *d
	c.nodes, c.left = m.parts.Clone(d.nodes, 0), m.bytes.Clone(d.left, 0)
	c.pending, c.stops, c.last = m.events.Clone(d.pending, 4), m.stopped.Clone(d.stops, 0), m.ints.Clone(d.last, 0)
	c.chosen = m.bytes.Clone(d.chosen, 8)
	if d.record == nil {
		c.zone = d.zone.Copy(&m.bounds)
	}
	return c
}

// copiedUnless is d itself if this is the last way of a branch, and else a copy.
func (d *draft) copiedUnless(last bool) *draft {
	if last {
		return d
	}
	return d.copied()
}

// goes takes one way of a branch, and reports whether a path takes it too: there is one way only.
// Before each way but the last a draft is copied.
func (d *draft) goes(way ...byte) bool {
	if d.follows != nil {
		f := *d.follows
		if len(f) < len(way) || !slices.Equal(f[:len(way)], way) {
			return false
		}
		*d.follows = f[len(way):]
	}
	d.chosen = append(d.chosen, way...)
	return true
}

// constrain adds a bound on the difference of two variables, and reports whether anything is left.
func (d *draft) constrain(x, y int, b dbm.Bound, why label) bool {
	if d.record != nil {
		d.record.add(x, y, b, why)
		return true
	}
	return d.zone.Constrain(x, y, b)
}

// allows reports whether a bound leaves anything; on a path that is asked of all at once.
func (d *draft) allows(x, y int, b dbm.Bound) bool {
	return d.record != nil || d.zone.Allows(x, y, b)
}

// variable makes one that lies between two bounds from another.
func (d *draft) variable(from int, least, most dbm.Bound, low, high label) int {
	if d.record != nil {
		v := d.record.variable()
		d.record.add(v, from, most, high)
		d.record.add(from, v, least, low)
		return v
	}
	v := d.zone.Grow(&d.bounds)
	d.zone.Bind(v, from, least, most)
	return v
}

// push adds a pending event.
func (d *draft) push(e event) {
	d.pending = append(d.pending, e)
}

// fires makes the i-th pending event happen: it is not later than any other of its node, or of all.
func (d *draft) fires(i int, ofAll bool) bool {
	e := d.pending[i]
	d.now, d.at, d.starts = e.at, e.to, e.class == begin
	d.pending = slices.Delete(d.pending, i, i+1)
	if d.record != nil {
		for _, x := range d.after(false) {
			d.record.before[x] = e.at
		}
		d.record.happens(e.to, e.at)
		return true
	}
	return d.zone.First(&d.bounds, e.at, d.after(ofAll)) && d.happens(e.to)
}

// strikes makes a fault begin at a node, which nothing but that bounds: like an event that fires.
func (d *draft) strikes(node sim.NodeID, ofAll bool) bool {
	d.at = node
	if d.record != nil {
		d.now = d.record.variable()
		d.record.add(0, d.now, dbm.Zero, label{}) // not before the start
		for _, x := range d.after(ofAll) {
			d.record.add(d.now, x, dbm.Zero, label{}) // what a crash drops has not happened
		}
		d.record.happens(node, d.now)
		return true
	}
	d.now = d.zone.Grow(&d.bounds)
	if !d.zone.First(&d.bounds, d.now, d.after(ofAll)) || !d.happens(node) || !d.mayBeNext(d.now) {
		return false
	}
	for _, v := range d.last {
		if ofAll && !d.zone.Constrain(v, d.now, dbm.Zero) {
			return false
		}
	}
	return true
}

// after is the variables of what is pending at the node where something happens now, or of all, and of copies of messages.
func (d *draft) after(ofAll bool) []int {
	list := d.ints.Take(0, len(d.pending))
	for i := range d.pending {
		if e := &d.pending[i]; ofAll || e.to == d.at || e.class == second {
			list = append(list, e.at)
		}
	}
	return list
}

// happens puts what happens now to a node, or to the property, after what happened to it last.
func (d *draft) happens(node sim.NodeID) bool {
	last := d.last[node]
	d.last[node] = d.now
	return last == d.now || d.zone.Constrain(last, d.now, dbm.Zero)
}

// variables are the variables of symbols of a tree.
func (d *draft) variables(symbols []int, of []variable) []variable {
	list := d.vars.Take(len(symbols), 0)
	for i, s := range symbols {
		list[i] = of[s]
	}
	return list
}

// lesson is what has to be learned of the model before an event can fire. Steps are tried, and what they
// lead to is numbered, between expansions only, in an order that depends on nothing else.
type lesson func() error

func (lesson) Error() string { return "certify: there is something to learn first" }

// learns does so on a path, where nothing else happens at the same time; or else has it done.
func (d *draft) learns(what lesson) error {
	if d.record != nil {
		return what()
	}
	return what
}
