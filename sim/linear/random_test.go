package linear

import (
	"context"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"fencepost/internal/whole"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// values are those of small histories, without an allocation for each.
var values = []string{Nil, "1", "2", "3", "4", "5", "6", "7", "8", "9", "never"}

// random returns a small history of a register whose values are unique. In half of them
// a read returns what a real register would, in the others anything; in half of them
// clocks are wrong.
func random(r *rand.Rand, buffer []Op) []Op {
	ops := buffer[:0]
	n, written, held := 2+r.IntN(8), 0, 0
	real, wrong := r.IntN(2) == 0, r.IntN(2) == 0
	at := int64(0)
	for i := range n {
		o := Op{Client: i, Kind: Read}
		at += int64(r.IntN(3)) // so that instants are often the same
		o.Call, o.Return = at-int64(r.IntN(4)), at+int64(r.IntN(4))
		if wrong {
			skew := int64(r.IntN(13) - 6)
			o.Call, o.Return = o.Call+skew, o.Return+skew
		}
		if r.IntN(2) == 0 {
			written++
			o.Kind, o.Value = Write, values[written]
		}
		if r.IntN(6) == 0 {
			o.Outcome = Open
		} else if r.IntN(12) == 0 {
			o.Outcome = Failed
		}
		effect := o.Outcome == OK || o.Outcome == Open && r.IntN(2) == 0
		switch {
		case o.Kind == Write && effect:
			held = written
		case o.Kind == Read && real:
			o.Value = values[held]
		case o.Kind == Read && r.IntN(40) == 0:
			o.Value = "never"
		case o.Kind == Read:
			o.Value = values[r.IntN(written+1)]
		}
		ops = append(ops, o)
	}
	return ops
}

// searched is the verdict of porcupine.
func searched(t *testing.T, m Model, ops []Op) bool {
	s := &search{ctx: context.Background(), limits: DefaultLimits(), seed: maphash.MakeSeed()}
	ok, bound := s.run(m, ops)
	require.Empty(t, bound)
	return ok
}

// rounds is how many histories a comparison takes: all with -whole, else a quarter.
func rounds(all int) int {
	switch {
	case testing.Short():
		return all / 20
	case whole.Tests():
		return all
	}
	return all / 10
}

func TestZonesAgreeWithPorcupine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	buffer := make([]Op, 0, 16)
	count := map[string]int{}
	for range rounds(200_000) {
		ops := random(r, buffer)
		h := &History{Register, ops}
		require.NoError(t, h.Validate())
		why, applies := checkZones(ops, Nil)
		require.True(t, applies)
		ok := searched(t, Register, ops)
		require.Equal(t, ok, why == "", "%s: %v", why, ops)
		count[strconv.FormatBool(ok)]++
		for i := range ops {
			count[ops[i].Outcome.String()]++
			for j := range ops {
				if i != j && ops[i].Return == ops[j].Call {
					count["ties"]++
				}
			}
		}
	}
	// The comparison is of something: there are many of each kind.
	for _, what := range []string{"true", "false", "open", "failed", "ties"} {
		assert.Greater(t, count[what], rounds(200_000)/8, what)
	}
	t.Log(count)
}

// mutants are checks that are wrong in one respect, made of the right one and a history
// that is changed.
func mutants() map[string]func([]Op) bool {
	check := func(ops []Op) bool {
		why, _ := checkZones(ops, Nil)
		return why == ""
	}
	each := func(change func(*Op)) func([]Op) bool {
		return func(ops []Op) bool {
			changed := append([]Op(nil), ops...)
			for i := range changed {
				change(&changed[i])
			}
			return check(changed)
		}
	}
	return map[string]func([]Op) bool{
		"accepts all":  func([]Op) bool { return true },
		"accepts none": func([]Op) bool { return false },
		"intervals are open at their ends": each(func(o *Op) {
			o.Call, o.Return = 2*o.Call+1, max(2*o.Call+1, 2*o.Return-1)
		}),
		"an instant between is concurrent": each(func(o *Op) { o.Return++ }),
		"open writes never take effect": each(func(o *Op) {
			if o.Outcome == Open {
				o.Outcome = Failed
			}
		}),
		"open writes take effect before their return": each(func(o *Op) {
			if o.Outcome == Open && o.Kind == Write {
				o.Outcome = OK
			}
		}),
		"open reads have returned": each(func(o *Op) {
			if o.Outcome == Open && o.Kind == Read {
				o.Outcome, o.Value = OK, Nil
			}
		}),
		"failed writes may take effect": each(func(o *Op) {
			if o.Outcome == Failed {
				o.Outcome = Open
			}
		}),
		"failed reads returned": each(func(o *Op) {
			if o.Outcome == Failed && o.Kind == Read {
				o.Outcome = OK
			}
		}),
		"the initial value is never overwritten": each(func(o *Op) {
			if o.Kind == Read && o.Value == Nil {
				o.Outcome = Failed
			}
		}),
		"a read may be before its write": each(func(o *Op) {
			if o.Kind == Write {
				o.Call = math.MinInt64 + 1
			}
		}),
		"values that nobody wrote are not seen": each(func(o *Op) {
			if o.Value == "never" {
				o.Outcome = Failed
			}
		}),
		"rule 2 is missing": func(ops []Op) bool { return rule(ops, true, false) },
		"rule 3 is missing": func(ops []Op) bool { return rule(ops, false, true) },
	}
}

// The comparison with porcupine sees every one.
func TestComparisonSeesMutants(t *testing.T) {
	for name, mutant := range mutants() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			buffer := make([]Op, 0, 16)
			seen := 0
			for i := 0; seen == 0 && i < 100_000; i++ {
				ops := random(r, buffer)
				if mutant(ops) != searched(t, Register, ops) {
					seen++
				}
			}
			assert.Positive(t, seen)
		})
	}
}

// rule is the definition, every pair of zones compared, without the rule of two
// forward zones or without that of a backward one in a forward one.
func rule(ops []Op, without2, without3 bool) bool {
	c := newClusters(ops, Write, Nil)
	if !c.addWrites() || c.addReads() != "" {
		return false
	}
	for i, a := range c.zones {
		for _, b := range c.zones[:i] {
			bothForward := a.f < a.s && b.f < b.s
			if a.f < b.s && b.f < a.s && !(without2 && bothForward) && !(without3 && !bothForward) {
				return false
			}
		}
	}
	return true
}

// The sweep over sorted zones finds what comparing every pair does, among many zones.
func TestZonesOfLongerHistories(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	bad := 0
	const n = 2_000
	for range n {
		ops := simulated(r, 10+r.IntN(40), 1+r.IntN(6))
		if r.IntN(2) == 0 {
			spoil(r, ops)
		}
		why, applies := checkZones(ops, Nil)
		require.True(t, applies)
		require.Equal(t, rule(ops, false, false), why == "", "%s: %v", why, ops)
		require.Equal(t, searched(t, Register, ops), why == "", "%s: %v", why, ops)
		if why != "" {
			bad++
		}
	}
	assert.Greater(t, bad, n/8)
	assert.Less(t, bad, n*7/8)
}

// simulated returns the history of a real register, with unique values.
func simulated(r *rand.Rand, n, clients int) []Op {
	ops := make([]Op, 0, n)
	ready := make([]int64, clients) // when a client may call again
	held, at := Nil, int64(0)
	for i := range n {
		c := i % clients
		at = max(at+1, ready[c]+1)
		o := Op{Client: c, Kind: Read, Call: max(ready[c]+1, at-int64(r.IntN(2*clients)+1)), Return: at + int64(r.IntN(2*clients))}
		ready[c] = o.Return
		if r.IntN(2) == 0 {
			o.Kind, o.Value = Write, strconv.Itoa(i)
			held = o.Value
		} else {
			o.Value = held
		}
		ops = append(ops, o)
	}
	return ops
}

// spoil makes a late read return what an earlier one did, which is mostly overwritten.
func spoil(r *rand.Rand, ops []Op) {
	late := -1
	for i := len(ops) - 1; i >= 0; i-- {
		switch {
		case ops[i].Kind == Read && late < 0:
			late = i
		case ops[i].Kind == Write && late >= 0 && r.IntN(3) == 0:
			ops[late].Value = ops[i].Value
			return
		}
	}
}
