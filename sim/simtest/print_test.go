package simtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// printed is a state of which one field is left out of the print.
type printed struct {
	limit int // as a parameter is
	count []struct {
		n    uint8
		done bool
	}
	told bool
}

func (s *printed) full() bool { return s.told || len(s.count) > s.limit }

func (s *printed) Print(p *sim.Print) {
	for _, c := range s.count {
		p.Fold(uint64(c.n))
		if c.done {
			p.Fold(1)
		}
	}
}

func TestPrintSeesWhatIsLeftOut(t *testing.T) {
	s := &printed{count: make([]struct {
		n    uint8
		done bool
	}, 2)}
	k := try(t, "TestX", func(t testing.TB) { simtest.Print(t, s, "limit") })
	assert.True(t, k.failed)
	assert.Contains(t, k.log.String(), "told is not in the print")
	assert.NotContains(t, k.log.String(), "count")
	k = try(t, "TestX", func(t testing.TB) { simtest.Print(t, s, "limit", "told") })
	assert.False(t, k.failed, k.log.String())
	assert.True(t, s.full())
	assert.Equal(t, make([]struct {
		n    uint8
		done bool
	}, 2), s.count, "the state is as it was")
}
