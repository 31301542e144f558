package clock

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// pair are two clocks of n processes, the second later in every tenth counter only, so
// that no comparison can stop early.
func pair(n int) (v, w Vector) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		v = append(v, r.Uint64N(1e6))
		w = append(w, v[i])
		if i%10 == 0 {
			w[i]++
		}
	}
	return v, w
}

// names are ids as they are in use.
func names(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("node-%04d", i)
	}
	return ids
}

// sparsePair is the same by name.
func sparsePair[I ID](ids []I) (v, w Sparse[I]) {
	a, b := pair(len(ids))
	for i, id := range ids {
		v, w = append(v, Entry[I]{id, a[i] + 1}), append(w, Entry[I]{id, b[i] + 1})
	}
	return v, w
}

// mapped is the clock that most libraries have.
func mapped[I ID](s Sparse[I]) map[I]uint64 {
	m := make(map[I]uint64, len(s))
	for _, e := range s {
		m[e.ID] = e.N
	}
	return m
}

func compareMaps[I ID](a, b map[I]uint64) (r Relation) {
	for id, n := range a {
		r |= order(n, b[id])
	}
	for id, n := range b {
		if _, ok := a[id]; !ok {
			r |= order(0, n)
		}
	}
	return r
}

func mergeMaps[I ID](a, b map[I]uint64) {
	for id, n := range b {
		if n > a[id] {
			a[id] = n
		}
	}
}

var sizes = []int{1, 2, 4, 8, 64, 1024}

// BenchmarkCompare is the target of 10, 60 and 900 ns for 8, 64 and 1 024 counters.
func BenchmarkCompare(b *testing.B) {
	for _, n := range sizes {
		v, w := pair(n)
		b.Run(fmt.Sprintf("dense/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := v.Compare(w); r != Before || err != nil {
					b.Fatal(r, err)
				}
			}
		})
	}
	benchmarkCompareSparse(b, "string", func(n int) []string { return names(n) })
	benchmarkCompareSparse(b, "int32", numbers)
}

func numbers(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}

func benchmarkCompareSparse[I ID](b *testing.B, kind string, ids func(int) []I) {
	for _, n := range sizes {
		v, w := sparsePair(ids(n))
		b.Run(fmt.Sprintf("sparse-%s/%d", kind, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v.Compare(w) != Before {
					b.Fatal()
				}
			}
		})
		x, y := mapped(v), mapped(w)
		b.Run(fmt.Sprintf("map-%s/%d", kind, n), func(b *testing.B) {
			for b.Loop() {
				if compareMaps(x, y) != Before {
					b.Fatal()
				}
			}
		})
	}
}

// BenchmarkMerge stands beside a plain loop: the target is twice that.
func BenchmarkMerge(b *testing.B) {
	for _, n := range sizes {
		v, w := pair(n)
		b.Run(fmt.Sprintf("dense/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v.Merge(w) != nil {
					b.Fatal()
				}
			}
		})
		b.Run(fmt.Sprintf("plain/%d", n), func(b *testing.B) {
			for b.Loop() {
				plainMerge(v, w)
			}
		})
	}
	benchmarkMergeSparse(b, "string", names)
	benchmarkMergeSparse(b, "int32", numbers)
}

//go:noinline
func plainMerge(v, w []uint64) {
	for i := range v {
		if w[i] > v[i] {
			v[i] = w[i]
		}
	}
}

func benchmarkMergeSparse[I ID](b *testing.B, kind string, ids func(int) []I) {
	for _, n := range sizes {
		v, w := sparsePair(ids(n))
		x, y := mapped(v), mapped(w)
		b.Run(fmt.Sprintf("sparse-%s/%d", kind, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Merge(w)
			}
		})
		b.Run(fmt.Sprintf("map-%s/%d", kind, n), func(b *testing.B) {
			for b.Loop() {
				mergeMaps(x, y)
			}
		})
	}
}

// BenchmarkSparseTick counts at one process, as a process does, by its name and by its
// place, and at processes in an order that no processor learns by heart.
func BenchmarkSparseTick(b *testing.B) {
	benchmarkTickSparse(b, "string", names)
	benchmarkTickSparse(b, "int32", numbers)
}

func benchmarkTickSparse[I ID](b *testing.B, kind string, all func(int) []I) {
	for _, n := range sizes {
		ids := all(n)
		v, _ := sparsePair(ids)
		x := mapped(v)
		r := rand.New(rand.NewPCG(3, 4))
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		const turns = 1 << 14
		queue := make([]I, turns)
		for i := range queue {
			queue[i] = ids[r.IntN(n)]
		}
		b.Run(fmt.Sprintf("own/place-%s/%d", kind, n), func(b *testing.B) {
			for at := 0; b.Loop(); {
				at = v.TickAt(at, ids[0])
			}
		})
		b.Run(fmt.Sprintf("own/sparse-%s/%d", kind, n), func(b *testing.B) {
			for b.Loop() {
				v.Tick(ids[0])
			}
		})
		b.Run(fmt.Sprintf("own/map-%s/%d", kind, n), func(b *testing.B) {
			for b.Loop() {
				x[ids[0]]++
			}
		})
		b.Run(fmt.Sprintf("any/sparse-%s/%d", kind, n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v.Tick(queue[i%turns])
			}
		})
		b.Run(fmt.Sprintf("any/map-%s/%d", kind, n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x[queue[i%turns]]++
			}
		})
	}
}

// BenchmarkTick is the target of 5 ns.
func BenchmarkTick(b *testing.B) {
	b.Run("lamport", func(b *testing.B) {
		b.ReportAllocs()
		var c Lamport
		for b.Loop() {
			c.Tick()
		}
	})
	b.Run("lamport-receive", func(b *testing.B) {
		b.ReportAllocs()
		var c Lamport
		for b.Loop() {
			if _, err := c.Receive(7); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hlc", func(b *testing.B) {
		b.ReportAllocs()
		var c HLC
		pt := Reading(0)
		for b.Loop() {
			pt++
			c.Tick(pt >> 2)
		}
	})
	b.Run("hlc-receive", func(b *testing.B) {
		b.ReportAllocs()
		var c HLC
		pt := Reading(0)
		for b.Loop() {
			pt++
			c.Receive(Timestamp{pt >> 3, 7}, pt>>2)
		}
	})
	b.Run("hlc-guarded", func(b *testing.B) {
		b.ReportAllocs()
		c, err := NewGuardedHLC(DefaultHLCParams())
		if err != nil {
			b.Fatal(err)
		}
		pt := Reading(0)
		for b.Loop() {
			pt++
			if _, err := c.Tick(pt >> 2); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hlc-guarded-receive", func(b *testing.B) {
		b.ReportAllocs()
		c, err := NewGuardedHLC(DefaultHLCParams())
		if err != nil {
			b.Fatal(err)
		}
		pt := Reading(0)
		for b.Loop() {
			pt++
			if _, err := c.Receive(Timestamp{pt >> 3, 7}, pt>>2); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hlc-guarded-refused", func(b *testing.B) { // with the error that says why
		b.ReportAllocs()
		c, err := NewGuardedHLC(DefaultHLCParams())
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := c.Receive(Timestamp{MaxReading, 7}, 5); err == nil {
				b.Fatal()
			}
		}
	})
}

// BenchmarkHistory records 100 000 events, every second one a receipt, and asks for
// all claims.
func BenchmarkHistory(b *testing.B) {
	for _, processes := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("record/%d", processes), func(b *testing.B) {
			var h *History
			for b.Loop() {
				h = randomHistory(rand.New(rand.NewPCG(1, 2)), processes, 100_000)
			}
			b.ReportMetric(float64(h.Bytes())/1e6, "MB")
		})
	}
	h := randomHistory(rand.New(rand.NewPCG(1, 2)), 10, 100_000)
	b.Run("before", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			h.Before(Event(i*7919%100_000), Event(i%100_000))
		}
	})
	b.Run("detects-concurrency/10", func(b *testing.B) {
		clocks := vectorsOf(h)
		for b.Loop() {
			if err := h.DetectsConcurrency(func(x, y Event) Relation { return must(clocks[x].Compare(clocks[y])) }); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSets is a write and a sync of 5 replicas' siblings.
func BenchmarkSets(b *testing.B) {
	s := DVVSet[string, int]{}
	for i, r := range names(5) {
		s = s.Update(NewDVVSet[string](nil, i), r)
	}
	b.Run("update", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Update(NewDVVSet(s.Join(), 7), "node-0003")
		}
	})
	t := s.Update(NewDVVSet(s.Join(), 7), "node-0003")
	b.Run("sync", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Sync(t)
		}
	})
}
