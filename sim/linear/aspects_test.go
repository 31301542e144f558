package linear

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the check of queues says of each rule of the paper, and when it is not asked.
func TestAspects(t *testing.T) {
	enq := func(value string, call, end int64) Op {
		return Op{Client: 1, Kind: Enqueue, Value: value, Call: call, Return: end}
	}
	deq := func(value string, call, end int64) Op {
		return Op{Client: 2, Kind: Dequeue, Value: value, Call: call, Return: end}
	}
	empty := func(call, end int64) Op {
		return Op{Client: 3, Kind: Dequeue, Outcome: Refused, Call: call, Return: end}
	}
	openEnq := func(value string, call int64) Op {
		return Op{Client: 4, Kind: Enqueue, Value: value, Outcome: Open, Call: call}
	}
	openDeq := func(call int64) Op { return Op{Client: 4, Kind: Dequeue, Outcome: Open, Call: call} }
	for _, c := range []struct {
		name string
		ops  []Op
		why  string
	}{
		{"nothing", nil, ""},
		{"VFresh: nobody's", []Op{deq("5", 1, 2)}, "the dequeue of 5 by client 2 at [1, 2] returned a value that no client enqueued"},
		{"VFresh: of what failed", []Op{{Kind: Enqueue, Value: "5", Outcome: Failed}, deq("5", 1, 2)}, "the dequeue of 5 by client 2 at [1, 2] returned a value that no client enqueued"},
		{"VFresh: before its enqueue", []Op{enq("5", 3, 4), deq("5", 1, 2)}, "the dequeue of 5 by client 2 at [1, 2] returned before the enqueue of 5 by client 1 at [3, 4] was called"},
		{"at its enqueue", []Op{enq("5", 2, 4), deq("5", 1, 2)}, ""},
		{"VRepet", []Op{enq("5", 1, 2), deq("5", 3, 4), deq("5", 3, 5)}, "the dequeue of 5 by client 2 at [3, 5] returned a value that the dequeue of 5 by client 2 at [3, 4] returned as well"},
		{"VOrd", []Op{enq("5", 1, 2), enq("6", 3, 4), deq("6", 5, 6), deq("5", 7, 8)},
			"the dequeue of 6 by client 2 at [5, 6] returned a value that came after 5: the enqueue of 5 by client 1 at [1, 2] had returned before the enqueue of 6 by client 1 at [3, 4] was called, and the dequeue of 5 by client 2 at [7, 8] was called later"},
		{"VOrd: and the first is not dequeued", []Op{enq("5", 1, 2), enq("6", 3, 4), deq("6", 5, 6)},
			"the dequeue of 6 by client 2 at [5, 6] returned a value that came after 5: the enqueue of 5 by client 1 at [1, 2] had returned before the enqueue of 6 by client 1 at [3, 4] was called, and no dequeue returned that one"},
		{"enqueues at one time", []Op{enq("5", 1, 3), enq("6", 3, 4), deq("6", 5, 6), deq("5", 7, 8)}, ""},
		{"dequeues at one time", []Op{enq("5", 1, 2), enq("6", 3, 4), deq("6", 5, 7), deq("5", 7, 8)}, ""},
		{"an open dequeue takes the first", []Op{enq("5", 1, 2), enq("6", 3, 4), openDeq(5), deq("6", 5, 6)}, ""},
		{"an open dequeue that is called too late", []Op{enq("5", 1, 2), enq("6", 3, 4), deq("6", 5, 6), openDeq(7)},
			"the dequeue of 6 by client 2 at [5, 6] returned a value that came after 5: the enqueue of 5 by client 1 at [1, 2] had returned before the enqueue of 6 by client 1 at [3, 4] was called, and the dequeue by client 4 at [7, open] was called later"},
		{"an open enqueue that nobody saw", []Op{openEnq("5", 1), enq("6", 3, 4), deq("6", 5, 6), empty(7, 8)}, ""},
		{"an open enqueue that was dequeued", []Op{openEnq("5", 1), enq("6", 3, 4), deq("6", 5, 6), deq("5", 7, 8)}, ""},
		{"VWit", []Op{enq("5", 1, 2), empty(3, 4)}, "the dequeue by client 3 at [3, 4] found the queue empty, and all the time it had a value in it: 5 from 2 on"},
		{"VWit: it is dequeued later", []Op{enq("5", 1, 2), empty(3, 4), deq("5", 5, 6)}, "the dequeue by client 3 at [3, 4] found the queue empty, and all the time it had a value in it: 5 from 2 to 5"},
		{"VWit: values after one another", []Op{enq("5", 1, 2), empty(3, 9), enq("6", 3, 4), deq("5", 5, 6), enq("7", 5, 7), deq("6", 8, 9), enq("8", 6, 7), deq("7", 10, 11), deq("8", 12, 13)},
			"the dequeue by client 3 at [3, 9] found the queue empty, and all the time it had a value in it: 5 from 2 to 5, 6 from 4 to 8, 8 from 7 to 12"},
		{"empty between two", []Op{enq("5", 1, 2), empty(3, 9), enq("6", 3, 5), deq("5", 5, 6)}, ""},
		{"empty at the return of the enqueue", []Op{enq("5", 1, 3), empty(3, 4)}, ""},
		{"empty at the call of the dequeue", []Op{enq("5", 1, 2), empty(3, 4), deq("5", 4, 5)}, ""},
		{"at the end of time", []Op{enq("5", 1, 2), enq("6", 3, 4), deq("6", 5, math.MaxInt64)},
			"the dequeue of 6 by client 2 at [5, 9223372036854775807] returned a value that came after 5: the enqueue of 5 by client 1 at [1, 2] had returned before the enqueue of 6 by client 1 at [3, 4] was called, and no dequeue returned that one"},
		{"at the end of time, and another is dequeued just then", []Op{enq("5", 1, 2), enq("6", 1, 2), enq("7", 3, 4), deq("7", 5, math.MaxInt64), deq("6", math.MaxInt64, math.MaxInt64)},
			"the dequeue of 7 by client 2 at [5, 9223372036854775807] returned a value that came after 5: the enqueue of 5 by client 1 at [1, 2] had returned before the enqueue of 7 by client 1 at [3, 4] was called, and no dequeue returned that one"},
		{"empty to the end of time, when another is dequeued", []Op{enq("5", 1, 2), enq("6", 1, 3), deq("6", math.MaxInt64, math.MaxInt64), empty(5, math.MaxInt64)},
			"the dequeue by client 3 at [5, 9223372036854775807] found the queue empty, and all the time it had a value in it: 5 from 2 on"},
		{"VWit: a value that is enqueued just when another is dequeued", []Op{enq("5", 1, 2), empty(3, 8), enq("7", 3, 4), enq("6", 3, 5), deq("5", 5, 6), deq("7", 8, 9), deq("6", 9, 10)},
			"the dequeue by client 3 at [3, 8] found the queue empty, and all the time it had a value in it: 5 from 2 to 5, 7 from 4 to 8, 6 from 5 to 9"},
		{"empty to the end of time", []Op{enq("5", 1, 2), empty(5, math.MaxInt64)},
			"the dequeue by client 3 at [5, 9223372036854775807] found the queue empty, and all the time it had a value in it: 5 from 2 on"},
		{"empty since an open dequeue", []Op{enq("5", 1, 2), openDeq(2), empty(3, 4)}, ""},
	} {
		why, applies := checkQueue(c.ops)
		assert.True(t, applies, c.name)
		assert.Equal(t, c.why, why, c.name)
		assert.Equal(t, searched(t, Queue, c.ops), c.why == "", c.name)
	}
	_, applies := checkQueue([]Op{enq("5", 1, 2), enq("5", 3, 4)})
	assert.False(t, applies, "values that are enqueued twice are for the search")
}

// A long chain of values is told by its ends.
func TestAspectsOfALongChain(t *testing.T) {
	ops := []Op{{Kind: Dequeue, Outcome: Refused, Call: 10, Return: 50}}
	for i := range int64(10) {
		v := strconv.Itoa(int(i))
		ops = append(ops, Op{Kind: Enqueue, Value: v, Call: 5 * i, Return: 5*i + 1}, Op{Kind: Dequeue, Value: v, Call: 5*i + 9, Return: 5*i + 10})
	}
	why, _ := checkQueue(ops)
	assert.Equal(t, "the dequeue by client 0 at [10, 50] found the queue empty, and all the time it had a value in it: 1 from 6 to 14, 2 from 11 to 19, 3 from 16 to 24, 5 more, 9 from 46 to 54", why)
}

// queued returns a small history of a queue whose values are unique. In half of them a dequeue returns what a real queue
// would, in the others anything; in half of them clocks are wrong.
func queued(r *rand.Rand, n int, buffer []Op) []Op {
	ops := buffer[:0]
	var queue []string
	last, real, wrong := 0, r.IntN(2) == 0, r.IntN(2) == 0
	at := int64(0)
	for i := range n {
		o := Op{Client: i, Kind: Dequeue}
		at += int64(r.IntN(3)) // so that instants are often the same
		o.Call, o.Return = at-int64(r.IntN(4)), at+int64(r.IntN(4))
		if wrong {
			skew := int64(r.IntN(13) - 6)
			o.Call, o.Return = o.Call+skew, o.Return+skew
		}
		if r.IntN(2) == 0 {
			last++
			o.Kind, o.Value = Enqueue, strconv.Itoa(last)
		}
		if r.IntN(6) == 0 {
			o.Outcome = Open
		} else if r.IntN(12) == 0 {
			o.Outcome = Failed
		}
		effect := o.Outcome == OK || o.Outcome == Open && r.IntN(2) == 0
		switch {
		case o.Kind == Enqueue && effect:
			queue = append(queue, o.Value)
		case o.Kind == Dequeue && effect && len(queue) > 0 && real:
			o.Value, queue = queue[0], queue[1:]
		case o.Kind == Dequeue && o.Outcome == OK && (real || r.IntN(3) == 0):
			o.Outcome = Refused
		case o.Kind == Dequeue && o.Outcome == OK:
			o.Value = strconv.Itoa(1 + r.IntN(last+1))
		}
		ops = append(ops, o)
	}
	return ops
}

func TestAspectsAgreeWithPorcupine(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	buffer := make([]Op, 0, 16)
	count := map[string]int{}
	for range rounds(200_000) {
		ops := queued(r, 2+r.IntN(8), buffer)
		require.NoError(t, (&History{Queue, ops}).Validate())
		why, applies := checkQueue(ops)
		require.True(t, applies)
		ok := searched(t, Queue, ops)
		require.Equal(t, ok, why == "", "%v: %v", why, described(ops))
		count[strconv.FormatBool(ok)]++
		for i := range ops {
			count[ops[i].Outcome.String()]++
		}
	}
	t.Log(count)
	for _, what := range []string{"true", "false", "open", "failed", "refused"} {
		assert.Greater(t, count[what], rounds(200_000)/8, what)
	}
}

// worked returns the history of a real queue with unique values, of whose operations a percentage are enqueues.
func worked(r *rand.Rand, n, clients, enqueues int) []Op {
	ops := make([]Op, 0, n)
	ready := make([]int64, clients) // when a client may call again
	var queue []string
	at := int64(0)
	for i := range n {
		c := i % clients
		at = max(at+1, ready[c]+1)
		o := Op{Client: c, Kind: Dequeue, Call: max(ready[c]+1, at-int64(r.IntN(2*clients)+1)), Return: at + int64(r.IntN(2*clients))}
		ready[c] = o.Return
		switch {
		case r.IntN(100) < enqueues:
			o.Kind, o.Value = Enqueue, strconv.Itoa(i)
			queue = append(queue, o.Value)
		case len(queue) > 0:
			o.Value, queue = queue[0], queue[1:]
		default:
			o.Outcome = Refused
		}
		ops = append(ops, o)
	}
	return ops
}

// Longer histories of a real queue are linearizable, and mostly not when two dequeues have exchanged what they returned.
func TestAspectsOfLongerHistories(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	bad := 0
	const n = 500
	for range n {
		ops := worked(r, 10+r.IntN(20), 1+r.IntN(4), 55)
		if r.IntN(2) == 0 {
			exchange(r, ops)
		}
		why, applies := checkQueue(ops)
		require.True(t, applies)
		require.Equal(t, searched(t, Queue, ops), why == "", "%v: %v", why, described(ops))
		if why != "" {
			bad++
		}
	}
	assert.Greater(t, bad, n/8)
	assert.Less(t, bad, n*7/8)
}

// exchange lets two dequeues that follow one another return what the other did.
func exchange(r *rand.Rand, ops []Op) {
	last := -1
	for i := range ops {
		if ops[i].Kind == Dequeue {
			if last >= 0 && r.IntN(4) == 0 {
				a, b := &ops[last], &ops[i]
				a.Value, b.Value, a.Outcome, b.Outcome = b.Value, a.Value, b.Outcome, a.Outcome
				return
			}
			last = i
		}
	}
}

// The comparison with porcupine sees a check that is wrong in one respect, made of the right one and a history that is changed,
// or of all rules but one.
func TestComparisonSeesMutantsOfAspects(t *testing.T) {
	each := func(change func(*Op)) func([]Op) bool {
		return func(ops []Op) bool {
			changed := append([]Op(nil), ops...)
			for i := range changed {
				change(&changed[i])
			}
			why, _ := checkQueue(changed)
			return why == ""
		}
	}
	end := func(from, to Outcome, k Kind) func([]Op) bool {
		return each(func(o *Op) {
			if o.Outcome == from && o.Kind == k {
				o.Outcome = to
			}
		})
	}
	rules := func(order, empty bool) func([]Op) bool {
		return func(ops []Op) bool {
			q := stays{newClusters(ops, Enqueue, "")}
			if !q.addEnqueues() || q.addDequeues() != "" {
				return false
			}
			q.end()
			return (!order || q.overtaken() == "") && (!empty || q.neverEmpty() == "")
		}
	}
	for name, mutant := range map[string]func([]Op) bool{
		"accepts all":                      func([]Op) bool { return true },
		"accepts none":                     func([]Op) bool { return false },
		"rule 3 is missing":                rules(false, true),
		"rule 4 is missing":                rules(true, false),
		"open enqueues never take effect":  end(Open, Failed, Enqueue),
		"open dequeues take nothing":       end(Open, Failed, Dequeue),
		"failed enqueues took effect":      end(Failed, OK, Enqueue),
		"dequeues that found nothing fail": end(Refused, Failed, Dequeue),
		"an instant between is concurrent": each(func(o *Op) { o.Return++ }),
		"intervals are open at their ends": each(func(o *Op) { o.Call, o.Return = 2*o.Call+1, max(2*o.Call+1, 2*o.Return-1) }),
		"open dequeues took effect at once": each(func(o *Op) {
			if o.Outcome == Open && o.Kind == Dequeue {
				o.Outcome, o.Return = Refused, o.Call
			}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(33, 34))
			buffer := make([]Op, 0, 16)
			seen := false
			for i := 0; !seen && i < 20_000; i++ {
				ops := queued(r, 2+r.IntN(8), buffer)
				seen = mutant(ops) != searched(t, Queue, ops)
			}
			assert.True(t, seen)
		})
	}
}
