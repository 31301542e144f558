package kv

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// linearizable holds if each key is a register: all operations of a key can be put in one
// order in which each read returns the latest write before it, and an operation that is over
// comes before each that is called later. A write without an acknowledgement may take effect
// at any time after its call, or never.
//
// A read that returns siblings is not that of a register. A key whose value is a cart, a set
// or a counter is not checked. A read that returns nothing may return a tombstone that was
// collected: once a delete has been called it is left out.
//
// A compare-and-set counts as a write, or as a read of the value that it has found instead.
//
// A run is checked when it is over, since the order may depend on what is read later. The
// package sim/linear decides the same of recorded histories, of any values; here each value
// has one write, which makes the decision short. A key with a compare-and-set is left to it.
//
// Source: Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent
// Objects", TOPLAS 12(3), 1990; Gibbons and Korach, "Testing Shared Memories", SIAM Journal
// on Computing 26(4), 1997, section 4.2.
type linearizable struct {
	Layout *Layout
	Ops    []operation
	Latest []int32 // of each client, its index in Ops plus 1

	Zones []zone
}

// operation is a read or a write of a client. The initial value has no write.
type operation struct {
	Key      uint32
	Client   sim.NodeID
	Value    version.Value // that is written or read
	Write    bool
	Compares bool     // it is a compare-and-set
	Expects  uint64   // 0, no value
	Other    bool     // it makes the key something else than a register
	Call     sim.Time // when the client asked
	Return   sim.Time // when it was answered; [sim.Never] if it was not
}

// siblings is the write of a read that returns several values: no write has this id.
const siblings = math.MaxUint32

// Check implements [model.Checker].
func (p *linearizable) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	latest := model.At(&p.Latest, r.Node)
	if m.Kind == core.Asked {
		o := operation{Key: m.Key(), Client: r.Node, Call: r.Now(), Return: sim.Never}
		if w := m.Write; w != nil {
			o.Write, o.Other = true, w.Op != version.Set && w.Op != version.Delete
			o.Expects, o.Compares = m.Compares()
			o.Value = version.Value{Write: w.ID, Data: w.Data, Tombstone: w.Op == version.Delete}
		}
		p.Ops = append(p.Ops, o)
		*latest = int32(len(p.Ops))
		return
	}
	switch o := &p.Ops[*latest-1]; {
	case m.Kind == core.Failed && m.Status() == core.Mismatch: // a read of the value that it has found
		o.Write, o.Compares, o.Return = false, false, r.Now()
		o.read(m.Obj.Values())
	case m.Kind == core.Failed && o.Write && m.Status() == core.Refused: // no node has stored it
		o.Call = sim.Never
	case m.Kind == core.Answered:
		o.Return = r.Now()
		if !o.Write {
			o.read(m.Obj.Values())
		}
	}
}

// read takes what a read has returned.
func (o *operation) read(values []version.Value) {
	o.Value = version.Value{}
	switch {
	case len(values) == 1:
		o.Value = values[0]
		o.Other = values[0].Write == 0
	case len(values) > 1:
		o.Value.Write = siblings
	}
}

// End checks each key.
func (p *linearizable) End(r *model.Report[core.Msg]) {
	slices.SortStableFunc(p.Ops, func(a, b operation) int { return cmp.Compare(a.Key, b.Key) })
	for ops := p.Ops; len(ops) > 0; {
		n := 1
		for n < len(ops) && ops[n].Key == ops[0].Key {
			n++
		}
		p.key(r, ops[:n])
		ops = ops[n:]
	}
}

// key checks the operations of one key. The beginning of a linearizable history is
// linearizable, so the first violation is found by halving.
func (p *linearizable) key(r *model.Report[core.Msg], ops []operation) {
	var reads []sim.Time // when they returned
	deleted := sim.Never
	for i := range ops {
		o := &ops[i]
		if o.Other {
			return
		}
		if o.Write && o.Value.Tombstone {
			deleted = min(deleted, o.Call)
		}
		if !o.Write && o.Value.Write == 0 && o.Return >= deleted {
			o.Return = sim.Never
		}
		if !o.Write && o.Return != sim.Never {
			reads = append(reads, o.Return)
		}
	}
	if slices.ContainsFunc(ops, func(o operation) bool { return o.Compares }) {
		p.search(r, ops)
		return
	}
	if len(reads) == 0 {
		return
	}
	r.Saw()
	if p.contradicts(ops, sim.Never) == nil {
		return
	}
	slices.Sort(reads)
	first := sort.Search(len(reads)-1, func(i int) bool { return p.contradicts(ops, reads[i]) != nil })
	p.explain(r, reads[first], p.contradicts(ops, reads[first]))
}

// explain reports a violation at an instant.
func (p *linearizable) explain(r *model.Report[core.Msg], at sim.Time, c *contradiction) {
	l, read := p.Layout, c.read
	switch {
	case c.before != nil:
		if r.ViolatedAt(at, read.Client, c.before.Client) {
			does := "reads"
			if c.before.Write {
				does = "writes"
			}
			r.Why("%s reads %s from %s; it asks at %v, after %s %s %s by %v, which replaces it", r.Name(read.Client), l.read(read),
				l.key(read.Key), read.Call, r.Name(c.before.Client), does, l.read(c.before), c.before.Return)
		}
	case r.ViolatedAt(at, read.Client):
		r.Why("%s reads %s from %s, which no register holds at that time", r.Name(read.Client), l.read(read), l.key(read.Key))
	}
}

// read is what an operation reads or writes, in words.
func (l *Layout) read(o *operation) string {
	switch o.Value.Write {
	case 0:
		return "nothing"
	case siblings:
		return "siblings"
	}
	return l.value(o.Value)
}

// contradiction is why a history is not linearizable: a read whose value was replaced before it was
// called, by a value that another operation had read or written; or a read of what was not
// written.
type contradiction struct{ read, before *operation }

// zone is what matters of a value: when the first of its operations was over, and when the
// last of them was called. From finish to start, if that is later, the register holds it.
type zone struct {
	Write         uint32
	Call          sim.Time // of its write
	Finish, Start sim.Time
	First, Last   *operation // those that Finish and Start are of; nil, the initial value
}

// contradicts finds two values that each have to come before the other, nil if there are none:
// then all can be put in order. Of what happens after an instant nothing is known.
//
// A value must come before another one if an operation of it is over before one of the other
// is called. In the order of Finish only the last zone that the register is known to hold
// over some time can be in conflict with the next.
func (p *linearizable) contradicts(ops []operation, until sim.Time) *contradiction {
	if c := p.collect(ops, until); c != nil {
		return c
	}
	slices.SortFunc(p.Zones, func(a, b zone) int {
		return cmp.Or(cmp.Compare(a.Finish, b.Finish), cmp.Compare(a.Write, b.Write))
	})
	held := zone{Start: math.MinInt64}
	for _, z := range p.Zones {
		if z.Finish < held.Start && held.Finish < z.Start {
			if z.Start > held.Start && held.Write != 0 {
				held, z = z, held
			}
			return &contradiction{held.Last, z.First}
		}
		if z.Finish < z.Start {
			held = z
		}
	}
	return nil
}

// collect makes the zones. It returns a read of what was not written when it was over, if
// there is one.
func (p *linearizable) collect(ops []operation, until sim.Time) *contradiction {
	p.Zones = append(p.Zones[:0], zone{Call: math.MinInt64, Finish: math.MinInt64, Start: math.MinInt64})
	for i := range ops {
		if o := &ops[i]; o.Write && o.Call <= until && o.Call != sim.Never {
			z := zone{Write: o.Value.Write, Call: o.Call, Finish: sim.Never, Start: o.Call, First: o, Last: o}
			if o.Return <= until {
				z.Finish = o.Return
			}
			p.Zones = append(p.Zones, z)
		}
	}
	slices.SortFunc(p.Zones, func(a, b zone) int { return cmp.Compare(a.Write, b.Write) })
	for i := range ops {
		o := &ops[i]
		if o.Write || o.Return > until || o.Return == sim.Never {
			continue
		}
		at, found := slices.BinarySearchFunc(p.Zones, o.Value.Write, func(z zone, id uint32) int { return cmp.Compare(z.Write, id) })
		if !found || o.Return < p.Zones[at].Call {
			return &contradiction{read: o}
		}
		z := &p.Zones[at]
		if o.Return < z.Finish {
			z.Finish, z.First = o.Return, o
		}
		if o.Call > z.Start {
			z.Start, z.Last = o.Call, o
		}
	}
	return nil
}

// Print implements [sim.Printer].
func (p *linearizable) Print(to *sim.Print) {
	to.Fold(uint64(len(p.Ops)))
	for i := range p.Ops {
		o := &p.Ops[i]
		to.Fold(uint64(o.Key)|uint64(o.Client)<<32, uint64(o.Value.Write)|core.One(o.Write)<<32|core.One(o.Other)<<33|core.One(o.Compares)<<35, o.Expects, uint64(o.Call), uint64(o.Return))
	}
}

func (p *linearizable) property() sim.Property[core.Msg] {
	return model.NewProperty("linearizable", p, core.Asked, core.Answered, core.Failed).
		Needs("`claims` names it or the store promises it, and a client reads a key with plain values")
}
