package model

import (
	"slices"
	"time"

	"fencepost/sim"
)

// Of makes the beginning of a system: its kinds and its properties.
func Of[M sim.Message](kinds Kinds, properties ...sim.Property[M]) sim.System[M] {
	return sim.System[M]{Kinds: kinds.Names(), Notes: kinds.Notes(), Properties: properties}
}

// AtMostOne makes a property that is violated when a node notes enter while another has noted it and not yet leave. A node
// that crashes is out, and notes enter again when it continues. The property can be checked with time as a symbol.
func AtMostOne[M sim.Message](name string, enter, leave sim.Kind) sim.Property[M] {
	return NewProperty(name, &atMostOne[M]{Enter: enter, Leave: leave}, enter, leave).Also(sim.Crashed).Loses(sim.Exclusion).
		Needs("a node must note that it enters")
}

// atMostOne holds if no node notes that it enters while another is in.
type atMostOne[M sim.Message] struct {
	In           []bool // by node
	Enter, Leave sim.Kind
}

// Check implements [Checker].
func (c *atMostOne[M]) Check(r *Report[M]) {
	*At(&c.In, int(r.Node)) = false
	if r.Event != sim.Noted || r.Msg.Label() != c.Enter {
		return
	}
	r.Saw()
	if other := slices.Index(c.In, true); other >= 0 && r.Violated(r.Node, sim.NodeID(other)) {
		r.Why("%s notes %v while %s is still in", r.Name(r.Node), r.Msg, r.Name(sim.NodeID(other)))
	}
	c.In[r.Node] = true
}

// Symbolic is the form for a search with symbolic time: the property looks at no instant.
func (c *atMostOne[M]) Symbolic() (Checker[M], []sim.Kind) {
	return &atMostOne[M]{Enter: c.Enter, Leave: c.Leave}, []sim.Kind{c.Enter, c.Leave}
}

// Rename implements [sim.Renamer].
func (c *atMostOne[M]) Rename(to sim.Renaming) {
	before := slices.Clone(c.In)
	clear(c.In)
	for id, in := range before {
		if in {
			*At(&c.In, int(to.Node(sim.NodeID(id)))) = true
		}
	}
}

// AtMostOnce makes a property that is violated when an effect is noted twice, by any nodes. The function returns what the effect is on,
// as the number of an order:
//
//	model.AtMostOnce("paid-once", Paid, (*Msg).Order)
//
// The property can be checked with time as a symbol, if that number has no attempt of one of [sim.System].Serials in it.
func AtMostOnce[M sim.Message, N integer](name string, effect sim.Kind, on func(*M) N) sim.Property[M] {
	c := &atMostOnce[M]{On: &number[M]{func(m *M) int64 { return int64(on(m)) }}, Effect: effect}
	return NewProperty(name, c, effect).Loses(sim.Data).Needs("a node must note the effect")
}

type integer interface {
	~int | ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// atMostOnce holds if no effect is noted twice.
type atMostOnce[M sim.Message] struct {
	Done   []done
	On     *number[M]
	Effect sim.Kind
}

// number is what a property reads from a message.
type number[M sim.Message] struct{ of func(*M) int64 }

// Immutable implements [sim.Immutable].
func (*number[M]) Immutable() {}

// done is an effect and the node that noted it first.
type done struct {
	On int64
	By sim.NodeID
}

// Check implements [Checker].
func (c *atMostOnce[M]) Check(r *Report[M]) {
	r.Saw()
	on := c.On.of(&r.Msg)
	i, again := slices.BinarySearchFunc(c.Done, on, func(d done, on int64) int { return int(min(max(d.On-on, -1), 1)) })
	if !again {
		c.Done = slices.Insert(c.Done, i, done{on, r.Node})
		return
	}
	if first := c.Done[i].By; r.Violated(r.Node, first) {
		r.Why("%s notes %v, which %s had noted before", r.Name(r.Node), r.Msg, r.Name(first))
	}
}

// Symbolic is the form for a search with symbolic time: the property looks at no instant.
func (c *atMostOnce[M]) Symbolic() (Checker[M], []sim.Kind) {
	return &atMostOnce[M]{On: c.On, Effect: c.Effect}, []sim.Kind{c.Effect}
}

// Rename implements [sim.Renamer].
func (c *atMostOnce[M]) Rename(to sim.Renaming) {
	for i := range c.Done {
		c.Done[i].By = to.Node(c.Done[i].By)
	}
}

// EventuallyAfter makes a property that is violated when a cause is noted, and no node notes the effect within a time of it. A cause at
// the end of a run that has less time left shows nothing. The property can be checked with time as a symbol.
func EventuallyAfter[M sim.Message](name string, cause, effect sim.Kind, within time.Duration) sim.Property[M] {
	return NewProperty(name, &eventuallyAfter[M]{Cause: cause, Effect: effect, Within: within}, cause, effect).Also(sim.Elapsed).
		Loses(sim.Liveness).Needs("a node must note the cause, and the run must last until the effect is due")
}

// eventuallyAfter holds if each cause is followed by an effect in time.
type eventuallyAfter[M sim.Message] struct {
	Waits  bool // for an effect, since the first cause without one
	Since  sim.Time
	By     sim.NodeID // who noted that cause
	Late   bool       // it has been said
	Cause  sim.Kind
	Effect sim.Kind
	Within time.Duration
	Whole  bool // nothing happens after the end of the run
}

// Check implements [Checker].
func (c *eventuallyAfter[M]) Check(r *Report[M]) {
	c.End(r)
	switch {
	case r.Msg.Label() == c.Effect:
		if c.Waits {
			r.Saw()
		}
		c.Waits, c.Since, c.By, c.Late = false, 0, sim.None, false
	case !c.Waits:
		c.Waits, c.Since, c.By = true, r.Now(), r.Node
		if !c.Whole {
			r.Await(c.due())
		}
	}
}

func (c *eventuallyAfter[M]) due() sim.Time { return c.Since.Add(c.Within) }

// End checks the time up to now.
func (c *eventuallyAfter[M]) End(r *Report[M]) {
	if !c.Waits || c.Late {
		return
	}
	if due := c.due(); due.Before(r.Now()) || c.Whole && r.Event == sim.Ended {
		c.Late = true
		if r.ViolatedAt(due, c.By) {
			r.Why("%v after its cause, which %s noted at %v, the effect is missing", c.Within, r.Name(c.By), c.Since)
		}
	} else if !c.Whole {
		r.Await(due)
	}
}

// Bound implements [sim.Bounded].
func (c *eventuallyAfter[M]) Bound() sim.Bound {
	return sim.Bound{Text: "the effect at most " + c.Within.String() + " after its cause"}
}

// Symbolic is the form for a search with symbolic time, which ends when nothing more can happen.
func (c *eventuallyAfter[M]) Symbolic() (Checker[M], []sim.Kind) {
	return &eventuallyAfter[M]{Cause: c.Cause, Effect: c.Effect, Within: c.Within, Whole: true}, []sim.Kind{c.Cause, c.Effect}
}

// Rename implements [sim.Renamer].
func (c *eventuallyAfter[M]) Rename(to sim.Renaming) { c.By = to.Node(c.By) }
