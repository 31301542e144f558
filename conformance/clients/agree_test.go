package clients

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func mean(sample []time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range sample {
		sum += d
	}
	return sum / time.Duration(len(sample))
}

// halfWidth is that of the 99% interval of the mean of a sample.
func halfWidth(sample []time.Duration) time.Duration {
	m, sum := float64(mean(sample)), 0.0
	for _, d := range sample {
		sum += (float64(d) - m) * (float64(d) - m)
	}
	n := float64(len(sample))
	return time.Duration(2.576 * math.Sqrt(sum/(n-1)/n))
}

// agree checks that two samples are of one distribution, as far as can be told: the 99%
// intervals of their means meet, and the statistic of Kolmogorov and Smirnov is below its
// critical value at 1%.
func agree(t *testing.T, what string, real, model []time.Duration) {
	t.Helper()
	r, m := mean(real), mean(model)
	t.Logf("%s: library %v ± %v, model %v ± %v", what, r, halfWidth(real), m, halfWidth(model))
	assert.LessOrEqual(t, (r - m).Abs(), halfWidth(real)+halfWidth(model), what)
	assert.Less(t, distance(real, model), 1.628*math.Sqrt(1/float64(len(real))+1/float64(len(model))), what)
}

// distance is the greatest difference of two samples' distribution functions.
func distance(a, b []time.Duration) (most float64) {
	for _, x := range append(slices.Clone(a), b...) {
		most = max(most, math.Abs(below(a, x)-below(b, x)))
	}
	return most
}

func below(sample []time.Duration, x time.Duration) float64 {
	n := 0
	for _, d := range sample {
		if d <= x {
			n++
		}
	}
	return float64(n) / float64(len(sample))
}

// shareInterval is the 99% interval of a share, as Wilson has it.
func shareInterval(hits, n int) (low, high float64) {
	const z = 2.576
	p, m := float64(hits)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return mid - half, mid + half
}
