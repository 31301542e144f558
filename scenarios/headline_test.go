package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/catalog"
)

// TestHeadlines: the headline of each embedded scenario is what its whole file says.
func TestHeadlines(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		h, ok := shipped.HeadlineOf(name)
		require.True(t, ok, name)
		assert.Equal(t, catalog.Headline{Model: s.Model, About: s.About, Source: s.Source}, h, name)
	}
	_, ok := shipped.HeadlineOf("lock/no-such")
	assert.False(t, ok)
}

func BenchmarkHeadlines(b *testing.B) {
	for b.Loop() {
		for _, name := range Names() {
			shipped.HeadlineOf(name)
		}
	}
}
