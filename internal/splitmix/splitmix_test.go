package splitmix

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The first words from the seed 1234567, as published with splitmix64.c's test values.
func TestStreamGivesThePublishedWords(t *testing.T) {
	s := Stream(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		require.Equal(t, want, s.Next())
	}
}

func TestHashIsTheFirstWord(t *testing.T) {
	s := Stream(42)
	require.Equal(t, s.Next(), Hash(42))
	require.Zero(t, Mix(0))
}

func TestBelowIsTheHighWord(t *testing.T) {
	words, numbers := Stream(7), Stream(7)
	seen := [3]int{}
	for range 3000 {
		n := numbers.Below(3)
		require.Equal(t, words.Next()/(1<<64/3+1), n)
		seen[n]++
	}
	for _, times := range seen {
		require.InDelta(t, 1000, times, 100)
	}
}
