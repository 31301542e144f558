// Package output takes the results of simctl run to where they are wanted: a terminal, a document, a folder whose
// points of a grid are kept as they are finished.
package output

import (
	"fmt"
	"io"
	"strings"

	"fencepost/cmd/simctl/internal/export"
	"fencepost/reports"
)

// The outputs of run that are not one of renderings.
const (
	Table = "table" // a report for a person
	JSON  = "json"  // one document
)

// Options say where the results of a run go, and how they look.
type Options struct {
	Output string // one of outputs
	Quiet  bool
	Trace  string // a file, "-" for standard output, "" for none
	Export export.Request
	Out    string // a folder, "" for none
	Resume bool
	Color  bool

	short bool // --json asks for the output
}

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

// Forms lists the values of --output.
func Forms() []string {
	names := []string{Table, JSON}
	for _, r := range renderings {
		names = append(names, r.name)
	}
	return names
}

// ReadOutput checks --output; --json is the same as --output json.
func (o *Options) ReadOutput(json, given bool) error {
	switch {
	case json && given && o.Output != JSON:
		return fmt.Errorf("run: want --json or --output %s, not both", o.Output)
	case json:
		o.Output, o.short = JSON, true
	case o.Output != Table && o.Output != JSON && renderingOf(o.Output) == nil:
		return fmt.Errorf("--output: want %s, got %q", strings.Join(Forms(), ", "), o.Output)
	}
	return nil
}

// Plain reports whether nothing is written that has what only documents and figures have: see [execute.Plan].
func (o *Options) Plain() bool { return o.Output != JSON && o.Out == "" }

// Flag is the flag that asks for the output.
func (o *Options) Flag() string {
	if o.short {
		return "--json"
	}
	return "--output " + o.Output
}

// Document reports whether standard output is one document.
func (o *Options) Document() bool { return o.Output != Table }
