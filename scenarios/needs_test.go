package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/product"
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

// Each model says what it follows; a scenario has what its parameters choose.
func TestModelsSayWhatTheyFollow(t *testing.T) {
	for _, m := range models {
		assert.Implements(t, (*interface{ Follows() []product.Product })(nil), m.New().Target(), m.Name)
	}
	for name, want := range map[string]string{
		"redis/gc-pause":     "Redis 7.0.15",
		"policy/too-strict":  "envoyproxy/ratelimit 0184b1a",
		"election/k8s-pause": "client-go v0.34.1",
	} {
		s, err := Load(name, format.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, s.Follows[0].Name+" "+s.Follows[0].Version, name)
	}
}
