package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
)

// Each property of a limiter says what would exercise it.
func TestLimitersSayWhatTheirPropertiesNeed(t *testing.T) {
	for _, name := range []string{"limiter/flash-sale", "policy/too-strict", "permits/leak", "overload/queue-bound", "overload/adaptive-cpu"} {
		s, err := Load(name, format.Options{})
		require.NoError(t, err)
		for i, property := range s.Program.Properties {
			assert.NotEmpty(t, s.Program.Bound(i).Needs, "%s of the model %s", property, s.Model)
		}
	}
}
