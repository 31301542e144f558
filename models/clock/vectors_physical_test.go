package clock

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The vectors of section D that are arithmetic. P-08 to P-11, the clocks of a node, are
// tests of the engine.

const (
	millisecond = time.Millisecond
	forever     = time.Duration(math.MaxInt64)
)

func vectorP01(t *testing.T) {
	assert.EqualValues(t, 1_000_000, Drift(millisecond, billion), "1 ms")
	assert.Equal(t, 86_400*millisecond, Drift(24*time.Hour, 1_000_000), "1 ms/s is 1000 ppm")
}

func vectorP02(t *testing.T) {
	for _, v := range []struct {
		ppm       int64
		day, half time.Duration
	}{{20, 1728, 600}, {50, 4320, 1500}, {100, 8640, 3000}, {200, 17_280, 6000}, {500, 43_200, 15_000}} {
		assert.Equal(t, v.day*millisecond, Drift(24*time.Hour, v.ppm*1000))
		assert.Equal(t, v.half*time.Microsecond, Drift(30*time.Second, v.ppm*1000))
		assert.Equal(t, -v.day*millisecond, Drift(24*time.Hour, -v.ppm*1000))
	}
}

func vectorP03(t *testing.T) {
	for offset, want := range map[time.Duration]time.Duration{128 * millisecond: 256 * time.Second, time.Second: 2000 * time.Second, 10 * time.Second: 20_000 * time.Second} {
		assert.Equal(t, want, SlewTime(offset, Ntpd().SlewPPB))
		assert.Equal(t, want, SlewTime(-offset, Ntpd().SlewPPB))
	}
	assert.Equal(t, 12_000*millisecond, SlewTime(time.Second, Chrony().SlewPPB).Round(millisecond))
	assert.Equal(t, forever, SlewTime(1, 0))
	assert.Zero(t, SlewTime(0, 0))
}

func vectorP04(t *testing.T) {
	s := NTPSample{1000, 1150, 1152, 1202}
	assert.NoError(t, s.Check())
	assert.EqualValues(t, 50, s.Offset())
	assert.EqualValues(t, 200, s.Delay())
}

func vectorP05(t *testing.T) {
	s := NTPSample{1000, 1100, 1102, 1122}
	assert.NoError(t, s.Check())
	assert.EqualValues(t, 40, s.Offset(), "and the true offset is 0")
	assert.EqualValues(t, 120, s.Delay())
	assert.EqualValues(t, 60, s.MaxError())
}

// "abs(error) <= delta/2", for any two ways and any offset; and it is reached.
func TestNTPError(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	reached := false
	for range 100_000 {
		there, back, work, offset := r.Int64N(30), r.Int64N(30), r.Int64N(30), r.Int64N(100)-50
		s := NTPSample{T0: 1000}
		s.T1 = s.T0 + Reading(there+offset)
		s.T2 = s.T1 + Reading(work)
		s.T3 = s.T2 + Reading(back-offset)
		assert.NoError(t, s.Check())
		wrong := (s.Offset() - time.Duration(offset)).Abs()
		assert.LessOrEqual(t, wrong, s.MaxError())
		assert.EqualValues(t, there+back, s.Delay())
		reached = reached || wrong == s.MaxError() && wrong > 10
	}
	assert.True(t, reached)
	assert.EqualError(t, NTPSample{5, 0, 0, 4}.Check(), "ntp sample: t3 4 is before t0 5")
	assert.EqualError(t, NTPSample{0, 5, 4, 9}.Check(), "ntp sample: t2 4 is before t1 5")
	assert.EqualError(t, NTPSample{0, 0, 9, 5}.Check(), "ntp sample: the server took 9 of 5")
	assert.EqualError(t, NTPSample{0, math.MaxInt64, 9, 5}.Check(), "ntp sample: t1 is 9223372036854775807, beyond 2^60")
}

func vectorP06(t *testing.T) { assert.EqualValues(t, 11_574, SmearRate(time.Second, 24*time.Hour)) }

func vectorP07(t *testing.T) {
	assert.Equal(t, 10_909_100*time.Microsecond, TrueLength(10*time.Second, -83_333_333).Round(100*time.Microsecond))
	assert.Equal(t, 9_230_800*time.Microsecond, TrueLength(10*time.Second, 83_333_333).Round(100*time.Microsecond))
	assert.Equal(t, forever, TrueLength(1, -billion))
	assert.Equal(t, forever, TrueLength(1, math.MinInt64))
	assert.EqualValues(t, 0, TrueLength(1, math.MaxInt64))
}

func TestScale(t *testing.T) {
	for _, v := range []struct{ d, times, by, want int64 }{
		{5, 1, 2, 3}, {-5, 1, 2, -3}, {5, -1, 2, -3}, {5, 1, -2, -3}, {4, 1, 3, 1}, {0, 0, 5, 0},
		{math.MaxInt64, 3, 3, math.MaxInt64}, {math.MinInt64, 1, 1, math.MinInt64}, {math.MinInt64, -1, 1, math.MaxInt64},
		{math.MaxInt64, 2, 1, math.MaxInt64}, {-math.MaxInt64, 2, 1, math.MinInt64}, {1, 1, 0, math.MaxInt64}, {-1, 1, 0, math.MinInt64},
		{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64},
	} {
		assert.EqualValues(t, v.want, scale(time.Duration(v.d), v.times, v.by), "%+v", v)
	}
}

// The table of section 1.2: "step, ntpd: if abs(offset) > 128 ms for longer than
// stepout; > 1000 s: panic exit", "step, chrony: makestep 1.0 3, only in the first 3
// updates".
func TestDiscipline(t *testing.T) {
	old := Ntpd()
	old.Stepout = 900 * time.Second
	for _, v := range []struct {
		name           string
		d              Discipline
		offset, lasted time.Duration
		update         int
		want           Correction
	}{
		{"small", Ntpd(), 128 * millisecond, time.Hour, 9, Slew},
		{"not long enough", Ntpd(), -129 * millisecond, 299 * time.Second, 9, Slew},
		{"long enough", Ntpd(), -129 * millisecond, 300 * time.Second, 9, Step},
		{"4.2.6", old, 129 * millisecond, 300 * time.Second, 9, Slew},
		{"large", Ntpd(), -1000 * time.Second, 0, 1, Slew},
		{"panic", Ntpd(), -1001 * time.Second, 0, 1, Exit},
		{"panic at the end of time", Ntpd(), math.MinInt64, 0, 1, Exit},
		{"chrony, third", Chrony(), -1001 * millisecond, 0, 3, Step},
		{"chrony, fourth", Chrony(), time.Hour, time.Hour, 4, Slew},
		{"chrony, small", Chrony(), time.Second, 0, 1, Slew},
	} {
		assert.Equal(t, v.want, v.d.Correct(v.offset, v.lasted, v.update), v.name)
	}
}
