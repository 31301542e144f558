package ratelimit

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The sizes are those that the compiler gives the states on a 64-bit machine.
func TestSizeOfStates(t *testing.T) {
	for _, c := range []struct {
		state any
		want  int64
	}{
		{TokenBucketState{}, 16}, {IntervalBucketState{}, 16}, {LeakyMeterState{}, 16}, {LeakyQueueState{}, 8},
		{GCRAState{}, 16}, {FixedWindowState{}, 16}, {SlidingCounterState{}, 24}, {SlidingLogState{}, 56},
		{SubWindowsState{}, 56}, {NginxState{}, 24}, {SethvargoState{}, 24}, {UberState{}, 16},
		{struct {
			a bool
			b struct{ x, y, z int32 }
			c []uint16
		}{}, 40},
	} {
		of := reflect.TypeOf(c.state)
		assert.Equal(t, c.want, sizeOf(of), of)
		if reflect.TypeFor[int]().Size() == 8 {
			assert.EqualValues(t, of.Size(), sizeOf(of), of)
		}
	}
}

func TestBytesOfALog(t *testing.T) {
	z := NewSizer[SlidingLogState]()
	l, err := NewSlidingLog(SlidingLogParams{Limit: 1000, Window: time.Second})
	require.NoError(t, err)
	k := l.Start(0)
	for n := range int64(1001) {
		require.Equal(t, SlidingLogBytes(n), z.Bytes(&k), n)
		l.Take(&k, Reading(n), 1)
	}
}
