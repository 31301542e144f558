package broadcast

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseOperation(t *testing.T) {
	for text, want := range map[string]Operation{
		"add 100": {Adds, 100}, "add -50": {Adds, -50}, "add 1000000": {Adds, 1_000_000}, "add -1000000": {Adds, -1_000_000}, "interest 100%": {Earns, 100}, "interest 1%": {Earns, 1}, "interest 0%": {Earns, 0},
	} {
		o, err := ParseOperation(text)
		require.NoError(t, err)
		assert.Equal(t, want, o)
		assert.Equal(t, text, o.String())
	}
	for _, text := range []string{"", "add", "add ", "add x", "add 1%", "add 1000001", "interest 1", "interest -1%", "interest 101%", "interest 1%%", "steal 1", "add 1 2", strings.Repeat("add ", 1000)} {
		_, err := ParseOperation(text)
		require.Error(t, err, text)
		assert.Less(t, len(err.Error()), 200)
		assert.Contains(t, err.Error(), `want "add N"`)
	}
}

func TestAccount(t *testing.T) {
	a := Account(1000 * cents)
	a.Apply(Operation{Adds, 100})
	a.Apply(Operation{Earns, 1})
	assert.Equal(t, "1111", a.String())
	b := Account(1000 * cents)
	b.Apply(Operation{Earns, 1})
	b.Apply(Operation{Adds, 100})
	assert.Equal(t, "1110", b.String(), "Tanenbaum: 1111 and 1110")

	a.Apply(Operation{Earns, 1})
	assert.Equal(t, "1122.11", a.String())
	c := Account(-5)
	assert.Equal(t, "-0.05", c.String())
	for range 10_000 {
		a.Apply(Operation{Earns, 100})
		c.Apply(Operation{Earns, 100})
	}
	assert.Equal(t, Account(maxBalance), a, "it is cut off")
	assert.Equal(t, Account(-maxBalance), c)
}

// FuzzParseOperation: what parses prints as something that parses to the same, and no text
// does worse than an error.
func FuzzParseOperation(f *testing.F) {
	for _, text := range []string{"add 100", "interest 1%", "add -1", "interest", "add 99999999999999999999", "add\t1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseOperation(text)
		if err != nil {
			return
		}
		again, err := ParseOperation(o.String())
		require.NoError(t, err)
		require.Equal(t, o, again)
	})
}
