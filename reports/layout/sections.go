package layout

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Sections writes the parts of a report that have something to say, with empty lines
// between them.
func Sections(out io.Writer, s Style, parts ...func(io.Writer, Style) error) error {
	first := true
	for _, write := range parts {
		var b bytes.Buffer
		if err := write(&b, s); err != nil {
			return err
		}
		if b.Len() == 0 {
			continue
		}
		if !first {
			if _, err := io.WriteString(out, "\n"); err != nil {
				return err
			}
		}
		first = false
		if _, err := b.WriteTo(out); err != nil {
			return err
		}
	}
	return nil
}

// Header is the lines at the top of a report.
type Header struct{ strings.Builder }

// NewHeader begins a header with what it says of every scenario.
func NewHeader(scenario, about, source, model string) *Header {
	h := &Header{}
	h.WriteString(scenario + "\n")
	h.Line("about", strings.Join(strings.Fields(about), " "))
	h.Line("source", strings.Join(strings.Fields(source), " "))
	h.Line("model", model)
	return h
}

// Line adds a named value, and nothing if that is empty.
func (h *Header) Line(name, value string) {
	if value != "" {
		fmt.Fprintf(h, "  %-9s %s\n", name, value)
	}
}

// To writes the header.
func (h *Header) To(out io.Writer, s Style) error {
	_, err := io.WriteString(out, s.Fit(h.String(), len("  about     ")))
	return err
}
