package format

import (
	"io"
	"slices"

	"fencepost/result"
)

// Models are those that a scenario was read with; nil if it was not read.
func (s *Scenario) Models() []Model {
	if s.origin == nil {
		return nil
	}
	return s.origin.models
}

// Params are the parameters of a scenario that was read, and nil of another.
func (s *Scenario) Params() Params {
	if s.origin == nil {
		return nil
	}
	return s.origin.params
}

// Written are the faults of the file of a scenario that was read.
func (s *Scenario) Written() []Written {
	if s.origin == nil {
		return nil
	}
	return s.origin.scripted
}

// KeptFile is a log or table that a scenario names.
type KeptFile struct {
	Name   string // as the scenario has it
	Path   string
	SHA256 string // "sha256:" and its digits
	Data   []byte // nil if it is larger than 1 MiB
}

// KeptFiles are the logs and tables that a scenario has read.
func (s *Scenario) KeptFiles() (list []KeptFile) {
	if s.origin == nil {
		return nil
	}
	for _, in := range s.origin.inputs {
		list = append(list, KeptFile{in.name, in.Path, in.raw.sum(), in.raw.data})
	}
	return list
}

// Copy is the text of a scenario that was kept, with the files that it names.
type Copy struct {
	Name string // of the scenario
	File string // that stands for it in messages
	Text string
	Sets []result.Setting

	Open func(name string) (file io.ReadCloser, path string, err error) // a file that it names
}

// Load reads the scenario, without its grid. An error is an [*Invalid].
func (c *Copy) Load(models []Model) (*Scenario, error) {
	s := &Scenario{Name: c.Name, Text: c.Text}
	s.origin = &origin{file: c.File, files: &files{kept: c.Open}, models: models}
	return s.With(slices.Clone(c.Sets))
}
