package format

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// WriteFault is a fault of a program as one line that the block `faults:` reads back as
// the same fault:
//
//	{pause: client-1, before: write, nth: 1, for: 8.061s}
//
// An error says what cannot be written: what was read from a file, and what only a
// program can make. A fault without a name gets one when it is read.
func WriteFault(p *sim.Program, f *sim.Fault) (string, error) {
	return writeFault(p, f, f.Name != "" && f.Name != plainName(p, f))
}

// WriteFaults is a list of faults as the value of `faults:`, on one line.
func WriteFaults(p *sim.Program, faults []sim.Fault) (string, error) {
	texts := make([]string, len(faults))
	var errs []error
	for i := range faults {
		var err error
		texts[i], err = WriteFaultOf(p, faults, i)
		errs = append(errs, err)
	}
	return "[" + strings.Join(texts, ", ") + "]", errors.Join(errs...)
}

// WriteFaultOf is the i-th fault of a list as one line.
func WriteFaultOf(p *sim.Program, faults []sim.Fault, i int) (string, error) {
	return writeFault(p, &faults[i], namedHere(faults, i))
}

// SameFault reports whether two faults do the same: what has no meaning for them may differ.
func SameFault(f, g *sim.Fault) bool { return reflect.DeepEqual(normal(f), normal(g)) }

// namedHere reports whether the i-th fault of a list takes its name with it: one that
// draws does, since it draws by its name, one that others come after, and else one whose name was given. Of
// several with one name only one does.
func namedHere(faults []sim.Fault, i int) bool {
	f := &faults[i]
	if f.Name != "" && slices.ContainsFunc(faults, func(g sim.Fault) bool { return g.When.After == f.Name }) {
		return slices.IndexFunc(faults, func(g sim.Fault) bool { return g.Name == f.Name }) == i
	}
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
	text, err := faultText(p, f, false)
	if err != nil {
		return ""
	}
	back, err := ReadFault(p, text)
	if err != nil {
		return ""
	}
	return back.Name
}

// writeFault writes a fault and reads it back: what does not come back the same cannot be
// written.
func writeFault(p *sim.Program, f *sim.Fault, named bool) (string, error) {
	text, err := faultText(p, f, named)
	if err != nil {
		return "", fmt.Errorf("fault %q: %w", f.Name, err)
	}
	if drawing(f) && f.Name == "" {
		return "", fmt.Errorf("fault %s draws, and has no name to draw by", text)
	}
	back, err := ReadFault(p, text)
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
	case w.After != "":
		*w = sim.When{After: w.After, Ends: w.Ends, At: w.At}
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

// followsLog is why a fault cannot be written.
const followsLog = "it follows a log, which is in a file: the scenario has to name that"

// faultWriter writes the keys of a fault.
type faultWriter struct {
	program *sim.Program
	verb    *Verb
	fault   sim.Fault // without what has no meaning for it
	parts   []string
	err     error
}

// faultText writes the subject and the keys of a fault in the order of the table, but for how long it lasts, which comes last.
func faultText(p *sim.Program, f *sim.Fault, named bool) (string, error) {
	t := faultWriter{program: p, verb: verbOf(f.Do.String()), fault: normal(f)}
	t.add(f.Do.String(), t.verb.Subject.write(&t))
	for _, k := range t.verb.Keys {
		if k != keyFor {
			k.write(&t)
		}
	}
	for _, k := range FaultKeys {
		if k.Trigger && !t.verb.Has(k.Name) {
			k.write(&t) // reading it back says that it does not belong to the verb
		}
	}
	if t.verb.Has(keyFor.Name) {
		keyFor.write(&t)
	}
	if named {
		t.add(keyName.Name, strict.Word(f.Name, true))
	}
	return "{" + strings.Join(t.parts, ", ") + "}", t.err
}

// mapping is what was written, as the value of a key of another fault, which fails as this one did.
func (t *faultWriter) mapping(outer *faultWriter) string {
	if t.err != nil {
		outer.fail("%w", t.err)
	}
	return "{" + strings.Join(t.parts, ", ") + "}"
}

func (t *faultWriter) add(key, value string) { t.parts = append(t.parts, key+": "+value) }

// count adds which one it is, if it is not each.
func (t *faultWriter) count(nth int) {
	if nth != 0 {
		t.add("nth", strconv.Itoa(nth))
	}
}

func (t *faultWriter) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
	}
}

func (t *faultWriter) node(id sim.NodeID) string {
	if id < 1 || int(id) > len(t.program.Nodes) {
		t.fail("there is no node %d", id)
		return ""
	}
	return strict.Word(t.program.Nodes[id-1], true)
}

func (t *faultWriter) kind(k sim.Kind) string {
	if int(k) >= len(t.program.Kinds) {
		t.fail("there is no kind of message %d", k)
		return ""
	}
	return strict.Word(t.program.Kinds[k], true)
}

// ReadFault reads a fault from one line.
func ReadFault(p *sim.Program, text string) (sim.Fault, error) {
	doc, err := strict.Parse("fault", []byte("faults: ["+text+"]"))
	if err != nil {
		return sim.Fault{}, err
	}
	d := &decoding{doc: doc, files: &files{}, scenario: &Scenario{}, details: map[strict.Position]string{}, alone: true}
	d.words.know(p)
	strict.Teach(doc, d.dist)
	var f struct {
		Faults []*strict.Value `yaml:"faults"`
	}
	doc.Decode(&f)
	d.format.Faults = f.Faults
	list := d.faults()
	if err := doc.Err(); err != nil {
		return sim.Fault{}, err
	}
	return list[0], nil
}
