package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRecord(t *testing.T) {
	var r record
	assert.True(t, r.take(100, 1, 1, 60).Allowed)
	d := r.take(110, 1, 1, 60)
	assert.False(t, d.Allowed)
	assert.EqualValues(t, 50, d.Wait)
	assert.True(t, r.take(99, 1, 1, 60).Allowed, "before the begin")
	assert.False(t, r.take(110, 1, 1, 60).Allowed)
	assert.True(t, r.take(159, 1, 1, 60).Allowed)
}
