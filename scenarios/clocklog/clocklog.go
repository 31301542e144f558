// Package clocklog reads what a real time daemon wrote about a clock, so that a
// simulated node's clock can be as wrong, and be corrected, as a real one was.
//
// The format is found from the content: tracking.log and measurements.log of chrony,
// loopstats of ntpd, the output of ptp4l, phc2sys and ts2phc, and CSV. Times go from
// decimal text to integer nanoseconds; no float is involved.
//
// # What a line says
//
// Each line gives the error of the clock just before the daemon corrects it. The
// formats do not agree about the sign. Here an error is positive if the clock is ahead:
//
//   - chrony tracking.log, column 7: "the estimated local offset at the epoch [...]
//     positive indicates the clock is fast of UTC". It is taken as it is. A line whose
//     leap status is "?" is of a clock "not currently synchronised", and measures nothing.
//     Source: chrony.conf(5), log tracking.
//   - chrony measurements.log, column 12: the estimated local clock error, theta of RFC
//     5905; positive means that the local clock is slow. Its sign is turned.
//     Source: chrony.conf(5), log measurements.
//   - loopstats, columns 3 and 4: "time offset (seconds), frequency offset (parts per
//     million)". The offset is theta, that of the server from this clock, and the frequency
//     is the correction. The signs of both are turned. ntpd writes its line after it has
//     stepped the clock, with an offset of 0, so its own steps do not show. A log with
//     offsets above 128 ms is of one that slews them (-x, tinker step): it needs Options.Step.
//     Source: ntpd, Monitoring Options, loopstats, and ntp_loopfilter.c, local_clock; RFC
//     5905, section 8.
//   - ptp4l, "master offset": "the measured offset from the master in nanoseconds",
//     which is the clock less its master; and freq in parts per billion, of which ptp4l
//     gives the clock the opposite (clockadj_set_freq(clkid, -adj)). Both are taken as
//     they are. In the state s1 the clock is stepped.
//     Source: ptp4l(8); linuxptp, clock.c, clock_synchronize.
//   - CSV: positive is ahead.
//
// # What lies between the lines
//
// [Log.Course] says it: the error goes linearly from where the last correction left it
// to what the next line reports. An error of Options.Step or more is taken away at its
// line, by a step of the wall clock; a smaller one is slewed away until the next line.
// Where an oscillator cannot have gone so far wrong, nor a daemon have slewed so fast,
// the clock has jumped: how and when is not recorded. It then jumps right after the
// last line that vouches for it, so that it is wrong for all of the time for which none
// does.
package clocklog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/sim"

	"fencepost/internal/logtext"
)

// Limits of [Read].
const (
	MaxSize   = logtext.MaxSize // bytes in a log, unpacked
	MaxLine   = 64 << 10        // bytes in a line
	MaxPoints = 1_000_000       // lines that measure the clock, over all sources
	MaxSource = 64              // sources that such lines may name
	MaxError  = 100 * 365 * 24 * time.Hour
	MaxGap    = 31 * 24 * time.Hour // between two lines
)

// Formats, the values of Log.Format.
const (
	ChronyTracking     = "chrony-tracking"
	ChronyMeasurements = "chrony-measurements"
	Loopstats          = "loopstats"
	PTP4L              = "ptp4l"
	CSV                = "csv"
)

// Formats lists the formats.
func Formats() []string {
	return []string{ChronyTracking, ChronyMeasurements, Loopstats, PTP4L, CSV}
}

// Options say how a log is read.
type Options struct {
	Format string // one of [Formats]; "" finds it from the content
	// Source is whose lines count, in the formats that name one on each line: the server in
	// measurements.log, and what stands before "offset" in the output of ptp4l, as "master".
	// "" is the one with the most lines.
	Source string
	// Step is the error from which on the wall clock is stepped. 0 is what the daemon does
	// unless told otherwise: 1 s with chrony ("makestep 1.0 3" of the distributions), else
	// 128 ms as ntpd. ptp4l says itself which lines are steps: there it must be 0.
	Step time.Duration
}

// A Point is a line that measures the clock.
type Point struct {
	Line    int           // 1 and up
	At      time.Duration // true time since the first point
	Stamp   time.Duration // as the line has it: since 1970 if the log is dated, else since whatever
	Error   time.Duration // of the clock, positive if it is ahead, before the correction
	Freq    sim.PPB       // of its oscillator, positive if it is fast; 0 if the log does not say
	Stepped bool          // the correction is a step
}

// A Problem is a line that cannot be read.
type Problem = logtext.Problem

// A Log is what [Read] found.
type Log struct {
	Format  string
	Source  string   // whose lines Points are, "" if the format names none
	Found   []string // every source, in the order of the log
	Dated   bool     // stamps are UTC
	Points  []Point  // at least two, At in order
	Lines   int
	Ignored int // lines that are no point of Source
	Others  int // of these, points of other sources
	// Unsynchronised is how many lines say that the clock followed nothing ("?" as leap
	// status of chrony), and measure nothing.
	Unsynchronised int

	Cut *Problem // the last line, if it has no end and cannot be read: the log was cut there
}

// Read reads a log. Every line counts: it is an error, which names the first five of
// them, if some cannot be read, or if the time goes back or leaps by more than [MaxGap].
// Only a last line without a line end may be cut. It is an error, too, if the log is
// empty or binary, gives fewer than two points, or exceeds a limit.
func Read(r io.Reader, o Options) (*Log, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	rd := reader{options: o}
	if err := rd.readAll(r); err != nil {
		return nil, err
	}
	return rd.finish()
}

// ReadFile is [Read] on a file. Its errors name the path.
func ReadFile(path string, o Options) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	log, err := Read(f, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return log, nil
}

func (o *Options) check() error {
	var errs []error
	if o.Format != "" && parserOf(o.Format) == nil {
		errs = append(errs, fmt.Errorf("format: want one of %s, got %q", strings.Join(Formats(), ", "), excerpt(o.Format)))
	}
	if o.Step < 0 {
		errs = append(errs, fmt.Errorf("step: must not be negative, got %v", o.Step))
	}
	return errors.Join(errs...)
}

// Steps counts the points at which the clock is stepped.
func (l *Log) Steps() (n int) {
	for i := range l.Points {
		if l.Points[i].Stepped {
			n++
		}
	}
	return n
}

// Span is how long the log lasts.
func (l *Log) Span() time.Duration { return l.Points[len(l.Points)-1].At }

// Worst is the largest error, without its sign.
func (l *Log) Worst() (most time.Duration) {
	for i := range l.Points {
		most = max(most, l.Points[i].Error.Abs())
	}
	return most
}

// Gap is the longest time between two points.
func (l *Log) Gap() (most time.Duration) {
	for i := 1; i < len(l.Points); i++ {
		most = max(most, l.Points[i].At-l.Points[i-1].At)
	}
	return most
}

// Summary is what a log holds, on one line.
func (l *Log) Summary() string {
	of, steps := "", "steps"
	if l.Source != "" {
		of = " of " + l.Source
	}
	if l.Steps() == 1 {
		steps = "step"
	}
	text := fmt.Sprintf("%s%s: %d points over %v, at most %v apart, error at most %v, %d %s",
		l.Format, of, len(l.Points), l.Span(), l.Gap(), l.Worst(), l.Steps(), steps)
	if l.Others > 0 {
		text += fmt.Sprintf("; points of other sources left out: %d", l.Others)
	}
	if l.Unsynchronised > 0 {
		text += fmt.Sprintf("; lines of a clock that is not synchronised left out: %d", l.Unsynchronised)
	}
	if l.Cut != nil {
		text += "; the log is cut at line " + fmt.Sprint(l.Cut.Line)
	}
	return text
}

// Find is where in the log an instant in UTC lies, as true time since the first point.
func (l *Log) Find(at time.Time) (time.Duration, error) {
	if !l.Dated {
		return 0, fmt.Errorf("the log has no dates: want a length since it began, such as 90s")
	}
	first := time.Unix(0, int64(l.Points[0].Stamp)).UTC()
	from := at.Sub(first)
	if from < 0 || from >= l.Span() {
		return 0, fmt.Errorf("the log goes from %s to %s", first.Format(stampLayout), first.Add(l.Span()).Format(stampLayout))
	}
	return from, nil
}

// stampLayout is how chrony writes an instant.
const stampLayout = "2006-01-02 15:04:05"

// excerpt is the start of a text, for a message that quotes it.
func excerpt(s string) string { return text.Excerpt(s, 80) }
