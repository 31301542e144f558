package clocklog

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
	s  = time.Second
)

func read(t *testing.T, text string, o Options) *Log {
	t.Helper()
	l, err := Read(strings.NewReader(text), o)
	require.NoError(t, err)
	return l
}

// The examples of the manuals, and lines of the same form after them.
const (
	// chrony.conf(5), log tracking: "-8.621e-06", "positive indicates the clock is fast of UTC".
	tracking = `===============================================================================================================================================
   Date (UTC) Time     IP Address   St   Freq ppm   Skew ppm     Offset L Co  Offset sd Rem. corr. Root delay Root disp. Max. error
===============================================================================================================================================
2017-08-22 13:22:36 203.0.113.15     2     -3.541      0.075 -8.621e-06 N  2  2.940e-03 -2.084e-04  1.534e-02  3.472e-04  8.304e-03
2017-08-22 13:22:52 0.0.0.0          0     -3.541      0.075  0.000e+00 ?  0  0.000e+00 -1.009e-14  1.000e+00  1.000e+00  1.500e+00
2017-08-22 13:23:08 203.0.113.15     2     -3.540      0.075  4.000e-06 N  2  2.940e-03 -2.084e-04  1.534e-02  3.472e-04  8.304e-03
`
	// chrony.conf(5), log measurements: "-4.966e-03", the estimated local clock error, theta.
	measurements = `2016-11-09 05:40:50 203.0.113.15    N  2 111 111 1111  10 10 1.0 -4.966e-03  2.296e-01  1.577e-05  1.615e-01  7.446e-03 CB00717B 4B D K
2016-11-09 05:42:00 203.0.113.16    N  2 111 111 1111  10 10 1.0  1.000e-03  2.296e-01  1.577e-05  1.615e-01  7.446e-03 CB00717B 4B D K
2016-11-09 05:57:54 203.0.113.15    N  2 111 111 1111  10 10 1.0  2.000e-03  2.296e-01  1.577e-05  1.615e-01  7.446e-03 CB00717B 4B D K
`
	// ntpd, Monitoring Options, loopstats.
	loopstats = `50935 75440.031 0.000006019 13.778190 0.000351733 0.013380 6
50935 75504.031 -0.000008000 13.778200 0.000351733 0.013380 6
50936 3.031 0.250000000 13.778200 0.000351733 0.013380 6
`
	// Fedora, System Administrator's Guide, section ptp4l; with stamps.
	ptp = `ptp4l[100.000]: selected em3 as PTP clock
ptp4l[100.100]: port 1: LISTENING to UNCALIBRATED on RS_SLAVE
ptp4l[101.000]: master offset     -32801 s0 freq      +0 path delay     10841
ptp4l[102.000]: master offset     -37203 s1 freq      +0 path delay     10583
ptp4l[103.000]: master offset      -7275 s2 freq  -30575 path delay     10583
ptp4l[103.001]: port 1: UNCALIBRATED to SLAVE on MASTER_CLOCK_SELECTED
ptp4l[104.000]: master offset      -4552 s2 freq  -30035 path delay     10385
`
	csv = `# a clock of ours
seconds,offset_ms,freq_ppm
0,1.5,-20
10,-2,1e1
10.5,200,0
`
)

func TestFormats(t *testing.T) {
	at := func(text string) time.Duration {
		x, err := time.Parse(stampLayout, text)
		require.NoError(t, err)
		return time.Duration(x.UnixNano())
	}
	for _, c := range []struct {
		name, text string
		want       Log
	}{
		{"tracking.log", tracking, Log{Format: ChronyTracking, Dated: true, Lines: 6, Ignored: 4, Unsynchronised: 1, Points: []Point{
			{Line: 4, Stamp: at("2017-08-22 13:22:36"), Error: -8621, Freq: -3541},
			{Line: 6, At: 32 * s, Stamp: at("2017-08-22 13:23:08"), Error: 4000, Freq: -3540}}}},
		{"measurements.log", measurements, Log{Format: ChronyMeasurements, Source: "203.0.113.15", Found: []string{"203.0.113.15", "203.0.113.16"}, Dated: true,
			Lines: 3, Ignored: 1, Others: 1, Points: []Point{
				{Line: 1, Stamp: at("2016-11-09 05:40:50"), Error: 4966 * us},
				{Line: 3, At: 1024 * s, Stamp: at("2016-11-09 05:57:54"), Error: -2 * ms}}}},
		// Day 50935 of the Modified Julian Date is 2 May 1998: 51544 is 1 January 2000. The step is of a clock that is
		// 250 ms slow, so that it stamps the line too early.
		{"loopstats", loopstats, Log{Format: Loopstats, Dated: true, Lines: 3, Points: []Point{
			{Line: 1, Stamp: at("1998-05-02 20:57:20") + 31*ms, Error: -6019, Freq: -13778},
			{Line: 2, At: 64 * s, Stamp: at("1998-05-02 20:58:24") + 31*ms, Error: 8000, Freq: -13778},
			{Line: 3, At: 10963*s + 250*ms, Stamp: at("1998-05-03 00:00:03") + 31*ms, Error: -250 * ms, Freq: -13778, Stepped: true}}}},
		{"ptp4l", ptp, Log{Format: PTP4L, Source: "master", Found: []string{"master"}, Lines: 7, Ignored: 3, Points: []Point{
			{Line: 3, Stamp: 101 * s, Error: -32801},
			{Line: 4, At: 1 * s, Stamp: 102 * s, Error: -37203, Stepped: true},
			{Line: 5, At: 2 * s, Stamp: 103 * s, Error: -7275, Freq: -30575},
			{Line: 7, At: 3 * s, Stamp: 104 * s, Error: -4552, Freq: -30035}}}},
		{"CSV", csv, Log{Format: CSV, Lines: 5, Ignored: 2, Points: []Point{
			{Line: 3, Error: 1500 * us, Freq: -20_000},
			{Line: 4, At: 10 * s, Stamp: 10 * s, Error: -2 * ms, Freq: 10_000},
			{Line: 5, At: 10500 * ms, Stamp: 10500 * ms, Error: 200 * ms, Stepped: true}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, &c.want, read(t, c.text, Options{}))
			assert.Equal(t, &c.want, read(t, c.text, Options{Format: c.want.Format, Source: c.want.Source}))
			crlf := strings.ReplaceAll(c.text, "\n", "\r\n")
			assert.Equal(t, &c.want, read(t, "\ufeff"+crlf, Options{}), "from Windows")
			for _, other := range Formats() {
				if other != c.want.Format {
					_, err := Read(strings.NewReader(c.text), Options{Format: other})
					assert.Error(t, err, other)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	assert.Equal(t, 2, read(t, csv, Options{Step: 2 * ms}).Steps(), "2 ms itself is a step")
	assert.Equal(t, 1, read(t, csv, Options{Step: 2*ms + 1}).Steps())
	assert.Equal(t, 0, read(t, csv, Options{Step: s}).Steps())
	assert.Equal(t, 1, read(t, ptp, Options{}).Steps())
	phc := strings.ReplaceAll(strings.ReplaceAll(ptp, "ptp4l", "phc2sys"), "master", "CLOCK_REALTIME phc")
	assert.Equal(t, "CLOCK_REALTIME phc", read(t, phc, Options{}).Source)
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{ptp, Options{Format: "chrony"}, `format: want one of chrony-tracking, chrony-measurements, loopstats, ptp4l, csv, got "chrony"`},
		{ptp, Options{Step: -s}, "step: must not be negative, got -1s"},
		{ptp, Options{Format: "x", Step: -s}, "format: want one of chrony-tracking, chrony-measurements, loopstats, ptp4l, csv, got \"x\"\nstep: must not be negative, got -1s"},
		{ptp, Options{Step: s}, "step: a log of ptp4l says itself which lines are steps"},
		{ptp, Options{Source: "slave"}, `source: no line is of "slave"; the log has master`},
		{measurements, Options{Source: "203.0.113.16"}, "only one line measures the clock: want at least two"},
		{tracking, Options{Source: "203.0.113.15"}, "source: a log of chrony-tracking is of one clock, and names no sources"},
		{"ptp4l[1.0]: rms   10 max   20 freq    -3 +/-   2 delay   500 +/-   0\n", Options{}, "1 of 1 lines cannot be read:\n  line 1: " +
			`a summary has no sign: want a line for each sample, as with summary_interval -4: "ptp4l[1.0]: rms   10 max   20 freq    -3 +/-   2 delay   500 +/-   0"`},
		{"1 2 PPS 4 5 6 7 N\n", Options{Format: ChronyTracking}, "1 of 1 lines cannot be read:\n  line 1: " +
			`time "1 2": want one such as "2021-12-19 05:00:14": "1 2 PPS 4 5 6 7 N"`},
		{"1,2\n3,4\n", Options{Format: CSV}, "1 of 2 lines cannot be read:\n  line 1: " +
			`a header without seconds and offset: want one such as seconds,offset_ms,freq_ppm: "1,2"`},
	} {
		_, err := Read(strings.NewReader(c.text), c.o)
		assert.EqualError(t, err, c.want)
	}
}

// endless gives a line again and again.
type endless struct {
	line string
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if e.rest == "" {
			e.rest = e.line
		}
		k := copy(p[n:], e.rest)
		e.rest, n = e.rest[k:], n+k
	}
	return n, nil
}

func TestBadInput(t *testing.T) {
	line := func(stamp, offset string) string {
		return stamp + " PPS 1 4.4 0.1 " + offset + " N 1 1e-7 1e-7 1e-9 1e-6 1e-5\n"
	}
	good := line("2021-12-19 05:00:14", "1e-6")
	for want, text := range map[string]string{
		"the log is empty":                          "",
		"no line of 3 measures the clock":           strings.Join(strings.SplitAfter(tracking, "\n")[:3], ""),
		"only one line measures the clock":          good,
		"line 1: zero byte":                         "\x7fELF\x00\x01",
		"begins like a gzip, and is none":           "\x1f\x8b\x08\x00",
		"line 2: longer than 64 KiB":                good + strings.Repeat("x", MaxLine+1),
		"line 1 is of no known format: \"what is":   "what is this\n",
		"line 2: 3 columns: the first line has 14":  good + "2021-12-19 05:00:30 PPS\n",
		"line 2: leap status \"n\"":                 good + strings.Replace(line("2021-12-19 05:00:30", "0"), " N ", " n ", 1),
		"offset \"nan\": not a decimal number":      good + line("2021-12-19 05:00:30", "nan"),
		"offset \"NaN\": not a decimal number":      good + line("2021-12-19 05:00:30", "NaN"),
		"offset \"+Inf\": not a decimal number":     good + line("2021-12-19 05:00:30", "+Inf"),
		"offset \"0x1p-2\": not a decimal number":   good + line("2021-12-19 05:00:30", "0x1p-2"),
		"offset \"1_0\": not a decimal number":      good + line("2021-12-19 05:00:30", "1_0"),
		"offset \"1e999\": too large":               good + line("2021-12-19 05:00:30", "1e999"),
		"offset \"1e10\": too large":                good + line("2021-12-19 05:00:30", "1e10"),
		"offset \"-3.2e+09\": over 100 years":       good + line("2021-12-19 05:00:30", "-3.2e+09"),
		"time \"2021-13-19 05:00:30\": want":        good + line("2021-13-19 05:00:30", "0"),
		"time \"1812-12-19 05:00:30\": want":        good + line("1812-12-19 05:00:30", "0"),
		"line 2: the time goes back by 14s":         good + line("2021-12-19 05:00:00", "0"),
		"line 2: 768h0m0s later than line 1":        good + line("2022-01-20 05:00:14", "0"),
		"7 of 8 lines cannot be read:\n  line 2: ":  good + strings.Repeat("x\n", 7),
		"day \"99999999\": want a Modified":         loopstats + "99999999 1.0 0.1 0.1 0.1 0.1 6\n",
		"time \"90000.0\": want seconds since mid":  loopstats + "50937 90000.0 0.1 0.1 0.1 0.1 6\n",
		"time \"-1.0\": negative":                   loopstats + "50937 -1.0 0.1 0.1 0.1 0.1 6\n",
		"frequency \"1e6\": beyond +500000ppm":      loopstats + "50937 1.0 0.1 1e6 0.1 0.1 6\n",
		"servo state \"s9\": want s0, s1, s2 or s3": ptp + "ptp4l[105.0]: master offset 1 s9 freq +1 path delay 1\n",
		"the line breaks off: want master":          ptp + "ptp4l[105.0]: master offset 1 s2\n",
		"line 8: no line of ptp4l, phc2sys":         ptp + "systemd[1]: started\n",
		"2 columns: the header has 3":               csv + "11,4\n",
		"time \"eleven\": not a decimal number":     csv + "eleven,4,4\n",
		"line 6: the time goes back by 500ms":       csv + "10,4,4\n",
	} {
		_, err := Read(strings.NewReader(text), Options{})
		if assert.Error(t, err, want) {
			assert.Contains(t, err.Error(), want)
		}
	}
	_, err := Read(&endless{line: strings.Repeat("#", 1000) + "\n"}, Options{})
	require.ErrorContains(t, err, "larger than 64 MiB")
	_, err = Read(&endless{line: "1,1\n1,2\n", rest: "t_ns,offset_ns\n"}, Options{})
	require.EqualError(t, err, "line 1000002: more than 1000000 points")
	var b strings.Builder
	for i := range MaxSource + 1 {
		fmt.Fprintf(&b, "ptp4l[%d.0]: eth%d offset 1 s2 freq +1\n", i, i)
	}
	_, err = Read(strings.NewReader(b.String()), Options{})
	require.EqualError(t, err, "line 65: more than 64 sources")
	broken := errors.New("broken")
	_, err = Read(io.MultiReader(strings.NewReader(good), errReader{broken}), Options{})
	require.ErrorIs(t, err, broken)
	_, err = ReadFile("testdata", Options{})
	require.Error(t, err)
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

// TestCut: of a log that is copied while it is written the last line may be anything.
func TestCut(t *testing.T) {
	l := read(t, tracking+"2017-08-22 13:2", Options{})
	require.Len(t, l.Points, 2)
	require.Equal(t, &Problem{Line: 7, Text: "2017-08-22 13:2", Reason: "2 columns: the first line has 14"}, l.Cut)
	require.Equal(t, "chrony-tracking: 2 points over 32s, at most 32s apart, error at most 8.621µs, 0 steps; lines of a clock that is not synchronised left out: 1; the log is cut at line 7", l.Summary())
}

func TestFind(t *testing.T) {
	l := read(t, tracking, Options{})
	day := time.Date(2017, 8, 22, 13, 22, 40, 0, time.UTC)
	from, err := l.Find(day)
	require.NoError(t, err)
	require.Equal(t, 4*s, from)
	for _, d := range []time.Duration{-5 * s, 28 * s, -100 * 365 * 24 * time.Hour} {
		_, err = l.Find(day.Add(d))
		require.EqualError(t, err, "the log goes from 2017-08-22 13:22:36 to 2017-08-22 13:23:08")
	}
	_, err = read(t, csv, Options{}).Find(day)
	require.EqualError(t, err, "the log has no dates: want a length since it began, such as 90s")
}

func TestDecimal(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1": 1e9, "-1.174e+01": -11_740_000_000, "1.2345678914": 1_234_567_891, "1.2345678915": 1_234_567_892, "-0.0000000005": -1,
		"4e-10": 0, "5E-10": 1, "9e-11": 0, ".5": 5e8, "+3": 3e9, "-0": 0, "000000000000000000000000001": 1e9, "0e900": 0, "1e-900": 0, "9.2e9": 9_200_000_000_000_000_000,
	} {
		n, err := decimal(text, 9)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "-", ".", "1.", "1e", "1e+-2", "1e--2", "1e1.5", "1 2", "--1", "1e12345", "e5", "1,5", "٣", "1e++2", "9.3e9"} {
		_, err := decimal(text, 9)
		assert.Error(t, err, text)
	}
}

// points is a log of a clock with these errors in milliseconds at these seconds.
func points(pairs ...int64) *Log {
	l := &Log{Format: CSV}
	for i := 0; i < len(pairs); i += 2 {
		e := time.Duration(pairs[i+1]) * ms
		l.Points = append(l.Points, Point{At: time.Duration(pairs[i]) * s, Error: e, Stepped: e.Abs() >= s})
	}
	return l
}

func TestCourse(t *testing.T) {
	at := func(seconds int64, rate sim.PPB, step int64) sim.ClockChange {
		return sim.ClockChange{At: time.Duration(seconds) * s, Rate: rate, Step: time.Duration(step) * ms}
	}
	for _, c := range []struct {
		name string
		log  *Log
		from time.Duration
		want []sim.ClockChange
	}{
		{"slewed until the next line", points(0, 10, 100, -10, 200, 0), 0,
			[]sim.ClockChange{at(0, -200_000, 10), at(100, 100_000, 0), at(200, 0, 0)}},
		{"drifts away slowly, and is stepped", points(0, 0, 10_000, 2000, 10_100, 0), 0,
			[]sim.ClockChange{at(0, 200_000, 0), at(10_000, 0, -2000), at(10_100, 0, 0)}},
		{"jumps, and is stepped", points(0, 0, 100, -11_740, 116, 0), 0,
			[]sim.ClockChange{at(0, 0, -11_740), at(100, 0, 11_740), at(116, 0, 0)}},
		{"jumps while it is slewed", points(0, 5, 100, -11_740, 116, 0), 0,
			[]sim.ClockChange{at(0, -50_000, 5-11_740), at(100, 0, 11_740), at(116, 0, 0)}},
		{"500 ppm is drift", points(0, 0, 2000, 1000), 0, []sim.ClockChange{at(0, 500_000, 0), at(2000, 0, -1000)}},
		{"more is none", points(0, 0, 1999, 1000), 0, []sim.ClockChange{at(0, 0, 1000), at(1999, 0, -1000)}},
		// A twelfth is what chrony slews, 12 s per second of offset.
		{"slewed as fast as can be", points(0, 0, 12, 999, 24, 0), 0, []sim.ClockChange{at(0, 83_250_000, 0), at(12, -83_250_000, 0), at(24, 0, 0)}},
		{"faster is a jump", points(0, 0, 11, 999, 24, 0), 0, []sim.ClockChange{at(0, 0, 999), at(11, -76_846_154, 0), at(24, 0, 0)}},
		{"two lines at once", points(0, 0, 10, 1, 10, 3, 20, 3), 0,
			[]sim.ClockChange{at(0, 100_000, 0), at(10, 0, 2), at(10, 0, 0), at(20, 0, 0)}},
		{"begins with a step", points(0, 3000, 10, 0), 0, []sim.ClockChange{at(0, 0, 0), at(10, 0, 0)}},

		{"from the midst", points(0, 10, 100, -10, 200, 0), 25 * s,
			[]sim.ClockChange{at(0, -200_000, 5), at(75, 100_000, 0), at(175, 0, 0)}},
		{"from a line", points(0, 10, 100, -10, 200, 0), 100 * s, []sim.ClockChange{at(0, 100_000, -10), at(100, 0, 0)}},
		{"from after a jump", points(0, 5, 100, -11_740, 116, 0), 50 * s,
			[]sim.ClockChange{{Rate: -50_000, Step: -11_740*ms + 2500*us}, at(50, 0, 11_740), at(66, 0, 0)}},
		{"from just before a step", points(0, 0, 100, -11_740, 116, 0), 100*s - 1,
			[]sim.ClockChange{at(0, 0, -11_740), {At: 1, Step: 11_740 * ms}, {At: 16*s + 1}}},
		{"from a step", points(0, 0, 100, -11_740, 116, 0), 100 * s, []sim.ClockChange{at(0, 0, 0), at(16, 0, 0)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.log.Course(c.from)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			again, err := c.log.Course(c.from)
			require.NoError(t, err)
			assert.Equal(t, got, again)
			follows(t, c.log, c.from, got)
		})
	}
	for _, from := range []time.Duration{-1, 100 * s, 200 * s} {
		_, err := points(0, 0, 100, 0).Course(from)
		require.EqualError(t, err, fmt.Sprintf("the log is 1m40s long: it has ended at %v", from))
	}
}

// nobody is a node that does nothing.
type nobody struct{}

func (*nobody) Step(sim.In[word], *sim.Out[word]) {}

// word is a message that nobody sends.
type word struct{}

func (word) Label() sim.Kind              { return 0 }
func (word) Fold(d sim.Digest) sim.Digest { return d }
func (word) String() string               { return "" }

// watcher takes down what the wall clock is ahead by, just after each change.
type watcher struct {
	at    []sim.Time
	ahead []int64
}

func (w *watcher) Reset(*sim.View[word]) { *w = watcher{} }
func (w *watcher) End(*sim.View[word])   {}
func (w *watcher) Observe(v *sim.View[word], o *sim.Observation[word]) {
	if o.Event == sim.ClockChanged {
		w.at, w.ahead = append(w.at, v.Now()), append(w.ahead, v.Read(1, sim.WallClock)-int64(v.Now()))
	}
}

// run lets a node follow a log, and returns what its wall clock was ahead by.
func run(t *testing.T, changes []sim.ClockChange) *watcher {
	w := &watcher{}
	world, err := sim.NewWorld(sim.System[word]{Kinds: []string{"start"}, Nodes: []sim.Spec[word]{sim.Place[word]("a", nobody{})},
		Meters: []sim.Observer[word]{w}}, sim.Config{Until: sim.Time(changes[len(changes)-1].At) + 1,
		Faults: []sim.Fault{{Name: "log", Do: sim.FollowLog, Node: 1, Changes: changes}}})
	require.NoError(t, err)
	require.Nil(t, world.Run(1).Panic)
	return w
}

// follows checks that a node that follows the log is as wrong as the log says after each
// change, to half a part per billion of the time since the line before.
func follows(t *testing.T, l *Log, from time.Duration, changes []sim.ClockChange) {
	t.Helper()
	w := run(t, changes)
	for i := range l.Points {
		p := &l.Points[i]
		k := -1
		for n, at := range w.at {
			if at == sim.Time(p.At-from) {
				k = n
			}
		}
		if k < 0 || i+1 < len(l.Points) && jumps(l, i) {
			continue // nothing changes there, or the next line's jump is added
		}
		want := p.Error
		if p.Stepped {
			want = 0
		}
		rounded := 2.0
		if i > 0 {
			rounded += float64(p.At-l.Points[i-1].At) / 2e9
		}
		assert.InDelta(t, int64(want), w.ahead[k], rounded, "line %d", p.Line)
	}
}

// jumps reports whether the clock jumps right after a point.
func jumps(l *Log, i int) bool {
	p, next := &l.Points[i], &l.Points[i+1]
	left := p.Error
	if p.Stepped {
		left = 0
	}
	gap, most := next.At-p.At, MaxSlew
	if next.Stepped {
		most = MaxDrift
	}
	return gap == 0 || (next.Error-left).Abs() > time.Duration(float64(gap)*float64(most)/1e9)
}

// TestRoundedRatesDoNotAddUp: after a hundred thousand lines the clock is still where the
// log has it.
func TestRoundedRatesDoNotAddUp(t *testing.T) {
	l := &Log{Format: CSV}
	for i := range 100_000 {
		l.Points = append(l.Points, Point{Line: i + 1, At: time.Duration(i) * 16 * s, Error: time.Duration(i * i % 1009)})
	}
	changes, err := l.Course(0)
	require.NoError(t, err)
	w := run(t, changes)
	last := l.Points[len(l.Points)-1]
	require.Equal(t, sim.Time(last.At), w.at[len(w.at)-1])
	require.InDelta(t, int64(last.Error), w.ahead[len(w.ahead)-1], 9)
}

// TestRatesAreRounded: to the nearest part per billion, halves up.
func TestRatesAreRounded(t *testing.T) {
	for offset, want := range map[string]sim.PPB{"14": 1, "15": 2, "16": 2, "-14": -1, "-15": -1, "-16": -2} {
		l, err := Read(strings.NewReader("seconds,offset_ns\n0,0\n10,"+offset+"\n"), Options{})
		require.NoError(t, err)
		changes, err := l.Course(0)
		require.NoError(t, err)
		assert.Equal(t, want, changes[0].Rate, offset)
	}
}
