package clock

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check returns which invariant does not hold.
func (x *Indexed[I]) check() error {
	used := 0
	for _, i := range x.slots {
		if i != 0 {
			used++
		}
	}
	if used != len(x.clock) || len(x.slots) < slotsPerID*used || len(x.slots)&(len(x.slots)-1) != 0 {
		return fmt.Errorf("indexed clock, 1: %d of %d slots for %d entries", used, len(x.slots), len(x.clock))
	}
	for i := range x.clock {
		if x.find(x.clock[i].ID) != &x.clock[i] {
			return fmt.Errorf("indexed clock, 1: %v is not found", x.clock[i].ID)
		}
	}
	return x.clock.Check()
}

// drive does what the bytes say with an indexed clock, a plain one and a map, which
// must agree after each step.
func drive[I ID](t require.TestingT, ids []I, steps []byte) {
	x, list, model := NewIndexed[I](nil), Sparse[I](nil), map[I]uint64{}
	for k := 0; k+2 < len(steps); k += 3 {
		op, a, b := steps[k], int(steps[k+1]), int(steps[k+2])
		id := ids[(a<<8|b)%len(ids)]
		switch op % 4 {
		case 0:
			model[id]++
			require.Equal(t, model[id], x.Tick(id))
			list.Tick(id)
		case 1:
			require.Equal(t, model[id], x.Get(id))
		case 2, 3: // a message of some ids
			var m Sparse[I]
			for i := range a % 64 {
				m.Merge(Sparse[I]{{ids[(a+b*i)%len(ids)], uint64(i)}})
			}
			for _, e := range m {
				model[e.ID] = max(model[e.ID], e.N)
			}
			if op%4 == 2 {
				x.Merge(m)
				list.Merge(m)
			} else {
				model[id]++
				require.Equal(t, model[id], x.Receive(id, m))
				list.Receive(id, m)
			}
		}
	}
	require.NoError(t, x.check())
	require.True(t, slices.Equal(list, x.Clock()), "%v %v", list, x.Clock())
	require.Equal(t, model, mapped(x.Clock()))
	for _, id := range ids {
		require.Equal(t, model[id], x.Get(id))
	}
	again := NewIndexed(x.Clock())
	require.Equal(t, x.slots, again.slots, "an index is that of its ids, whatever came before")
	again.Tick(ids[0])
	require.Equal(t, model[ids[0]], x.Get(ids[0]), "an index has a clock of its own")
}

type (
	place string
	small int16
	large uint64
)

// driveAll is for every kind of id, numbers that follow each other and numbers with
// nothing but upper bits.
func driveAll(t require.TestingT, steps []byte) {
	drive(t, names(300), steps)
	drive(t, numbers(300), steps)
	drive(t, actors(300), steps)
	drive(t, made(300, func(i int) place { return place(strings.Repeat("x", i%40) + fmt.Sprint(i)) }), steps)
	drive(t, made(300, func(i int) small { return small(i - 150) }), steps)
	drive(t, made(300, func(i int) large { return large(i) << 52 }), steps)
	drive(t, made(256, func(i int) int8 { return int8(i) }), steps)
	drive(t, made(256, func(i int) uint8 { return uint8(i) }), steps)
	drive(t, made(300, func(i int) int64 { return int64(i) * math.MaxInt64 / 300 }), steps)
}

func made[T any](n int, of func(int) T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = of(i)
	}
	return all
}

func actors(n int) []Actor {
	return made(n, func(i int) Actor { return NewActor(uint32(i), 0) })
}

func TestIndexed(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 30 {
		steps := make([]byte, 3*r.IntN(300))
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		driveAll(t, steps)
	}
}

func FuzzIndexed(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 9, 3, 3, 70, 5, 1, 0, 1})
	f.Fuzz(func(t *testing.T, steps []byte) { driveAll(t, steps[:min(len(steps), 900)]) })
}

// TestIndexedClock: what is done to the list that was handed out moves nothing of the
// clock.
func TestIndexedClock(t *testing.T) {
	x := NewIndexed(Sparse[string]{{"b", 1}})
	for _, id := range []string{"d", "f", "h", "j"} {
		x.Tick(id)
		s := x.Clock()
		s.Tick("a")
		s.Merge(Sparse[string]{{"c", 1}, {"e", 1}})
		require.NoError(t, x.check())
		require.Zero(t, x.Get("a")+x.Get("c")+x.Get("e"))
	}
	assert.Equal(t, "{b:1,d:1,f:1,h:1,j:1}", x.Clock().String())
}

// TestIndexedAllocations: reading, counting, and merging what is known.
func TestIndexedAllocations(t *testing.T) {
	v, w := sparsePair(names(100))
	x := NewIndexed(v)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		x.Tick("node-0042")
		x.Receive("node-0007", w)
		x.Get("nobody")
		x.Clock().Compare(w)
	}))
	own := NewIndexed(Sparse[large]{{7, 1}})
	assert.Zero(t, testing.AllocsPerRun(100, func() { own.Tick(7) }))
}

// TestHashSpreads: ids as they are in use are found at their first slot or close to it,
// nearly as often as by chance: 1.06 slots of an index that is an eighth full.
func TestHashSpreads(t *testing.T) {
	for form, id := range map[string]func(i int) string{
		"number":  func(i int) string { return fmt.Sprint(i) },
		"short":   func(i int) string { return fmt.Sprintf("n%d", i) },
		"padded":  func(i int) string { return fmt.Sprintf("node-%04d", i) },
		"address": func(i int) string { return fmt.Sprintf("10.0.%d.%d:8080", i/256, i%256) },
		"uuid":    func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", i, 7*i) },
		"pod":     func(i int) string { return fmt.Sprintf("service-%d-in-region-%d-of-the-world", i%10, i/10) },
		"end":     func(i int) string { return strings.Repeat("x", 50) + fmt.Sprint(i) },
		"length":  func(i int) string { return strings.Repeat("x", i%100) + string(rune('a'+i/100)) },
	} {
		for _, n := range []int{8, 64, 1000, 20_000} {
			assertSpread(t, form, made(n, id))
		}
	}
	assertSpread(t, "numbers", numbers(10_000))
	assertSpread(t, "actors", actors(10_000))
	assertSpread(t, "even", made(10_000, func(i int) int { return i * 4096 }))
	assertSpread(t, "upper bits", made(4096, func(i int) uint64 { return uint64(i) << 52 }))
}

func assertSpread[I ID](t *testing.T, form string, ids []I) {
	x := NewIndexed(must(SparseOf(made(len(ids), func(i int) Entry[I] { return Entry[I]{ids[i], 1} })...)))
	probes, most := 0, 0
	for _, e := range x.clock {
		n := 1
		for at := x.first(e.ID); x.clock[x.slots[at&uint64(len(x.slots)-1)]-1].ID != e.ID; at++ {
			n++
		}
		probes, most = probes+n, max(most, n)
	}
	assert.LessOrEqual(t, float64(probes), 1.2*float64(len(ids)), "%s, %d", form, len(ids))
	assert.LessOrEqual(t, most, 16, "%s, %d", form, len(ids))
}

// TestHashReads: every byte of a string counts, and its length.
func TestHashReads(t *testing.T) {
	for n := range 80 {
		zeros := make([]byte, n)
		assert.NotEqual(t, hashString(string(zeros)), hashString(string(zeros)+"\x00"), n)
		for i := range n {
			one := slices.Clone(zeros)
			one[i] = 1
			assert.NotEqual(t, hashString(string(zeros)), hashString(string(one)), "byte %d of %d", i, n)
		}
	}
}

// BenchmarkIndexed looks for ids that are there, always the same one, in order and at
// random, and for ids that are not, beside a map.
func BenchmarkIndexed(b *testing.B) {
	benchmarkIndexed(b, "string", names)
	benchmarkIndexed(b, "int32", numbers)
	benchmarkIndexed(b, "actor", actors)
	benchmarkIndexed(b, "uuid", func(n int) []string {
		r := rand.New(rand.NewPCG(5, 6))
		return made(n, func(int) string {
			x, y := r.Uint64(), r.Uint64()
			return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", x>>32, x>>16&0xffff, x&0xfff, y>>48, y&(1<<48-1))
		})
	})
	benchmarkIndexed(b, "own-string", func(n int) []place { return made(n, func(i int) place { return place(fmt.Sprintf("node-%04d", i)) }) })
	benchmarkIndexed(b, "own-uint64", func(n int) []large { return made(n, func(i int) large { return large(i) }) })
}

func benchmarkIndexed[I ID](b *testing.B, kind string, all func(int) []I) {
	for _, n := range []int{8, 64, 1024} {
		ids := all(2 * n)
		known, unknown := made(n, func(i int) I { return ids[2*i] }), made(n, func(i int) I { return ids[2*i+1] })
		x, r := NewIndexed[I](nil), rand.New(rand.NewPCG(3, 4))
		for _, id := range known {
			x.Merge(Sparse[I]{{id, 1 + r.Uint64N(1e6)}})
		}
		m := mapped(x.Clock())
		const turns = 1 << 14
		for _, c := range []struct {
			name  string
			read  bool
			queue []I
		}{
			{"tick-same", false, made(turns, func(int) I { return known[n/3] })},
			{"tick-order", false, made(turns, func(i int) I { return known[i%n] })},
			{"tick-any", false, made(turns, func(int) I { return known[r.IntN(n)] })},
			{"get-any", true, made(turns, func(int) I { return known[r.IntN(n)] })},
			{"get-unknown", true, made(turns, func(int) I { return unknown[r.IntN(n)] })},
		} {
			name, queue, sum := fmt.Sprintf("%s/%s/%d", c.name, kind, n), c.queue, uint64(0)
			if c.read {
				b.Run(name+"/indexed", func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						sum += x.Get(queue[i%turns])
					}
				})
				b.Run(name+"/map", func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						sum += m[queue[i%turns]]
					}
				})
				continue
			}
			b.Run(name+"/indexed", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					x.Tick(queue[i%turns])
				}
			})
			b.Run(name+"/map", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					m[queue[i%turns]]++
				}
			})
		}
	}
}

// BenchmarkIndexedNew begins with nothing and hears of n ids, one by one and all in one
// message.
func BenchmarkIndexedNew(b *testing.B) {
	for _, n := range []int{8, 64, 1024} {
		ids := names(n)
		r := rand.New(rand.NewPCG(7, 8))
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		message := must(SparseOf(made(n, func(i int) Entry[string] { return Entry[string]{ids[i], 1} })...))
		b.Run(fmt.Sprintf("one-by-one/%d/indexed", n), func(b *testing.B) {
			for b.Loop() {
				x := NewIndexed[string](nil)
				for _, id := range ids {
					x.Tick(id)
				}
			}
		})
		b.Run(fmt.Sprintf("one-by-one/%d/map", n), func(b *testing.B) {
			for b.Loop() {
				m := map[string]uint64{}
				for _, id := range ids {
					m[id]++
				}
			}
		})
		b.Run(fmt.Sprintf("message/%d/indexed", n), func(b *testing.B) {
			for b.Loop() {
				NewIndexed[string](nil).Merge(message)
			}
		})
		b.Run(fmt.Sprintf("message/%d/map", n), func(b *testing.B) {
			for b.Loop() {
				m := map[string]uint64{}
				for _, e := range message {
					m[e.ID] = max(m[e.ID], e.N)
				}
			}
		})
	}
}
