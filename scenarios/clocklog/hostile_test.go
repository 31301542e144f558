package clocklog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
)

// Finding R6: of whatever becomes of a clock's log on its way, it is read as it was, or
// refused in words: every line of it counts.
func TestHostileLogs(t *testing.T) {
	for format, text := range map[string]string{ChronyTracking: tracking, ChronyMeasurements: measurements, Loopstats: loopstats, PTP4L: ptp, CSV: csv} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		want, err := Read(strings.NewReader(text), Options{})
		require.NoError(t, err)
		for _, v := range hostile.Variants(lines) {
			t.Run(format+"/"+v.Name, func(t *testing.T) {
				got, err := Read(bytes.NewReader(v.Data), Options{})
				if err != nil {
					assert.False(t, v.Same, "%v", err)
					assert.Greater(t, len(err.Error()), 15, "in words")
					return
				}
				assert.Equal(t, unnumbered(want), unnumbered(got))
				assert.Equal(t, want.Source, got.Source)
				assert.LessOrEqual(t, got.Others, want.Others+1)
			})
		}
	}
}

// unnumbered are those of a log without the numbers of their lines.
func unnumbered(l *Log) []Point {
	all := append([]Point(nil), l.Points...)
	for i := range all {
		all[i].Line = 0
	}
	return all
}

// A clock's log as syslog has it: the number of the process stands before the seconds.
func TestPTPInASyslog(t *testing.T) {
	const start = "Mar  1 07:00:00 web-1 ptp4l"
	want, err := Read(strings.NewReader(ptp), Options{})
	require.NoError(t, err)
	for _, v := range []string{start + "[1234]: [", start + "["} {
		got, err := Read(strings.NewReader(strings.ReplaceAll(ptp, "ptp4l[", v)), Options{})
		require.NoError(t, err)
		assert.Equal(t, unnumbered(want), unnumbered(got))
	}
	_, err = Read(strings.NewReader(strings.ReplaceAll(measurements, "-4.966e-03", "-4,966e-03")), Options{})
	assert.ErrorContains(t, err, "a decimal comma: want a decimal point")
	two, err := Read(strings.NewReader(measurements), Options{})
	require.NoError(t, err)
	assert.Contains(t, two.Summary(), "; points of other sources left out: 1")
}

// R5: a correction that stands twice in a file is not made twice, and two lines that a writer
// has joined are not one measurement.
func TestLinesThatAreTwo(t *testing.T) {
	for format, text := range map[string]string{ChronyTracking: tracking, ChronyMeasurements: measurements, Loopstats: loopstats, PTP4L: ptp, CSV: csv} {
		lines := strings.SplitAfter(text, "\n")
		last := lines[len(lines)-2]
		_, err := Read(strings.NewReader(text+last), Options{})
		assert.ErrorContains(t, err, "two copies of the log are in one file", format)
		_, err = Read(strings.NewReader(text+strings.TrimSpace(last)+last), Options{})
		assert.Error(t, err, format)
	}
}
