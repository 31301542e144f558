package format

import (
	"errors"
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
)

// MaxText is the largest scenario, in bytes.
const MaxText = strict.MaxSize

// Load reads a scenario of some models from a document; the files that it names are looked up in a folder. An
// error is an [*Invalid], with every mistake: those of the file, of the settings, of each point of the grid and of
// the control.
func Load(name string, doc *strict.Doc, where Folder, o Options, models []Model) (*Scenario, error) {
	l := loader{options: o, models: models, files: files{Folder: where, shared: o.Files}, text: doc.Source()}
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
		l.found.add(grid.Set(doc, set), nil)
	}
	if slices.ContainsFunc(l.options.Sets, func(set result.Setting) bool { return strings.HasPrefix(set.Path, "vary") }) {
		l.found.add(grid.Set(doc, result.Setting{Path: "expect-at", Value: "[]"}), nil) // it is about points of the file's own grid
	}
	fresh := doc.Clone()
	base := decode(doc, &l.files, l.models, nil, l.options.Sets)
	b := grid.Blocks{Doc: doc, Control: base.format.Control, Vary: base.format.Vary}
	control := b.Controls()
	axes := b.Axes(l.options.Sets)
	b.RefuseOverlaps(axes, l.options.Sets)
	if len(axes) == len(base.format.Vary) { // else there is a mistake in them
		base.fitPlots(axes)
	}
	if l.options.Control && len(control) == 0 {
		doc.Add(doc.At("control"), "", "the scenario has no control block: its control is the run without faults")
	}
	l.found.add(doc.Err(), base.details)

	s, applied := base, []grid.Choice(nil)
	if len(control) > 0 {
		controlled := l.pass(fresh, control)
		if l.options.Control {
			s, applied = controlled, control
		}
	}
	for _, point := range grid.Points(axes) {
		if l.found.full() {
			break
		}
		if l.options.Control {
			point = append(point, control...)
		}
		v := l.pass(fresh, point)
		v.scenario.Control, v.scenario.Plots = grid.Settings(control), base.scenario.Plots
		l.finish(v, point)
		s.scenario.Variants = append(s.scenario.Variants, Variant{grid.Settings(point), v.scenario})
	}
	s.scenario.Control, s.scenario.Plots = grid.Settings(control), base.scenario.Plots
	l.finish(s, applied)
	return s.scenario
}

// pass decodes a copy of the document with some choices made.
func (l *loader) pass(fresh *strict.Doc, choices []grid.Choice) *decoding {
	changes := grid.Changes(choices)
	d := decode(grid.Apply(fresh, changes), &l.files, l.models, slices.Concat(l.options.Sets, grid.Settings(choices)), l.options.Sets)
	if e := (*strict.Error)(nil); errors.As(d.doc.Err(), &e) {
		for i, p := range e.Problems {
			e.Problems[i] = grid.AtPath(fresh, p, changes)
		}
		l.found.add(e, d.details, choices...)
	}
	return d
}

// finish notes where the scenario comes from, and takes the faults away if that is
// wanted.
func (l *loader) finish(d *decoding, choices []grid.Choice) {
	s := d.scenario
	s.Text, s.Sets = l.text, slices.Concat(l.options.Sets, grid.Settings(choices))
	s.origin = &origin{file: d.doc.Name(), files: &l.files, models: l.models, options: l.options, inputs: d.inputs, sizes: d.sizes, scripted: d.scripted, params: d.params}
	s.origin.finish(s)
}

// finish takes the faults away, if that is wanted. What the file expects stays: the verdict says what the change did.
func (o *origin) finish(s *Scenario) {
	if o.options.NoFaults {
		s.Config.Faults = nil
	}
}

// origin is where a scenario comes from, so that it can be read with other settings.
type origin struct {
	file     string // as messages call it
	files    *files
	models   []Model
	options  Options
	inputs   []*input  // that it reads
	sizes    []int64   // of the access logs that its model reads
	scripted []Written // the faults of its file
	params   Params
}

// With reads the text of a scenario with the given settings in place of its own, and
// neither its grid nor its control. An error is an [*Invalid].
func (s *Scenario) With(sets []result.Setting) (*Scenario, error) {
	o := s.origin
	doc, err := strict.Parse(o.file, []byte(s.Text))
	if err != nil {
		return nil, InvalidOf(err)
	}
	var found findings
	for _, set := range sets {
		found.add(grid.Set(doc, set), nil)
	}
	d := decode(doc, o.files.moved(), o.models, sets, nil)
	found.add(doc.Err(), d.details)
	if err := found.err(); err != nil {
		return nil, err
	}
	again := d.scenario
	again.Name, again.Text, again.Sets, again.Control = s.Name, s.Text, sets, s.Control
	again.origin = &origin{file: o.file, files: d.files, models: o.models, options: o.options, inputs: d.inputs, scripted: d.scripted, params: d.params}
	again.origin.finish(again)
	if g := s.Program.Goal; g != nil {
		return again.Reaching(g.Text)
	}
	return again, nil
}
