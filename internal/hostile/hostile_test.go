package hostile

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var log = []string{`192.0.2.1 - - [01/Mar/2026:08:00:01 +0100] "GET / HTTP/1.1" 200 1.5`, "1772348401.25 b", "", "last"}

func TestVariants(t *testing.T) {
	names := map[string]bool{}
	first, second := Variants(log), Variants(log)
	require.Equal(t, first, second)
	for _, v := range first {
		assert.False(t, names[v.Name], v.Name)
		names[v.Name] = true
	}
	assert.Equal(t, "192.0.2.1 - - [01/Mar/2026:08:00:01 +0100] \"GET / HTTP/1,1\" 200 1,5\n1772348401,25 b\n\nlast\n", string(Named(log, "decimal-comma").Data))
	assert.Equal(t, log[0]+"\n\n1772348401.25 b\nlast\n", string(Named(log, "interleaved").Data))
	assert.Panics(t, func() { Named(log, "none") })
}

func TestYearsAhead(t *testing.T) {
	ahead, ok := YearsAhead(log[0])
	assert.True(t, ok)
	assert.Contains(t, ahead, "01/Mar/2036:08")
	ahead, ok = YearsAhead(log[1])
	assert.True(t, ok)
	assert.Equal(t, "2087708401.25 b", ahead)
	_, ok = YearsAhead("last")
	assert.False(t, ok)
}
