package formula

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Value reads a value of an axis as an x: "14ms", which counts in nanoseconds, "4",
// "200ppm", "10%", "4KiB", "100/s", or the mean of "{exp: 5s}". The unit is "ns",
// "count", "ppm", "share", "bytes" or "per s"; ok is false for what is no finite number.
func Value(text string) (x float64, unit string, ok bool) {
	if inner, is := strings.CutPrefix(text, "{exp:"); is {
		text = strings.TrimSuffix(inner, "}")
	}
	text = strings.ReplaceAll(text, " ", "")
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, "count", finite(x)
	}
	if d, err := time.ParseDuration(text); err == nil {
		return float64(d), "ns", true
	}
	for _, s := range suffixes {
		if digits, is := strings.CutSuffix(text, s.text); is {
			x, err := strconv.ParseFloat(digits, 64)
			return x * s.by, s.unit, err == nil && finite(x*s.by)
		}
	}
	count, per, is := strings.Cut(text, "/")
	if n, err := strconv.ParseFloat(count, 64); is && err == nil {
		if per != "" && per[0] >= 'a' {
			per = "1" + per
		}
		if d, err := time.ParseDuration(strings.Replace(per, "min", "m", 1)); err == nil && d > 0 {
			return n / d.Seconds(), "per s", finite(n / d.Seconds())
		}
	}
	return 0, "", false
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// suffixes are the units of a value, none the end of another before it.
var suffixes = []struct {
	text, unit string
	by         float64
}{
	{"%", "share", 0.01}, {"ppm", "ppm", 1}, {"ppb", "ppm", 0.001},
	{"KiB", "bytes", 1 << 10}, {"MiB", "bytes", 1 << 20}, {"GiB", "bytes", 1 << 30}, {"TiB", "bytes", 1 << 40},
	{"KB", "bytes", 1e3}, {"kB", "bytes", 1e3}, {"MB", "bytes", 1e6}, {"GB", "bytes", 1e9}, {"TB", "bytes", 1e12}, {"B", "bytes", 1},
}

// MaxValue is the largest value of a [Formula.Curve], of either sign: figures have no room
// for more.
const MaxValue = 1e100

// Curve is the formula at 241 places from low to high, evenly spaced, or on an axis that
// is logarithmic each the one before times the same factor. An error says at which place
// the formula has no value, or one beyond [MaxValue].
func (f *Formula) Curve(low, high float64, logarithmic bool) (x, y []float64, err error) {
	const steps = 240
	for i := range steps + 1 {
		at := low + (high-low)*float64(i)/steps
		if logarithmic && low > 0 {
			at = low * math.Pow(high/low, float64(i)/steps)
		}
		v := f.At(at)
		if !finite(v) {
			return nil, nil, fmt.Errorf("%s is %v at %g", f.text, v, at)
		}
		if math.Abs(v) > MaxValue {
			return nil, nil, fmt.Errorf("%s is %.3g at %g: want at most %g", f.text, v, at, MaxValue)
		}
		x, y = append(x, at), append(y, v)
	}
	return x, y, nil
}
