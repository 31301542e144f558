package main

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports"
)

// The outputs of run that are not one of renderings.
const (
	asTable = "table" // a report for a person
	asJSON  = "json"  // one document
)

// rendering is a form in which the results of run are written at once, when all is
// done.
type rendering struct {
	name  string
	file  string // in the folder of --out
	write func(io.Writer, []*reports.Run) error
}

var renderings = []rendering{
	{"csv", "report.csv", reports.WriteCSV},
	{"junit", "junit.xml", reports.WriteJUnit},
	{"markdown", "report.md", reports.WriteMarkdown},
}

// renderingOf is the rendering of a name, nil if it is none of them.
func renderingOf(name string) *rendering {
	for i := range renderings {
		if renderings[i].name == name {
			return &renderings[i]
		}
	}
	return nil
}

// outputs lists the values of --output.
func outputs() []string {
	names := []string{asTable, asJSON}
	for _, r := range renderings {
		names = append(names, r.name)
	}
	return names
}

// readOutput checks --output; --json is the same as --output json.
func (o *runOptions) readOutput(json, given bool) error {
	switch {
	case json && given && o.Output != asJSON:
		return fmt.Errorf("run: want --json or --output %s, not both", o.Output)
	case json:
		o.Output = asJSON
	case o.Output != asTable && o.Output != asJSON && renderingOf(o.Output) == nil:
		return fmt.Errorf("--output: want %s, got %q", strings.Join(outputs(), ", "), o.Output)
	}
	return nil
}

// document reports whether standard output is one document.
func (o *runOptions) document() bool { return o.Output != asTable }
