package figure

import (
	"math"
	"slices"
)

// CDF is the share of samples that are at most x, as a series of steps: every sample
// is in it. It goes with [Log] on x and [Nines] on y, so that the slowest of a
// thousand is as easy to read as the median. The samples are not changed.
func CDF(name string, samples []float64) Series {
	if !slices.IsSorted(samples) {
		samples = slices.Sorted(slices.Values(samples))
	}
	s := Series{Name: name, Style: Step}
	n := float64(len(samples))
	for i, v := range samples {
		if i+1 < len(samples) && samples[i+1] == v {
			continue
		}
		if len(s.X) == 0 && !math.IsNaN(v) {
			s.X, s.Y = append(s.X, v), append(s.Y, 0)
		}
		s.X, s.Y = append(s.X, v), append(s.Y, float64(i+1)/n)
	}
	return s
}
