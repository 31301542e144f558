package pbs

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

const ms = time.Millisecond

// A trial is what the definition says, calculated from the same words the long way.
func TestTrialIsTheDefinition(t *testing.T) {
	for _, f := range fits {
		for n := 1; n <= 5; n++ {
			for r := 1; r <= n; r++ {
				for w := 1; w <= n; w++ {
					d, err := Fit(f.name)
					require.NoError(t, err)
					q := Quorums{n, r, w}
					trials := NewTrials(d, q, 3)
					for i := range uint64(200) {
						require.Equal(t, plainly(trials, i), trials.Trial(i), "%s %v, trial %d", f.name, q, i)
					}
				}
			}
		}
	}
}

// plainly is a trial with sorted lists, whose visibility is found by trying.
func plainly(t *Trials, n uint64) Outcome {
	d, q := &t.delays, t.quorums
	words := draws{splitmix.Stream(t.base + n*t.draws*splitmix.Gamma)}
	writer, reader := words.replica(q.N), words.replica(q.N)
	away := func(i, beside int) time.Duration {
		if i == beside {
			return 0
		}
		return d.Remote
	}
	type replica struct {
		i                     int
		arrives, acked, reads time.Duration
		answers               time.Duration
	}
	var list []replica
	for i := range q.N {
		r := replica{i: i}
		r.arrives = d.Write.Sample(words.Next()) + away(i, writer)
		r.acked = r.arrives + d.Ack.Sample(words.Next()) + away(i, writer)
		r.reads = d.Read.Sample(words.Next()) + away(i, reader)
		r.answers = r.reads + d.Answer.Sample(words.Next()) + away(i, reader)
		list = append(list, r)
	}
	acks := slices.Clone(list)
	slices.SortStableFunc(acks, func(a, b replica) int { return cmp.Compare(a.acked, b.acked) })
	slices.SortStableFunc(list, func(a, b replica) int { return cmp.Compare(a.answers, b.answers) })
	o := Outcome{Write: acks[q.W-1].acked, Read: list[q.R-1].answers}
	fresh := func(after time.Duration) bool {
		return slices.ContainsFunc(list[:q.R], func(r replica) bool { return o.Write+after+r.reads >= r.arrives })
	}
	for _, r := range list[:q.R] {
		o.Met = o.Met || slices.ContainsFunc(acks[:q.W], func(a replica) bool { return a.i == r.i })
	}
	for low, high := time.Duration(0), time.Duration(1)<<50; !fresh(o.Visible); { // halve until the least is found
		if mid := low + (high-low)/2; fresh(mid) {
			high = mid
		} else {
			low = mid + 1
		}
		if low == high {
			o.Visible = low
		}
	}
	return o
}

// With R + W > N the quorums meet and no read is stale.
func TestStrictQuorumsAreFresh(t *testing.T) {
	for _, f := range fits {
		d, _ := Fit(f.name)
		for r := 1; r <= 5; r++ {
			trials := NewTrials(d, Quorums{5, r, 6 - r}, 1)
			for i := range uint64(2000) {
				o := trials.Trial(i)
				require.True(t, o.Met)
				require.Zero(t, o.Visible)
			}
		}
	}
}

// The fits are those of table 3: the share of evenly spread draws up to x is that of the
// mixture within one in a hundred thousand.
func TestFitsAreTheTable(t *testing.T) {
	mixture := func(share, least, alpha, rate float64) func(float64) float64 {
		return func(x float64) float64 {
			return share*max(0, 1-math.Pow(least/x, alpha)) + (1-share)*-math.Expm1(-rate*x)
		}
	}
	ssd, disk := mixture(0.9122, 0.235, 10, 1.66), mixture(0.38, 1.05, 1.51, 0.183)
	for name, want := range map[string]struct {
		write, others func(float64) float64
		remote        time.Duration
	}{
		"lnkd-ssd": {ssd, ssd, 0}, "lnkd-disk": {disk, ssd, 0}, "wan": {disk, ssd, 75 * ms},
		"ymmr": {mixture(0.939, 3, 3.35, 0.0028), mixture(0.982, 1.5, 3.8, 0.0217), 0},
	} {
		d, err := Fit(name)
		require.NoError(t, err)
		require.Equal(t, want.remote, d.Remote)
		for i, dist := range []sim.Dist{d.Write, d.Ack, d.Read, d.Answer} {
			is := want.others
			if i == 0 {
				is = want.write
			}
			const n = 200_000
			var draws []float64
			for i := range uint64(n) {
				draws = append(draws, float64(dist.Sample(i*(math.MaxUint64/n)+math.MaxUint64/n/2))/1e6)
			}
			slices.Sort(draws)
			for _, x := range []float64{0.1, 0.24, 0.5, 1, 1.1, 2, 3.1, 5, 20, 100, 1000} {
				below, _ := slices.BinarySearch(draws, x)
				assert.InDelta(t, is(x), float64(below)/n, 1e-5, "%s, distribution %d, P(up to %v ms)", name, i, x)
			}
		}
	}
	_, err := Fit("lnkd")
	require.EqualError(t, err, `there is no fit "lnkd"`)
	require.Panics(t, func() { NewTrials(Delays{}, Quorums{3, 4, 1}, 1) })
}

// Sums of delays that are cut stay in range.
func TestLongestDelays(t *testing.T) {
	long := sim.Constant(math.MaxInt64)
	trials := NewTrials(Delays{Write: long, Ack: long, Read: long, Answer: long, Remote: math.MaxInt64}, Quorums{3, 2, 2}, 1)
	for i := range uint64(100) {
		o := trials.Trial(i)
		require.Positive(t, o.Write)
		require.Positive(t, o.Read)
		require.GreaterOrEqual(t, o.Visible, time.Duration(0))
	}
}

// A trial decides what is measured: these must be the same on every processor.
func TestGoldenTrials(t *testing.T) {
	d, _ := Fit("wan")
	trials := NewTrials(d, Quorums{3, 1, 1}, 1)
	for i, want := range []Outcome{
		{Write: 7815872, Read: 535812, Visible: 77826612},
		{Write: 5587867, Read: 549220, Visible: 74631875},
		{Write: 2133039, Read: 1556562, Visible: 75694301},
	} {
		assert.Equal(t, want, trials.Trial(uint64(i)), "trial %d", i)
	}
}
