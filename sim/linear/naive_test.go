package linear

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object is a set, a queue, a counter or a lease at an instant, as one would write it down
// who has heard nothing of the search.
type object struct {
	list    []string // of a set or a queue
	sum     int
	holder  int
	expires int64
}

// do does an operation at an instant, and reports whether it can end as it did.
func (x object) do(m Model, o *Op, now int64) (object, bool) {
	open, refused := o.Outcome == Open, o.Outcome == Refused
	x.list = slices.Clone(x.list)
	n, _ := strconv.Atoi(o.Value)
	held := x.holder != free && now < x.expires
	mine := held && x.holder == o.Client
	switch o.Kind {
	case Add:
		if m == Counter {
			x.sum += n
		} else if !slices.Contains(x.list, o.Value) {
			x.list = append(x.list, o.Value)
		}
		return x, true
	case Remove:
		x.list = slices.DeleteFunc(x.list, func(e string) bool { return e == o.Value })
		return x, true
	case Read:
		return x, m == Counter && n == x.sum || m == Set && o.Value == Elements(x.list...)
	case Enqueue:
		x.list = append(x.list, o.Value)
		return x, true
	case Dequeue:
		switch {
		case refused:
			return x, len(x.list) == 0
		case len(x.list) == 0:
			return x, false
		}
		first := x.list[0]
		x.list = x.list[1:]
		return x, open || first == o.Value
	case Acquire:
		if refused {
			return x, held
		}
		x.holder, x.expires = o.Client, now+int64(n)
		return x, !held
	case Renew, Release:
		if refused {
			return x, !mine
		}
		if x.expires = now + int64(n); o.Kind == Release {
			x.holder = free
		}
		return x, mine
	}
	panic(o)
}

// naive tries every order of the operations and every instant. Of those that are open any may
// never take effect.
func naive(m Model, x object, ops []Op, now int64) bool {
	latest := int64(30) // nothing takes effect after a return that is to come
	over := true
	for i := range ops {
		latest = min(latest, ops[i].end())
		over = over && ops[i].Outcome == Open
	}
	if over {
		return true
	}
	for i := range ops {
		o := &ops[i]
		rest := append(slices.Clone(ops[:i]), ops[i+1:]...)
		for at := max(now, o.Call); at <= latest; at++ {
			if y, ok := x.do(m, o, at); ok && naive(m, y, rest, at) {
				return true
			}
			if m != Lease {
				break // what happens does not depend on the instant: the first leaves most room
			}
		}
	}
	return false
}

// small returns a small history of a model, of which about half are those of a real object.
func small(r *rand.Rand, m Model) []Op {
	x := object{holder: free}
	honest := r.IntN(2) == 0
	var ops []Op
	now := int64(0)
	for range 2 + r.IntN(4) {
		now += int64(r.IntN(4))
		o := Op{Client: r.IntN(2), Call: now - int64(r.IntN(4)), Return: now + int64(r.IntN(4))}
		kinds := m.kinds()
		o.Kind = kinds[r.IntN(len(kinds))]
		o.Value = strconv.Itoa(1 + r.IntN(3))
		if m == Counter && o.Kind == Add {
			o.Value = strconv.Itoa(r.IntN(4) - 1)
		}
		if slices.Contains(refusable, o.Kind) && r.IntN(3) == 0 {
			o.Outcome = Refused
		}
		if m == Set && o.Kind == Read {
			o.Value = Elements([]string{"1", "2", "3"}[:r.IntN(4)]...)
		}
		if honest {
			o = x.answer(m, o, now)
		}
		if y, ok := x.do(m, &o, now); ok {
			x = y
		}
		if r.IntN(6) == 0 && o.Kind != Read {
			o.Outcome = Open
		}
		ops = append(ops, o)
	}
	return ops
}

// answer is an operation as the object answers it.
func (x object) answer(m Model, o Op, now int64) Op {
	switch {
	case m == Set && o.Kind == Read:
		o.Value = Elements(x.list...)
	case m == Counter && o.Kind == Read:
		o.Value = strconv.Itoa(x.sum)
	case o.Kind == Dequeue && len(x.list) > 0:
		o.Value, o.Outcome = x.list[0], OK
	case slices.Contains(refusable, o.Kind):
		o.Outcome = OK
		if _, ok := x.do(m, &o, now); !ok {
			o.Outcome = Refused
		}
	}
	return o
}

// What the search decides about sets, queues, counters and leases is what trying all orders
// and instants decides.
func TestModelsAgreeWithEnumeration(t *testing.T) {
	for _, m := range []Model{Lease, Set, Queue, Counter} {
		t.Run(m.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, uint64(m)))
			count := map[bool]int{}
			for range rounds(60_000) {
				ops := small(r, m)
				result, err := Check(context.Background(), &History{m, ops}, DefaultLimits())
				require.NoError(t, err)
				want := naive(m, object{holder: free}, ops, -100)
				require.Equal(t, want, result.Verdict == Linearizable, "%v %v", described(ops), result.Why)
				count[want]++
			}
			assert.Greater(t, min(count[true], count[false]), rounds(60_000)/8, count)
		})
	}
}

func described(ops []Op) (lines []string) {
	for i := range ops {
		lines = append(lines, fmt.Sprintf("%v %v %q\n", &ops[i], ops[i].Outcome, ops[i].Value))
	}
	return lines
}

// The enumeration sees a model that is wrong in one respect: it is a history that is changed.
func TestEnumerationSeesMutants(t *testing.T) {
	for _, mutant := range []struct {
		name  string
		model Model
		of    func(*Op)
	}{
		{"a removed element stays", Set, func(o *Op) {
			if o.Kind == Remove {
				o.Outcome = Failed
			}
		}},
		{"reads of a set return anything", Set, func(o *Op) {
			if o.Kind == Read {
				o.Outcome = Open
			}
		}},
		{"a dequeue leaves its value", Queue, func(o *Op) {
			if o.Kind == Dequeue && o.Outcome == OK {
				o.Outcome = Failed
			}
		}},
		{"a dequeue that finds nothing is as if it had not been", Queue, func(o *Op) {
			if o.Outcome == Refused {
				o.Outcome = Failed
			}
		}},
		{"amounts have no sign", Counter, func(o *Op) { o.Value = strconv.Itoa(max(0, int(o.amount()))) }},
		{"open adds never take effect", Counter, func(o *Op) {
			if o.Outcome == Open {
				o.Outcome = Failed
			}
		}},
		{"a lease never expires", Lease, func(o *Op) { o.Value = "1000" }},
		{"a lease expires one later", Lease, func(o *Op) { o.Value = strconv.Itoa(int(o.amount()) + 1) }},
		{"a renew changes nothing", Lease, func(o *Op) {
			if o.Kind == Renew && o.Outcome == OK {
				o.Outcome = Failed
			}
		}},
		{"a refusal says nothing", Lease, func(o *Op) {
			if o.Outcome == Refused {
				o.Outcome = Failed
			}
		}},
		{"all is one client", Lease, func(o *Op) { o.Client = 1 }},
	} {
		t.Run(mutant.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(23, 24))
			seen := false
			for i := 0; !seen && i < 20_000; i++ {
				ops := small(r, mutant.model)
				want := naive(mutant.model, object{holder: free}, ops, -100)
				for i := range ops {
					mutant.of(&ops[i])
				}
				seen = searched(t, mutant.model, ops) != want
			}
			assert.True(t, seen)
		})
	}
}
