package sim

import (
	"time"

	"fencepost/sim/internal/dist"
)

// What durations and chances are, and how draws are mapped to them, is a package of its own:
// it knows of no world.
type (
	Dist   = dist.Dist   // a distribution of durations; the zero Dist is the constant 0
	Part   = dist.Part   // a share of the durations of a [Mix] and how they are distributed
	Chance = dist.Chance // a probability in parts per billion, 0 to 1e9
)

// Certain is probability 1.
const Certain = dist.Certain

// Constant is always d. A negative d counts as 0.
func Constant(d time.Duration) Dist { return dist.Constant(d) }

// Uniform lies in [least, most). A most below least counts as least.
func Uniform(least, most time.Duration) Dist { return dist.Uniform(least, most) }

// Exponential has the given mean. Error of the quantiles: under 2e-6 of the mean.
func Exponential(mean time.Duration) Dist { return dist.Exponential(mean) }

// LogNormal has the given median and 99th percentile; p99 is at least median, at
// most 1000 times it. Relative error of the quantiles up to 6 standard deviations:
// under 2e-4 times sigma.
func LogNormal(median, p99 time.Duration) (Dist, error) { return dist.LogNormal(median, p99) }

// Pareto is never shorter than least, and longer than x with probability
// (least/x)^alpha. alpha is in millionths, from 1 to 1000; with 1 there is no mean.
// Relative error of the quantiles: under 4e-6. What is longer than 2^30 times least,
// with a probability under 1e-9, counts as that long.
func Pareto(least time.Duration, alpha int64) (Dist, error) { return dist.Pareto(least, alpha) }

// Empirical draws one of the given durations, each equally often. It needs at
// least one, and keeps a sorted copy.
func Empirical(values []time.Duration) (Dist, error) { return dist.Empirical(values) }

// Mix draws each duration from one of the parts, each as often as its share says. It
// has 2 to 16 parts, none of them a mix, whose shares are above 0 and add up to 1.
func Mix(parts ...Part) (Dist, error) { return dist.Mix(parts...) }
