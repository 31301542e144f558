package scenarios

import (
	"math"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// wantDist says how a distribution is written.
const wantDist = "5ms, {exp: 5ms}, {uniform: [1ms, 9ms]}, {lognormal: {median: 1ms, p99: 20ms}} or {csv: FILE}"

// dist decodes a distribution of durations.
func (d *decoding) dist(v *strict.Value, into *sim.Dist) {
	if v.Kind() == strict.Scalar {
		if length, ok := read[time.Duration](v); ok {
			*into = sim.Constant(length)
		}
		return
	}
	if v.Kind() != strict.Mapping {
		v.Reject("a duration", wantDist)
		return
	}
	switch shape, value := v.Choice("exp", "uniform", "lognormal", "csv"); shape {
	case "exp":
		if mean, ok := read[time.Duration](value); ok {
			*into = sim.Exponential(mean)
		}
	case "uniform":
		d.uniform(value, into)
	case "lognormal":
		d.lognormal(value, into)
	case "csv":
		d.table(value, into)
	}
}

func (d *decoding) uniform(v *strict.Value, into *sim.Dist) {
	bounds, ok := read[[2]time.Duration](v)
	switch {
	case !ok:
	case bounds[0] > bounds[1]:
		v.Errorf("the first duration, %v, is above the second, %v", bounds[0], bounds[1])
	default:
		*into = sim.Uniform(bounds[0], bounds[1])
	}
}

type lognormalFormat struct {
	Median time.Duration `yaml:"median,required"` // half of the durations are shorter
	P99    time.Duration `yaml:"p99,required"`    // 99% of them are
}

func (d *decoding) lognormal(v *strict.Value, into *sim.Dist) {
	f, ok := read[lognormalFormat](v)
	if !ok {
		return
	}
	dist, err := sim.LogNormal(f.Median, f.P99)
	if err != nil {
		v.Errorf("%v", err)
		return
	}
	*into = dist
}

// longest is the longest duration that can be drawn.
func longest(d *sim.Dist) time.Duration { return d.Sample(math.MaxUint64) }
