package lock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// From when its key is set client-1 takes three steps until it releases the lock: it acquires, it writes, it has the reply. What a
// step takes comes off the pause three times. Client-2 acquires the lock a step later than it has its reply, and the pause may be
// as much longer. Nobody waits for a step of the server: the key of client-1 lasts from when its step began, the reply to it leaves
// when that is over, and so does the reply to client-2.
func TestStepsThatTakeTimeMoveTheEdge(t *testing.T) {
	const law = 61*ms - 21*ms + 1*ms - 3*5*ms // pause + work + 3*delay.max <= TTL + delay.min
	for _, c := range []struct {
		second time.Duration // when client-2 starts
		costs  []time.Duration
		holds  time.Duration
		from   time.Duration
	}{
		{20 * ms, []time.Duration{0, 0, 0}, law, law + 2},
		{20 * ms, []time.Duration{3 * ms, 0, 0}, law - 3*3*ms, law - 3*3*ms + 2},
		{20 * ms, []time.Duration{0, 3 * ms, 0}, law + 3*ms, law + 3*ms + 2},
		{20 * ms, []time.Duration{3 * ms, 2 * ms, 0}, law - 3*3*ms + 2*ms, law - 3*3*ms + 2*ms + 2},
		{20 * ms, []time.Duration{0, 0, 2 * ms}, law, law + 2*ms + 2},
		{0, []time.Duration{3 * ms, 0, 0}, law + 3*ms, law + 3*ms + 2}, // client-1 starts in two steps, and is always the second
	} {
		ttl, retry := 60*ms, sim.Constant(15*ms)
		p := proof{least: 1 * ms, most: 5 * ms, pause: 100 * ms, property: "mutual-exclusion", set: func(p *Params) {
			p.Service, p.TTL, p.Retry, p.Start, p.Work = "redis", &ttl, &retry, []time.Duration{0, c.second}, []time.Duration{20 * ms}
		}}
		s := p.search()
		for _, d := range c.costs {
			s.Config.Costs = append(s.Config.Costs, sim.Constant(d))
		}
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err)
		assert.Equal(t, certify.Certified, e.Result.Verdict)
		assert.Equal(t, []time.Duration{c.holds, c.from}, []time.Duration{e.Holds, e.From}, "%v, %v", c.second, c.costs)
	}
}

// No run of the engine with steps that take time violates what is certified.
func TestNoRunViolatesWhatIsCertifiedWithCosts(t *testing.T) {
	t.Parallel()
	locks, runs := drawn(300, 10_000)
	r := rand.New(rand.NewPCG(20, 29))
	modeltest.Sound(t, locks, runs, func() modeltest.Proof {
		name, p, s := drawnProof(r)
		s.Limits.States = 15_000
		s.Config.Costs = make([]sim.Dist, len(s.Program.Nodes))
		s.Config.Costs[r.IntN(len(s.Config.Costs))] = sim.Constant(time.Duration(1+r.IntN(5)) * ms)
		return held(fmt.Sprintf("%s, steps take %v", name, s.Config.Costs), r, s, &p)
	})
}
