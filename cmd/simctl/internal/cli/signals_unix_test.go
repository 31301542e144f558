//go:build unix

package cli_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
)

// TestSignalsAreAskedForAfterAMoment, although nothing waits for input.
func TestSignalsAreAskedForAfterAMoment(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		survived := make(chan os.Signal, 1) // or the test would end with it
		signal.Notify(survived, s)
		defer signal.Stop(survived)
		ctx, stop := cli.UntilInterrupted(t.Context())
		defer stop()
		assert.Eventually(t, func() bool {
			require.NoError(t, syscall.Kill(os.Getpid(), s))
			return ctx.Err() != nil
		}, time.Minute, time.Millisecond, s)
	}
}
