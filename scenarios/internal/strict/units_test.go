package strict

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUnits(t *testing.T) {
	length := func(s string) (int64, error) { d, err := Duration(s); return int64(d), err }
	signed := func(s string) (int64, error) { d, err := SignedDuration(s); return int64(d), err }
	for _, c := range []struct {
		parse func(string) (int64, error)
		text  string
		want  int64
		err   string
	}{
		{length, "10s", 10e9, ""},
		{length, "1.5s", 1.5e9, ""},
		{length, "10020ms", 10.02e9, ""},
		{length, "1h30m", 5400e9, ""},
		{length, "1h2m3s4ms5us6ns", 3723_004_005_006, ""},
		{length, "1µs", 1000, ""},
		{length, "1μs", 1000, ""},
		{length, "0.000000001s", 1, ""},
		{length, "0s", 0, ""},
		{length, "9223372036854775807ns", 1<<63 - 1, ""},
		{length, "9223372036854775808ns", 0, `"9223372036854775808ns" is too large for a duration: want at most 2562047h`},
		{length, "2562047h60m", 0, `"2562047h60m" is too large for a duration: want at most 2562047h`},
		{length, "0.5ns", 0, `"0.5ns" is not a whole number of nanoseconds`},
		{length, "5", 0, `"5" is not a duration: want a unit, as in 5ms or 5s`},
		{length, "0", 0, `"0" is not a duration: want a unit, as in 0ms or 0s`},
		{length, "-5s", 0, `"-5s" has a sign: want a duration of 0 or more`},
		{length, "", 0, `"" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "s", 0, `"s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "3 s", 0, `"3 s" is not a duration: want a number with a unit such as 250ms or 3s; did you mean "3s"?`},
		{length, "3sec", 0, `"3sec" is not a duration: want a number with a unit such as 250ms or 3s; did you mean "3s"?`},
		{length, "5min", 0, `"5min" is not a duration: want a number with a unit such as 250ms or 3s; did you mean "5m"?`},
		{length, "1 hour 30 minutes", 0, `"1 hour 30 minutes" is not a duration: want a number with a unit such as 250ms or 3s; did you mean "1h30m"?`},
		{length, "5 parsecs", 0, `"5 parsecs" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "30m1h", 0, `"30m1h" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "1s1s", 0, `"1s1s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, ".5s", 0, `".5s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "5.s", 0, `"5.s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "1.2.3s", 0, `"1.2.3s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{length, "1e3s", 0, `"1e3s" is not a duration: want a number with a unit such as 250ms or 3s`},
		{signed, "-250ms", -250e6, ""},
		{signed, "+1h1m", 3660e9, ""},
		{signed, "--1s", 0, `"--1s" is not a duration: want a number with a unit such as 250ms or -3s`},
		{PartsPerBillion, "100ppm", 100_000, ""},
		{PartsPerBillion, "-500 ppb", -500, ""},
		{PartsPerBillion, "0.01%", 100_000, ""},
		{PartsPerBillion, "0.5ppb", 0, `"0.5ppb" is not a whole number of parts per billion`},
		{PartsPerBillion, "100", 0, `"100" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock`},
		{Proportion, "1%", 10_000_000, ""},
		{Proportion, "0.5 %", 5_000_000, ""},
		{Proportion, "0.005", 5_000_000, ""},
		{Proportion, "1", 1_000_000_000, ""},
		{Proportion, "0", 0, ""},
		{Proportion, "101%", 0, `"101%" is too large for a proportion: want at most 100%`},
		{Proportion, "-1%", 0, `"-1%" has a sign: want a proportion of 0 or more`},
		{Proportion, "1 percent", 0, `"1 percent" is not a proportion: want 1%, 0.5% or a number from 0 to 1`},
		{Size, "512B", 512, ""},
		{Size, "10KB", 10_000, ""},
		{Size, "1.5MiB", 1_572_864, ""},
		{Size, "0.3B", 0, `"0.3B" is not a whole number of bytes`},
		{Size, "10", 0, `"10" is not a size: want a number with a unit such as 512B, 10KB or 4MiB`},
	} {
		got, err := c.parse(c.text)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, got, c.text)
	}
}

func TestDurationReadsWhatGoWrites(t *testing.T) {
	for d := time.Duration(1); d > 0; d = d*7 + 3 {
		got, err := Duration(d.String())
		require.NoError(t, err)
		require.Equal(t, d, got)
	}
}

func TestRate(t *testing.T) {
	for text, want := range map[string]Frequency{
		"100/min":   {100, time.Minute},
		"5/s":       {5, time.Second},
		"5000/hour": {5000, time.Hour},
		"1000/day":  {1000, 24 * time.Hour},
		"5/10s":     {5, 10 * time.Second},
		"0/s":       {0, time.Second},
	} {
		got, err := Rate(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "/", "100", "100/", "/s", "-1/s", "1.5/s", "1/0s", "1/minn", "1/-5s", "1/2/s", "99999999999999999999/s"} {
		_, err := Rate(text)
		require.ErrorContains(t, err, wantRate, text)
	}
}
