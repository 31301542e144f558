package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
)

// sent are the answers of a run, a line for the status and each field.
func sent(t *testing.T, p Params) (lines [][]string, digest uint64) {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(10_000), Twice: true})
	require.NoError(t, err)
	w.Watch(sim.Watch{Shown: func(s sim.Shown) { lines = append(lines, s.Lines) }})
	digest = w.Run(1).Digest
	return lines, digest
}

// TestHeaders: what a client is sent, in both forms, and that asking for it changes
// nothing (coverage row 6).
func TestHeaders(t *testing.T) {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Limit, p.Window = "sliding-log", 2, time.Second
	p.Clients = []core.ClientParams{{Phases: []core.Phase{each(100*ms, 3, 300*ms)}}}
	lines, digest := sent(t, p)
	require.Len(t, lines, 3)
	require.Equal(t, []string{"200", `RateLimit-Policy: "default";q=2;w=1`, `RateLimit: "default";r=1;t=1`,
		"X-RateLimit-Limit: 2", "X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 1"}, lines[0])
	require.Equal(t, []string{"429", "Retry-After: 1", `RateLimit-Policy: "default";q=2;w=1`, `RateLimit: "default";r=0;t=1`,
		"X-RateLimit-Limit: 2", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1"}, lines[2])
	require.Equal(t, digest, play(t, p).Result.Digest)
}

// TestHeadersOfAStore: when an admitted request is forgotten is not known without asking
// once more, and no field says it.
func TestHeadersOfAStore(t *testing.T) {
	lines, _ := sent(t, atStore(1, "fixed-window", 1, time.Minute, central.StoreParams{}, asks(1, each(time.Second, 2, time.Second))))
	require.Len(t, lines, 2)
	require.Equal(t, []string{"200", `RateLimit-Policy: "default";q=1;w=60`, `RateLimit: "default";r=0`, "X-RateLimit-Limit: 1", "X-RateLimit-Remaining: 0"}, lines[0])
	require.Contains(t, lines[1], "Retry-After: 58")
}
