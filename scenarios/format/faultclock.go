package format

import (
	"fmt"
	"io"
	"path"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/clocklog"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// amountForms are how amounts of faults are written, by the name of the form.
var amountForms = map[string]struct {
	scan    func(*strict.Value) (int64, bool)
	within  func(*strict.Value, int64) bool // reports an amount that no fault can have
	none    string                          // what is wrong with 0 in a fault, "" if nothing
	zero    string                          // and in a budget
	example string                          // of a budget
	text    func(int64) string              // as a file has it
	said    func(int64) string              // and as the name of a fault has it
}{
	"signed-duration": {scanAmount(strict.SignedDuration), anyAmount, "a step of 0 moves nothing", "a step of 0 moves nothing", "10s|-10s", shortDuration, longDuration},
	"duration":        {scanAmount(strict.Duration), anyAmount, "", "an amount of 0 changes nothing: want one above 0", "20ms", shortDuration, longDuration},
	"clock-error":     {scanAmount(strict.PartsPerBillion), rateAmount, "", "a rate error of 0 is no slew", "200ppm|-200ppm", rateText, rateText},
}

func scanAmount[T ~int64](read func(string) (T, error)) func(*strict.Value) (int64, bool) {
	return func(v *strict.Value) (int64, bool) {
		n, ok := strict.Scan(v, read)
		return int64(n), ok
	}
}

func anyAmount(*strict.Value, int64) bool      { return true }
func rateAmount(v *strict.Value, n int64) bool { return checkRate(v, sim.PPB(n)) }
func shortDuration(n int64) string             { return text.Duration(time.Duration(n)) }
func longDuration(n int64) string              { return time.Duration(n).String() }
func rateText(n int64) string                  { return sim.PPB(n).String() }

// readAmount reads how large the fault is.
func (e *entry) readAmount(v *strict.Value) {
	a := &e.verb.row.Amount
	form := amountForms[a.Form]
	n, ok := form.scan(v)
	if ok && n == 0 && form.none != "" {
		v.Errorf("%s", form.none)
	}
	if ok && form.within(v, n) {
		a.Set(&e.fault, n)
	}
	e.what += " " + a.Key + " " + form.said(a.Of(&e.fault))
}

func (t *faultWriter) amount() {
	a := &t.verb.row.Amount
	t.add(a.Key, amountForms[a.Form].text(a.Of(&t.fault)))
}

// ClockLogFormat is the long form of `log: FILE`.
type ClockLogFormat struct {
	File   *strict.Value `yaml:"file,required" schema:"file"`                                          // of chrony, ntpd, linuxptp, or CSV
	Format string        `yaml:"format,oneof=chrony-tracking|chrony-measurements|loopstats|ptp4l|csv"` // as its content says
	Source string        `yaml:"source"`                                                               // whose lines count, where they are of several: the server with the most
	From   *strict.Value `yaml:"from" schema:"text"`                                                   // where in the log the clock begins, an instant in UTC or a length since the log began: 0s
	Step   *strict.Value `yaml:"step" schema:"duration"`                                               // the error from which on the clock is stepped: as the daemon has it
}

// readClockLog reads the log that a clock follows.
func (e *entry) readClockLog(v *strict.Value) {
	var f ClockLogFormat
	if v.Kind() != strict.Mapping {
		f.File = v
	} else if !v.Decode(&f) {
		return
	}
	o := clocklog.Options{Format: f.Format, Source: f.Source}
	if f.Step != nil {
		var ok bool
		if o.Step, ok = strict.Read[time.Duration](f.Step); ok && o.Step == 0 {
			f.Step.Errorf("a step of 0 would be at every line: want the error from which on the clock is stepped, such as 128ms")
		}
	}
	name, ok := strict.Read[string](f.File)
	if !ok {
		return
	}
	in := e.files.get(fmt.Sprintf("clocklog %+v", o), name, f.File.Pos().Set != "", func(in *input, r io.Reader) error {
		return readClockLog(in, r, o)
	})
	if !e.use(f.File, in) {
		return
	}
	if from, ok := e.from(f.From, in.clock); ok {
		e.fault.Changes, _ = in.clock.Course(from) // the log continues there
	}
}

func (t *faultWriter) clockLog() { t.fail("%s", followsLog) }

func readClockLog(in *input, r io.Reader, o clocklog.Options) (err error) {
	if in.clock, err = clocklog.Read(r, o); err != nil {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	if in.clock.Span() == 0 {
		return fmt.Errorf("%s: the log is of one instant", in.Path)
	}
	in.Summary = path.Base(in.Path) + ": " + in.clock.Summary()
	return nil
}

// from reads where in a log a clock begins: an instant in UTC, or a length since the log
// began.
func (e *entry) from(v *strict.Value, log *clocklog.Log) (time.Duration, bool) {
	if v == nil {
		return 0, true
	}
	place, ok := strict.Read[string](v)
	if !ok {
		return 0, false
	}
	if at, err := time.Parse(time.DateTime, place); err == nil {
		from, err := log.Find(at)
		if err != nil {
			v.Errorf("%v", err)
		}
		return from, err == nil
	}
	from, err := strict.Duration(place)
	switch {
	case err != nil:
		v.Errorf(`%q is no place in a log: want "2021-12-21 14:00:00", which is UTC, or a length since it began, such as 90s`, strict.Excerpt(place))
	case from >= log.Span():
		v.Errorf("the log is %v long: want a place in it", log.Span())
	default:
		return from, true
	}
	return 0, false
}
