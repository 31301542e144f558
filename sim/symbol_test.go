package sim

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// yesman is an oracle that says yes, and how often it was asked.
type yesman struct{ n int }

func (a *yesman) Before(_, _ int64) bool                  { a.n++; return true }
func (a *yesman) Truncate(x int64, _ time.Duration) int64 { a.n++; return x }
func (a *yesman) Sub(x, _ int64) int64                    { a.n++; return x }

// A plain reading is compared as a number, and costs no question; a symbol asks its oracle.
func TestOnlySymbolsAskTheirOracle(t *testing.T) {
	a := &yesman{}
	SetOracle(3, a)
	defer SetOracle(3, nil)
	plain := []int64{math.MinInt64, -1, 0, 1, 1 << 61, math.MaxInt64}
	for _, x := range plain {
		for _, y := range plain {
			assert.Equal(t, x < y, Mono(x).Before(Mono(y)))
			assert.Equal(t, x < y, Wall(x).Before(Wall(y)))
			assert.Equal(t, x < y, Boot(x).Before(Boot(y)))
			assert.Equal(t, x < y, Time(x).Before(Time(y)))
		}
	}
	assert.Zero(t, a.n)
	now := Mono(Symbol(3, 5, 0))
	assert.True(t, now.Before(now.Add(-time.Hour)), "the oracle says so")
	assert.Equal(t, 1, a.n)
	search, symbol, offset, ok := AsSymbol(int64(now.Add(time.Hour).Add(-2 * time.Hour)))
	assert.Equal(t, []any{3, 5, -int64(time.Hour), true}, []any{search, symbol, offset, ok}, "durations are added to the offset")
	assert.True(t, Time(now).Before(Never))
	assert.False(t, Never.Before(Time(Symbol(4, 0, 0))), "no oracle has this number: they are compared as numbers")
	_, _, _, ok = AsSymbol(int64(Never))
	assert.False(t, ok)
}

func TestTruncateRoundsDownBeforeTheEpochToo(t *testing.T) {
	for _, c := range [][2]Wall{{0, 0}, {999_999, 0}, {1_000_000, 1_000_000}, {-1, -1_000_000}, {-1_000_000, -1_000_000}, {-1_000_001, -2_000_000}} {
		assert.Equal(t, c[1], c[0].Truncate(time.Millisecond), "%d", int64(c[0]))
		assert.Equal(t, Mono(c[1]), Mono(c[0]).Truncate(time.Millisecond), "%d", int64(c[0]))
	}
}

// A length between two symbols is taken apart again, either way round; no plain length is one, and no reading.
func TestALengthBetweenTwoSymbolsIsNoPlainOne(t *testing.T) {
	for _, want := range [][3]int64{{0, 1, 0}, {63, 0, MaxDifference}, {5, 62, -MaxDifference}} {
		for _, reversed := range []bool{false, true} {
			v := Difference(int(want[0]), int(want[1]), want[2], reversed)
			from, to, offset, ok := AsDifference(v)
			assert.True(t, ok)
			assert.Equal(t, want, [3]int64{int64(from), int64(to), offset})
			assert.Equal(t, reversed, v < 0)
			_, _, _, ok = AsSymbol(v)
			assert.False(t, ok)
		}
	}
	for _, v := range []int64{0, -1, 1, int64(time.Hour), -int64(time.Hour), math.MaxInt64, math.MinInt64, int64(Never) - int64(time.Hour), Symbol(14, 63, 5), Symbol(3, 0, 0)} {
		_, _, _, ok := AsDifference(v)
		assert.False(t, ok, "%d", v)
	}
	a := &yesman{}
	SetOracle(3, a)
	defer SetOracle(3, nil)
	assert.Equal(t, time.Hour, Mono(time.Hour).Sub(0))
	assert.Equal(t, time.Hour, Wall(time.Hour).Sub(0))
	assert.Zero(t, a.n)
	x := Symbol(3, 5, 0)
	assert.EqualValues(t, x, Mono(x).Sub(Mono(Symbol(3, 4, 0))))
	assert.EqualValues(t, x, Wall(x).Sub(Wall(Symbol(3, 4, 0))))
	assert.Equal(t, 2, a.n)
}
