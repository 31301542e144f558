package scenarios

import (
	"errors"
	"io/fs"
	"slices"

	"fencepost/scenarios/internal/strict"
)

// Load reads a scenario: an embedded one by its name, such as "lock/naive-crash",
// or a file by its path. What ends in .yaml or .yml is a path, and so is what holds
// a path separator and exists; all else is a name.
//
// The files that a scenario names are looked up in its own folder; those of an
// embedded scenario are embedded, too. A file that a setting names is looked up in
// the working directory.
//
// An error is an [*Invalid], with every mistake: those of the file, of the settings,
// of each point of the grid and of the control.
func Load(nameOrPath string, o Options) (*Scenario, error) {
	return load(nameOrPath, o, embedded, catalog)
}

func load(nameOrPath string, o Options, fsys fs.FS, models []Model) (*Scenario, error) {
	doc, where, err := find(nameOrPath, fsys)
	if err != nil {
		return nil, err
	}
	return loadDoc(nameOrPath, doc, where, o, models)
}

// LoadText reads a scenario that is no file of its own, such as one from standard input;
// name stands for it in messages. The files that it names are looked up in the working
// directory. A text of more than [MaxText] bytes is refused, and an error is an [*Invalid],
// as of [Load].
func LoadText(name string, text []byte, o Options) (*Scenario, error) {
	doc, err := strict.Parse(name, text)
	var found findings
	found.add(err, nil)
	if err := found.err(); err != nil {
		return nil, err
	}
	return loadDoc(name, doc, folder{dir: "."}, o, catalog)
}

// MaxText is the largest scenario, in bytes.
const MaxText = strict.MaxSize

func loadDoc(name string, doc *strict.Doc, where folder, o Options, models []Model) (*Scenario, error) {
	l := loader{options: o, models: models, files: files{folder: where, shared: o.Files}, text: doc.Source()}
	s := l.load(doc)
	if err := l.found.err(); err != nil {
		return nil, err
	}
	s.name(name)
	return s, nil
}

// name gives a scenario and its variants their name.
func (s *Scenario) name(name string) {
	s.Name = name
	for _, v := range s.Variants {
		v.Scenario.Name = name
	}
}

// loader makes the passes over one file.
type loader struct {
	options Options
	models  []Model
	files   files
	text    string // of the file
	found   findings
}

func (l *loader) load(doc *strict.Doc) *Scenario {
	for _, set := range l.options.Sets {
		l.found.add(setIn(doc, set), nil)
	}
	fresh := doc.Clone()
	base := decode(doc, &l.files, l.models, nil)
	control := base.control()
	axes := base.axes(l.options.Sets)
	base.refuseOverlaps(axes, l.options.Sets)
	if len(axes) == len(base.format.Vary) { // else there is a mistake in them
		base.fitPlots(axes)
	}
	if l.options.Control && len(control) == 0 {
		doc.Add(doc.At("control"), "", "the scenario has no control block: its control is the run without faults")
	}
	l.found.add(doc.Err(), base.details)

	s, applied := base, []choice(nil)
	if len(control) > 0 {
		controlled := l.pass(fresh, control)
		if l.options.Control {
			s, applied = controlled, control
		}
	}
	for _, point := range grid(axes) {
		if l.found.full() {
			break
		}
		if l.options.Control {
			point = append(point, control...)
		}
		v := l.pass(fresh, point)
		v.scenario.Control, v.scenario.Plots = settings(control), base.scenario.Plots
		l.finish(v, point)
		s.scenario.Variants = append(s.scenario.Variants, Variant{settings(point), v.scenario})
	}
	s.scenario.Control, s.scenario.Plots = settings(control), base.scenario.Plots
	l.finish(s, applied)
	return s.scenario
}

// pass decodes a copy of the document with some choices made.
func (l *loader) pass(fresh *strict.Doc, choices []choice) *decoding {
	changes := changes(choices)
	d := decode(apply(fresh, changes), &l.files, l.models, slices.Concat(l.options.Sets, settings(choices)))
	if e := (*strict.Error)(nil); errors.As(d.doc.Err(), &e) {
		for i, p := range e.Problems {
			e.Problems[i] = atPath(fresh, p, changes)
		}
		l.found.add(e, d.details, choices...)
	}
	return d
}

// finish notes where the scenario comes from, and takes the faults away if that is
// wanted.
func (l *loader) finish(d *decoding, choices []choice) {
	s := d.scenario
	s.Text, s.Sets = l.text, slices.Concat(l.options.Sets, settings(choices))
	s.origin = &origin{file: d.doc.Name(), files: &l.files, models: l.models, options: l.options, inputs: d.inputs, sizes: d.sizes, scripted: d.scripted}
	s.origin.finish(s)
}

// finish takes the faults away, if that is wanted.
func (o *origin) finish(s *Scenario) {
	if o.options.NoFaults {
		s.Config.Faults = nil
	}
	if o.options.NoFaults || o.options.Control {
		s.Expect = allHold(&s.Program)
	}
}

// origin is where a scenario comes from, so that it can be read with other settings.
type origin struct {
	file     string // as messages call it
	files    *files
	models   []Model
	options  Options
	inputs   []*input   // that it reads
	sizes    []int64    // of the access logs that its model reads
	scripted []scripted // the faults of its file
}

// reread reads the text of a scenario with the given settings in place of its own, and
// neither its grid nor its control. The decoding is that of a scenario that may have
// mistakes; the error says which.
func (s *Scenario) reread(sets []Setting) (*decoding, error) {
	o := s.origin
	doc, err := strict.Parse(o.file, []byte(s.Text))
	if err != nil {
		return nil, err
	}
	var found findings
	for _, set := range sets {
		found.add(setIn(doc, set), nil)
	}
	d := decode(doc, o.files.moved(), o.models, sets)
	found.add(doc.Err(), d.details)
	again := d.scenario
	again.Name, again.Text, again.Sets, again.Control = s.Name, s.Text, sets, s.Control
	again.origin = &origin{file: o.file, files: d.files, models: o.models, options: o.options, inputs: d.inputs, scripted: d.scripted}
	again.origin.finish(again)
	return d, found.err()
}
