package searches

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Where a limit was reached it is not said what holds, nor that no run violates it in between.
func TestEdgeThatIsNotKnown(t *testing.T) {
	e := Edge{Path: "p", HoldsNS: 60, FromNS: 63}
	assert.Equal(t, "p: a limit was reached before it was known; it is 60ns at most; a run violates it with 63ns", e.text())
}

// An edge below the shortest pause of a range says so, and does not say that no pause is needed.
func TestEdgeBelowTheRange(t *testing.T) {
	for want, e := range map[string]Edge{
		"p: certified for no pause of the range; violated from 15s": {Path: "p", HoldsNS: -1, FromNS: 15_000_000_000, Known: true},
		"p: violated without any pause":                             {Path: "p", HoldsNS: -1, Known: true},
	} {
		assert.Equal(t, want, e.text())
	}
}
