//go:debug randseednop=0

// Unmodified client libraries in a bubble of testing/synctest, beside the models of
// models/lock: time there is virtual and passes only when every goroutine waits, so that a
// run of minutes takes milliseconds, and is the same each time.
package clients

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// journal is what happened in a bubble, with the virtual instants.
type journal struct {
	start time.Time
	lines []string
}

func (j *journal) at() time.Duration { return time.Since(j.start) }

func (j *journal) note(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%v "+format, append([]any{j.at()}, args...)...))
}

// twice runs a program in two bubbles with the same seed and refuses it if they differ: what
// they say is then a fact about the library, not about the scheduler. The libraries draw
// from the global source of math/rand, which is seeded here.
func twice[T any](t *testing.T, seed int64, program func(j *journal) T) T {
	t.Helper()
	var logs [2]string
	var result T
	for i := range logs {
		//lint:ignore SA1019 it is the libraries' source
		rand.Seed(seed)
		synctest.Test(t, func(*testing.T) {
			j := &journal{start: time.Now()}
			result = program(j)
			logs[i] = strings.Join(j.lines, "\n")
		})
	}
	if logs[0] != logs[1] {
		t.Fatalf("seed %d: two runs differ:\n%s\n\n%s", seed, logs[0], logs[1])
	}
	return result
}

// pause waits, or until the context is done.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
