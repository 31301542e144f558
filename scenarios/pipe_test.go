//go:build unix

package scenarios

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAccessLogPipe: a pipe that nobody writes to is refused, and not waited for.
func TestAccessLogPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.log")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := Load("ratelimit/compare", Options{Sets: []Setting{{"params.traffic.accesslog", pipe}}})
	require.ErrorContains(t, err, "it can be read only once: want an ordinary file")
}
