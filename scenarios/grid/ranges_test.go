package grid

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios/internal/strict"
)

// valuesOf are the values of an axis.
func valuesOf(t *testing.T, text string) (list []string) {
	t.Helper()
	doc, err := strict.Parse("a.yaml", []byte("x: "+text))
	require.NoError(t, err)
	var into struct {
		X Values `yaml:"x"`
	}
	require.NoError(t, doc.Decode(&into))
	values := into.X.values()
	require.LessOrEqual(t, uint64(len(values)), into.X.Size())
	for _, v := range values {
		list = append(list, v.Scalar())
	}
	return list
}

// TestRanges: a range is the list that one would have written.
func TestRanges(t *testing.T) {
	for text, want := range map[string]string{
		"[3, x]":                                                                    "3 x",
		"{from: 1s, to: 10s, step: 1s}":                                             "1s 2s 3s 4s 5s 6s 7s 8s 9s 10s",
		"{from: 1s, to: 10s, step: 4s}":                                             "1s 5s 9s",
		"{from: 1, to: 100, points: 5}":                                             "1 26 51 75 100",
		"{from: 0, to: 3, points: 2}":                                               "0 3",
		"{from: -2, to: 2, step: 2}":                                                "-2 0 2",
		"{from: 5, to: 5, points: 1}":                                               "5",
		"{from: 5, to: 5, step: 3}":                                                 "5",
		"{from: 0.0, to: 1, points: 5}":                                             "0 0.25 0.5 0.75 1",
		"{from: 0, to: 1, step: 0.5}":                                               "0 0.5 1",
		"{from: 0, to: 1.0, points: 4}":                                             "0 0.333333333 0.666666667 1",
		"{from: 0%, to: 1%, points: 3}":                                             "0% 0.5% 1%",
		"{from: -100ppm, to: 100ppm, points: 5}":                                    "-100ppm -50ppm 0ppm 50ppm 100ppm",
		"{from: 1ppm, to: 1%, points: 5, log: true}":                                "1ppm 10ppm 100ppm 1000ppm 1%",
		"{from: 10/min, to: 40/min, step: 15/min}":                                  "10/min 25/min 40/min",
		"{from: 1/10s, to: 100/10s, points: 3, log: true}":                          "1/10s 10/10s 100/10s",
		"{from: 1KiB, to: 4KiB, step: 1536B}":                                       "1KiB 2.5KiB 4KiB",
		"{from: 1ms, to: 1s, points: 4, log: true}":                                 "1ms 10ms 100ms 1s",
		"{from: 1ms, to: 10ms, points: 3, log: true}":                               "1ms 3.162278ms 10ms",
		"{from: 1s, to: 30s, points: 5, log: true, round: 1ms}":                     "1s 2.34s 5.477s 12.819s 30s",
		"{from: 1s, to: 30s, points: 5, log: true, round: 100ms}":                   "1s 2.3s 5.5s 12.8s 30s",
		"{from: 1s, to: 2s, points: 4, round: 1ms}":                                 "1s 1.333s 1.667s 2s",
		"{from: -7, to: 8, points: 4, round: 5}":                                    "-7 0 5 8",
		"{from: -8, to: 8, points: 5, round: 5}":                                    "-8 -5 0 5 8",
		"{from: 0, to: 9223372036854775807, points: 3, round: 9223372036854775807}": "0 9223372036854775807",
		"{from: 10s, to: 120s, step: 50s}":                                          "10s 60s 110s",
		"{from: 1h, to: 2h, step: 30m}":                                             "1h 1.5h 2h",
		"{from: 1h, to: 2h, points: 4}":                                             "1h 4800s 6000s 2h",
		"{from: 1h30m, to: 2h, step: 15m}":                                          "1.5h 1.75h 2h",
		"{from: -1s, to: 1s, step: 500ms}":                                          "-1s -500ms 0ms 500ms 1s",
		"{from: 1, to: 10, points: 20, log: true}":                                  "1 2 3 4 5 6 7 8 9 10",
		"{from: 1, to: 8, points: 4, log: true}":                                    "1 2 4 8",
		"{from: 5, to: 5, points: 3, log: true}":                                    "5",
		"{from: 0s, to: 2562047h, points: 2, log: false}":                           "0s 2562047h",
	} {
		require.Equal(t, want, strings.Join(valuesOf(t, text), " "), text)
	}
}

// TestGeometric compares with the definition, and at the ends of what there is.
func TestGeometric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a := 1 + r.Int64N(1<<r.IntN(62))
		b := a + r.Int64N(math.MaxInt64-a)>>r.IntN(62)
		n := 1 + r.Int64N(40)
		i := r.Int64N(n + 1)
		x := geometric(a, b, i, n)
		// 2x-1 <= 2 (a^(n-i) b^i)^(1/n) < 2x+1
		power := func(x, e int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(e), nil) }
		want := new(big.Int).Mul(power(a, n-i), power(b, i))
		want.Lsh(want, uint(n))
		odd := func(d int64) *big.Int {
			v := new(big.Int).Lsh(big.NewInt(x), 1)
			return v.Exp(v.Add(v, big.NewInt(d)), big.NewInt(n), nil)
		}
		require.LessOrEqual(t, odd(-1).Cmp(want), 0, "%d %d %d %d: %d", a, b, i, n, x)
		require.Positive(t, odd(1).Cmp(want), "%d %d %d %d: %d", a, b, i, n, x)
	}
	require.Equal(t, int64(3_037_000_500), geometric(1, math.MaxInt64, 1, 2))
	require.Equal(t, int64(math.MaxInt64), geometric(1, math.MaxInt64, 999, 999))
	require.Equal(t, int64(1), geometric(1, math.MaxInt64, 0, 999))
}

// FuzzRange: no range panics, and what comes out is a number of the same kind, within
// the range.
func FuzzRange(f *testing.F) {
	f.Add("1s", "10s", "1s", "", int64(0), false)
	f.Add("1", "100", "", "7", int64(5), true)
	f.Add("-5/min", "1h30m", "0.5%", "1s", int64(-1), true)
	f.Fuzz(func(t *testing.T, from, to, step, round string, points int64, log bool) {
		text := fmt.Sprintf("x: {from: %q, to: %q, log: %t", from, to, log)
		if step != "" {
			text += fmt.Sprintf(", step: %q", step)
		}
		if round != "" {
			text += fmt.Sprintf(", round: %q", round)
		}
		if points != 0 {
			text += fmt.Sprintf(", points: %d", points)
		}
		doc, err := strict.Parse("a.yaml", []byte(text+"}"))
		if err != nil {
			return
		}
		var into struct {
			X Values `yaml:"x"`
		}
		if doc.Decode(&into) != nil || into.X.Size() > 200 {
			return
		}
		texts := []string{from, to}
		for _, v := range into.X.values() {
			texts = append(texts, v.Scalar())
		}
		_, numbers, _, err := strict.NewScale(texts...)
		require.NoError(t, err, texts)
		require.Equal(t, numbers[0], numbers[2], texts)
		require.IsIncreasing(t, append(numbers[2:], numbers[1]+1), texts)
	})
}

// TestLongRange is the one with the largest numbers: 1000 roots of numbers of 63 000 bits.
func TestLongRange(t *testing.T) {
	values := valuesOf(t, "{from: 1ns, to: 2562047h, points: 1000, log: true}")
	require.Equal(t, []string{"1ns", "2ns", "3ns", "4ns"}, values[:4])
	require.Equal(t, "2562047h", values[len(values)-1])
	require.Greater(t, len(values), 900)
}
