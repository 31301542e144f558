package clock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The laws of clocks. Each takes the operations that it is about, so that a mutant can
// be put in their place, and returns the first violation.

// all are the clocks of three processes that have counted to 2: 27, so that laws about
// any three of them are tested whole.
func all() (clocks []Vector) {
	for n := range uint64(27) {
		clocks = append(clocks, Vector{n % 3, n / 3 % 3, n / 9})
	}
	return clocks
}

type comparison func(v, w Vector) Relation

type merging func(v, w Vector) Vector

func denseCompare(v, w Vector) Relation { return must(v.Compare(w)) }

func denseMerge(v, w Vector) Vector {
	v = v.clone()
	if err := v.Merge(w); err != nil {
		panic(err)
	}
	return v
}

var abc = must(NewGroup("a", "b", "c"))

// sparseCompare and sparseMerge are those of sparse clocks, seen from dense ones.
func sparseCompare(v, w Vector) Relation { return must(abc.Sparse(v)).Compare(must(abc.Sparse(w))) }

func sparseMerge(v, w Vector) Vector {
	s := must(abc.Sparse(v))
	s.Merge(must(abc.Sparse(w)))
	if err := s.Check(); err != nil {
		panic(err)
	}
	return must(abc.Dense(s))
}

// timedMerge is that of clocks that forget.
func timedMerge(v, w Vector) Vector {
	timed := func(v Vector) (t TimedVector[string]) {
		for _, e := range must(abc.Sparse(v)) {
			t = append(t, TimedEntry[string]{e.ID, e.N, Reading(e.N)})
		}
		return t
	}
	merged := timed(v)
	merged.Merge(timed(w))
	return must(abc.Dense(merged.Clock()))
}

// partialOrder: by the definition for any two, and reflexive, antisymmetric and
// transitive.
func partialOrder(compare comparison) error {
	for _, a := range all() {
		for _, b := range all() {
			r := compare(a, b)
			var want Relation
			for i := range a {
				if a[i] < b[i] {
					want |= Before
				} else if a[i] > b[i] {
					want |= After
				}
			}
			if r != want || r != compare(b, a).Reverse() {
				return fmt.Errorf("%v %v %v, which are %v", a, r, b, want)
			}
			for _, c := range all() {
				if r == Before && compare(b, c) == Before && compare(a, c) != Before {
					return fmt.Errorf("%v < %v < %v, but not the first before the last", a, b, c)
				}
			}
		}
	}
	return nil
}

// semilattice: merge is commutative, associative and idempotent, and the least that
// covers both.
func semilattice(merge merging) error {
	for _, a := range all() {
		if denseCompare(merge(a, a), a) != Equal {
			return fmt.Errorf("merge of %v with itself is %v", a, merge(a, a))
		}
		for _, b := range all() {
			m := merge(a, b)
			if denseCompare(m, merge(b, a)) != Equal {
				return fmt.Errorf("merge of %v and %v is %v, and the other way %v", a, b, m, merge(b, a))
			}
			if denseCompare(a, m)&After != 0 {
				return fmt.Errorf("merge of %v and %v, %v, does not cover the first", a, b, m)
			}
			for _, c := range all() {
				if denseCompare(merge(m, c), merge(a, merge(b, c))) != Equal {
					return fmt.Errorf("merge of %v, %v and %v depends on the order", a, b, c)
				}
				if denseCompare(a, c)&After == 0 && denseCompare(b, c)&After == 0 && denseCompare(m, c)&After != 0 {
					return fmt.Errorf("merge of %v and %v is %v, more than %v", a, b, m, c)
				}
			}
		}
	}
	return nil
}

// ticking: what has ticked is after what has not, and two that have ticked elsewhere
// are concurrent.
func ticking(tick func(v Vector, p int) Vector) error {
	for _, a := range all() {
		for p := range a {
			if r := denseCompare(a, tick(a, p)); r != Before {
				return fmt.Errorf("%v %v its tick at %d, %v", a, r, p, tick(a, p))
			}
			for q := range a {
				if r := denseCompare(tick(a, p), tick(a, q)); p != q && r != Concurrent {
					return fmt.Errorf("ticks of %v at %d and %d: %v", a, p, q, r)
				}
			}
		}
	}
	return nil
}

func denseTick(v Vector, p int) Vector {
	v = v.clone()
	v.Tick(p)
	return v
}

func sparseTick(v Vector, p int) Vector {
	s, placed := must(abc.Sparse(v)), must(abc.Sparse(v))
	n := s.Tick(abc.Name(p))
	at := placed.TickAt(p-1, abc.Name(p))
	if placed[at] != (Entry[string]{abc.Name(p), n}) || placed.Compare(s) != Equal {
		panic("a tick at a place is not a tick")
	}
	placed.TickAt(at, abc.Name(p))
	if placed.Get(abc.Name(p)) != n+1 || placed.Check() != nil {
		panic("a tick at the right place is not a tick")
	}
	return must(abc.Dense(s))
}

func TestLattice(t *testing.T) {
	assert.NoError(t, partialOrder(denseCompare))
	assert.NoError(t, partialOrder(sparseCompare))
	assert.NoError(t, semilattice(denseMerge))
	assert.NoError(t, semilattice(sparseMerge))
	assert.NoError(t, semilattice(timedMerge))
	assert.NoError(t, ticking(denseTick))
	assert.NoError(t, ticking(sparseTick))
}

// TestLong: comparison and merge of clocks of every length that the code treats in its
// own way, and of counters up to the largest, are those of a plain loop.
func TestLong(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	edges := []uint64{0, 1, 2, MaxCount - 1, MaxCount, 1<<63 - 1}
	seen := map[Relation]int{}
	for range 20_000 {
		n := r.IntN(40)
		v, w, want, merged := make(Vector, n), make(Vector, n), Equal, make(Vector, n)
		direction := r.IntN(3)
		for i := range v {
			v[i] = edges[r.IntN(len(edges))]
			w[i] = v[i]
			if r.IntN(n) == 0 {
				w[i] = edges[r.IntN(len(edges))]
			}
			if direction == 1 && w[i] < v[i] || direction == 2 && w[i] > v[i] {
				v[i], w[i] = w[i], v[i]
			}
			if v[i] < w[i] {
				want |= Before
			} else if v[i] > w[i] {
				want |= After
			}
			merged[i] = max(v[i], w[i])
		}
		seen[want]++
		require.Equal(t, want, denseCompare(v, w), "%v %v", v, w)
		require.Equal(t, merged, denseMerge(v, w))
		require.NoError(t, v.Check())
		ids := numbers(n)
		g := must(NewGroup(ids...))
		a, b := must(g.Sparse(v)), must(g.Sparse(w))
		require.Equal(t, want, a.Compare(b))
		require.Equal(t, want&Before == 0, a.Covers(b))
		a.Merge(b)
		require.NoError(t, a.Check())
		require.Equal(t, merged, must(g.Dense(a)))
	}
	for _, r := range []Relation{Equal, Before, After, Concurrent} {
		assert.Greater(t, seen[r], 500, r)
	}
}

// syncLaws: D-19, "2000 random histories, 3 replicas: sync commutative, idempotent,
// associative".
func syncLaws(sync func(s, t DVVSet[string, int]) DVVSet[string, int]) error {
	r := rand.New(rand.NewPCG(19, 19))
	for range 2000 {
		states := randomReplicas(r)
		draw := func() DVVSet[string, int] { return states[r.IntN(len(states))] }
		a, b, c := draw(), draw(), draw()
		switch ab := sync(a, b); {
		case !same(ab, sync(b, a)):
			return fmt.Errorf("sync of %v and %v is %v, and the other way %v", a, b, ab, sync(b, a))
		case !same(sync(a, a), a):
			return fmt.Errorf("sync of %v with itself is %v", a, sync(a, a))
		case !same(sync(ab, c), sync(a, sync(b, c))):
			return fmt.Errorf("sync of %v, %v and %v depends on the order", a, b, c)
		case ab.Check() != nil:
			return ab.Check()
		}
	}
	return nil
}

// TestAnonymous: values without a dot obey no such law. Of three sets, z covers y and
// has the clock of x and y together.
func TestAnonymous(t *testing.T) {
	x, y, z := NewDVVSet(vv("{a:1}"), "x"), NewDVVSet(vv("{b:1}"), "y"), NewDVVSet(vv("{a:1,b:1}"), "z")
	assert.Equal(t, "{a,1,[]}{b,1,[]}[x y z]", x.Sync(y).Sync(z).String())
	assert.Equal(t, "{a,1,[]}{b,1,[]}[z]", x.Sync(y.Sync(z)).String())
}

// TestLastWriterContradicts: an order of values that contradicts the dots, as wall
// clocks make it, leaves the winner under the dot of another.
func TestLastWriterContradicts(t *testing.T) {
	replica := setOf(dots("a", 2, "written last, clock behind", "written first, clock ahead"))
	newest := func(a, b string) bool { return a > b }
	assert.Equal(t, "{a,2,[written last, clock behind]}", replica.LastWriter(newest).String())
	planted := setOf(dots("a", 2, "written first, clock ahead"))
	assert.NotEqual(t, planted.Sync(replica).String(), replica.Sync(planted).String())
}

// hlcRun is a run of hybrid clocks over wall clocks that are at most apart, and the
// stamps and readings of its events.
type hlcRun struct {
	h      *History
	stamps []Timestamp
	walls  []Reading
}

type hlcReceive func(c *HLC, m Timestamp, pt Reading) Timestamp

func newHLCRun(seed uint64, apart Reading, tick func(*HLC, Reading) Timestamp, receive hlcReceive) hlcRun {
	r := rand.New(rand.NewPCG(seed, 1))
	run := hlcRun{h: randomHistory(r, 4, 400)}
	at := apart
	stamped := Event(0)
	wall := func(p int) Reading {
		at += Reading(r.IntN(3))
		run.walls = append(run.walls, at+Reading(p)*apart/3)
		stamped++
		return run.walls[stamped-1]
	}
	run.stamps = replay(run.h, func(int) HLC { return HLC{} },
		func(c *HLC, p int) Timestamp { return tick(c, wall(p)) },
		func(c *HLC, p int, m Timestamp) Timestamp { return receive(c, m, wall(p)) })
	return run
}

// check is HL1, the total order by node id, HL2 and HL4.
func (run hlcRun) check(apart time.Duration) error {
	stamp := func(e Event) HybridStamp[int] { return HybridStamp[int]{run.stamps[e], run.h.Process(e)} }
	if err := run.h.TotalOrder(func(a, b Event) int { return stamp(a).Compare(stamp(b)) }); err != nil {
		return err
	}
	return run.h.CloseToPhysical(func(e Event) time.Duration { return time.Duration(run.stamps[e].L - run.walls[e]) }, apart)
}

func TestHybrid(t *testing.T) {
	assert.NoError(t, hybridRuns((*HLC).Tick, (*HLC).Receive))
}

// hybridRuns checks a hundred runs.
func hybridRuns(tick func(*HLC, Reading) Timestamp, receive hlcReceive) error {
	for seed := range uint64(100) {
		if err := newHLCRun(seed, 30, tick, receive).check(30); err != nil {
			return err
		}
	}
	return nil
}

// lamportRun checks LC1 and LC2 over random runs.
func lamportRun(receive func(c *Lamport, t uint64) uint64) error {
	r := rand.New(rand.NewPCG(1, 9))
	for range 100 {
		h := randomHistory(r, 4, 200)
		c := replay(h, func(int) Lamport { return 0 },
			func(c *Lamport, _ int) uint64 { return c.Tick() },
			func(c *Lamport, _ int, m uint64) uint64 { return receive(c, m) })
		if err := h.TotalOrder(byStamp(h, c)); err != nil {
			return err
		}
	}
	return nil
}

// vectorRun checks VC over random runs.
func vectorRun(receive func(v Vector, p int, m Vector)) error {
	r := rand.New(rand.NewPCG(1, 9))
	for range 100 {
		h := randomHistory(r, 4, 200)
		v := replay(h, func(int) Vector { return make(Vector, 4) },
			func(v *Vector, p int) Vector { v.Tick(p); return v.clone() },
			func(v *Vector, p int, m Vector) Vector { receive(*v, p, m); return v.clone() })
		if err := h.DetectsConcurrency(func(a, b Event) Relation { return must(v[a].Compare(v[b])) }); err != nil {
			return err
		}
	}
	return nil
}

func vectorReceive(v Vector, p int, m Vector) {
	if err := v.Receive(p, m); err != nil {
		panic(err)
	}
}

func TestLogical(t *testing.T) {
	assert.NoError(t, lamportRun(func(c *Lamport, m uint64) uint64 { return must(c.Receive(m)) }))
	assert.NoError(t, vectorRun(vectorReceive))
	assert.NoError(t, vectorRun(func(v Vector, p int, m Vector) { // and the sparse one
		g := must(NewGroup(numbers(4)...))
		s := must(g.Sparse(v))
		s.Receive(int32(p), must(g.Sparse(m)))
		copy(v, must(g.Dense(s)))
	}))
}
