package conditions

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim/certify/bounds"
)

// small is the bounds of a path: 1 is at most work and a pause after 0, and more than a TTL; 2 is from least to most after 0.
func small(at []int64) []bounds.Bound {
	ttl, work, least, most, pause := at[0], at[1], at[2], at[3], at[4]
	return []bounds.Bound{{X: 1, Y: 0, At: work + pause}, {X: 0, Y: 1, At: -ttl, Strict: true}, {X: 2, Y: 0, At: most}, {X: 0, Y: 2, At: -least}}
}

func newSmall(t *testing.T, at ...int64) *Path {
	var moved [][]bounds.Bound
	for i := range at {
		to := append([]int64(nil), at...)
		to[i] += 10
		moved = append(moved, small(to))
	}
	p, ok := NewPath(3, len(moved[0]), small(at), moved, at, []int64{10, 10, 10, 10, 10})
	require.True(t, ok)
	return p
}

// The conditions of a path are the sides of where it exists: each is a cycle of its bounds.
func TestConditions(t *testing.T) {
	p := newSmall(t, 100, 20, 1, 5, 90)
	list := p.refined(p.refined(nil, []int64{100, 20, 1, 5}), []int64{300, 10, 9, 2})
	assert.Equal(t, Forms{{Of: []int64{-1, 1, 0, 0}, Pause: 1, Strict: true, Parts: 1}, {Of: []int64{0, 0, -1, 1}, Parts: 1}}, list)
	assert.EqualValues(t, 80, list.Holds([]int64{100, 20, 1, 5}))
	assert.EqualValues(t, -1, list.Holds([]int64{100, 101, 5, 5}))
	assert.EqualValues(t, Never, list.Holds([]int64{100, 20, 6, 5}))
	assert.EqualValues(t, 79, Forms{{Of: []int64{-1, 1, 0, 0}, Pause: 1}}.Holds([]int64{100, 20, 1, 5}), "it is violated at 80")
	assert.EqualValues(t, 40, Forms{{Of: []int64{-1, 1, 0, 0}, Pause: 2, Strict: true}}.Holds([]int64{101, 20, 1, 5}), "81/2 is not reached by 40")
}

// A path whose bounds are no sums, or that does not exist where it is said to be found, is none.
func TestNoPath(t *testing.T) {
	at, moved := []bounds.Bound{{X: 1, Y: 0, At: 5}}, [][]bounds.Bound{{{X: 1, Y: 0, At: 12}}, {{X: 1, Y: 0, At: 5}}}
	_, ok := NewPath(2, 1, at, moved, []int64{10, 10}, []int64{10, 10})
	assert.False(t, ok, "7 is no multiple of 10")
	at[0].Y, at[0].At = 1, -1
	_, ok = NewPath(2, 1, at, [][]bounds.Bound{at, at}, []int64{10, 10}, []int64{10, 10})
	assert.False(t, ok, "an instant is before itself")
}

// A bound may depend on a third of a duration, and so the conditions; what a grid rounds is no part of it, and a value with a
// part of a nanosecond is none at which a path is known.
func TestThirds(t *testing.T) {
	list := func(ttl, work int64) []bounds.Bound { // a renewal a third of the TTL after 0 is at most work later, more than a TTL after 0
		return []bounds.Bound{{X: 1, Y: 0, At: ttl / 3}, {X: 2, Y: 1, At: work}, {X: 0, Y: 2, At: -ttl, Strict: true}}
	}
	moved := [][]bounds.Bound{list(312, 230), list(300, 230), list(300, 230)}
	moved[1][1].At += 12
	p, ok := NewPath(3, 3, list(300, 230), moved, []int64{300, 230, 5}, []int64{12, 12, 12})
	require.True(t, ok)
	assert.Equal(t, Forms{{Of: []int64{-2, 3}, Strict: true, Parts: 3}}, p.refined(nil, []int64{300, 150}))
	_, ok = NewPath(3, 3, list(301, 230), [][]bounds.Bound{list(313, 230), list(301, 230), list(301, 230)}, []int64{301, 230, 5}, []int64{12, 12, 12})
	assert.False(t, ok, "301/3 is not whole")
	assert.True(t, Linear(list(300, 230), list(312, 230), 12))
	assert.False(t, Linear(list(300, 230), list(301, 230), 10), "it is a third of it, and 1/10 is none")
	assert.False(t, Linear(list(300, 230), list(300, 230)[:1], 1))
	assert.True(t, Doubled(list(300, 230), list(312, 230), list(324, 230)))
	assert.False(t, Doubled(list(300, 230), list(312, 230), list(325, 230)))
	assert.False(t, Doubled(list(300, 230), list(312, 230), list(324, 230)[:1]))
}

// attempts is the conditions of a path on which attempt n, one every retry, comes after the TTL.
func attempts(n int64) Forms {
	return Forms{{Of: []int64{-1, 0}, Pause: 1, Strict: true, Parts: 1}, {Of: []int64{0, -n}, Pause: 1, Strict: true, Parts: 1}, {Of: []int64{-1, n}, Strict: true, Parts: 1}}
}

// A condition that another implies is none of a path: 8*retry + 18*most > ttl where 8*retry + 17*most > ttl + least, as no duration is
// below 0. One of two that are equal stays.
func TestNeeded(t *testing.T) {
	form := func(strict bool, of ...int64) Form { return Form{Of: of, Strict: strict, Parts: 1} }
	later, sooner := form(true, -1, 8, 0, 18), form(true, -1, 8, -1, 17) // of ttl, retry, least, most
	assert.Equal(t, Forms{sooner}, Forms{later, sooner}.needed())
	assert.Equal(t, Forms{sooner}, Forms{sooner, sooner}.needed())
	assert.Equal(t, Forms{sooner}, Forms{sooner, form(false, -1, 8, -1, 17)}.needed())
	assert.Equal(t, Forms{sooner}, Forms{form(false, -1, 8, -1, 17), sooner}.needed())
	thirds := form(true, -3, 24, -3, 51)
	thirds.Parts = 3
	assert.Equal(t, Forms{thirds}, Forms{later, thirds}.needed())
	others := Forms{sooner, form(true, -1, 9, -2, 17)}
	assert.Equal(t, others, others.needed())
}

// Paths that differ by multiples of the same are one law, of every n that matters at the samples.
func TestFamily(t *testing.T) {
	var samples [][]int64
	for ttl := int64(150); ttl < 1000; ttl += 100 {
		samples = append(samples, []int64{ttl, 100})
	}
	for _, order := range [][]int64{{3, 4, 7}, {7, 3, 4}} {
		l := NewLaws(samples)
		for _, n := range order {
			l.paths = append(l.paths, known{forms: attempts(n)})
		}
		l.rebuild()
		require.Len(t, l.List, 1)
		assert.Equal(t, []int64{2, 10}, []int64{l.List[0].Least, l.List[0].Most}, order)
		assert.EqualValues(t, 1000, l.Holds([]int64{950, 100}))
		assert.Equal(t, []int64{0, -1}, l.List[0].Step[len(l.List[0].Step)-2].Of)
	}
}

// So are paths of which a condition is in thirds, but none that are in different parts.
func TestFamilyInThirds(t *testing.T) {
	third := func(n int64) Forms {
		return Forms{{Of: []int64{-2, 0}, Pause: 3, Strict: true, Parts: 3}, {Of: []int64{1, -3 * n}, Pause: 3, Strict: true, Parts: 3}}
	}
	laws := families([]Forms{third(4), third(3), third(7)})
	require.Len(t, laws, 1)
	assert.Equal(t, []int64{3, 7}, []int64{laws[0].Least, laws[0].Most})
	assert.Equal(t, third(5), laws[0].Of(5))
	assert.Len(t, families([]Forms{{{Of: []int64{-3}, Parts: 1}}, {{Of: []int64{-4}, Parts: 1}}, {{Of: []int64{-5}, Parts: 3}}}), 3)
}

// Two paths are no rule, and each is a law; a condition that matters at no sample is left out.
func TestNoFamily(t *testing.T) {
	l := NewLaws([][]int64{{250, 100}, {350, 100}})
	l.paths = []known{{forms: attempts(3)}, {forms: attempts(4)}}
	l.rebuild()
	require.Len(t, l.List, 2)
	assert.Nil(t, l.List[0].Step)
	assert.Less(t, len(l.List[0].At), 3)
	assert.EqualValues(t, 300, l.Holds([]int64{250, 100}))
	assert.EqualValues(t, 400, l.Holds([]int64{350, 100}))
	assert.EqualValues(t, 320, l.Holds([]int64{250, 80}), "3 attempts take 240")
	l.paths = append(l.paths, known{forms: Forms{{Of: []int64{-2, 0}, Pause: 1, Strict: true}}})
	l.rebuild()
	assert.Len(t, l.List, 2, "twice the TTL is never less")
}

// A path that was found where a sample showed only some of its conditions has the others from the sample that shows them:
// until then it is said to exist there, and the property to be violated with no pause at all.
func TestRefine(t *testing.T) {
	l, p := NewLaws([][]int64{{100, 20, 1, 5}}), newSmall(t, 100, 20, 1, 5, 90)
	p.forms, p.between = append(p.forms, Form{Of: make([]int64, 4), At: -1}), append(p.between, bounds.Bound{At: -1})
	l.Add(p)
	assert.EqualValues(t, 80, l.Holds([]int64{100, 20, 9, 2}), "that the delay ends before it begins is not known yet")
	l.Know([]int64{100, 20, 9, 2}, Never)
	l.Refine([]int64{100, 20, 9, 2}, Never)
	assert.EqualValues(t, Never, l.Holds([]int64{100, 20, 9, 2}))
	assert.EqualValues(t, 80, l.Holds([]int64{100, 20, 1, 5}))
	assert.Equal(t, 1, l.Paths())
	assert.Equal(t, 4, p.bounds, "none of what comes too late counts: the others say it")
}

// A rule is continued to no path that would violate the property where it is known to hold.
func TestARuleIsNotContinuedAgainstWhatIsKnown(t *testing.T) {
	l := NewLaws([][]int64{{450, 100}, {550, 100}, {650, 100}})
	for _, n := range []int64{3, 4, 5} {
		l.paths = append(l.paths, known{forms: attempts(n)})
	}
	l.rebuild()
	require.Len(t, l.List, 1)
	assert.EqualValues(t, 7, l.List[0].Most)
	l.Know([]int64{650, 100}, Never)
	l.rebuild()
	assert.EqualValues(t, 6, l.List[0].Most)
}

// A bound of what comes too late counts once it is known that the path does not exist without it.
func TestLateBounds(t *testing.T) {
	p := newSmall(t, 100, 20, 1, 5, 90)
	p.bounds = 3 // but for the shortest delay
	l := NewLaws([][]int64{{100, 20, 1, 5}, {100, 20, 9, 2}})
	l.Add(p)
	assert.EqualValues(t, 80, l.Holds([]int64{100, 20, 9, 2}))
	l.Refine([]int64{100, 20, 9, 2}, Never)
	assert.EqualValues(t, Never, l.Holds([]int64{100, 20, 9, 2}))
}
