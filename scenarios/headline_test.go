package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHeadlines: the headline of each embedded scenario is what its whole file says.
func TestHeadlines(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		h, ok := HeadlineOf(name)
		require.True(t, ok, name)
		assert.Equal(t, Headline{Model: s.Model, About: s.About, Source: s.Source}, h, name)
	}
	_, ok := HeadlineOf("lock/no-such")
	assert.False(t, ok)
}

// TestScalar: a value as YAML reads it, plain or in either kind of quotes.
func TestScalar(t *testing.T) {
	for value, want := range map[string]string{
		"plain: text\n": "plain: text", `"in \"quotes\""`: `in "quotes"`, "'it''s'": "it's", "'a \"b\"'": `a "b"`, "": "",
	} {
		assert.Equal(t, want, scalar(value), value)
	}
}

func BenchmarkHeadlines(b *testing.B) {
	for b.Loop() {
		for _, name := range Names() {
			HeadlineOf(name)
		}
	}
}
