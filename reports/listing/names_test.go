package listing

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNodesWithConsecutiveNumbersAreARange(t *testing.T) {
	for want, names := range map[string][]string{
		"":                             nil,
		"a, b":                         {"a", "b"},
		"a-1, a-2":                     {"a-1", "a-2"},
		"a-1 to a-3, b-1, c":           {"a-1", "a-2", "a-3", "b-1", "c"},
		"a-9 to a-11":                  {"a-9", "a-10", "a-11"},
		"a-1, a-3, a-2":                {"a-1", "a-3", "a-2"},
		"n-99999999999999999999999, x": {"n-99999999999999999999999", "x"},
	} {
		assert.Equal(t, want, ranges(names))
	}
}
