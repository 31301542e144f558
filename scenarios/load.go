package scenarios

import (
	"errors"
	"io/fs"

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
	l := loader{options: o, models: models, files: files{folder: where}}
	s := l.load(doc)
	if err := l.found.err(); err != nil {
		return nil, err
	}
	s.name(nameOrPath)
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
	found   findings
}

func (l *loader) load(doc *strict.Doc) *Scenario {
	for _, set := range l.options.Sets {
		l.found.add(doc.Set(set.Path, set.Value), nil)
	}
	fresh := doc.Clone()
	base := decode(doc, &l.files, l.models)
	control := base.control()
	points := base.grid()
	if l.options.Control && len(control) == 0 {
		doc.Add(doc.At("control"), "", "the scenario has no control block: its control is the run without faults")
	}
	l.found.add(doc.Err(), base.details)

	s := base.scenario
	if len(control) > 0 {
		controlled := l.pass(fresh, control)
		if l.options.Control {
			s = controlled.scenario
		}
	}
	for _, point := range points {
		if l.found.full() {
			break
		}
		if l.options.Control {
			point = append(point, control...)
		}
		v := l.pass(fresh, point).scenario
		v.Control = settings(control)
		l.finish(v)
		s.Variants = append(s.Variants, Variant{settings(point), v})
	}
	s.Control = settings(control)
	l.finish(s)
	return s
}

// pass decodes a copy of the document with some values changed.
func (l *loader) pass(fresh *strict.Doc, changes []change) *decoding {
	d := decode(apply(fresh, changes), &l.files, l.models)
	if e := (*strict.Error)(nil); errors.As(d.doc.Err(), &e) {
		for i, p := range e.Problems {
			e.Problems[i] = atPath(fresh, p, changes)
		}
		l.found.add(e, d.details, changes...)
	}
	return d
}

// finish takes the faults away, if that is wanted.
func (l *loader) finish(s *Scenario) {
	if l.options.NoFaults {
		s.Config.Faults = nil
	}
	if l.options.NoFaults || l.options.Control {
		s.Expect = allHold(&s.Program)
	}
}
