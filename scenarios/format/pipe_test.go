//go:build unix

package format_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"

	"github.com/stretchr/testify/require"
)

// TestAccessLogPipe: a pipe that nobody writes to is refused, and not waited for.
func TestAccessLogPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.log")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := scenarios.Load("limiter/compare", format.Options{Sets: []result.Setting{{Path: "params.traffic.accesslog", Value: pipe}}})
	require.ErrorContains(t, err, "it can be read only once: want an ordinary file")
}
