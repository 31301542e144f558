package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/sim"
)

// The numbers of P-03.
func TestSlewTimes(t *testing.T) {
	for _, v := range []struct {
		rate         int64
		offset, want time.Duration
	}{
		{clock.Ntpd().SlewPPB, 128 * ms, 256 * time.Second},
		{clock.Ntpd().SlewPPB, time.Second, 2000 * time.Second},
		{clock.Ntpd().SlewPPB, 10 * time.Second, 20_000 * time.Second},
		{clock.Chrony().SlewPPB, time.Second, 12_000_000_048},
	} {
		for _, sign := range []time.Duration{1, -1} {
			d := Disciplined{Rate: v.rate}
			length := d.Slew(sign*v.offset, 1000)
			assert.Equal(t, v.want, length)
			half, end := sim.Mono(1000).Add(length/2), sim.Mono(1000).Add(length)
			assert.Zero(t, d.Correction(1000))
			assert.InDelta(t, sign*v.offset/2, d.Correction(half), 1)
			assert.Equal(t, sign*v.offset, d.Correction(end))
			assert.Equal(t, sign*v.offset, d.Correction(end.Add(time.Hour)), "and stays there")
			assert.NotEqual(t, sign*v.offset, d.Correction(end.Add(-time.Millisecond)))
		}
	}
}

// P-07: while chrony slews, 10 s on the clock are 9.2308 s or 10.9091 s.
func TestSlewedLengths(t *testing.T) {
	for rate, want := range map[int64]time.Duration{83_333_333: 9_230_800 * time.Microsecond, -83_333_333: 10_909_100 * time.Microsecond} {
		d := Disciplined{Rate: max(rate, -rate)}
		d.Slew(time.Duration(rate)*1000, 0)
		length := clock.TrueLength(10*time.Second, rate)
		assert.InDelta(t, 10*time.Second, time.Duration(d.Read(sim.Wall(length), sim.Mono(length))), 1)
		assert.Equal(t, want, length.Round(100*time.Microsecond))
	}
}

func TestStepsAndSlews(t *testing.T) {
	d := Disciplined{Rate: 500_000}
	assert.EqualValues(t, 5, d.Read(5, 7), "the zero clock is the wall clock")
	d.Step(-time.Second, 10)
	assert.Equal(t, -time.Second, d.Correction(10))
	assert.Equal(t, -time.Second, d.Goal())
	assert.Zero(t, d.Slew(-time.Second, 20), "it is there")

	d.Slew(0, 0)
	assert.Equal(t, -900*ms, d.Correction(sim.Mono(200*time.Second)))
	assert.Equal(t, 200*time.Second, d.Slew(-time.Second, sim.Mono(200*time.Second)), "a slew begins where the last one had come to")
	assert.Equal(t, -950*ms, d.Correction(sim.Mono(300*time.Second)))
	d.Step(time.Hour, sim.Mono(300*time.Second))
	assert.Equal(t, time.Hour, d.Correction(sim.Mono(300*time.Second)), "a step ends it")

	never := Disciplined{}
	never.Slew(time.Second, 0)
	assert.Zero(t, never.Correction(1<<62), "at a rate of 0 it never gets there")
}

// A slew below a rate of 1 never lets the clock go back, nanosecond by nanosecond.
func TestSlewIsMonotonic(t *testing.T) {
	for _, rate := range []int64{1, 500_000, 83_333_333, 333_333_333, 999_999_999} {
		d := Disciplined{Rate: rate}
		d.Slew(-400, 0)
		last := d.Read(0, 0)
		for now := range sim.Mono(2000) {
			read := d.Read(sim.Wall(now), now)
			assert.GreaterOrEqual(t, read, last, "%d at %d", rate, now)
			last = read
		}
	}
}
