package pages

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// [...] in a line of a page stands for any text, and for nothing.
func TestALineLeavesOut(t *testing.T) {
	for _, c := range []struct {
		line, want string
		is         bool
	}{
		{"a b c", "a b c", true}, {"a b c  ", "a b c", true}, {"a b c", "a b", false},
		{"a b c", "a [...] c", true}, {"a b c", "[...]c", true}, {"a b c", "a[...]", true}, {"a b c", "a b c[...]", true},
		{"a b c", "b[...]", false}, {"a b c", "a[...]b", false}, {"a b c d", "a [...]c[...]", true}, {"a b c d", "a [...]x[...]d", false},
		{"ab", "ab[...]b", false},
	} {
		assert.Equal(t, c.is, isLine(c.line, c.want), "%q, %q", c.line, c.want)
	}
}
