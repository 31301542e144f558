package simtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExamplesForAFuzzer(t *testing.T) {
	require.Empty(t, example(0))
	for n := range byte(8) {
		require.Len(t, example(n), 16*int(n))
		require.Equal(t, example(n), example(n))
	}
	require.Less(t, strings.Count(string(example(7)), "\x00"), 10)
}
