package linear

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
)

// Verdict is the result of a check.
type Verdict uint8

// The verdicts. Unknown is the result of a check that hit a bound, and the zero value.
const (
	Unknown Verdict = iota
	Linearizable
	NotLinearizable
)

// String returns "unknown", "linearizable" or "not linearizable".
func (v Verdict) String() string {
	return [...]string{"unknown", "linearizable", "not linearizable"}[v]
}

// The methods, see the package.
const (
	Zones   = "zones"   // Gibbons and Korach, of registers and stores
	Aspects = "aspects" // Chakraborty, Henzinger, Sezgin and Vafeiadis, of queues
	Search  = "search"  // porcupine
)

// Limits bound what a check may take. Without them it can take more than exponential
// time in the number of operations that are concurrent, and as much memory.
type Limits struct {
	Steps  int64 // operations that the search tries, over all keys, 1 or more; each of the few searches for an explanation has as many again
	Memory int64 // bytes that the search of one key may use, 1 or more; counted, to a factor of two
}

// DefaultLimits are enough for thousands of operations of a few clients each, and are
// hit within a minute.
func DefaultLimits() Limits { return Limits{Steps: 50_000_000, Memory: 1 << 30} }

// Validate says what is wrong with the limits.
func (l Limits) Validate() error {
	switch {
	case l.Steps < 1:
		return fmt.Errorf("limits: steps: want 1 or more, got %d", l.Steps)
	case l.Memory < 1:
		return fmt.Errorf("limits: memory: want 1 byte or more, got %d", l.Memory)
	}
	return nil
}

// Result is the verdict and what led to it.
type Result struct {
	Verdict Verdict
	Key     string // the first that is not linearizable, else the first that is unknown
	Keys    int    // how many there are
	Why     string // if not linearizable: what contradicts what, or what has no place
	Bound   string // if unknown: which bound was hit: "50000000 steps", "... bytes of memory", "time" or "interrupted"
	Method  string // [Search] if any key needed it, else [Aspects] of a queue and [Zones] of all others
	Steps   int64  // that the search took to the verdict
}

// Decide is [Check] without a time limit: the verdict is a function of the history and the
// limits.
func Decide(h *History, l Limits) (Result, error) { return Check(context.Background(), h, l) }

// Check says whether a history is linearizable. The verdict is a function of the
// history and the limits, unless the context ends before: its deadline is a bound too.
//
// It is an error if the history or the limits are invalid.
func Check(ctx context.Context, h *History, l Limits) (Result, error) {
	if err := errors.Join(h.Validate(), l.Validate()); err != nil {
		return Result{}, err
	}
	keys := byKey(h.Ops)
	r := Result{Verdict: Linearizable, Keys: len(keys), Method: Zones}
	if h.Model == Queue {
		r.Method = Aspects
	}
	s := &search{ctx: ctx, limits: l, seed: maphash.MakeSeed()}
	for _, ops := range keys {
		why, applies := checkUnique(h.Model, ops)
		if why != "" {
			r.Verdict, r.Key, r.Why, r.Bound = NotLinearizable, ops[0].Key, why, ""
			return r, nil
		}
		if applies {
			continue
		}
		r.Method = Search
		ok, bound := s.run(h.Model, ops)
		r.Steps = s.steps
		switch {
		case ok:
		case bound == "":
			r.Verdict, r.Key, r.Why, r.Bound = NotLinearizable, ops[0].Key, s.explain(h.Model, ops), ""
			return r, nil
		case r.Verdict == Linearizable:
			r.Verdict, r.Key, r.Bound = Unknown, ops[0].Key, bound
		}
	}
	return r, nil
}

// Idle says why nothing in a history was put to the test, and what would do so; "" if
// something was. Writes, adds and enqueues that no operation observes fit any order.
func (h *History) Idle() string {
	observed := func(o *Op) bool {
		switch o.Kind {
		case Read, Dequeue, CAS, Acquire, Release, Renew:
			return o.Outcome == OK || o.Outcome == Refused
		}
		return false
	}
	for i := range h.Ops {
		if observed(&h.Ops[i]) {
			return ""
		}
	}
	want := map[Model]string{Register: "a read or a cas", Lock: "an acquire or a release", Lease: "an acquire, a renew or a release", Queue: "a dequeue"}[h.Model]
	if want == "" {
		want = "a read"
	}
	return "no operation returned anything that an order could contradict: " + want + " has to return"
}

// checkUnique decides about the history of one key whose values are unique, where there is a way without a search. It
// reports whether there is, and says why the history is not linearizable, "" if it is.
func checkUnique(m Model, ops []Op) (why string, applies bool) {
	switch m {
	case Register, KV:
		return checkZones(ops, m.initial())
	case Queue:
		return checkQueue(ops)
	}
	return "", false
}

// byKey returns the operations of each key, in the order in which the keys first
// appear.
func byKey(ops []Op) [][]Op {
	different := false
	for i := range ops {
		different = different || ops[i].Key != ops[0].Key
	}
	if !different {
		if len(ops) == 0 {
			return nil
		}
		return [][]Op{ops}
	}
	number := map[string]int{}
	var counts []int
	for i := range ops {
		n, known := number[ops[i].Key]
		if !known {
			n = len(counts)
			number[ops[i].Key] = n
			counts = append(counts, 0)
		}
		counts[n]++
	}
	all, keys := make([]Op, len(ops)), make([][]Op, len(counts))
	for n, from := 0, 0; n < len(counts); n++ {
		keys[n] = all[from : from : from+counts[n]]
		from += counts[n]
	}
	for i := range ops {
		n := number[ops[i].Key]
		keys[n] = append(keys[n], ops[i])
	}
	return keys
}
