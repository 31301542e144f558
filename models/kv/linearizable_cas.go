package kv

import (
	"slices"
	"sort"
	"strconv"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/linear"
	"fencepost/sim/model"
)

// searchLimits are those of the search for an order of the operations of one key.
var searchLimits = linear.Limits{Steps: 200_000, Memory: 1 << 26}

// search checks a key with compare-and-set, for which no short decision is known. What takes
// more steps than the limit is not checked.
func (p *linearizable) search(r *model.Report[core.Msg], ops []operation) {
	ends := []sim.Time{}
	for i := range ops {
		if at := ops[i].Return; at != sim.Never {
			ends = append(ends, at)
		}
	}
	verdict := func(until sim.Time) linear.Result {
		result, err := linear.Decide(registerHistory(ops, until), searchLimits)
		if err != nil {
			panic(err) // the history is made here
		}
		return result
	}
	switch whole := verdict(sim.Never); whole.Verdict {
	case linear.Linearizable:
		r.Saw()
	case linear.NotLinearizable:
		r.Saw()
		slices.Sort(ends)
		first := sort.Search(len(ends)-1, func(i int) bool { return verdict(ends[i]).Verdict == linear.NotLinearizable })
		o := &ops[slices.IndexFunc(ops, func(o operation) bool { return o.Return == ends[first] })]
		if r.ViolatedAt(ends[first], o.Client) {
			r.Why("no order of the operations on %s until then is that of a register: %s %s %s", p.Layout.key(o.Key), r.Name(o.Client), p.Layout.did(o), ends[first])
		}
	}
}

// did is what an operation did, in words.
func (l *Layout) did(o *operation) string {
	switch {
	case o.Compares:
		return "replaced " + l.expected(o.Expects) + " by " + l.read(o) + " at"
	case o.Write:
		return "had its write of " + l.read(o) + " acknowledged at"
	}
	return "read " + l.read(o) + " at"
}

// registerHistory is what clients saw of a key until an instant.
func registerHistory(ops []operation, until sim.Time) *linear.History {
	h := &linear.History{Model: linear.Register}
	for i := range ops {
		o := &ops[i]
		if o.Call > until || o.Call == sim.Never {
			continue
		}
		op := linear.Op{Client: int(o.Client), Kind: linear.Read, Call: int64(o.Call), Return: int64(o.Return), Value: registerValue(o.Value.Data)}
		if o.Value.Tombstone {
			op.Value = linear.Nil
		}
		switch {
		case o.Compares:
			op.Kind, op.Old = linear.CAS, registerValue(o.Expects)
		case o.Write:
			op.Kind = linear.Write
		case o.Value.Write == siblings:
			op.Value = "siblings"
		}
		if o.Return > until || o.Return == sim.Never {
			op.Outcome = linear.Open
		}
		h.Ops = append(h.Ops, op)
	}
	return h
}

func registerValue(data uint64) string {
	if data == 0 {
		return linear.Nil
	}
	return strconv.FormatUint(data, 10)
}
