package format

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// WantDist says how a distribution is written.
const WantDist = "5ms, {exp: 5ms}, {uniform: [1ms, 9ms]}, {lognormal: {median: 1ms, p99: 20ms}}, {pareto: {least: 1ms, alpha: 1.5}}, {mix: [...]} or {csv: FILE}"

// shapes are the keys of a distribution that is drawn.
var shapes = []string{"exp", "uniform", "lognormal", "pareto", "mix", "csv"}

// dist decodes a distribution of durations.
func (d *decoding) dist(v *strict.Value, into *sim.Dist) {
	if v.Kind() == strict.Scalar {
		if length, ok := strict.Read[time.Duration](v); ok {
			*into = sim.Constant(length)
		}
		return
	}
	if v.Kind() != strict.Mapping {
		v.Reject("a duration", WantDist)
		return
	}
	switch shape, value := v.Choice(shapes...); shape {
	case "exp":
		if mean, ok := strict.Read[time.Duration](value); ok {
			*into = sim.Exponential(mean)
		}
	case "uniform":
		d.uniform(value, into)
	case "lognormal":
		d.lognormal(value, into)
	case "pareto":
		d.pareto(value, into)
	case "mix":
		d.mix(value, into)
	case "csv":
		d.table(value, into)
	}
}

func (d *decoding) uniform(v *strict.Value, into *sim.Dist) {
	bounds, ok := strict.Read[[2]time.Duration](v)
	switch {
	case !ok:
	case bounds[0] > bounds[1]:
		v.Errorf("the first duration, %v, is above the second, %v", bounds[0], bounds[1])
	default:
		*into = sim.Uniform(bounds[0], bounds[1])
	}
}

// LognormalFormat is a log-normal distribution, by two of its quantiles.
type LognormalFormat struct {
	Median time.Duration `yaml:"median,required"` // half of the durations are shorter
	P99    time.Duration `yaml:"p99,required"`    // 99% of them are
}

func (d *decoding) lognormal(v *strict.Value, into *sim.Dist) {
	f, ok := strict.Read[LognormalFormat](v)
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

// ParetoFormat is a Pareto distribution.
type ParetoFormat struct {
	Least time.Duration `yaml:"least,required"` // no duration is shorter
	Alpha Alpha         `yaml:"alpha,required"` // of the tail, 1 to 1000: a duration is longer than x with probability (least/x)^alpha
}

// Alpha is the exponent of a Pareto distribution, in millionths.
type Alpha int64

// UnmarshalText implements [encoding.TextUnmarshaler]. [sim.Pareto] checks the range.
func (a *Alpha) UnmarshalText(written []byte) error {
	const places = 6
	whole, part, point := strings.Cut(string(written), ".")
	digits := whole + part + strings.Repeat("0", max(places-len(part), 0))
	n, err := strconv.ParseUint(digits, 10, 40)
	if err != nil || whole == "" || len(part) > places || point && part == "" {
		return fmt.Errorf("not an exponent: want 1 to 1000 with at most six decimals, such as 1.51")
	}
	*a = Alpha(n)
	return nil
}

func (d *decoding) pareto(v *strict.Value, into *sim.Dist) {
	f, ok := strict.Read[ParetoFormat](v)
	if !ok {
		return
	}
	dist, err := sim.Pareto(f.Least, int64(f.Alpha))
	if err != nil {
		v.Errorf("%v", err)
		return
	}
	*into = dist
}

// PartFormat is a part of a mix.
type PartFormat struct {
	Share sim.Chance    `yaml:"share,proportion,required"`         // of the durations, above 0; those of all parts add up to 100%
	Of    *strict.Value `yaml:"of,required" schema:"distribution"` // how they are distributed; not another mix
}

func (d *decoding) mix(v *strict.Value, into *sim.Dist) {
	list, ok := strict.Read[[]PartFormat](v)
	if !ok {
		return
	}
	var parts []sim.Part
	for _, f := range list {
		if f.Of.Kind() == strict.Mapping && f.Of.Field("mix") != nil {
			f.Of.Errorf("a mix in a mix: want its parts in the list itself")
			return
		}
		before := len(d.mistakes())
		part := sim.Part{Share: f.Share}
		if d.dist(f.Of, &part.Of); len(d.mistakes()) > before {
			return
		}
		parts = append(parts, part)
	}
	dist, err := sim.Mix(parts...)
	if err != nil {
		v.Errorf("%v", err)
		return
	}
	*into = dist
}

// dist writes a distribution.
func (t *faultWriter) dist(d *sim.Dist) string {
	s := d.String()
	switch {
	case strings.Contains(s, "{empirical"):
		t.fail("its lengths are those of a log or table: the scenario has to name the file")
	case strings.HasPrefix(s, "{lognormal"):
		return t.lognormal(d, s)
	case strings.HasPrefix(s, "{mix"):
		return t.mix(d)
	case s[0] != '{':
		return text.Duration(d.Least())
	}
	return text.Plain(s)
}

// mix writes the parts, each as it is alone.
func (t *faultWriter) mix(d *sim.Dist) string {
	var list []string
	for _, p := range d.Parts() {
		list = append(list, fmt.Sprintf("{share: %s, of: %s}", p.Share, t.dist(&p.Of)))
	}
	return "{mix: [" + strings.Join(list, ", ") + "]}"
}

// lognormal finds the 99th percentile that makes this very distribution: what it prints
// is rounded.
func (t *faultWriter) lognormal(d *sim.Dist, written string) string {
	_, after, _ := strings.Cut(written, "median: ")
	before, _, _ := strings.Cut(after, ",")
	median, err := time.ParseDuration(before)
	if err != nil {
		t.fail("%s: %w", written, err)
		return ""
	}
	const far = math.MaxUint64 - math.MaxUint64/300
	aim := d.Sample(far)
	low, high := median, saturated(median, 1000)
	for low < high { // the least p99 that reaches as far
		mid := low + (high-low)/2
		if try, err := sim.LogNormal(median, mid); err == nil && try.Sample(far) >= aim {
			high = mid
		} else {
			low = mid + 1
		}
	}
	for p99 := max(low-16, median); p99 <= low+16; p99++ {
		if try, err := sim.LogNormal(median, p99); err == nil && reflect.DeepEqual(try, *d) {
			return fmt.Sprintf("{lognormal: {median: %s, p99: %s}}", text.Duration(median), text.Duration(p99))
		}
	}
	t.fail("%s: its 99th percentile is no whole number of nanoseconds", written)
	return ""
}

// saturated is a length times n, at the end of what a length can be.
func saturated(d time.Duration, n int64) time.Duration {
	if int64(d) > math.MaxInt64/n {
		return math.MaxInt64 - 16
	}
	return d * time.Duration(n)
}
