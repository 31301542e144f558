package execute

import (
	"fmt"
	"io"

	"fencepost/reports/page"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// The formats in which the events of a run are written for other programs.
const (
	ShiVizLog = "shiviz"   // a log with vector clocks
	Perfetto  = "perfetto" // a trace with flows
	Mermaid   = "mermaid"  // a sequence diagram of some events
	CSV       = "csv"      // a table
)

// ExportFormats are all of them.
var ExportFormats = []string{ShiVizLog, Perfetto, Mermaid, CSV}

// Export writes the first run of a scenario in a format. The scenario is [Exportable].
func Export(s *format.Scenario, format string, out io.Writer) error {
	if format == ShiVizLog {
		return ShiViz(s, out)
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	r := recordRun(s, w, &sim.Journal{}, 2*MaxExportSteps)
	switch format {
	case Perfetto:
		return page.WritePerfetto(out, r)
	case Mermaid:
		return page.WriteMermaid(out, r)
	case CSV:
		return page.WriteCSV(out, r)
	}
	return fmt.Errorf("no format %q", format)
}
