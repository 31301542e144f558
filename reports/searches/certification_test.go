package searches

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An edge below the shortest pause of a range says so, and does not say that no pause is needed.
func TestEdgeBelowTheRange(t *testing.T) {
	for want, e := range map[string]Edge{
		"p: certified for no pause of the range; violated from 15s": {Path: "p", HoldsNS: -1, FromNS: 15_000_000_000, Known: true},
		"p: violated without any pause":                             {Path: "p", HoldsNS: -1, Known: true},
	} {
		assert.Equal(t, want, e.text())
	}
}
