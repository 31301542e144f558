package clock

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What cannot fail proves nothing: each law of laws_test.go, and each claim of
// claims.go, catches the mutants named here.

func TestMutantComparisons(t *testing.T) {
	for name, compare := range map[string]comparison{
		"equal is concurrent": func(v, w Vector) Relation {
			if r := denseCompare(v, w); r != Equal {
				return r
			}
			return Concurrent
		},
		"the first difference decides": func(v, w Vector) Relation {
			for i := range v {
				if r := order(v[i], w[i]); r != Equal {
					return r
				}
			}
			return Equal
		},
		"the last process is left out": func(v, w Vector) Relation { return denseCompare(v[:2], w[:2]) },
		"every counter must be less": func(v, w Vector) Relation {
			less, more := true, true
			for i := range v {
				less, more = less && v[i] < w[i], more && v[i] > w[i]
			}
			switch {
			case less:
				return Before
			case more:
				return After
			case slices.Equal(v, w):
				return Equal
			}
			return Concurrent
		},
		"the sums decide": func(v, w Vector) Relation {
			return order(v[0]+v[1]+v[2], w[0]+w[1]+w[2])
		},
	} {
		assert.Error(t, partialOrder(compare), name)
	}
}

func TestMutantMerges(t *testing.T) {
	for name, merge := range map[string]merging{
		"takes the other":   func(_, w Vector) Vector { return w },
		"keeps its own":     func(v, _ Vector) Vector { return v },
		"adds":              func(v, w Vector) Vector { return Vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} },
		"takes the smaller": func(v, w Vector) Vector { return Vector{min(v[0], w[0]), min(v[1], w[1]), min(v[2], w[2])} },
		"counts as well":    func(v, w Vector) Vector { return denseTick(denseMerge(v, w), 0) },
		"leaves one out": func(v, w Vector) Vector {
			m := denseMerge(v, w)
			m[2] = v[2]
			return m
		},
		"takes the later one whole, else its own": func(v, w Vector) Vector {
			if denseCompare(v, w) == Before {
				return w
			}
			return v
		},
	} {
		assert.Error(t, semilattice(merge), name)
	}
}

func TestMutantTicks(t *testing.T) {
	for name, tick := range map[string]func(v Vector, p int) Vector{
		"does nothing":          func(v Vector, _ int) Vector { return v },
		"counts at the first":   func(v Vector, _ int) Vector { return denseTick(v, 0) },
		"counts at all":         func(v Vector, _ int) Vector { return Vector{v[0] + 1, v[1] + 1, v[2] + 1} },
		"begins again at two":   func(v Vector, p int) Vector { v = denseTick(v, p); v[p] %= 3; return v },
		"forgets the neighbour": func(v Vector, p int) Vector { v = denseTick(v, p); v[(p+1)%3] = 0; return v },
	} {
		assert.Error(t, ticking(tick), name)
	}
}

func TestMutantSyncs(t *testing.T) {
	type s = DVVSet[string, int]
	for name, sync := range map[string]func(a, b s) s{
		"keeps its own": func(a, _ s) s { return a },
		"the larger counter takes all": func(a, b s) s {
			m := a.Sync(b)
			for i := range m.Entries {
				for _, d := range slices.Concat(a.Entries, b.Entries) {
					if d.ID == m.Entries[i].ID && d.N == m.Entries[i].N {
						m.Entries[i].Values = d.Values
					}
				}
			}
			return m
		},
		"duplicates": func(a, b s) s {
			m := a.Sync(b)
			for i, d := range m.Entries {
				m.Entries[i].Values = slices.Concat(d.Values, d.Values)
			}
			return m
		},
		"never drops": func(a, b s) s {
			m := a.Sync(b)
			m.Anonymous = union(a.Values(), b.Values())
			return m
		},
	} {
		assert.Error(t, syncLaws(sync), name)
	}
}

// TestMutantLamport: orders-causally and total-order.
func TestMutantLamport(t *testing.T) {
	for name, receive := range map[string]func(c *Lamport, m uint64) uint64{
		"does not look at the message": func(c *Lamport, _ uint64) uint64 { return c.Tick() },
		"takes the larger and no more": func(c *Lamport, m uint64) uint64 { *c = max(*c, Lamport(m)); return uint64(*c) },
		"takes the message's plus one": func(c *Lamport, m uint64) uint64 { *c = Lamport(m) + 1; return uint64(*c) },
		// A receipt below the clock shares the stamp of the event before it.
		"serf's witness": func(c *Lamport, m uint64) uint64 {
			if err := c.Witness(m); err != nil {
				panic(err)
			}
			return uint64(*c)
		},
	} {
		assert.ErrorContains(t, lamportRun(receive), "orders-causally", name)
	}
	h := must(NewHistory(2))
	must(h.Local(0))
	must(h.Local(1))
	assert.ErrorContains(t, h.TotalOrder(func(a, b Event) int { return 0 }), "total-order", "without process ids two events are one")
}

// TestMutantVector: detects-concurrency, in both directions.
func TestMutantVector(t *testing.T) {
	for name, receive := range map[string]func(v Vector, p int, m Vector){
		"does not count": func(v Vector, _ int, m Vector) {
			if err := v.Merge(m); err != nil {
				panic(err)
			}
		},
		"does not merge":             func(v Vector, p int, _ Vector) { v.Tick(p) },
		"counts at the next":         func(v Vector, p int, m Vector) { vectorReceive(v, (p+1)%len(v), m) },
		"takes the message's":        func(v Vector, p int, m Vector) { own := v[p]; copy(v, m); v[p] = own + 1 },
		"counts at the sender, too":  func(v Vector, p int, m Vector) { vectorReceive(v, p, m); v[(p+1)%len(v)]++ },
		"merges no more than half":   func(v Vector, p int, m Vector) { copy(m[2:], v[2:]); vectorReceive(v, p, m) },
		"knows all that is anywhere": func(v Vector, p int, m Vector) { vectorReceive(v, p, m); v[0] += 5 },
	} {
		assert.Error(t, vectorRun(func(v Vector, p int, m Vector) { receive(v, p, m.clone()) }), name)
	}
	// A Lamport clock does not detect concurrency, and neither does a hybrid one.
	h := randomHistory(rand.New(rand.NewPCG(1, 1)), 3, 100)
	c := lamportsOf(h)
	assert.ErrorContains(t, h.DetectsConcurrency(func(a, b Event) Relation { return order(c[a], c[b]) }), "detects-concurrency")
	run := newHLCRun(1, 30, (*HLC).Tick, (*HLC).Receive)
	assert.ErrorContains(t, run.h.DetectsConcurrency(func(a, b Event) Relation {
		return Relation(1 + (run.stamps[a].Compare(run.stamps[b])+1)/2)
	}), "detects-concurrency")
	// And vectors of one process too few do not.
	v := vectorsOf(h)
	assert.Error(t, h.DetectsConcurrency(func(a, b Event) Relation { return must(v[a][:2].Compare(v[b][:2])) }))
}

// TestMutantHybrid: orders-causally and close-to-physical.
func TestMutantHybrid(t *testing.T) {
	wall := func(c *HLC, pt Reading) Timestamp { c.Last = Timestamp{L: pt}; return c.Last }
	for name, m := range map[string]struct {
		tick    func(*HLC, Reading) Timestamp
		receive hlcReceive
		claim   string
	}{
		"the wall clock alone":         {wall, func(c *HLC, _ Timestamp, pt Reading) Timestamp { return wall(c, pt) }, "orders-causally"},
		"the message is not looked at": {(*HLC).Tick, func(c *HLC, _ Timestamp, pt Reading) Timestamp { return c.Tick(pt) }, "orders-causally"},
		"c is its own, not the larger": {(*HLC).Tick, func(c *HLC, m Timestamp, pt Reading) Timestamp {
			own := c.Last.C
			c.Receive(m, pt)
			if c.Last.L == m.L {
				c.Last.C = own + 1
			}
			return c.Last
		}, "orders-causally"},
		"c begins again at a receipt": {(*HLC).Tick, func(c *HLC, m Timestamp, pt Reading) Timestamp {
			c.Receive(m, pt)
			c.Last.C = 0
			return c.Last
		}, "orders-causally"},
		"update is taken for a receipt": {(*HLC).Tick, func(c *HLC, m Timestamp, _ Reading) Timestamp { c.Update(m); return c.Last }, "orders-causally"},
		"a Lamport clock": {func(c *HLC, _ Reading) Timestamp { c.Last.L++; return c.Last },
			func(c *HLC, m Timestamp, _ Reading) Timestamp { c.Last.L = max(c.Last.L, m.L) + 1; return c.Last }, "close-to-physical"},
		"one clock an hour ahead": {(*HLC).Tick, func(c *HLC, m Timestamp, pt Reading) Timestamp {
			return c.Receive(Timestamp{L: m.L + 3600}, pt)
		}, "close-to-physical"},
	} {
		assert.ErrorContains(t, hybridRuns(m.tick, m.receive), m.claim, name)
	}
}

// TestMutantSiblings: no-false-siblings and no-lost-value.
func TestMutantSiblings(t *testing.T) {
	_, lost := converging(dvvSets(false), true)
	assert.Positive(t, lost, "a wiped replica that keeps its id")

	changed := func(change func(s *siblings)) func() siblings {
		return func() siblings {
			s := dvvSets(false)()
			change(&s)
			return s
		}
	}
	for name, m := range map[string]struct {
		build        func() siblings
		falses, lost bool
	}{
		"contexts are ignored": {changed(func(s *siblings) {
			put := s.put
			s.put = func(at int, _ VersionVector[string], v WriteID) { put(at, nil, v) }
		}), true, false},
		// It drops what its client has not read, and keeps what it has read elsewhere.
		"the last writer wins": {changed(func(s *siblings) {
			put, get := s.put, s.get
			s.put = func(at int, _ VersionVector[string], v WriteID) {
				_, everything := get(at)
				put(at, everything, v)
			}
		}), true, true},
		"a context is of the time of the write": {changed(func(s *siblings) {
			get := s.get
			s.get = func(at int) ([]WriteID, VersionVector[string]) {
				kept, context := get(at)
				context.Tick("a")
				return kept, context
			}
		}), false, true},
	} {
		f, l := converging(m.build, false)
		assert.Equal(t, []bool{m.falses, m.lost}, []bool{f > 0, l > 0}, "%s: %d false siblings, %d lost values", name, f, l)
	}
}
