package amount

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseWritesWhatItReads(t *testing.T) {
	for text, want := range map[string]string{
		"8060ms": "8.060s", "15s": "15s", "1m30s": "90s", "13.7ms": "13.7ms", "0.0137s": "13.7ms", "1500ns": "1.5us", "3.000000001s": "3.000000001s", "-250ms": "-250ms", "0s": "0s", "5": "5", "-3": "-3", "0": "0",
		"0.5": "0.5", "1%": "1%", "0.125%": "0.125%", "200ppm": "200ppm", "-50ppb": "-50ppb", "100/min": "100/min",
		"4KiB": "4KiB", "10KB": "10KB", "1.5KiB": "1536B", " 7 ": "7", "1 %": "1%",
	} {
		v, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, v.String())
		again, err := Parse(want)
		require.NoError(t, err)
		require.Equal(t, v.Grains, again.Grains, text)
	}
	for _, text := range []string{"", "s", "many", "1e9", "0x10", "1/2/3x/", "1//", "5 apples", "99999999999999999999", "0.0000000001%", "1/", "inf", "NaN", "1_000", "9000000000000000000"} {
		v, err := Parse(text)
		if text == "1/2/3x/" || text == "1//" { // what follows a rate the scenario checks
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, "%s is %s", text, v)
	}
}

func rangeOf(t *testing.T, from, to, step string) (Range, error) {
	t.Helper()
	f, err := Parse(from)
	require.NoError(t, err)
	l, err := Parse(to)
	require.NoError(t, err)
	if step == "" {
		return NewRange(f, l, nil, 1000)
	}
	s, err := Parse(step)
	require.NoError(t, err)
	return NewRange(f, l, &s, 1000)
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		from, to, step   string
		steps            int64
		size, first, end string
	}{
		{"0s", "15s", "1ms", 15000, "1ms", "1ms", "15s"},
		{"1s", "16s", "", 1500, "10ms", "1.010s", "16s"},
		{"15s", "0s", "4s", 4, "4s", "11s", "0s"},
		{"1", "5", "", 4, "1", "2", "5"},
		{"0", "1", "0.25", 4, "0.25", "0.25", "1"},
		{"0", "10s", "1s", 10, "1s", "1s", "10s"},
		{"0%", "10%", "", 1000, "0.01%", "0.01%", "10%"},
		{"0", "10%", "1%", 10, "1%", "1%", "10%"},
		{"-500ppm", "500ppm", "", 1000, "1ppm", "-499ppm", "500ppm"},
		{"10/min", "100/min", "20", 5, "20/min", "30/min", "100/min"},
		{"0ns", "5ns", "", 5, "1ns", "1ns", "5ns"},
	} {
		r, err := rangeOf(t, c.from, c.to, c.step)
		require.NoError(t, err, "%+v", c)
		require.Equal(t, c.steps, r.Steps(), "%+v", c)
		require.Equal(t, c.size, r.Step().String())
		require.Equal(t, c.first, r.At(1).String())
		require.Equal(t, c.end, r.At(r.Steps()).String())
	}
	for _, c := range [][4]string{
		{"1s", "1s", "", "the range from 1s to 1s is empty"},
		{"1s", "5", "", "1s is a duration and 5 is a count: want both of one kind"},
		{"1s", "5s", "1%", "the step 1% is a share and the range is of a duration: want both of one kind"},
		{"1s", "5s", "0s", "the step: want more than 0, got 0s"},
		{"1s", "5s", "-1s", "the step: want more than 0, got -1s"},
		{"1/s", "5/min", "", "1/s is a rate /s and 5/min is a rate /min: want both of one kind"},
	} {
		_, err := rangeOf(t, c[0], c[1], c[2])
		require.EqualError(t, err, c[3])
	}
}

func TestBytesAndShare(t *testing.T) {
	n, err := Bytes("1GiB")
	require.NoError(t, err)
	require.EqualValues(t, 1<<30, n)
	for _, bad := range []string{"0B", "-1MiB", "5", "", "5s"} {
		_, err := Bytes(bad)
		require.ErrorContains(t, err, "want a size above 0", bad)
	}
	s, err := Share("50%")
	require.NoError(t, err)
	require.EqualValues(t, 500_000_000, s)
	s, err = Share("1")
	require.NoError(t, err)
	require.EqualValues(t, 1_000_000_000, s)
	for _, bad := range []string{"0", "2", "101%", "-0.5", "5s", ""} {
		_, err := Share(bad)
		require.Error(t, err, bad)
	}
}

// TestAround: a range about a value has it in steps of its own, is no longer than a page's, and a share is at most 1.
func TestAround(t *testing.T) {
	for text, want := range map[string][3]string{
		"15s": {"625ms", "30s", "625ms"}, "-3s": {"-125ms", "-6s", "125ms"}, "1%": {"0.05%", "2%", "0.05%"},
		"80%": {"4%", "100%", "4%"}, "29": {"2", "58", "2"}, "1": {"1", "2", "1"}, "1ns": {"1ns", "2ns", "1ns"},
	} {
		v, err := Parse(text)
		require.NoError(t, err)
		from, to, step := v.Around("")
		require.Equal(t, want, [3]string{from, to, step}, text)
		r, err := rangeOf(t, from, to, step)
		require.NoError(t, err)
		require.Less(t, r.Steps(), int64(50), text)
	}
	from, to, step := Value{Grains: 10}.Around("3")
	require.Equal(t, [3]string{"1", "20", "3"}, [3]string{from, to, step})
}
