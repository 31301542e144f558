package balancer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// "mod-n rehash on scale-out moves (n-1)/n of the keys at once ... consistent hashing
// moves 1/n", of which only those that the new limiter gets.
func TestRehashing(t *testing.T) {
	const keys = 10_000
	for n := 2; n <= 16; n++ {
		before := Balancer{Count: n, Members: n - 1, out: make([]bool, n)}
		after := Balancer{Count: n, Members: n, out: make([]bool, n)}
		moved, modMoved := 0, 0
		for key := range uint64(keys) {
			before.Mod, after.Mod = false, false
			if was, is := before.hashed(key+1), after.hashed(key+1); was != is {
				require.Equal(t, n-1, is, "it moves to the new limiter and nowhere else")
				moved++
			}
			before.Mod, after.Mod = true, true
			if before.hashed(key+1) != after.hashed(key+1) {
				modMoved++
			}
		}
		assert.InDelta(t, float64(keys)/float64(n), moved, 200, "n %d", n)
		assert.InDelta(t, keys*float64(n-1)/float64(n), modMoved, 200, "n %d", n)
	}
}
