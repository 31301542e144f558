package clocklog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/lazyregexp"
)

// parser reads the lines of one format.
type parser struct {
	format string
	fits   func(text string) bool // a line that only this format has
	// parse reads a line. Its error is [errIgnored] for one that measures nothing.
	parse func(p *parser, text string) (measure, error)

	step      time.Duration // from which error on the daemon steps the clock
	saysSteps bool          // its lines say which corrections are steps
	dated     bool          // stamps are UTC, since 1970
	ownStamps bool          // they are read from the clock itself
	grain     time.Duration // to which stamps are rounded down

	columns int    // of the lines so far, 0 before the first
	table   *table // of a CSV, nil before its header
}

// measure is what a line says, and of which source.
type measure struct {
	Point
	source string
}

// errIgnored is the error for a line that measures nothing.
var errIgnored = errors.New("ignored")

// errUnsynchronised is the error for a line in which the clock follows nothing.
var errUnsynchronised = errors.New("not synchronised")

var parsers = []parser{
	{format: PTP4L, fits: fitsPTP, parse: parsePTP, saysSteps: true},
	{format: ChronyMeasurements, fits: fitsMeasurements, parse: parseMeasurements, step: time.Second, dated: true, ownStamps: true, grain: time.Second},
	{format: ChronyTracking, fits: fitsTracking, parse: parseTracking, step: time.Second, dated: true, ownStamps: true, grain: time.Second},
	{format: Loopstats, fits: fitsLoopstats, parse: parseLoopstats, step: 128 * time.Millisecond, dated: true, ownStamps: true},
	{format: CSV, fits: fitsTable, parse: parseTable, step: 128 * time.Millisecond},
}

// parserOf is a fresh parser of a format, nil if there is no such format.
func parserOf(format string) *parser {
	i := slices.IndexFunc(parsers, func(p parser) bool { return p.format == format })
	if i < 0 {
		return nil
	}
	p := parsers[i]
	return &p
}

// alike checks that a line has as many columns as the first one, of those that a format
// may have.
func (p *parser) alike(n, least, most int) error {
	switch {
	case p.columns == 0 && (n < least || n > most):
		return fmt.Errorf("%d columns: want %d to %d", n, least, most)
	case p.columns != 0 && n != p.columns:
		return fmt.Errorf("%d columns: the first line has %d", n, p.columns)
	}
	p.columns = n
	return nil
}

// isBanner reports whether a line is one of those that chrony writes above the columns.
func isBanner(text string) bool {
	return strings.HasPrefix(text, "====") || strings.HasPrefix(text, "Date (UTC) Time")
}

// leaps are the values of a leap status.
const leaps = "N+-?"

// chronyStamp reads the first two columns of a chrony log.
func chronyStamp(f []string) (time.Duration, error) {
	t, err := time.Parse(stampLayout, f[0]+" "+f[1])
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return 0, fmt.Errorf("time %q: want one such as %q", excerpt(f[0]+" "+f[1]), "2021-12-19 05:00:14")
	}
	return time.Duration(t.UnixNano()), nil
}

func isLeap(text string) bool { return len(text) == 1 && strings.Contains(leaps, text) }

func fitsTracking(text string) bool {
	f := strings.Fields(text)
	if len(f) < 8 || !isLeap(f[7]) {
		return false
	}
	_, err := chronyStamp(f)
	return err == nil
}

// parseTracking reads a line of tracking.log:
//
//	date time source stratum freq-ppm skew-ppm offset leap ...
//
// Older versions of chrony leave out columns at the end, down to 11.
func parseTracking(p *parser, text string) (m measure, err error) {
	if isBanner(text) {
		return m, errIgnored
	}
	f := strings.Fields(text)
	if err := p.alike(len(f), 8, 14); err != nil {
		return m, err
	}
	if !isLeap(f[7]) {
		return m, fmt.Errorf("leap status %q: want one of N, +, -, ?", excerpt(f[7]))
	}
	var errs [3]error
	m.Stamp, errs[0] = chronyStamp(f)
	m.Freq, errs[1] = readFreq(f[4], 3)
	m.Error, errs[2] = readError(f[6], 9)
	if err := first(errs[:]); err != nil || f[7] != "?" {
		return m, err
	}
	return m, errUnsynchronised
}

// first is the first error of some.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func fitsMeasurements(text string) bool {
	f := strings.Fields(text)
	if len(f) < 16 || !isLeap(f[3]) {
		return false
	}
	_, err := chronyStamp(f)
	return err == nil
}

// parseMeasurements reads a line of measurements.log:
//
//	date time source leap stratum tests tests tests poll poll score offset delay dispersion root-delay root-dispersion ...
func parseMeasurements(p *parser, text string) (m measure, err error) {
	if isBanner(text) {
		return m, errIgnored
	}
	f := strings.Fields(text)
	if err := p.alike(len(f), 16, 20); err != nil {
		return m, err
	}
	if !isLeap(f[3]) {
		return m, fmt.Errorf("leap status %q: want one of N, +, -, ?", excerpt(f[3]))
	}
	var errs [2]error
	m.source = f[2]
	m.Stamp, errs[0] = chronyStamp(f)
	m.Error, errs[1] = readError(f[11], 9)
	m.Error = -m.Error
	return m, first(errs[:])
}

// Days of the Modified Julian Date.
const (
	mjd1970 = 40587
	mjd2200 = 124593
)

func fitsLoopstats(text string) bool {
	f := strings.Fields(text)
	if len(f) < 5 || len(f) > 7 {
		return false
	}
	_, err := loopStamp(f)
	return err == nil
}

// loopStamp reads the first two columns of loopstats: the Modified Julian Day and the
// seconds since midnight, UTC.
func loopStamp(f []string) (time.Duration, error) {
	day, err := strconv.Atoi(f[0])
	if err != nil || day < mjd1970 || day >= mjd2200 {
		return 0, fmt.Errorf("day %q: want a Modified Julian Day, %d to %d", excerpt(f[0]), mjd1970, mjd2200)
	}
	seconds, err := readStamp(f[1], 9)
	if err == nil && seconds > 86401*time.Second { // a day may have a leap second
		err = fmt.Errorf("time %q: want seconds since midnight", excerpt(f[1]))
	}
	return time.Duration(day-mjd1970)*24*time.Hour + seconds, err
}

// parseLoopstats reads a line of loopstats:
//
//	day seconds offset freq-ppm jitter [wander] constant
func parseLoopstats(p *parser, text string) (m measure, err error) {
	f := strings.Fields(text)
	if err := p.alike(len(f), 5, 7); err != nil {
		return m, err
	}
	var errs [3]error
	m.Stamp, errs[0] = loopStamp(f)
	m.Error, errs[1] = readError(f[2], 9)
	m.Freq, errs[2] = readFreq(f[3], 3)
	m.Error, m.Freq = -m.Error, -m.Freq
	return m, first(errs[:])
}

// fitsPTP reports whether any of these programs has written the line.
func fitsPTP(text string) bool {
	stamp, _, ok := ptpStamp(text)
	_, err := readStamp(stamp, 9)
	return ok && err == nil
}

// ptpStart is the program and its seconds, to standard output and in a syslog, where the
// number of the process stands between the two.
var ptpStart = lazyregexp.New(`(?:ptp4l|phc2sys|ts2phc)(?:\[\d+\]: )?\[(\d+\.\d+)\]:?`)

// ptpStamp is the seconds of a line, and what comes after them.
func ptpStamp(text string) (stamp, rest string, ok bool) {
	m := ptpStart().FindStringSubmatchIndex(text)
	if m == nil {
		return "", "", false
	}
	return text[m[2]:m[3]], text[m[1]:], true
}

// parsePTP reads a line such as
//
//	ptp4l[141662.022]: master offset     446413 s1 freq  +11682 path delay     22958
//
// All other lines of the program measure nothing.
func parsePTP(_ *parser, text string) (m measure, err error) {
	stamp, rest, ok := ptpStamp(text)
	if !ok {
		return m, errors.New("no line of ptp4l, phc2sys or ts2phc, such as ptp4l[141661.021]: master offset 453555 s0 freq +18824 path delay 21453")
	}
	if _, _, two := ptpStamp(rest); two {
		return m, errors.New("another line begins inside this one")
	}
	f := strings.Fields(rest)
	if slices.Contains(f, "rms") {
		return m, errors.New("a summary has no sign: want a line for each sample, as with summary_interval -4")
	}
	i := slices.Index(f, "offset")
	if i < 1 || len(f) > i+1 && len(f) < i+5 && f[i-1] != "master" {
		return m, errIgnored // as "port 1: ..."
	}
	if len(f) < i+5 || f[i+3] != "freq" {
		return m, errors.New("the line breaks off: want master offset 446413 s1 freq +11682")
	}
	var errs [3]error
	m.source = strings.Join(f[:i], " ")
	m.Stamp, errs[0] = readStamp(stamp, 9)
	m.Error, errs[1] = readError(f[i+1], 0)
	m.Freq, errs[2] = readFreq(f[i+4], 0)
	switch f[i+2] {
	case "s0", "s2", "s3":
	case "s1":
		m.Stepped = true
	default:
		return m, fmt.Errorf("servo state %q: want s0, s1, s2 or s3", excerpt(f[i+2]))
	}
	return m, first(errs[:])
}
