package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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
