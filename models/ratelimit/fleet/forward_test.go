package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/local"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// hundreds asks for a hundred at 5 s and another hundred at 65 s, a minute apart, of a
// limiter that takes 5 ms to let them through.
func hundreds(recheck time.Duration) Params {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Forward, p.Recheck = "sliding-log", 5*ms, recheck
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: 5 * time.Second, Burst: ptr(100)}, {At: 65 * time.Second, Burst: ptr(100)}}}}
	return p
}

// B15: "pause between StoreResp(admit) and forwarding: P-WIN over ADMIT holds, over START
// fails."
func TestPauseBeforeForwarding(t *testing.T) {
	pause := simtest.Inject("limiter-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(5_001)}, For: sim.Constant(45 * time.Second)})
	r := play(t, hundreds(0), pause)
	r.Holds("window-limit", "equals-exact-log", "one-answer")
	r.Violated("start-limit", at(65_005))
	assert.Contains(t, r.Log(), "lets client-1 through, 45.001s after it was admitted")

	play(t, hundreds(0)).Holds("start-limit", "window-limit", "equals-exact-log")
	play(t, hundreds(6*time.Second), pause).Holds("start-limit", "window-limit", "one-answer")
}

// TestStartLimitIsOfForwarding says nothing where starts are at once.
func TestStartLimitIsOfForwarding(t *testing.T) {
	assert.Equal(t, sim.NotExercised, play(t, steady("sliding-log")).Finding("start-limit").Verdict)
}

func TestForwardProblems(t *testing.T) {
	for _, v := range []struct {
		set  func(*Params)
		want []string
	}{
		{func(p *Params) { p.Forward = -1 }, []string{"forward: want 0s to 10000h0m0s, got -1ns"}},
		{func(p *Params) { p.Forward, p.Recheck = time.Second, time.Second }, []string{"recheck: want more than the 1s that every request takes, got 1s"}},
		{func(p *Params) { p.Recheck = time.Second }, []string{"recheck: a start at once has nothing to look at again: want forward above 0s"}},
		{func(p *Params) { p.Forward, p.Algorithm.Algorithm = time.Second, "leaky-queue" }, []string{"forward: want form local, and no leaky-queue, which has turns"}},
	} {
		p := DefaultParams()
		v.set(&p)
		var got []string
		for _, found := range p.Problems() {
			got = append(got, found.Path+": "+found.Message)
		}
		assert.Equal(t, v.want, got)
	}
}

// TestChange: a limiter takes another algorithm while it runs, which knows nothing of what
// was counted before; a run after it begins with the first one again (coverage row 14).
func TestChange(t *testing.T) {
	p := DefaultParams()
	p.Limit = 2
	p.Change = local.ChangeParams{At: 10 * time.Second, Algorithm: "token-bucket", Burst: ptr(int64(3))}
	p.Clients = []core.ClientParams{asks(1, each(0, 4, time.Second), each(20*time.Second, 4, ms))}
	r := play(t, p)
	require.Equal(t, "AARRAAAR", r.verdicts("client-1"))
	r.Logs("10.000s limiter-1 takes the algorithm token-bucket, with nothing counted")
	simtest.Forgets(t, p.System, sim.Config{Until: at(60_000)})
	p.Form = "central"
	require.Equal(t, "change.at", p.Problems()[0].Path)
	p.Form, p.Change = "local", local.ChangeParams{Algorithm: "gcra"}
	require.Equal(t, "change.at", p.Problems()[0].Path)
	p.Change = local.ChangeParams{At: time.Second, Algorithm: "gcra", Burst: ptr(int64(0))}
	require.Equal(t, "change.burst", p.Problems()[0].Path)
}
