package queue

import (
	"testing"
	"time"

	"fencepost/internal/splitmix"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Few events are held as few also after there were many, whose slots were too many for that.
func TestQueueHoldsFewAfterMany(t *testing.T) {
	c := newChecked(t, 0)
	delay := func() time.Duration { return time.Duration(splitmix.Mix(uint64(c.n)) % 1000) }
	for range 10 * places {
		c.push(delay())
	}
	for range 9*places + places*9/10 {
		require.True(t, c.pop())
	}
	for range 10 * places {
		c.push(delay())
		require.True(t, c.pop())
	}
	assert.Positive(t, c.q.many, "a ring for %d", c.q.pending)
	assert.Less(t, len(c.q.heap), 5, "of %d", c.q.pending)
}

// Few events keep their order for longer than a word has room for turns and instants.
func TestQueueKeepsTheOrderOfFew(t *testing.T) {
	for _, gap := range []time.Duration{0, 1, time.Hour, 5 * time.Hour, 100 * time.Hour} {
		c := newChecked(t, places)
		for range 5 {
			c.push(gap)
		}
		for i := range 3 << turnBits {
			require.True(t, c.pop())
			c.push(gap * time.Duration(i%3))
		}
	}
}
