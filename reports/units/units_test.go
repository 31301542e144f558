package units

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const second = 1_000_000_000

func TestLength(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0s", 1: "1ns", -1: "-1ns", 999: "999ns", 1500: "1.5µs", 5e6: "5ms", 1234567: "1.235ms", 999_949_999: "999.9ms", 999_950_000: "1s",
		10_020_000_000: "10.02s", 6_940_000_000: "6.94s", 60 * second: "60s", 300 * second: "300s", 900 * second: "15min",
		3600 * second: "60min", 25 * 3600 * second: "25h", -1 << 63: "-2562048h", 59_999_999_999: "60s", 123_456_789_012: "123.5s",
	} {
		require.Equal(t, want, Duration(ns), "%d", ns)
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0%", 1: "100%", 0.058: "5.8%", 0.003: "0.3%", 0.9997: "99.97%", 0.5: "50%", 0.354: "35%", 0.00000123: "0.00012%", 0.99: "99%",
		0.08: "8%", 0.018845: "1.9%",
	} {
		require.Equal(t, want, Percent(share), "%v", share)
	}
}

func TestNumbers(t *testing.T) {
	require.Equal(t, []string{"0", "999", "1,000", "-1,234,567"}, []string{Number(0), Number(999), Number(1000), Number(-1234567)})
	require.Equal(t, []string{"never", "once", "twice", "3 times"}, []string{Times(0), Times(1), Times(2), Times(3)})
	for f, want := range map[float64]string{0: "0", 10.333333333333334: "10.33", 0.25: "0.25", 1e10: "10000000000", 0.0001234567: "0.0001235", -2.5: "-2.5", 12345.678: "12346"} {
		require.Equal(t, want, Decimal(f), "%v", f)
	}
}

func TestExact(t *testing.T) {
	for ns, want := range map[int64]string{0: "0s", 60 * second: "60s", 5e6: "5ms", -5e3: "-5µs", 7: "7ns", 1_000_001: "0.001000001s", 10_020_000_000: "10.020s"} {
		require.Equal(t, want, Exact(ns), "%d", ns)
	}
}

func TestSize(t *testing.T) {
	for want, n := range map[string]int64{"0 B": -1, "999 B": 999, "1 kB": 1000, "1.234 MB": 1_234_000, "10.2 GB": 10_200_000_000} {
		assert.Equal(t, want, Size(n))
	}
}

func TestBrief(t *testing.T) {
	for text, want := range map[string]string{
		"":            "",
		"abcdefgh":    "abcdefgh",
		"abcdefghi":   "abcde...",
		"üüüüüüüü":    "üüüüüüüü",
		"üüüüüüüüü":   "üüüüü...",
		"a\x1b\n\xff": "a??\ufffd",
	} {
		require.Equal(t, want, Brief(text, 8))
	}
}
