package model

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/sim"
)

// Measure is a quantity that a meter records. It is a field of the meter with its name and
// unit in a tag, or is declared by [Declare].
type Measure struct{ number int } // its index in [sim.System].Measures, plus 1

// recorder is a [sim.View].
type recorder interface {
	Record(measure int, value int64)
}

// Record adds a value to the measure.
func (m Measure) Record(to recorder, value int64) { to.Record(m.number-1, value) }

// RecordDuration adds a duration to the measure.
func (m Measure) RecordDuration(to recorder, d time.Duration) { m.Record(to, int64(d)) }

// A Recorder is the measures of a model and what it remembers to calculate them, in exported
// fields, and the function that is called for every note and fault. What it remembers is
// reset as that of a [Checker].
//
//	type meter struct {
//		Asked   model.Measure `measure:"asked,total"`
//		Latency model.Measure `measure:"latency,duration"`
//		Since   map[uint32]sim.Time
//	}
//
// Behind the name stand, each if it applies: total, duration, signed, most=N and per=NAME,
// see [sim.Measure]. What follows is recorded without a line of code, by notes of one kind or several:
//
//	Asked   model.Measure `measure:"asked,counts=asked"`                // a total to which each adds 1
//	Late    model.Measure `measure:"late,counts=answered,if=!in-time"` // each of which a condition holds, or does not, see [Whether] and [If]
//	Latency model.Measure `measure:"latency,duration,of=answered.took"` // of each a number, 1 if none is named
//	Slowest model.Measure `measure:"slowest,duration,peak=answered|refused.took"` // at the end the largest, at least 0; least=: the smallest; last=: the last; 0 without any
//
// All of this is done before Observe is called. A Recorder with a method Begin(v *sim.View[M]) or
// End(v *sim.View[M]) has that called when a run begins or is over. One with a method Kinds() []sim.Kind is
// called for the notes of these kinds, those that are counted, and faults.
type Recorder[M sim.Message] interface {
	Observe(v *sim.View[M], o *sim.Observation[M])
}

// AddMeter adds a meter and the measures among its fields to a system that has its kinds. The facts
// are those that the tags name.
func AddMeter[M sim.Message](s *sim.System[M], r any, facts ...Facts[M]) {
	v := reflect.ValueOf(r).Elem()
	m := newMeter(s)
	m.recorder, _ = r.(Recorder[M])
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type != reflect.TypeFor[Measure]() {
			continue
		}
		measure, by := parseMeasure(f)
		handle := Declare(s, measure)
		settable(v, i).Set(reflect.ValueOf(handle))
		if by.form != "" {
			addRule(m, s, by, &rule[M]{measure: handle}, facts)
		}
	}
	m.reset = Restore(r)
	if r, ok := r.(interface{ Kinds() []sim.Kind }); ok {
		m.kinds = r.Kinds()
	}
	s.Meters = append(s.Meters, m)
}

// Declare adds a measure to a system: one that has no field, since there is one for each
// client.
func Declare[M sim.Message](s *sim.System[M], m sim.Measure) Measure {
	s.Measures = append(s.Measures, m)
	return Measure{number: len(s.Measures)}
}

func parseMeasure(f reflect.StructField) (m sim.Measure, by recording) {
	name, options, more := strings.Cut(f.Tag.Get("measure"), ",")
	if m.Name = name; !kebab(name) {
		panic(fmt.Sprintf("model: %s: want a tag measure with a name in kebab case, got %q", f.Name, f.Tag))
	}
	by.name = name
	for more {
		var option string
		option, options, more = strings.Cut(options, ",")
		key, value, _ := strings.Cut(option, "=")
		most, err := strconv.ParseInt(value, 10, 64)
		switch {
		case option == "total":
			m.Total = true
		case option == "duration":
			m.Unit = sim.Duration
		case option == "signed":
			m.Signed = true
		case key == "per":
			m.Per = value
		case key == "counts":
			by.form, by.kinds, m.Total = key, value, true
		case key == "of" || key == "last" || key == "peak" || key == "least":
			by.form = key
			by.kinds, by.number, _ = strings.Cut(value, ".")
		case key == "if":
			by.condition = value
		case key == "most" && err == nil:
			m.Most = most
		default:
			panic(fmt.Sprintf("model: measure %s: want total, duration, signed, most=N, per=NAME, counts=KIND, of=KIND.NUMBER, last=, peak=, least= or if=CONDITION, got %q", name, option))
		}
	}
	if by.condition != "" && by.form == "" {
		panic(fmt.Sprintf("model: measure %s: if=%s of what is recorded: want counts=, of=, last=, peak= or least=", name, by.condition))
	}
	return m, by
}

// meter is a Recorder as an observer.
type meter[M sim.Message] struct {
	part[M]
	recorder Recorder[M]  // nil: all is said by rules
	kinds    []sim.Kind   // of the notes that the Recorder looks at; nil: all
	rules    [][]*rule[M] // by kind
	atEnd    []*rule[M]   // those that record when the run is over
}

// newMeter is a meter of a system without any rule.
func newMeter[M sim.Message](s *sim.System[M]) *meter[M] {
	m := &meter[M]{rules: make([][]*rule[M], len(s.Kinds))}
	m.checker, m.reset = m, func() {}
	return m
}

// Reset implements [sim.Observer].
func (m *meter[M]) Reset(v *sim.View[M]) {
	m.reset()
	for _, r := range m.atEnd {
		r.value, r.any = 0, false
	}
	if b, ok := m.recorder.(interface{ Begin(v *sim.View[M]) }); ok {
		b.Begin(v)
	}
}

// Watches implements [sim.Selective].
func (m *meter[M]) Watches(event sim.Event, note sim.Kind) bool {
	if event != sim.Noted {
		return m.recorder != nil && event < sim.NetworkChanged
	}
	return m.recorder != nil && (m.kinds == nil || slices.Contains(m.kinds, note)) || len(m.rules[note]) > 0
}

// Check implements [Checker].
func (m *meter[M]) Check(r *Report[M]) {
	if r.Event == sim.Noted {
		for _, by := range m.rules[r.Msg.Label()] {
			by.note(r.View, r.Observation)
		}
	}
	if m.recorder != nil {
		m.recorder.Observe(r.View, r.Observation)
	}
}

// End implements [sim.Ender].
func (m *meter[M]) End(v *sim.View[M]) {
	for _, r := range m.atEnd {
		r.measure.Record(v, r.value)
	}
	if e, ok := m.recorder.(interface{ End(v *sim.View[M]) }); ok {
		e.End(v)
	}
}
