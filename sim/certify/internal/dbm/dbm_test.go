package dbm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// difference is a bound on x-y.
type difference struct {
	x, y int
	b    Bound
}

// closure is a zone by the textbook: Floyd and Warshall's algorithm over all bounds; nil if it is empty.
func closure(n int, bounds []difference) []Bound {
	d := make([]Bound, n*n)
	for i := range d {
		d[i] = Unbounded
	}
	for i := range n {
		d[i*n+i] = Zero
	}
	for _, c := range bounds {
		d[c.x*n+c.y] = min(d[c.x*n+c.y], c.b)
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i*n+j] = min(d[i*n+j], Plus(d[i*n+k], d[k*n+j]))
			}
		}
	}
	for i := range n {
		if d[i*n+i] < Zero {
			return nil
		}
	}
	return d
}

// tight is the bounds of a zone without the room that it has for more.
func tight(z *Zone) []Bound {
	all := make([]int, z.n)
	for i := range all {
		all[i] = i
	}
	k := z.Kept(new(Memory), all)
	return k.d
}

// One bound after the other gives what all at once give, strict or not, down to emptiness.
func TestConstrainIsTheClosure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	empty := 0
	for range 2000 {
		const n = 5
		z := New(1)
		bounds := []difference{}
		for range n - 1 {
			z.Grow(new(Memory))
		}
		alive := true
		for range 12 {
			c := difference{x: r.IntN(n), y: r.IntN(n), b: Bound(r.IntN(40) - 12)}
			if c.x == c.y {
				continue
			}
			bounds = append(bounds, c)
			want := closure(n, bounds)
			assert.Equal(t, want != nil, z.Allows(c.x, c.y, c.b))
			if alive = z.Constrain(c.x, c.y, c.b); !alive {
				require.Nil(t, want)
				empty++
				break
			}
			require.Equal(t, want, tight(&z))
		}
	}
	assert.Greater(t, empty, 100, "some are empty, or nothing was compared")
}

// first is as many bounds, one for each pending event.
func TestFirstIsABoundForEachPendingEvent(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		const n = 6
		z := New(1)
		for range n - 1 {
			z.Grow(new(Memory))
		}
		for range 10 {
			if x, y := r.IntN(n), r.IntN(n); x != y && z.Allows(x, y, Zero) {
				z.Constrain(x, y, Bound(r.IntN(30)))
			}
		}
		one, other := z.room(new(Memory), 0), z.room(new(Memory), 0)
		pending := []int{1, 3, 4}
		alive := true
		for _, e := range pending {
			alive = alive && one.Constrain(0, e, Zero)
		}
		require.Equal(t, alive, other.First(new(Memory), 0, pending))
		if alive {
			require.Equal(t, tight(&one), tight(&other))
		}
	}
}

func TestBounds(t *testing.T) {
	assert.Less(t, LessThan(5), AtMost(5))
	assert.Less(t, AtMost(4), LessThan(5))
	assert.Equal(t, LessThan(7), Plus(LessThan(5), AtMost(2)), "a sum with a strict Bound is strict")
	assert.Equal(t, AtMost(-3), Plus(AtMost(-5), AtMost(2)))
	assert.Equal(t, Unbounded, Plus(Unbounded, AtMost(-5)))
	assert.Equal(t, AtMost(-5), LessThan(5).Not(), "of x-y < 5 the reverse is y-x <= -5")
	assert.Equal(t, LessThan(-5), AtMost(5).Not())
}

// A zone is within itself and within a wider one, and not within one that is narrower by one side.
func TestWithin(t *testing.T) {
	wide := New(1)
	wide.Grow(new(Memory))
	wide.Bind(1, 0, AtMost(0), AtMost(10))
	wide = wide.Kept(new(Memory), []int{0, 1})
	narrow := wide.room(new(Memory), 0)
	narrow.Constrain(1, 0, LessThan(10))
	d := NewDictionary()
	w, n := d.Pack(&wide), d.Pack(&narrow)
	assert.True(t, d.Has(&w, &wide) && d.Lies(new(Memory), &w, &wide))
	assert.True(t, d.Has(&w, &narrow) && d.Lies(new(Memory), &n, &wide))
	assert.False(t, d.Has(&n, &wide) || d.Lies(new(Memory), &w, &narrow))
	d.Widen(&n, &wide)
	assert.Equal(t, wide.d, d.Unpack(new(Memory), &n).d)
	kept := wide.Kept(new(Memory), []int{1, 0})
	assert.Equal(t, AtMost(10), kept.At(0, 1))
	assert.Equal(t, AtMost(0), kept.At(1, 0))
	wide.Free(1)
	free := d.Pack(&wide)
	assert.Empty(t, free.d)
	assert.Equal(t, wide.d, d.Unpack(new(Memory), &free).d)
	assert.True(t, d.Has(&free, &narrow) && !d.Lies(new(Memory), &free, &narrow))
}

// grown is a closed zone of some variables, bound and constrained at random, and the bounds that it was made of.
func grown(r *rand.Rand, n int) (Zone, []difference) {
	z, bounds := New(1), []difference{}
	for x := 1; x < n; x++ {
		z.Grow(new(Memory))
		y, least, most := r.IntN(x), Bound(r.IntN(20)-5), Bound(r.IntN(20)+10)
		z.Bind(x, y, least, most)
		bounds = append(bounds, difference{x, y, most}, difference{y, x, least})
	}
	for range n {
		if x, y, b := r.IntN(n), r.IntN(n), Bound(r.IntN(40)); x != y && z.Allows(x, y, b) {
			z.Constrain(x, y, b)
			bounds = append(bounds, difference{x, y, b})
		}
	}
	return z, bounds
}

// A variable that is placed has every bound that follows, and one that may be later, or anything, none that was its own.
func TestBindRaiseAndFreeLeaveAClosedZone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		const n = 5
		z, bounds := grown(r, n)
		want := closure(n, bounds)
		require.Equal(t, want, tight(&z))
		raised, free, x := z.room(new(Memory), 0), z.room(new(Memory), 0), r.IntN(n)
		raised.Raise(x)
		free.Free(x)
		var later, other []difference
		for i := range n {
			for j := range n {
				d := difference{i, j, want[i*n+j]}
				if i != x {
					later = append(later, d)
				}
				if i != x && j != x {
					other = append(other, d)
				}
			}
		}
		require.Equal(t, closure(n, later), tight(&raised))
		require.Equal(t, closure(n, other), tight(&free))
	}
}
