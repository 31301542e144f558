package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTotal(t *testing.T) {
	assert.EqualValues(t, 16<<20, total("MemTotal:       16384 kB\nMemFree:        1 kB\n"))
	for _, text := range []string{"", "MemFree: 1 kB\n", "MemTotal: x kB\n", "MemTotal: -5 kB\n", "MemTotal: 5\n", "MemTotal: 99999999999999999999 kB\n"} {
		assert.Zero(t, total(text), text)
	}
}

func TestMemory(t *testing.T) { assert.Greater(t, Memory(), int64(1<<20)) }
