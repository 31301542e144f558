package searches

import (
	"fmt"
	"io"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports/layout"
	"fencepost/result"
)

// LawAdviceSchema names the form of the document that [LawAdvice] is.
const LawAdviceSchema = "fencepost/law/v1"

// LawAdvice is up to which pause a property of a scenario holds, and how that depends on its durations.
type LawAdvice struct {
	Schema   string           `json:"schema"`
	Scenario string           `json:"scenario"`
	About    string           `json:"about,omitempty"`
	Source   string           `json:"source,omitempty"`
	Model    string           `json:"model"`
	Mode     string           `json:"mode,omitempty"`
	Settings []result.Setting `json:"settings,omitempty"`
	Over     []Ranged         `json:"over"`
	Property string           `json:"property"`
	Edges    []Edge           `json:"edges"` // one, or none where there is no law
	Law      *Laws            `json:"law"`
}

// WriteText writes the advice for a person.
func (a *LawAdvice) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, a.writeHeader, a.WriteVerdict)
}

func (a *LawAdvice) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(a.Scenario, a.About, a.Source, a.Model)
	writeSettings(h, a.Settings, a.Mode)
	for _, r := range a.Over {
		h.Line("over", r.Path+" = "+r.text())
	}
	h.Line("property", a.Property)
	return h.To(out, s)
}

// WriteVerdict writes the edge and the law.
func (a *LawAdvice) WriteVerdict(out io.Writer, s layout.Style) error {
	b := &strings.Builder{}
	for i := range a.Edges {
		fmt.Fprintf(b, "edge: %s\n", a.Edges[i].text())
	}
	for _, line := range a.Law.text() {
		fmt.Fprintln(b, line)
	}
	if len(a.Law.Laws) > 0 {
		b.WriteString("  over each delay that the file draws and pauses from none on; " + program.Name() + " certify --law has the ends of --over alone\n")
	}
	_, err := io.WriteString(out, s.Fit(b.String(), len("  ")))
	return err
}
