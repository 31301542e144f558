package pbs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/nodeless"
	"fencepost/sim"
)

// run is one run of parameters, and its measures by name.
func run(t *testing.T, change func(p *Params)) (*sim.Result, map[string]int64) {
	p := DefaultParams()
	change(&p)
	program := p.Program()
	w, err := program.NewWorld(sim.Config{Until: sim.Time(time.Second)})
	require.NoError(t, err)
	r := w.Run(5)
	require.NoError(t, w.(*Runner).Err())
	values := map[string]int64{}
	for _, s := range r.Samples {
		values[program.Measures[s.Measure].Name] = s.Value
	}
	require.Len(t, values, len(program.Measures))
	return r, values
}

// The measures of a run are those of its trials.
func TestRun(t *testing.T) {
	r, got := run(t, func(p *Params) {
		p.Trials, p.Write, p.T, p.Versions = 1000, 2, []time.Duration{0, 5 * ms}, 2
	})
	require.Equal(t, sim.NotExercised, r.Properties[0].Verdict, "R + W is no more than N")
	require.EqualValues(t, 1000, r.Steps)
	d, _ := Fit("lnkd-disk")
	trials, versions := NewTrials(d, Quorums{3, 1, 2}, 5), NewVersions(Quorums{3, 1, 2}, 2, 5)
	want := map[string]int64{"trials": 1000}
	longer := map[string]int64{} // than the quantiles
	for i := range uint64(1000) {
		o := trials.Trial(i)
		for name, t := range map[string]time.Duration{"fresh": 0, "fresh/5ms": 5 * ms} {
			if o.Visible <= t {
				want[name]++
			}
		}
		if versions.Trial(i) {
			want["within-versions"]++
		}
		for name, v := range map[string]time.Duration{"t-visibility-p99.9": o.Visible, "read-p99.9": o.Read, "read-p99": o.Read,
			"read-p50": o.Read, "write-p99.9": o.Write, "write-p99": o.Write, "write-p50": o.Write} {
			if int64(v) > got[name] {
				longer[name]++
			}
		}
	}
	for name, n := range want {
		assert.Equal(t, n, got[name], name)
	}
	for name, n := range map[string]int64{"t-visibility-p99.9": 1, "read-p99.9": 1, "read-p99": 10, "read-p50": 500,
		"write-p99.9": 1, "write-p99": 10, "write-p50": 500} {
		assert.Equal(t, n, longer[name], name)
	}
}

// Where R + W > N a read that misses the write is a violation; elsewhere nothing is promised, and the reason is given.
func TestQuorumReadIsCheckedWhereQuorumsOverlap(t *testing.T) {
	for _, q := range []Quorums{{3, 1, 1}, {3, 1, 2}, {3, 2, 2}, {3, 1, 3}, {5, 2, 3}, {5, 3, 3}} {
		p := DefaultParams()
		p.Trials, p.Replicas, p.Read, p.Write = 100, q.N, q.R, q.W
		r, _ := run(t, func(to *Params) { *to = p })
		want, idle := sim.Holds, false
		if q.R+q.W <= q.N {
			want, idle = sim.NotExercised, true
		}
		assert.Equal(t, want, r.Properties[0].Verdict, q)
		assert.Equal(t, idle, p.Program().Bounds[0].Idle != "", q)
	}
}

// One seed gives one digest, another seed another; R and W do not change the messages.
func TestRunsAreReproducible(t *testing.T) {
	small := func(p *Params) { p.Trials = 500 }
	a, first := run(t, small)
	b, again := run(t, small)
	require.Equal(t, a, b)
	require.Equal(t, first, again)
	_, second := run(t, func(p *Params) { p.Trials, p.Write = 500, 2 })
	require.Equal(t, first["read-p99"], second["read-p99"])
	require.Less(t, first["write-p99"], second["write-p99"])
	p := DefaultParams()
	w := newRunner(&p, DefaultMemory)
	require.NotEqual(t, w.Run(1).Digest, w.Run(2).Digest)
}

// A store that acknowledges a write one replica early violates the property.
func TestQuorumReadMutant(t *testing.T) {
	p := DefaultParams()
	p.Read, p.Write = 2, 2
	w := newRunner(&p, DefaultMemory)
	require.Equal(t, sim.Holds, w.Run(1).Properties[0].Verdict)
	require.Empty(t, w.Why(0))
	w.mutant = func(o Outcome, trials *Trials) Outcome {
		o.Visible = max(trials.answer[0].lag-trials.acked[0].at, 0)
		return o
	}
	f := w.Run(1).Properties[0]
	require.Equal(t, sim.Violated, f.Verdict)
	require.Positive(t, f.First)
	require.Contains(t, w.Why(0), "the quorums share a replica, and a read sent when the write is acknowledged misses it: it is visible")
}

// A run that is interrupted has the results until then; one that needs more memory than it
// may keep has none, and says so.
func TestRunEndsEarly(t *testing.T) {
	p := DefaultParams()
	w := newRunner(&p, DefaultMemory)
	w.Ask(func(done, total int64) bool {
		require.EqualValues(t, p.Trials, total)
		return done < 2*pace
	})
	r := w.Run(1)
	require.EqualValues(t, 2*pace, r.Samples[0].Value)
	w.Ask(func(int64, int64) bool { return false })
	require.Empty(t, w.Run(1).Samples)
	w.Bound(1 << 20)
	w.Run(1)
	require.EqualError(t, w.Err(), "100000 trials take 3 MiB, and 1 MiB are allowed: raise --memory, or have several runs of fewer")
	program := p.Program()
	_, err := program.NewWorld(sim.Config{Faults: []sim.Fault{{}}})
	require.ErrorIs(t, err, nodeless.ErrNoNodes)
}

func TestParamsRefused(t *testing.T) {
	long := sim.Constant(20_000 * time.Hour)
	for _, c := range []struct {
		path, message string
		change        func(p *Params)
	}{
		{"replicas", "want 1 to 100, got 0", func(p *Params) { p.Replicas = 0 }},
		{"read-quorum", "want at most replicas, which is 3, got 4", func(p *Params) { p.Read = 4 }},
		{"write-quorum", "want at most replicas, which is 3, got 4", func(p *Params) { p.Write = 4 }},
		{"write-quorum", "want 1 to 100, got 0", func(p *Params) { p.Write = 0 }},
		{"latency.fit", `want one of none, lnkd-ssd, lnkd-disk, ymmr, wan, got "hdd"`, func(p *Params) { p.Latency.Fit = "hdd" }},
		{"latency.ack", "want 0s to 10000h, got 20000h", func(p *Params) { p.Latency.Ack = &long }},
		{"t", "want 1 to 100 durations, got 0", func(p *Params) { p.T = nil }},
		{"t", "1ms is in the list twice", func(p *Params) { p.T = []time.Duration{ms, 0, ms} }},
		{"trials", "want 1 to 10000000, got 0", func(p *Params) { p.Trials = 0 }},
	} {
		p := DefaultParams()
		require.Empty(t, p.Problems())
		c.change(&p)
		found := p.Problems()
		require.Len(t, found, 1, c.message)
		assert.Equal(t, c.path, found[0].Path)
		assert.Equal(t, c.message, found[0].Message)
		program := p.Program()
		_, err := program.NewWorld(sim.Config{})
		assert.ErrorContains(t, err, c.message)
	}
}

// Latencies are those of the fit, those that are given instead of it, or none.
func TestLatency(t *testing.T) {
	p := DefaultParams()
	disk, _ := Fit("lnkd-disk")
	require.Equal(t, disk, p.delays())
	own := sim.Exponential(ms)
	p.Latency.Write = &own
	require.Equal(t, Delays{Write: own}, p.delays(), "nothing else is given: nothing else takes time")
	p.Latency.Fit = "wan"
	wan, _ := Fit("wan")
	wan.Write = own
	require.Equal(t, wan, p.delays())
}
