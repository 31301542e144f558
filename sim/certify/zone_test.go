package certify

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closure is a zone by the textbook: Floyd and Warshall's algorithm over all bounds; nil if it is empty.
func closure(n int, bounds []constraint) []bound {
	d := make([]bound, n*n)
	for i := range d {
		d[i] = unbounded
	}
	for i := range n {
		d[i*n+i] = zero
	}
	for _, c := range bounds {
		d[c.x*n+c.y] = min(d[c.x*n+c.y], c.b)
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i*n+j] = min(d[i*n+j], plus(d[i*n+k], d[k*n+j]))
			}
		}
	}
	for i := range n {
		if d[i*n+i] < zero {
			return nil
		}
	}
	return d
}

// tight is the bounds of a zone without the room that it has for more.
func tight(z *zone) []bound {
	all := make([]int, z.n)
	for i := range all {
		all[i] = i
	}
	k := z.kept(new(memory), all)
	return k.d
}

// One bound after the other gives what all at once give, strict or not, down to emptiness.
func TestConstrainIsTheClosure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	empty := 0
	for range 2000 {
		const n = 5
		z := newZone(1)
		bounds := []constraint{}
		for range n - 1 {
			z.grow(new(memory))
		}
		alive := true
		for range 12 {
			c := constraint{x: r.IntN(n), y: r.IntN(n), b: bound(r.IntN(40) - 12)}
			if c.x == c.y {
				continue
			}
			bounds = append(bounds, c)
			want := closure(n, bounds)
			assert.Equal(t, want != nil, z.allows(c.x, c.y, c.b))
			if alive = z.constrain(c.x, c.y, c.b); !alive {
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
		z := newZone(1)
		for range n - 1 {
			z.grow(new(memory))
		}
		for range 10 {
			if x, y := r.IntN(n), r.IntN(n); x != y && z.allows(x, y, zero) {
				z.constrain(x, y, bound(r.IntN(30)))
			}
		}
		one, other := z.room(new(memory), 0), z.room(new(memory), 0)
		pending := []event{{at: 1}, {at: 3}, {at: 4}}
		alive := true
		for _, e := range pending {
			alive = alive && one.constrain(0, e.at, zero)
		}
		require.Equal(t, alive, other.first(new(memory), 0, pending))
		if alive {
			require.Equal(t, tight(&one), tight(&other))
		}
	}
}

func TestBounds(t *testing.T) {
	assert.Less(t, lessThan(5), atMost(5))
	assert.Less(t, atMost(4), lessThan(5))
	assert.Equal(t, lessThan(7), plus(lessThan(5), atMost(2)), "a sum with a strict bound is strict")
	assert.Equal(t, atMost(-3), plus(atMost(-5), atMost(2)))
	assert.Equal(t, unbounded, plus(unbounded, atMost(-5)))
	assert.Equal(t, atMost(-5), lessThan(5).not(), "of x-y < 5 the reverse is y-x <= -5")
	assert.Equal(t, lessThan(-5), atMost(5).not())
}

// A zone is within itself and within a wider one, and not within one that is narrower by one side.
func TestWithin(t *testing.T) {
	wide := newZone(1)
	wide.grow(new(memory))
	wide.bind(1, 0, atMost(0), atMost(10))
	wide = wide.kept(new(memory), []int{0, 1})
	narrow := wide.room(new(memory), 0)
	narrow.constrain(1, 0, lessThan(10))
	d := newDictionary()
	w, n := d.pack(&wide), d.pack(&narrow)
	assert.True(t, d.has(&w, &wide) && d.lies(new(memory), &w, &wide))
	assert.True(t, d.has(&w, &narrow) && d.lies(new(memory), &n, &wide))
	assert.False(t, d.has(&n, &wide) || d.lies(new(memory), &w, &narrow))
	d.widen(&n, &wide)
	assert.Equal(t, wide.d, d.unpack(new(memory), &n).d)
	kept := wide.kept(new(memory), []int{1, 0})
	assert.Equal(t, atMost(10), kept.at(0, 1))
	assert.Equal(t, atMost(0), kept.at(1, 0))
	wide.free(1)
	free := d.pack(&wide)
	assert.Empty(t, free.d)
	assert.Equal(t, wide.d, d.unpack(new(memory), &free).d)
	assert.True(t, d.has(&free, &narrow) && !d.lies(new(memory), &free, &narrow))
}
