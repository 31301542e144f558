package formula

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		"14ms": "1.4e+07 ns", "-1s": "-1e+09 ns", "2.5 ms": "2.5e+06 ns", "1h30m": "5.4e+12 ns", "4": "4 count", "-0.5": "-0.5 count",
		"10%": "0.1 share", "0.5 %": "0.005 share", "200ppm": "200 ppm", "500ppb": "0.5 ppm",
		"512B": "512 bytes", "4KiB": "4096 bytes", "4KB": "4000 bytes", "4kB": "4000 bytes", "2MiB": "2.097152e+06 bytes", "1TB": "1e+12 bytes",
		"100/s": "100 per s", "60/min": "1 per s", "5/10s": "0.5 per s", "{exp: 8s}": "8e+09 ns",
		"": "no", "ring": "no", "NaN": "no", "Inf": "no", "-Inf": "no", "NaN%": "no", "Inf/s": "no", "1e999": "no", "1e308TB": "no", "1e308/1ns": "no", "{exp: x}": "no",
		"3/": "no", "5/0s": "no", "[1, 2]": "no", "{uniform: [1s, 2s]}": "no", "no check": "no", "%": "no",
	} {
		x, unit, ok := Value(text)
		got := fmt.Sprintf("%g %s", x, unit)
		if !ok {
			got = "no"
		}
		require.Equal(t, want, got, text)
	}
}

// TestCurve: it begins and ends where it should, and says where it has no value.
func TestCurve(t *testing.T) {
	f, err := Parse("x/2")
	require.NoError(t, err)
	for _, logarithmic := range []bool{false, true} {
		x, y, err := f.Curve(1, 100, logarithmic)
		require.NoError(t, err)
		require.Len(t, y, 241)
		require.InDelta(t, 1, x[0], 1e-9)
		require.InDelta(t, 100, x[240], 1e-9)
		require.InDelta(t, 50, y[240], 1e-9)
		middle := map[bool]float64{false: 50.5, true: 10}[logarithmic]
		require.InDelta(t, middle, x[120], 1e-9)
	}
	for _, text := range []string{"1/(x-1)", "log(x-2)", "sqrt(0-x)"} {
		f, err := Parse(text)
		require.NoError(t, err)
		_, _, err = f.Curve(1, 3, false)
		require.ErrorContains(t, err, text+" is ")
		require.ErrorContains(t, err, " at 1")
	}
	for _, text := range []string{"exp(x)", "-exp(x)"} {
		f, err := Parse(text)
		require.NoError(t, err)
		_, _, err = f.Curve(0, 230, false)
		require.NoError(t, err)
		_, _, err = f.Curve(231, 300, false)
		require.ErrorContains(t, err, "at 231: want at most 1e+100", text)
	}
	_, y, err := f.Curve(5, 5, true)
	require.NoError(t, err)
	require.InDelta(t, 2.5, y[0], 1e-9)
}

// FuzzValue: what is a value is a finite number with a unit.
func FuzzValue(f *testing.F) {
	for _, text := range []string{"14ms", "100/min", "{exp: 8s}", "4KiB", "1e308%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if x, unit, ok := Value(text); ok && (math.IsNaN(x) || math.IsInf(x, 0) || unit == "") {
			t.Fatalf("%q is %g %q", text, x, unit)
		}
	})
}
