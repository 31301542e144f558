package limiter

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestBreaker(t *testing.T) {
	b := Breaker{Errors: 2, Rest: 10}
	now := sim.Mono(0)
	require.True(t, b.Allow(now))
	require.False(t, b.Fail(now))
	require.False(t, b.Succeed(), "an answer in between: the row begins anew")
	require.False(t, b.Fail(now))
	require.True(t, b.Fail(now))
	require.False(t, b.Allow(9))
	require.False(t, b.Succeed(), "of a call from before")
	require.False(t, b.Fail(9), "the same")
	require.True(t, b.Allow(10), "one call tries")
	require.False(t, b.Allow(10), "and no other")
	require.True(t, b.Fail(12))
	require.False(t, b.Allow(21))
	require.True(t, b.Allow(22))
	require.True(t, b.Succeed())
	require.True(t, b.Allow(22))
	never := Breaker{}
	for range 100 {
		require.False(t, never.Fail(0))
	}
	require.True(t, never.Allow(0))
}
