package ratelimit

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type validator interface{ Validate() error }

// TestValidate: every mistake is named, with its value, all in one go.
func TestValidate(t *testing.T) {
	second := Rate{1, time.Second}
	for _, v := range []struct {
		name string
		p    validator
		want []string // one line each
	}{
		{"a bucket", TokenBucketParams{Capacity: 10, Refill: second}, nil},
		{"nothing given", TokenBucketParams{}, []string{
			"capacity: must be 1 to 1099511627776, got 0", "refill.tokens: must be 1 to 1099511627776, got 0", "refill.per: must be 1ns to 640000h0m0s, got 0s"}},
		{"negative", TokenBucketParams{-1, Rate{-5, -time.Second}, 9}, []string{
			"capacity: must be 1 to 1099511627776, got -1", "refill.tokens: must be 1 to 1099511627776, got -5",
			"refill.per: must be 1ns to 640000h0m0s, got -1s", "elapsed: there is no kind 9"}},
		{"a product of more than 2^62", TokenBucketParams{Capacity: 1 << 40, Refill: Rate{7, time.Hour}}, []string{
			"capacity: 1099511627776 tokens at 7/1h0m0s take more than 2^62 units of 1/3600000000000 token"}},
		{"the same, but it can be reduced", TokenBucketParams{Capacity: 1e6, Refill: Rate{1e6, 24 * time.Hour}}, nil},
		{"meter", LeakyMeterParams{0, second}, []string{"capacity: must be 1 to 1099511627776, got 0"}},
		{"gcra", GCRAParams{math.MaxInt64, second}, []string{"burst: must be 1 to 1099511627776, got 9223372036854775807"}},
		{"interval", IntervalBucketParams{0, 0, 0}, []string{"capacity: must", "refill: must", "interval: must"}},
		{"interval too slow", IntervalBucketParams{1 << 40, 1, time.Hour}, []string{"capacity: 1099511627776 tokens at 1 per 1h0m0s are not refilled within 146 years"}},
		{"queue", LeakyQueueParams{-1, 0, false}, []string{"places: must be 0 to 1099511627776, got -1", "service: must"}},
		{"queue too slow", LeakyQueueParams{1 << 40, time.Hour, false}, []string{"places: the last of 1099511627776 at 1h0m0s each waits longer than 146 years"}},
		{"fixed", FixedWindowParams{Limit: 0, Window: 0}, []string{"limit: must", "window: must"}},
		{"log", SlidingLogParams{Limit: -1, Window: math.MaxInt64}, []string{"limit: must", "window: must be 1ns to 640000h0m0s, got 2562047h47m16.854775807s"}},
		{"counter", SlidingCounterParams{1, 1, 7, false}, []string{"rounding: there is no kind 7"}},
		{"counter, limits", SlidingCounterParams{}, []string{"limit: must", "window: must"}},
		{"sub-windows", SubWindowsParams{1 << 32, 0, 0, false}, []string{"limit: must be 1 to 4294967295, got 4294967296", "window: must", "buckets: must be 1 to 65536, got 0"}},
		{"nginx", NginxLimit{NginxPerMinute(0), -1, 0, true}, []string{"rate: must be 1 to", "burst, delay: must be 0 to 1099511627776, got -1 and 0"}},
		{"uneven sub-windows", SubWindowsParams{1, time.Second, 7, false}, []string{"buckets: 1s is not divided evenly by 7"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			err := v.p.Validate()
			if len(v.want) == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			got := strings.Split(err.Error(), "\n")
			require.Len(t, got, len(v.want), err.Error())
			for i := range got {
				assert.True(t, strings.HasPrefix(got[i], v.want[i]), "%q, want %q", got[i], v.want[i])
			}
		})
	}
}

// TestConstructors: a constructor refuses what Validate does, and so do the
// personalities.
func TestConstructors(t *testing.T) {
	refuses := func(r any, err error) { t.Helper(); assert.Error(t, err) }
	refuses(NewTokenBucket(TokenBucketParams{}))
	refuses(NewIntervalBucket(IntervalBucketParams{}))
	refuses(NewLeakyMeter(LeakyMeterParams{}))
	refuses(NewLeakyQueue(LeakyQueueParams{}))
	refuses(NewGCRA(GCRAParams{}))
	refuses(NewFixedWindow(FixedWindowParams{}))
	refuses(NewSlidingLog(SlidingLogParams{}))
	refuses(NewSlidingCounter(SlidingCounterParams{}))
	refuses(NewSubWindows(SubWindowsParams{}))
	refuses(NewThrottled(0, time.Second, -1, 0))
	refuses(NewThrottled(2, 1, 0, 1)) // an interval of 0 ns
	refuses(NewUlule(Rate{}))
	refuses(NewSethvargo(0, 0))
	refuses(NewUber(0, 0, -1))
	refuses(NewUber(2, 1, 0))
	refuses(NewXTime(XTimeRate{Rate: Rate{-1, 1}}, -1, 0))
	x := must(NewXTime(XTimeRate{Rate: Rate{1, time.Second}}, 1, 0))
	assert.Error(t, x.SetRate(0, XTimeRate{Rate: Rate{1, -1}}))
	assert.Error(t, x.SetBurst(0, -1))
	assert.True(t, x.Allow(0, 1), "a change that is refused changes nothing")
}

// TestSizes is the table "bytes per key" of the package comment.
func TestSizes(t *testing.T) {
	for _, v := range []struct {
		state any
		bytes uintptr
	}{
		{GCRAState{}, 16}, {TokenBucketState{}, 16}, {IntervalBucketState{}, 16}, {LeakyMeterState{}, 16}, {LeakyQueueState{}, 8},
		{FixedWindowState{}, 16}, {SlidingCounterState{}, 24}, {SlidingLogState{}, 56}, {SubWindowsState{}, 56},
		{logEntry{}, 16},
	} {
		got := reflect.TypeOf(v.state).Size()
		assert.LessOrEqual(t, got, v.bytes, "%T", v.state) // less where a word has 4 bytes
		if strconv.IntSize == 64 {
			assert.Equal(t, v.bytes, got, "%T", v.state)
		}
	}
}

// TestDivisor compares with / for divisors and numbers of every size.
func TestDivisor(t *testing.T) {
	numbers := []int64{0, 1, 2, 3, math.MaxInt64, math.MaxInt64 - 1}
	for shift := range 62 {
		for d := int64(-2); d <= 2; d++ {
			numbers = append(numbers, max(0, int64(1)<<(shift+1)+d))
		}
	}
	for f := int64(1); f > 0 && f < math.MaxInt64/7; f *= 7 {
		numbers = append(numbers, f, f+1, math.MaxInt64/f, math.MaxInt64-f)
	}
	for _, d := range numbers {
		if d == 0 {
			continue
		}
		v := divideBy(d)
		for _, x := range numbers {
			for _, y := range []int64{x, x / d * d, max(1, x/d*d) - 1} {
				if v.floor(y) != y/d || v.ceil(y) != ceilDiv(y, d) {
					t.Fatalf("%d/%d: %d and %d", y, d, v.floor(y), v.ceil(y))
				}
			}
		}
	}
}

func FuzzDivisor(f *testing.F) {
	f.Add(int64(3), int64(10))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, d, x int64) {
		d, x = d&math.MaxInt64, x&math.MaxInt64
		if d == 0 {
			return
		}
		if v := divideBy(d); v.floor(x) != x/d || v.ceil(x) != ceilDiv(x, d) {
			t.Fatal(d, x)
		}
	})
}

// TestCarry keeps the tokens where the unit of the level changes.
func TestCarry(t *testing.T) {
	for _, how := range []Change{AsIs, Proportional, Additive, Fresh} {
		for _, rates := range [][2]Rate{{{7, time.Minute}, {11, time.Second}}, {{11, time.Second}, {7, time.Minute}}} {
			for tokens := range int64(51) {
				old, young := bucket(50, rates[0].Tokens, rates[0].Per), bucket(20, rates[1].Tokens, rates[1].Per)
				k := old.StartWith(0, tokens)
				young.Carry(old, &k, 3*second, how)
				require.NoError(t, young.Check(&k))
				// The same with rationals, rounded down to a unit.
				level := new(big.Rat).Add(rat(tokens), new(big.Rat).Mul(rat(int64(3*second)), perNano(rates[0])))
				level = least(level, rat(50))
				switch how {
				case Proportional:
					level.Mul(level, big.NewRat(20, 50))
				case Additive:
					level.Sub(level, rat(30))
				case Fresh:
					level = rat(20)
				}
				level = least(level, rat(20))
				if level.Sign() < 0 {
					level = rat(0)
				}
				level.Mul(level, rat(young.p))
				want := new(big.Int).Quo(level.Num(), level.Denom())
				require.Equal(t, want.Int64(), k.level, "%d tokens, change %d", tokens, how)
			}
		}
	}
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
