package fingerprint

import (
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hash is the print of a value.
func hash(x any) (p Print) {
	Value(&p, reflect.ValueOf(&x).Elem())
	return p
}

type ring struct{ next *ring }

func TestFingerprintOfValues(t *testing.T) {
	type pair struct{ a, b int }
	one, two := 1, 2
	again := 1
	different := []any{nil, 0, 1, uint8(1), "", "a", "1", true, false, []int{}, []int{0}, []int{0, 0}, []int{1, 0}, [2]int{2, 1}, pair{0, 1}, pair{1, 0},
		&one, &two, map[int]int{}, map[int]int{1: 2}, map[int]int{2: 1}, map[int]int{1: 2, 2: 1}, map[int]int{1: 1, 2: 2}, map[string][]int{"a": {1}}, map[string][]int{"a": {1, 1}},
		[]any{1, "a"}, []any{"a", 1}, [][]int{{1}, {}}, [][]int{{}, {1}}, 1.5, -1.5, float32(0.25), time.Second, 2i}
	prints := map[Print]int{}
	for i, x := range different {
		if j, ok := prints[hash(x)]; ok {
			t.Errorf("%#v and %#v have the same print", different[j], x)
		}
		prints[hash(x)] = i
	}
	assert.Equal(t, hash(&one), hash(&again), "a pointer is what it points to")
	assert.Equal(t, hash(func() {}), hash((func())(nil)), "a function is not part of a state")

	for n := range 50 { // whatever the order in which a map was filled
		forth, back := map[int]string{}, map[int]string{}
		for i := range n {
			forth[i], back[n-1-i] = fmt.Sprint(i), fmt.Sprint(n-1-i)
		}
		require.Equal(t, hash(forth), hash(back))
	}
	r := &ring{}
	r.next = r
	assert.PanicsWithValue(t, "sim: a state with a chan has no fingerprint", func() { hash(make(chan int)) })
	assert.PanicsWithValue(t, "sim: a state with a unsafe.Pointer has no fingerprint", func() { hash(unsafe.Pointer(&one)) })
	assert.PanicsWithValue(t, "sim: a state with a ring of pointers has no fingerprint", func() { hash(r) })
	assert.NotPanics(t, func() { hash(&ring{&ring{&ring{}}}) })
}

// A state that embeds what never changes is seen all the same.
func TestFingerprintOfWhatEmbedsWhatNeverChanges(t *testing.T) {
	type state struct {
		*table
		n int
	}
	one := &table{[]int{1}}
	assert.NotEqual(t, hash(&state{one, 1}), hash(&state{one, 2}))
	assert.Equal(t, hash(&state{one, 1}), hash(&state{&table{[]int{2}}, 1}))
}

// printing is a ring that says itself what it is.
type printing struct {
	n    uint64
	self *printing
}

func (r *printing) Print(p *Print) { p.Fold(r.n) }

func TestFingerprintOfWhatPrintsItself(t *testing.T) {
	of := func(n uint64) any {
		r := &printing{n: n}
		r.self = r
		return struct{ hidden *printing }{r}
	}
	assert.Equal(t, hash(of(1)), hash(of(1)))
	assert.NotEqual(t, hash(of(1)), hash(of(2)))
}

// table never changes during a run.
type table struct{ rows []int }

func (*table) Immutable() {}

// A fingerprint does not look behind a pointer to what never changes, but sees whether there
// is one.
func TestFingerprintOfWhatNeverChanges(t *testing.T) {
	type state struct {
		table *table
		n     int
	}
	one, other := &table{[]int{1}}, &table{[]int{2}}
	assert.Equal(t, hash(state{one, 1}), hash(state{other, 1}))
	assert.NotEqual(t, hash(state{one, 1}), hash(state{one, 2}))
	assert.NotEqual(t, hash(state{one, 1}), hash(state{nil, 1}))
}

// Bytes tell any two values apart, and equal ones behind different pointers too. What lies in gaps is not defined.
func TestSameBytes(t *testing.T) {
	type state struct {
		a int64
		b int64
		c *int
	}
	one, two := 1, 1
	x := state{1, 2, &one}
	y := x
	assert.True(t, SameBytes(&x, &y))
	for _, y := range []state{{2, 2, &one}, {1, 3, &one}, {1, 2, &two}, {1, 2, nil}} {
		assert.False(t, SameBytes(&x, &y), y)
	}
	assert.True(t, SameBytes(&struct{}{}, &struct{}{}))
}
