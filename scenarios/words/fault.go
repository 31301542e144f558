// Package words writes faults as a scenario file has them.
package words

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Fault is a fault of a program as one line that the block `faults:` reads back as
// the same fault:
//
//	{pause: client-1, before: write, nth: 1, for: 8.061s}
//
// An error says what cannot be written: what was read from a file, and what only a
// program can make. A fault without a name gets one when it is read.
func Fault(p *sim.Program, f *sim.Fault) (string, error) {
	t := faultText{program: p}
	return t.whole(f, f.Name != "" && f.Name != plainName(p, f))
}

// Faults is a list of faults as the value of `faults:`, on one line.
func Faults(p *sim.Program, faults []sim.Fault) (string, error) {
	texts := make([]string, len(faults))
	var errs []error
	for i := range faults {
		var err error
		texts[i], err = FaultOf(p, faults, i)
		errs = append(errs, err)
	}
	return "[" + strings.Join(texts, ", ") + "]", errors.Join(errs...)
}

// FaultOf is the i-th fault of a list as one line.
func FaultOf(p *sim.Program, faults []sim.Fault, i int) (string, error) {
	t := faultText{program: p}
	return t.whole(&faults[i], namedHere(faults, i))
}

// Same reports whether two faults do the same: what has no meaning for them may differ.
func Same(f, g *sim.Fault) bool { return reflect.DeepEqual(normal(f), normal(g)) }

// namedHere reports whether the i-th fault of a list takes its name with it: one that
// draws does, since it draws by its name, and else one whose name somebody gave it. Of
// several with one name only one does.
func namedHere(faults []sim.Fault, i int) bool {
	f := &faults[i]
	if !drawing(f) && strings.HasPrefix(f.Name, f.Do.String()+" ") {
		return false // it says what the fault does, or did before it was changed
	}
	for k := range faults {
		if g := &faults[k]; k != i && g.Name == f.Name && (drawing(g) || k < i && !drawing(f)) {
			return false
		}
	}
	return f.Name != ""
}

// drawing reports whether a fault draws anything.
func drawing(f *sim.Fault) bool {
	return f.For.Least() != f.For.Most() || f.When.Every.Least() != f.When.Every.Most() || len(f.When.Replay) > 0
}

// plainName is the name that a fault without one gets when it is read, "" if it cannot
// be written.
func plainName(p *sim.Program, f *sim.Fault) string {
	t := faultText{program: p}
	text, err := t.write(f, false)
	if err != nil {
		return ""
	}
	back, err := format.ReadFault(p, text)
	if err != nil {
		return ""
	}
	return back.Name
}

// faultText writes a fault.
type faultText struct {
	program *sim.Program
	parts   []string
	err     error
}

// whole writes a fault and reads it back: what does not come back the same cannot be
// written.
func (t *faultText) whole(f *sim.Fault, named bool) (string, error) {
	text, err := t.write(f, named)
	if err != nil {
		return "", fmt.Errorf("fault %q: %w", f.Name, err)
	}
	if drawing(f) && f.Name == "" {
		return "", fmt.Errorf("fault %s draws, and has no name to draw by", text)
	}
	back, err := format.ReadFault(t.program, text)
	if err != nil {
		return "", fmt.Errorf("fault %q cannot be written: %w", f.Name, err)
	}
	want := normal(f)
	if !named {
		want.Name = back.Name
	}
	if !reflect.DeepEqual(want, normal(&back)) {
		return "", fmt.Errorf("fault %q cannot be written: a scenario would read %s, which is not the same", f.Name, text)
	}
	return text, nil
}

// normal is a fault without what has no meaning for it.
func normal(f *sim.Fault) sim.Fault {
	g := *f
	w := &g.When
	switch {
	case w.Note != 0:
		*w = sim.When{Note: w.Note, By: w.By, Nth: w.Nth}
	case w.Before != 0:
		*w = sim.When{Before: w.Before, By: w.By, Nth: w.Nth}
	case !w.Every.IsZero():
		*w = sim.When{Every: w.Every}
	case len(w.Replay) > 0:
		*w = sim.When{Replay: w.Replay, Span: w.Span}
	default:
		*w = sim.When{At: w.At}
	}
	if w.By == g.Node {
		w.By = sim.None
	}
	if g.Forever && g.For.Least() == g.For.Most() {
		g.For = sim.Dist{}
	}
	if len(g.Sides) == 0 {
		g.Sides = nil
	}
	return g
}

func (t *faultText) write(f *sim.Fault, named bool) (string, error) {
	t.parts, t.err = nil, nil
	switch f.Do {
	case sim.Cut, sim.Hold:
		t.add(f.Do.String(), t.sides(f))
	case sim.Delay, sim.Lose, sim.Duplicate:
		t.add(f.Do.String(), t.message(&f.Msg))
	default:
		t.add(f.Do.String(), t.node(f.Node))
	}
	switch f.Do {
	case sim.StepClock:
		t.add("by", text.Duration(f.By))
	case sim.SetRate:
		t.add("to", f.Rate.String())
	case sim.FollowLog:
		t.fail("it follows a log, which is in a file: the scenario has to name that")
	}
	t.when(f)
	if f.Do != sim.StepClock && f.Do != sim.Lose && f.Do != sim.FollowLog && !f.Forever {
		t.add("for", t.dist(&f.For))
	}
	if named {
		t.add("name", strict.Word(f.Name, true))
	}
	return "{" + strings.Join(t.parts, ", ") + "}", t.err
}

func (t *faultText) add(key, value string) { t.parts = append(t.parts, key+": "+value) }

func (t *faultText) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
	}
}

func (t *faultText) node(id sim.NodeID) string {
	if id < 1 || int(id) > len(t.program.Nodes) {
		t.fail("there is no node %d", id)
		return ""
	}
	return strict.Word(t.program.Nodes[id-1], true)
}

func (t *faultText) kind(k sim.Kind) string {
	if int(k) >= len(t.program.Kinds) {
		t.fail("there is no kind of message %d", k)
		return ""
	}
	return strict.Word(t.program.Kinds[k], true)
}

func (t *faultText) sides(f *sim.Fault) string {
	var sides []string
	for _, side := range f.Sides {
		var names []string
		for _, id := range side {
			names = append(names, t.node(id))
		}
		sides = append(sides, "["+strings.Join(names, ", ")+"]")
	}
	text := "{between: [" + strings.Join(sides, ", ") + "]"
	if f.OneWay {
		text += ", one-way: true"
	}
	return text + "}"
}

func (t *faultText) message(m *sim.MsgChoice) string {
	inner := faultText{program: t.program}
	inner.add("kind", inner.kind(m.Kind))
	if m.From != sim.None {
		inner.add("from", inner.node(m.From))
	}
	if m.To != sim.None {
		inner.add("to", inner.node(m.To))
	}
	if m.Nth != 0 {
		inner.add("nth", strconv.Itoa(m.Nth))
	}
	if inner.err != nil {
		t.fail("%w", inner.err)
	}
	return "{" + strings.Join(inner.parts, ", ") + "}"
}

// when writes the trigger.
func (t *faultText) when(f *sim.Fault) {
	w := &f.When
	switch {
	case w.Note != 0:
		t.effect("on", "note", t.kind(w.Note), f)
	case w.Before != 0:
		t.effect("before", "effect", t.kind(w.Before), f)
	case !w.Every.IsZero():
		t.add("every", t.dist(&w.Every))
	case len(w.Replay) > 0:
		t.fail("it follows a log, which is in a file: the scenario has to name that")
	case w.At != 0, f.Do < sim.Cut:
		t.add("at", text.Duration(time.Duration(w.At)))
	}
}

// effect writes the note or effect that a fault waits for.
func (t *faultText) effect(trigger, inner, kind string, f *sim.Fault) {
	other := f.When.By != sim.None && f.When.By != f.Node
	inside := other && f.Do == sim.StepClock // whose `by` is how far
	in := faultText{program: t.program}
	if other {
		in.add("by", in.node(f.When.By))
	}
	if f.When.Nth != 0 {
		in.add("nth", strconv.Itoa(f.When.Nth))
	}
	if in.err != nil {
		t.fail("%w", in.err)
	}
	if inside {
		t.add(trigger, "{"+strings.Join(append([]string{inner + ": " + kind}, in.parts...), ", ")+"}")
		return
	}
	t.add(trigger, kind)
	t.parts = append(t.parts, in.parts...)
}

// dist writes a distribution.
func (t *faultText) dist(d *sim.Dist) string {
	s := d.String()
	switch {
	case strings.Contains(s, "{empirical"):
		t.fail("its lengths are those of a log or table: the scenario has to name the file")
	case strings.HasPrefix(s, "{lognormal"):
		return t.lognormal(d, s)
	case strings.HasPrefix(s, "{mix"):
		return t.mix(d)
	case s[0] != '{':
		return text.Duration(d.Least())
	}
	return text.Plain(s)
}

// mix writes the parts, each as it is alone.
func (t *faultText) mix(d *sim.Dist) string {
	var list []string
	for _, p := range d.Parts() {
		list = append(list, fmt.Sprintf("{share: %s, of: %s}", p.Share, t.dist(&p.Of)))
	}
	return "{mix: [" + strings.Join(list, ", ") + "]}"
}

// lognormal finds the 99th percentile that makes this very distribution: what it prints
// is rounded.
func (t *faultText) lognormal(d *sim.Dist, written string) string {
	_, after, _ := strings.Cut(written, "median: ")
	before, _, _ := strings.Cut(after, ",")
	median, err := time.ParseDuration(before)
	if err != nil {
		t.fail("%s: %w", written, err)
		return ""
	}
	const far = math.MaxUint64 - math.MaxUint64/300
	aim := d.Sample(far)
	low, high := median, saturated(median, 1000)
	for low < high { // the least p99 that reaches as far
		mid := low + (high-low)/2
		if try, err := sim.LogNormal(median, mid); err == nil && try.Sample(far) >= aim {
			high = mid
		} else {
			low = mid + 1
		}
	}
	for p99 := max(low-16, median); p99 <= low+16; p99++ {
		if try, err := sim.LogNormal(median, p99); err == nil && reflect.DeepEqual(try, *d) {
			return fmt.Sprintf("{lognormal: {median: %s, p99: %s}}", text.Duration(median), text.Duration(p99))
		}
	}
	t.fail("%s: its 99th percentile is no whole number of nanoseconds", written)
	return ""
}

// saturated is a length times n, at the end of what a length can be.
func saturated(d time.Duration, n int64) time.Duration {
	if int64(d) > math.MaxInt64/n {
		return math.MaxInt64 - 16
	}
	return d * time.Duration(n)
}
