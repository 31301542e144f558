package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSourcesAreFresh: what simctl unpacks has every package, and each file, that a program is built from.
func TestSourcesAreFresh(t *testing.T) {
	text, err := sources("../..")
	require.NoError(t, err)
	kept, err := os.ReadFile("../../sources.go")
	require.NoError(t, err)
	require.True(t, string(text) == string(kept), "sources.go is stale: run go generate .")
}
