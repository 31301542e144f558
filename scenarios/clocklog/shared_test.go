package clocklog

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/realdata"
	"fencepost/sim"
)

// The logs of other people's clocks are in shared/data/clocks beside the repository. A
// clone without them has the tests of this file with no rows.

// figures are those of shared/data/SOURCES.md: rows; the first offset; and of offsets
// without their sign the median and the 99th percentile, or of a locked clock the median
// and the largest, in nanoseconds.
var figures = []struct {
	file                string
	format              string
	rows                int
	first, median, most time.Duration
	steps               int
}{
	// 5200 rows, of which 3 are of a clock that is not synchronised.
	{"chrony_tracking_gps_step.log", ChronyTracking, 5197, 1094, 177, 2564, 2},
	{"ptp4l_5min_1.txt", PTP4L, 273, 453555, 681, 24609, 1},
	{"ptp4l_5min_2.txt", PTP4L, 220, -76725, 311, 13233, 1},
	{"ptp4l_5min_3.txt", PTP4L, 263, -463383, 386, 7625, 1},
	{"ptp4l_5min_4.txt", PTP4L, 288, -218926, 395, 13752, 1},
}

func TestPublishedFigures(t *testing.T) {
	for _, f := range figures {
		path := realdata.Path("clocks", f.file)
		if path == "" {
			continue
		}
		t.Run(f.file, func(t *testing.T) {
			l, err := ReadFile(path, Options{})
			require.NoError(t, err)
			assert.Equal(t, f.format, l.Format)
			assert.Len(t, l.Points, f.rows)
			assert.Equal(t, f.first, l.Points[0].Error)
			assert.Equal(t, f.steps, l.Steps())
			var errors []time.Duration
			for i, p := range l.Points {
				if f.format != PTP4L || i > 1 { // locked
					errors = append(errors, p.Error.Abs())
				}
			}
			if f.format == ChronyTracking {
				errors = append(errors, 0, 0, 0) // the figures count these rows, too
			}
			slices.Sort(errors)
			most := errors[len(errors)-1]
			if f.format == ChronyTracking {
				assert.Equal(t, 11_740*ms, most)
				most = errors[(len(errors)-1)*99/100]
			}
			assert.InDelta(t, f.median, errors[len(errors)/2], 2)
			assert.InDelta(t, f.most, most, 8)
			changes, err := l.Course(0)
			require.NoError(t, err)
			follows(t, l, 0, changes)
		})
	}
}

// TestStepsOfChrony: "at 14:33:13 the clock is found 11.74 s off and stepped", and 13
// minutes later 10.81 s. A node that follows the log has its wall clock fall behind by as
// much right after the last line before the source was lost, and stepped forward when the
// clock itself reads 14:33:13 and 14:46:20. The lines of the log say that forward is
// right: chrony measures each 16 s, and the next stamps are 28 s and 27 s later.
func TestStepsOfChrony(t *testing.T) {
	path := realdata.Path("clocks", "chrony_tracking_gps_step.log")
	if path == "" {
		return
	}
	l, err := ReadFile(path, Options{})
	require.NoError(t, err)
	from, err := l.Find(time.Date(2021, 12, 21, 14, 30, 41, 0, time.UTC))
	require.NoError(t, err)
	changes, err := l.Course(from)
	require.NoError(t, err)
	stamp := func(c sim.ClockChange) string {
		return time.Date(2021, 12, 21, 14, 30, 41, 0, time.UTC).Add(c.At).Format("15:04:05.00")
	}
	var got []string
	for _, c := range changes {
		if c.Step.Abs() >= time.Second {
			got = append(got, stamp(c)+" "+c.Step.String())
		}
	}
	assert.Equal(t, []string{"14:31:14.00 -11.74s", "14:33:24.74 11.74s", "14:45:11.00 -10.81s", "14:46:30.81 10.81s"}, got)

	w := run(t, changes)
	reads := func(at time.Duration) (before, after time.Duration) { // seconds of the day, by the node's wall clock
		i := slices.Index(w.at, sim.Time(at))
		require.Positive(t, i)
		day := 14*time.Hour + 30*time.Minute + 41*s + at
		return (day + time.Duration(w.ahead[i-1])).Round(ms), (day + time.Duration(w.ahead[i])).Round(ms)
	}
	before, after := reads(2*time.Minute + 43*s + 740*ms)
	assert.Equal(t, 14*time.Hour+33*time.Minute+13*s, before)
	assert.Equal(t, 14*time.Hour+33*time.Minute+24*s+740*ms, after)
	before, after = reads(15*time.Minute + 49*s + 810*ms)
	assert.Equal(t, 14*time.Hour+46*time.Minute+20*s, before)
	assert.Equal(t, 14*time.Hour+46*time.Minute+30*s+810*ms, after)
}

// TestMeasurementsAgreeWithTracking: both logs are of one host. The servers on the network
// find the clock 11.75 s and 10.81 s slow, too, before it is stepped: the two signs,
// which the two logs write the other way round, agree.
func TestMeasurementsAgreeWithTracking(t *testing.T) {
	path := realdata.Path("clocks", "chrony_measurements_nist.log")
	if path == "" {
		return
	}
	var found []time.Duration
	for _, source := range []string{"129.6.15.28", "129.6.15.29"} {
		l, err := ReadFile(path, Options{Source: source})
		require.NoError(t, err)
		require.Equal(t, 467, l.Lines)
		for _, p := range l.Points {
			if p.Stepped {
				found = append(found, p.Error)
			}
		}
	}
	assert.Equal(t, []time.Duration{-11_750 * ms, -10_810 * ms, -10_810 * ms}, found)
}

// TestSignsOfPTP: the clock runs free up to the line at which it is stepped. The
// frequency that ptp4l then finds is the one it had set, 18824 ppb, plus how fast the
// offset changed: freq is the error of the oscillator, positive if it is fast.
func TestSignsOfPTP(t *testing.T) {
	for file, freqs := range map[string][2]sim.PPB{
		"ptp4l_5min_1.txt": {18824, 11682}, "ptp4l_5min_2.txt": {19605, 26083}, "ptp4l_5min_3.txt": {20296, 20096}, "ptp4l_5min_4.txt": {20805, 11789},
	} {
		path := realdata.Path("clocks", file)
		if path == "" {
			continue
		}
		l, err := ReadFile(path, Options{})
		require.NoError(t, err)
		free, stepped := l.Points[0], l.Points[1]
		require.True(t, stepped.Stepped)
		assert.Equal(t, freqs, [2]sim.PPB{free.Freq, stepped.Freq}, file)
		slope := float64(stepped.Error-free.Error) / (stepped.At - free.At).Seconds()
		assert.InDelta(t, float64(freqs[1]-freqs[0]), slope, 10, file)
	}
}
