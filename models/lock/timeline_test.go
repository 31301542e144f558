package lock

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// lines is the timeline of a run with a delay of 5 ms, and how the run ended.
func lines(t *testing.T, s sim.System[core.Msg], until sim.Time, faults ...sim.Fault) *sim.Timeline {
	t.Helper()
	c := sim.Config{Until: until, Faults: faults}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	w, err := sim.NewWorld(s, c)
	require.NoError(t, err)
	digest := w.Run(1).Digest
	line := &sim.Timeline{}
	w.Watch(sim.Watch{Timeline: line})
	require.Equal(t, digest, w.Run(1).Digest)
	return line
}

const (
	believes = "believes it holds the lock"
	valid    = "its lease is valid"
)

func span(id sim.NodeID, state string, from, to int64) sim.Span {
	return sim.Span{Node: id, State: state, From: at(from), To: at(to)}
}

// TestTimelineR1b is Kleppmann's schedule: the lease that client-1 takes at 10 is over at
// 9 898, and it believes to hold the lock until the reply to its write at 15 110.
func TestTimelineR1b(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Start: []time.Duration{0, 10_010 * ms},
		Work: []time.Duration{90 * ms, 1_975 * ms}, Hold: []time.Duration{0, 5 * time.Second}}
	pause := sim.Fault{Do: sim.Pause, Node: 1, For: sim.Constant(15 * time.Second), When: sim.When{Note: core.Checked}}
	spans := []sim.Span{
		span(1, believes, 10, 15_110), span(1, valid, 10, 9_898), span(1, sim.StatePaused, 100, 15_100),
		span(2, believes, 10_020, 17_005), span(2, valid, 10_020, 17_005),
	}
	const store, first = 8, "write applied"
	for fencing, second := range map[string]string{"none": "write applied", "lex": "write rejected"} {
		p.Fencing = fencing
		require.Empty(t, p.Problems())
		line := lines(t, p.System(), at(60_000), pause)
		require.Equal(t, spans, line.Spans)
		require.Equal(t, []sim.Instant{{Node: store, By: 2, Mark: first, At: at(12_000)}, {Node: store, By: 1, Mark: second, At: at(15_105)}}, line.Instants)
	}

	wrong := p.System()
	wrong.States = slices.Clone(wrong.States)
	wrong.States[0].Leave = []sim.Kind{core.Expired, core.Stale}
	require.NotEqual(t, spans, lines(t, wrong, at(60_000), pause).Spans, "a declaration without the release")
}

// TestTimelineLease: an extension moves the end of the lease, a step of the clock that it
// is measured with too, and without a TTL there is none.
func TestTimelineLease(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, TTL: ptr(time.Second), Work: []time.Duration{3 * time.Second}, Extend: 400 * ms, Clock: "wall"}
	require.Empty(t, p.Problems())
	line := lines(t, p.System(), at(10_000))
	require.Contains(t, line.Spans, span(1, valid, 10, 3_020))
	require.Contains(t, line.Spans, span(1, believes, 10, 3_020))

	p.Extend = 0
	back := sim.Fault{Do: sim.StepClock, Node: 1, By: -10 * time.Second, When: sim.When{At: at(2_000)}}
	line = lines(t, p.System(), at(5_000), back)
	rules := p.redlock().Rules
	ends := int64((rules.TTL - rules.Drift) / ms)
	require.Equal(t, []sim.Span{span(1, believes, 10, 3_020), span(1, valid, 10, ends), span(1, valid, 2_000, 3_020)}, line.Spans)
	require.Contains(t, line.Instants, sim.Instant{Node: 1, Mark: sim.MarkStepped, At: at(2_000)})

	naive := Params{Service: "naive", Clients: 1, Work: []time.Duration{time.Second}}
	require.Empty(t, naive.Problems())
	require.Equal(t, []sim.Span{span(1, believes, 10, 1_020)}, lines(t, naive.System(), at(5_000)).Spans)
}
