package pbs

import (
	"fmt"
	"math"
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

// B-01: the probability that a read misses the last write, to four decimals.
func TestMissesQuorum(t *testing.T) {
	for q, want := range map[Quorums]string{
		{3, 1, 1}: ".6667", {3, 1, 2}: ".3333", {3, 2, 1}: ".3333", {3, 2, 2}: ".0000",
		{2, 1, 1}: ".5000", {5, 1, 1}: ".8000", {5, 2, 2}: ".3000", {5, 1, 3}: ".4000",
	} {
		assert.Equal(t, "0"+want, MissesQuorum(q).FloatString(4), "%v", q)
	}
}

// B-02: of a hundred replicas, thirty and thirty are practically certain to overlap.
func TestThirtyOfAHundredOverlap(t *testing.T) {
	p, _ := MissesQuorum(Quorums{100, 30, 30}).Float64()
	assert.Equal(t, "1.884e-06", fmt.Sprintf("%.3e", p))
}

// B-03: within one to five versions.
func TestWithinVersions(t *testing.T) {
	for k, want := range []string{"0.0000", "0.3333", "0.5556", "0.7037", "0.8025", "0.8683"} {
		assert.Equal(t, want, WithinVersions(Quorums{3, 1, 1}, k).FloatString(4), "k = %d", k)
	}
}

// The closed form counts: of all pairs of quorums of up to six replicas, those that share
// no replica are the share that it says.
func TestMissesQuorumCountsPairs(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for r := 1; r <= n; r++ {
			for w := 1; w <= n; w++ {
				pairs, disjoint := int64(0), int64(0)
				for a := range uint(1) << n {
					for b := range uint(1) << n {
						if bits.OnesCount(a) == r && bits.OnesCount(b) == w {
							pairs++
							if a&b == 0 {
								disjoint++
							}
						}
					}
				}
				p := MissesQuorum(Quorums{n, r, w})
				assert.Equal(t, disjoint*p.Denom().Int64(), pairs*p.Num().Int64(), "N=%d R=%d W=%d", n, r, w)
			}
		}
	}
}

// B-04: writes reach each replica after an exponential delay of mean 10 ms, and all else
// takes no time. The trials agree with the closed forms within six standard errors.
func TestExponentialPropagation(t *testing.T) {
	const n = 200_000
	at := []time.Duration{0, 5, 10, 23, 30, 50} // ms
	for _, c := range []struct {
		r, w  int
		p     float64 // that R replicas are among those that have not got the write when it is acknowledged
		stale []float64
	}{
		{1, 1, 2. / 3, []float64{.6667, .4044, .2453, .0668, .0332, .0045}},
		{1, 2, 1. / 3, []float64{.3333, .2022, .1226, .0334, .0166, .0022}},
		{2, 1, 1. / 3, []float64{.3333, .1226, .0451, .0034, .0008, .0000}},
	} {
		trials := NewTrials(Delays{Write: sim.Exponential(10 * time.Millisecond)}, Quorums{3, c.r, c.w}, 1)
		count := make([]float64, len(at))
		for i := range uint64(n) {
			o := trials.Trial(i)
			assert.Zero(t, o.Read)
			for j, ms := range at {
				if o.Visible > ms*time.Millisecond {
					count[j]++
				}
			}
		}
		for j, ms := range at {
			want := c.p * math.Exp(-float64(c.r)*float64(ms)/10)
			assert.InDelta(t, c.stale[j], want, 0.5001e-4, "the vector is the closed form")
			assert.InDelta(t, want, count[j]/n, 6*math.Sqrt(want*(1-want)/n), "R=%d W=%d at %d ms", c.r, c.w, ms)
		}
	}
}
