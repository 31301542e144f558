package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLogNormalByHand: of 1 and e² the logarithms are 0 and 2, their mean 1 and their variance 2, and
// Student's quantile of one degree of freedom is 12.706.
func TestLogNormalByHand(t *testing.T) {
	i := LogNormal([]float64{1, math.Exp(2)})
	half := 12.706 * math.Sqrt(2.0/2+4.0/2)
	assert.InEpsilon(t, math.Exp(2-half), i.Low, 1e-5)
	assert.InEpsilon(t, math.Exp(2+half), i.High, 1e-5)
	assert.Equal(t, Interval{0.25, 0.25}, LogNormal([]float64{0.25, 0.25, 0.25}))
	assert.Equal(t, Interval{0, math.Inf(1)}, LogNormal([]float64{1e-300, 1e300}))
}

// TestLogNormalCovers: of 2000 samples of a log-normal distribution about 1900 have its mean within their interval: the
// binomial deviation is 9.7, and the method is approximate by a point or two.
func TestLogNormalCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, 10, 20} {
		for _, sigma := range []float64{0.3, 1} {
			held := 0
			for range 2000 {
				values := make([]float64, n)
				for i := range values {
					values[i] = math.Exp(sigma * r.NormFloat64())
				}
				if LogNormal(values).Holds(math.Exp(sigma * sigma / 2)) {
					held++
				}
			}
			assert.InDelta(t, 1900, held, 3*9.7+40, "%d values, sigma %v", n, sigma)
		}
	}
}
