package queue

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/internal/whole"
	"fencepost/sim/internal/dist"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Under the first two limits nearly every queue of these tests has a ring, under
// the last none has.
var limits = []int{2, 8, 64, 1 << 20}

const never = math.MaxInt64

// after is an instant that is so much later, at most never.
func after(at int64, d time.Duration) int64 {
	if d > 0 && at > never-int64(d) {
		return never
	}
	return at + int64(d)
}

// item is the how manyth event it is, twice.
type item struct {
	n   int
	due int64
}

// A gap is how long after the present instant the i-th event is pushed.
type gap func(i int, u uint64) time.Duration

var gaps = []struct {
	name string
	gap  gap
}{
	{"exponential", func(_ int, u uint64) time.Duration { d := dist.Exponential(time.Millisecond); return d.Sample(u) }},
	{"uniform", func(_ int, u uint64) time.Duration { return time.Duration(u % uint64(time.Millisecond)) }},
	{"constant", func(int, uint64) time.Duration { return 5 * time.Millisecond }},
	{"all at the same instant", func(int, uint64) time.Duration { return 0 }},
	{"few instants", func(_ int, u uint64) time.Duration { return time.Duration(u%4) * time.Second }},
	{"a microsecond or an hour", func(_ int, u uint64) time.Duration {
		if u%2 == 0 {
			return time.Microsecond
		}
		return time.Hour
	}},
	{"a nanosecond to a year", func(_ int, u uint64) time.Duration { return time.Duration(1) << (u % 55) }},
	{"a timer that never fires", func(_ int, u uint64) time.Duration {
		if u%3 == 0 {
			return math.MaxInt64
		}
		return time.Duration(u % uint64(time.Millisecond))
	}},
	{"long idle gaps", func(i int, u uint64) time.Duration {
		if i%1000 == 999 {
			return 100 * time.Hour
		}
		return time.Duration(u % 1000)
	}},
	{"ever earlier", func(i int, _ uint64) time.Duration { return max(1<<40-time.Duration(i)*1000, 0) }},
	{"ever later", func(i int, _ uint64) time.Duration { return time.Duration(i) * 1000 }},
	{"ever denser", func(i int, u uint64) time.Duration { return time.Duration(u % (1<<40>>(i/2000) + 1)) }},
	{"ever sparser", func(i int, u uint64) time.Duration { return time.Duration(u % (1 << min(10+i/2000, 50))) }},
}

// checked is a queue beside a sorted list that must give the same.
type checked struct {
	t    testing.TB
	q    Queue[item]
	want []Key // latest first; the low bits of order are not used
	now  int64
	n    int // pushed so far
}

func newChecked(t testing.TB, limit int) *checked {
	c := &checked{t: t}
	c.q.Limit = limit
	c.q.Reset()
	return c
}

func laterFirst(a, b Key) int {
	return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.Order, a.Order))
}

func (c *checked) push(d time.Duration) {
	at := after(c.now, d)
	e := c.q.Push(at)
	c.n++
	e.Body = item{c.n, int64(c.n)}
	k := Key{at, uint64(c.n)}
	i, _ := slices.BinarySearchFunc(c.want, k, laterFirst)
	c.want = slices.Insert(c.want, i, k)
}

// pop takes the next event and reports whether there is one.
func (c *checked) pop() bool {
	var e *Entry[item]
	if !c.q.Dry() || c.q.Refill() {
		e = c.q.Pop(never)
	}
	if len(c.want) == 0 {
		require.Nil(c.t, e, "an event out of nothing")
		require.Zero(c.t, c.q.pending)
		return false
	}
	want := c.want[len(c.want)-1]
	c.want = c.want[:len(c.want)-1]
	if e == nil || e.At != want.At || e.Body.n != int(want.Order) {
		require.FailNowf(c.t, "order", "want event %d at %v, got %+v", want.Order, want.At, e)
	}
	if c.q.pending != len(c.want) {
		require.FailNowf(c.t, "pending", "want %d, got %d", len(c.want), c.q.pending)
	}
	c.now = e.At
	c.q.Free()
	return true
}

// move changes the instants of some events, as a change of a clock does.
func (c *checked) move(u uint64) {
	at := map[int]int64{}
	c.q.Move(func(e *Entry[item]) {
		if int64(e.Body.n) != e.Body.due {
			assert.Fail(c.t, "due", "want %d, got %d", e.Body.n, e.Body.due)
		}
		if v := splitmix.Mix(u + uint64(e.Body.n)); v%3 == 0 && e.At != never {
			e.At = max(c.now, after(e.At, time.Duration(v>>32%1000)-500))
			at[e.Body.n] = e.At
		}
	})
	for i, k := range c.want {
		if t, ok := at[int(k.Order)]; ok {
			c.want[i].At = t
		}
	}
	slices.SortFunc(c.want, laterFirst)
}

// forEach runs a test for each distribution under each limit.
func forEach(t *testing.T, test func(t *testing.T, limit int, g gap)) {
	for _, g := range gaps {
		for _, limit := range limits {
			t.Run(fmt.Sprintf("%s/%d", g.name, limit), func(t *testing.T) { test(t, limit, g.gap) })
		}
	}
}

// The order is that of (instant, sequence), whatever the distribution and wherever
// the queue keeps its events.
func TestQueueOrder(t *testing.T) {
	forEach(t, func(t *testing.T, limit int, g gap) {
		for _, pending := range []int{1, 7, 60, 500} {
			c := newChecked(t, limit)
			for range pending {
				c.push(g(c.n, splitmix.Mix(uint64(c.n))))
			}
			for range 8000 {
				if !c.pop() || c.now == never {
					break
				}
				c.push(g(c.n, splitmix.Mix(uint64(c.n))))
			}
			for c.pop() {
			}
		}
	})
}

// A queue that grows and shrinks again and again, to nothing, keeps the order, also
// where events are moved.
func TestQueueGrowsAndShrinks(t *testing.T) {
	forEach(t, func(t *testing.T, limit int, g gap) {
		c := newChecked(t, limit)
		for round := range 8 {
			for i := range 100 << (round % 5) {
				c.push(g(c.n, splitmix.Mix(uint64(c.n))))
				if i%3 == 0 && c.now < never/2 {
					c.pop()
				}
			}
			c.move(uint64(round))
			for i := 0; c.pop() && c.now < never/2; i++ {
				if i%16 == 0 {
					c.push(g(c.n, splitmix.Mix(uint64(c.n))))
				}
				if i%100 == 50 {
					c.move(splitmix.Mix(uint64(i)))
				}
			}
			if c.now == never {
				break
			}
		}
		for c.pop() {
		}
	})
}

// What is not due stays.
func TestQueuePopsUntil(t *testing.T) {
	for _, limit := range limits {
		c := newChecked(t, limit)
		for i := range 100 {
			c.push(time.Duration(i))
		}
		for i := range 100 {
			require.True(t, !c.q.Dry() || c.q.Refill())
			require.Nil(t, c.q.Pop(int64(i-1)))
			require.True(t, c.pop())
		}
		require.False(t, c.pop())
	}
}

// "No distribution costs more than O(log n)": the work beside heap and sorting is a
// constant for each event, however long the queue. The constants are three times
// what is observed.
func TestQueueWork(t *testing.T) {
	forEach(t, func(t *testing.T, limit int, g gap) {
		for _, pending := range []int{3, 300, 30_000} {
			var q Queue[item]
			q.Limit = limit
			q.Reset()
			var now int64
			popped, pushed := 0, 0
			push := func() {
				q.Push(after(now, g(pushed, splitmix.Mix(uint64(pushed)))))
				pushed++
			}
			pop := func() bool {
				if q.Dry() && !q.Refill() {
					return false
				}
				e := q.Pop(never)
				if e == nil {
					return false
				}
				now = e.At
				q.Free()
				popped++
				return true
			}
			for range pending {
				push()
			}
			for range whole.Of(30_000, 100_000) {
				if !pop() || now > never/2 {
					break
				}
				push()
			}
			for q.pending > 5 && pop() {
			}
			for range whole.Of(30_000, 100_000) { // the ring is still laid out for many
				if !pop() || now > never/2 {
					break
				}
				push()
			}
			for pop() {
			}
			assert.Less(t, q.work, 6*popped+10_000, "%d pending", pending)
			assert.LessOrEqual(t, cap(q.near), 8*pending+4096, "%d pending", pending)
		}
	})
}

// A key travels only a short way where it is sorted in; what would have to go further is in
// the heap.
func TestQueueGoesAShortWay(t *testing.T) {
	c := newChecked(t, 2)
	for i := range 1000 {
		c.push(time.Duration(1000 - i))
	}
	assert.LessOrEqual(t, len(c.q.near), reach)
	assert.Greater(t, len(c.q.heap), 1000-2*reach)
	for c.pop() {
	}
}

func TestQueueReusesSlots(t *testing.T) {
	c := newChecked(t, 8)
	for i := range 100_000 {
		c.push(time.Duration(splitmix.Mix(uint64(i)) % 1000))
		if i >= 100 {
			c.pop()
		}
	}
	assert.LessOrEqual(t, len(c.q.events), 103)
	assert.LessOrEqual(t, len(c.q.ring.next), 103)
}

func TestQueueRefusesTooManyEvents(t *testing.T) {
	var q Queue[struct{}]
	q.Reset()
	q.events = make([]Entry[struct{}], maxPending+1)
	assert.PanicsWithValue(t, "sim: more than 16 million events are pending", func() { q.Push(0) })
}

// FuzzQueue drives a queue by bytes: each pair is an operation and its argument. Inputs
// are short, so that many are tried (F16); the tests above are long.
func FuzzQueue(f *testing.F) {
	for i := range gaps {
		seed := []byte{byte(i)}
		for j := range 80 {
			seed = binary.LittleEndian.AppendUint16(seed, uint16(splitmix.Mix(uint64(i<<16|j))))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 {
			return
		}
		c := newChecked(t, limits[int(ops[0])%len(limits)])
		for ops = ops[1:min(len(ops), 400)]; len(ops) > 1; ops = ops[2:] {
			switch op, x := ops[0]%8, ops[1]; op {
			case 0, 1, 2:
				c.push(time.Duration(x) << (8 * op))
			case 3:
				c.push(time.Duration(1) << (x % 63))
			case 4:
				for range x % 32 {
					c.push(time.Duration(splitmix.Mix(uint64(c.n)) % 4096))
				}
			case 5:
				c.move(uint64(x))
			default:
				for range x % 16 {
					if c.pop(); c.now == never {
						return
					}
				}
			}
		}
		for c.pop() {
		}
	})
}
