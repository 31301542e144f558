package linear

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func ExampleCheck() {
	h := &History{Model: Register, Ops: []Op{
		{Client: 1, Kind: Write, Value: "7", Call: 10, Return: 20},
		{Client: 2, Kind: Write, Value: "8", Call: 30, Outcome: Open},
		{Client: 3, Kind: Read, Value: "8", Call: 40, Return: 50},
		{Client: 3, Kind: Read, Value: "7", Call: 60, Return: 70},
	}}
	r, err := Check(context.Background(), h, DefaultLimits())
	fmt.Println(err, r.Verdict)
	fmt.Println(r.Why)
	// Output:
	// <nil> not linearizable
	// the read of 7 by client 3 at [60, 70] returned a value overwritten by 8: the write of 7 by client 1 at [10, 20] had returned before the read of 8 by client 3 at [40, 50] was called, and that one before this read was
}

// One transition of the object each: the state, the operation, whether it can be, and
// the state after it.
func TestStep(t *testing.T) {
	const one, two = 1, 2
	for _, c := range []struct {
		state any
		op    Op
		ok    bool
		after any
	}{
		{"a", Op{Kind: Read, Value: "a"}, true, "a"},
		{"a", Op{Kind: Read, Value: "b"}, false, "a"},
		{"a", Op{Kind: Write, Value: "b"}, true, "b"},
		{"a", Op{Kind: Write, Value: "b", Outcome: Open}, true, "b"},
		{"a", Op{Kind: Append, Value: "b"}, true, "ab"},
		{"a", Op{Kind: CAS, Old: "a", Value: "b"}, true, "b"},
		{"a", Op{Kind: CAS, Old: "c", Value: "b"}, false, "a"},
		{"a", Op{Kind: CAS, Old: "a", Value: "b", Outcome: Refused}, false, "a"},
		{"a", Op{Kind: CAS, Old: "c", Value: "b", Outcome: Refused}, true, "a"},
		{"a", Op{Kind: CAS, Old: "a", Value: "b", Outcome: Open}, true, "b"},
		{"a", Op{Kind: CAS, Old: "c", Value: "b", Outcome: Open}, true, "a"},
		{free, Op{Kind: Acquire, Client: one}, true, one},
		{two, Op{Kind: Acquire, Client: one}, false, two},
		{one, Op{Kind: Acquire, Client: one}, false, one},
		{two, Op{Kind: Acquire, Client: one, Outcome: Refused}, true, two},
		{free, Op{Kind: Acquire, Client: one, Outcome: Refused}, false, free},
		{two, Op{Kind: Acquire, Client: one, Outcome: Open}, true, two},
		{one, Op{Kind: Release, Client: one}, true, free},
		{two, Op{Kind: Release, Client: one}, false, two},
		{free, Op{Kind: Release, Client: one}, false, free},
		{two, Op{Kind: Release, Client: one, Outcome: Refused}, true, two},
		{one, Op{Kind: Release, Client: one, Outcome: Open}, true, free},
		{two, Op{Kind: Release, Client: one, Outcome: Open}, true, two},
	} {
		ok, after := step(c.state, &c.op)
		assert.Equal(t, c.ok, ok, "%v, %v", c.state, &c.op)
		assert.Equal(t, c.after, after, "%v, %v", c.state, &c.op)
	}
	assert.PanicsWithValue(t, "linear: kind 0 has no meaning", func() { step("", &Op{}) })
}

// What the check of zones says of each rule of the paper, and when it is not asked.
func TestZones(t *testing.T) {
	w := func(value string, call, end int64) Op {
		return Op{Client: 1, Kind: Write, Value: value, Call: call, Return: end}
	}
	r := func(value string, call, end int64) Op {
		return Op{Client: 2, Kind: Read, Value: value, Call: call, Return: end}
	}
	for _, c := range []struct {
		name string
		ops  []Op
		why  string
	}{
		{"nothing", nil, ""},
		{"read of nil", []Op{r(Nil, 1, 2)}, ""},
		{"read of nobody's", []Op{r("5", 1, 2)}, "the read of 5 by client 2 at [1, 2] returned a value that no client wrote"},
		{"read of what failed", []Op{{Kind: Write, Value: "5", Outcome: Failed}, r("5", 1, 2)}, "the read of 5 by client 2 at [1, 2] returned a value that no client wrote"},
		{"read before its write", []Op{w("5", 3, 4), r("5", 1, 2)}, "the read of 5 by client 2 at [1, 2] returned before the write of 5 by client 1 at [3, 4] was called"},
		{"read at its write", []Op{w("5", 2, 4), r("5", 1, 2)}, ""},
		{"initial value overwritten", []Op{w("5", 1, 2), r(Nil, 3, 4)}, "the read of nil by client 2 at [3, 4] returned a value overwritten by 5: the write of 5 by client 1 at [1, 2] had returned before"},
		{"initial value and a later read", []Op{w("5", 1, 2), r(Nil, 3, 4), r("5", 5, 6)}, "the read of nil by client 2 at [3, 4] returned a value overwritten by 5: the write of 5 by client 1 at [1, 2] had returned before"},
		{"two forward zones", []Op{w("5", 1, 9), w("6", 1, 9), r("5", 1, 2), r("6", 3, 4), r("5", 5, 6), r("6", 7, 8)},
			"the read of 6 by client 2 at [7, 8] returned a value overwritten by 5: the read of 6 by client 2 at [3, 4] had returned before the read of 5 by client 2 at [5, 6] was called, and the read of 5 by client 2 at [1, 2] before this read was"},
		{"two forward zones in a row", []Op{w("5", 1, 2), r("5", 3, 4), w("6", 3, 4), r("6", 5, 6)}, ""},
		{"backward in forward", []Op{w("5", 1, 2), w("6", 3, 4), r("5", 5, 6)},
			"the read of 5 by client 2 at [5, 6] returned a value overwritten by 6: the write of 5 by client 1 at [1, 2] had returned before the write of 6 by client 1 at [3, 4] was called, and that one before this read was"},
		{"backward half in forward", []Op{w("5", 1, 2), w("6", 2, 4), r("5", 5, 6)}, ""},
		{"open write in forward", []Op{w("5", 1, 2), {Kind: Write, Value: "6", Call: 3, Outcome: Open}, r("5", 5, 6)}, ""},
		{"open write that was read", []Op{w("5", 1, 2), {Kind: Write, Value: "6", Call: 3, Outcome: Open}, r("6", 3, 4), r("5", 5, 6)},
			"the read of 5 by client 2 at [5, 6] returned a value overwritten by 6: the write of 5 by client 1 at [1, 2] had returned before the write of 6 by client 0 at [3, open] was called, and the read of 6 by client 2 at [3, 4] before this read was"},
	} {
		why, applies := checkZones(c.ops, Nil)
		assert.True(t, applies, c.name)
		assert.Equal(t, c.why, why, c.name)
	}
	for _, ops := range [][]Op{
		{w("5", 1, 2), w("5", 3, 4)},
		{w(Nil, 1, 2)},
		{{Kind: CAS, Old: Nil, Value: "1"}},
		{{Kind: Append, Value: "1"}},
	} {
		_, applies := checkZones(ops, Nil)
		assert.False(t, applies)
	}
}

func TestZonesAllocateForTheHistoryNotForTheOperation(t *testing.T) {
	ops := simulated(rand.New(rand.NewPCG(7, 8)), 10_000, 16)
	assert.LessOrEqual(t, testing.AllocsPerRun(5, func() { checkZones(ops, Nil) }), 4.0)
}

// contended is a history that the search cannot decide soon: many writes of few values
// at the same time, and a read of none of them.
func contended(n int) *History {
	h := &History{Model: Register}
	for i := range n {
		h.Ops = append(h.Ops, Op{Client: i, Kind: Write, Value: strconv.Itoa(i / 2), Call: 1, Return: 100})
	}
	h.Ops = append(h.Ops, Op{Client: n, Kind: Read, Value: "none", Call: 101, Return: 102})
	return h
}

func TestBounds(t *testing.T) {
	h := contended(24)
	check := func(ctx context.Context, l Limits) Result {
		r, err := Check(ctx, h, l)
		require.NoError(t, err)
		return r
	}
	r := check(context.Background(), Limits{Steps: 5000, Memory: 1 << 30})
	assert.Equal(t, Result{Verdict: Unknown, Keys: 1, Bound: "5000 steps", Method: Search, Steps: 5000}, r)

	r = check(context.Background(), Limits{Steps: 1 << 40, Memory: 1 << 20})
	assert.Equal(t, "1048576 bytes of memory", r.Bound)
	assert.Equal(t, r, check(context.Background(), Limits{Steps: 1 << 40, Memory: 1 << 20}), "as often as you like")
	more := check(context.Background(), Limits{Steps: 1 << 40, Memory: 2 << 20})
	assert.Greater(t, more.Steps, r.Steps)
	assert.Equal(t, "100 bytes of memory", check(context.Background(), Limits{Steps: 1, Memory: 100}).Bound)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, "interrupted", check(ctx, DefaultLimits()).Bound)
	ctx, cancel = context.WithTimeout(context.Background(), 0)
	defer cancel()
	assert.Equal(t, "time", check(ctx, DefaultLimits()).Bound)

	h = contended(4)
	r = check(context.Background(), DefaultLimits())
	assert.Equal(t, NotLinearizable, r.Verdict)
	assert.Equal(t, "there is an order of all that returned before the read of none by client 4 at [101, 102], and none with it", r.Why)
}

// What the verdict took does not count for the explanation.
func TestExplanationHasItsOwnSteps(t *testing.T) {
	r, err := Check(context.Background(), contended(4), DefaultLimits())
	require.NoError(t, err)
	again, err := Check(context.Background(), contended(4), Limits{Steps: r.Steps + 1, Memory: 1 << 30})
	require.NoError(t, err)
	assert.Equal(t, r, again)
}

// A write that is called at the instant at which a read returns is concurrent with it
// in the explanation too: that read is not what has no place.
func TestExplanationKnowsTies(t *testing.T) {
	h := &History{Register, []Op{
		{Kind: Write, Value: "5", Call: 2, Return: 8},
		{Kind: Read, Value: "5", Call: 1, Return: 2},
		{Kind: CAS, Old: "6", Value: "7", Call: 5, Return: 6},
	}}
	assert.Equal(t, "there is an order of all that returned before the cas of 6 to 7 by client 0 at [5, 6], and none with it", verdict(t, h).Why)
}

// Of four writes at the same time, of 0, 0, 1 and 1, there are 15 sets to remember; the 9
// with both values lead to two states, and the others to one.
func TestMemoryIsCountedExactly(t *testing.T) {
	s := &search{ctx: context.Background(), limits: DefaultLimits(), seed: maphash.MakeSeed()}
	ok, bound := s.run(Register, contended(4).Ops)
	assert.False(t, ok)
	assert.Empty(t, bound)
	assert.Equal(t, int64(5*perOp+(15+9)*(perState+8+len("0"))), s.memory)
}

// A key that is certainly not linearizable counts for more than one that is unknown.
func TestKeys(t *testing.T) {
	h := contended(24)
	h.Ops = append(h.Ops, Op{Kind: Read, Value: "5", Key: "b", Call: 1, Return: 2})
	r, err := Check(context.Background(), h, Limits{Steps: 1000, Memory: 1 << 30})
	require.NoError(t, err)
	assert.Equal(t, Result{Verdict: NotLinearizable, Key: "b", Keys: 2, Method: Search, Steps: 1000,
		Why: "the read of 5 by client 0 at [1, 2] returned a value that no client wrote"}, r)

	r, err = Check(context.Background(), &History{Model: Lock}, DefaultLimits())
	require.NoError(t, err)
	assert.Equal(t, Result{Verdict: Linearizable, Method: Zones}, r)
}

func TestValidate(t *testing.T) {
	for want, h := range map[string]*History{
		"history: want a model, got model 0":                                                     {},
		"history: want at most 1000000 operations, got 1000001":                                  {Model: KV, Ops: make([]Op, MaxOps+1)},
		"operation 1: append is no operation of a register: want read, write or cas":             {Register, []Op{{Kind: Read}, {Kind: Append}}},
		"operation 0: cas is no operation of a kv: want read, write or append":                   {KV, []Op{{Kind: CAS}}},
		"operation 0: kind 0 is no operation of a lock: want acquire or release":                 {Lock, []Op{{}}},
		"operation 0: value: want an integer from -1099511627776 to 1099511627776, got \"1.5\"":  {Counter, []Op{{Kind: Add, Value: "1.5"}}},
		"operation 0: value: want an integer from 1 to 1125899906842624, got 0":                  {Lease, []Op{{Kind: Renew, Value: "0"}}},
		"operation 0: value: want the elements of a set as Elements has them, got \"b a\"":       {Set, []Op{{Kind: Read, Value: "b a"}}},
		"operation 0: want instants of a lease from -2305843009213693952 to 2305843009213693952": {Lease, []Op{{Kind: Release, Return: math.MaxInt64}}},
		"operation 0: enqueue cannot be refused: want ok, open or failed":                        {Queue, []Op{{Kind: Enqueue, Outcome: Refused}}},
		"operation 0: want an outcome, got outcome 9":                                            {Lock, []Op{{Kind: Acquire, Outcome: 9}}},
		"operation 0: write cannot be refused: want ok, open or failed":                          {KV, []Op{{Kind: Write, Outcome: Refused}}},
		"operation 0: call: want an instant after the least":                                     {KV, []Op{{Kind: Write, Call: math.MinInt64}}},
		"operation 0: return: want 2 or later, its call, got 1":                                  {KV, []Op{{Kind: Write, Call: 2, Return: 1}}},
	} {
		assert.EqualError(t, h.Validate(), want)
		_, err := Check(context.Background(), h, DefaultLimits())
		assert.EqualError(t, err, want)
	}
	for want, l := range map[string]Limits{
		"limits: steps: want 1 or more, got 0":       {},
		"limits: memory: want 1 byte or more, got 0": {Steps: 1},
	} {
		_, err := Check(context.Background(), &History{Model: KV}, l)
		assert.EqualError(t, err, want)
	}
	_, err := ParseModel("stack")
	assert.EqualError(t, err, `model: want register, kv, lock, lease, set, queue, counter, got "stack"`)
	for m := Register; m <= Counter; m++ {
		again, err := ParseModel(m.String())
		require.NoError(t, err)
		assert.Equal(t, m, again)
	}
}

// The explanation names the first return that has no place, however the history goes on.
func TestExplanationIsTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	seen := 0
	for range rounds(5000) {
		ops := random(r, nil)
		if searched(t, Register, ops) {
			continue
		}
		seen++
		s := &search{ctx: context.Background(), limits: DefaultLimits(), seed: maphash.MakeSeed()}
		why := s.explain(Register, ops)
		earlier := 0
		for i := range ops {
			o := &ops[i]
			if o.Outcome != OK || why != fmt.Sprintf("there is an order of all that returned before the %v, and none with it", o) {
				continue
			}
			earlier++
			var before []int
			for j := range ops {
				if p := &ops[j]; p.Outcome == OK && (p.Return < o.Return || p.Return == o.Return && j < i) {
					before = append(before, j)
				}
			}
			slices.SortStableFunc(before, func(a, b int) int { return cmp.Compare(ops[a].Return, ops[b].Return) })
			if len(before) > 0 {
				require.True(t, searched(t, Register, until(ops, before)), "%s: %v", why, ops)
			}
			require.False(t, searched(t, Register, until(ops, append(before, i))), "%s: %v", why, ops)
		}
		require.Equal(t, 1, earlier, why)
	}
	assert.Positive(t, seen)
}

// Zones that are nearly in order are moved, all others sorted: to the same order.
func TestZonesAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, far := range []int64{1, 10, 1000} { // by how much they are out of order
		zones := make([]zone, 500)
		for i := range zones {
			zones[i] = zone{f: int64(i) + r.Int64N(far), write: int32(i)}
		}
		want := slices.Clone(zones)
		slices.SortStableFunc(want, func(a, b zone) int { return cmp.Compare(a.f, b.f) })
		sortZones(zones)
		assert.Equal(t, want, zones, far)
	}
}
