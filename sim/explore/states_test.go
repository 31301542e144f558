package explore

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// The set of states does what a map does: with many prints, with those that fall on one
// place, and with the print of zeros, which stands for an empty place.
func TestStates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func() sim.Print{
		"uniform":      func() sim.Print { return sim.Print{r.Uint64(), r.Uint64()} },
		"few":          func() sim.Print { return sim.Print{r.Uint64N(60), r.Uint64N(60)} },
		"on one place": func() sim.Print { return sim.Print{r.Uint64N(40) << 40, 0} },
		"at the end":   func() sim.Print { return sim.Print{r.Uint64N(2000)<<40 | 1<<40 - 1, 0} },
		"half zero":    func() sim.Print { return sim.Print{0, r.Uint64N(3000)} },
	} {
		var s states
		want := map[sim.Print]bool{}
		require.False(t, s.has(sim.Print{}), name)
		for range 20_000 {
			p := draw()
			before := s.has(p) == want[p]
			if r.IntN(3) > 0 {
				s.add(p)
				want[p] = true
			}
			if !before || s.has(p) != want[p] || s.count != len(want) {
				t.Fatalf("%s: %v of %d", name, p, len(want))
			}
		}
		for p := range want {
			require.True(t, s.has(p), name)
		}
		assert.Equal(t, int64(printSize*len(s.slots)), s.bytes())
		assert.LessOrEqual(t, 4*(s.count-1), 3*len(s.slots), name)
	}
}
