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

func (e *entry) readStep(v *strict.Value) {
	step, ok := strict.Scan(v, strict.SignedDuration)
	if ok && step == 0 {
		v.Errorf("a step of 0 moves nothing")
	}
	e.fault.By = step
	e.what += fmt.Sprintf(" by %v", step)
}

func (t *faultWriter) step() { t.add("by", text.Duration(t.fault.By)) }

func (e *entry) readRate(v *strict.Value) {
	rate, ok := strict.Scan(v, strict.PartsPerBillion)
	if ok && checkRate(v, sim.PPB(rate)) {
		e.fault.Rate = sim.PPB(rate)
	}
	e.what += fmt.Sprintf(" to %v", e.fault.Rate)
}

func (t *faultWriter) rate() { t.add("to", t.fault.Rate.String()) }

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
