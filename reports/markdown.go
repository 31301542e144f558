package reports

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"fencepost/reports/layout"
)

// WriteMarkdown writes for each scenario a heading, its verdict and a table with a row
// for each point of its grid, or else for each property and metric.
func WriteMarkdown(out io.Writer, list []*Run) error {
	b := &strings.Builder{}
	for i, r := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		r.markdown(b)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *Run) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "## %s\n\n", markdown(r.Scenario))
	for _, line := range []string{strings.TrimSpace(r.About), r.Source} {
		if line != "" {
			fmt.Fprintf(b, "%s\n\n", markdown(line))
		}
	}
	fmt.Fprintf(b, "%s\n", markdown(r.what()))
	for _, s := range r.Settings {
		fmt.Fprintf(b, "\n- %s\n", markdown(s.Path+" = "+s.Value))
	}
	fmt.Fprintf(b, "\n%s\n", markdown(r.Line(layout.Style{})))
	if r.Reproduce != "" {
		b.WriteString("\n")
		for line := range strings.SplitSeq(r.Reproduce, "\n") {
			fmt.Fprintf(b, "    %s\n", strings.Map(visible, line))
		}
	}
	if len(r.Variants) > 0 {
		columns, rows, good := r.gridTable(layout.Style{})
		markdownTable(b, columns, rows)
		if len(good) > 0 {
			fmt.Fprintf(b, "\nViolated at no point: %s\n", markdown(strings.Join(good, ", ")))
		}
		return
	}
	if rows := r.propertyCells(); len(rows) > 0 {
		markdownTable(b, []layout.Column{layout.TextColumn("property"), layout.TextColumn("verdict"), layout.TextColumn("bound"), layout.TextColumn("why")}, rows)
	}
	if rows := r.metricCells(); len(rows) > 0 {
		markdownTable(b, []layout.Column{layout.TextColumn("metric"), layout.NumberColumn("value")}, rows)
	}
}

// propertyCells are the properties that were checked.
func (r *Run) propertyCells() (rows [][]string) {
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.Verdict == NotExercised && !r.expects(p.Name) {
			continue
		}
		why := ""
		if p.First != nil {
			why = p.First.Why
		}
		rows = append(rows, []string{p.Name, p.cell(layout.Style{}), p.allowed(), why})
	}
	return rows
}

// metricCells are the metrics of which there is something.
func (r *Run) metricCells() (rows [][]string) {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.cell(r.Runs) != "" {
			rows = append(rows, []string{m.Name, m.cell(r.Runs)})
		}
	}
	return rows
}

// visible is a character, or a ? for what a terminal might obey.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return '?'
	}
	return r
}

func markdownTable(b *strings.Builder, columns []layout.Column, rows [][]string) {
	var head, line []string
	for _, c := range columns {
		head = append(head, c.Head)
		if c.Numeric {
			line = append(line, "--:")
		} else {
			line = append(line, "---")
		}
	}
	b.WriteString("\n")
	markdownRow(b, head)
	fmt.Fprintf(b, "|%s|\n", strings.Join(line, "|"))
	for _, row := range rows {
		markdownRow(b, row)
	}
}

func markdownRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", markdown(c))
	}
	b.WriteString("|\n")
}

// markdown is a text such that it shows as it is: nothing in it is markup, and it is on
// one line.
func markdown(s string) string {
	var b strings.Builder
	for _, word := range strings.Fields(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, r := range word {
			switch {
			case r == '<':
				b.WriteString("&lt;")
				continue
			case r == '>':
				b.WriteString("&gt;")
				continue
			case r == '&':
				b.WriteString("&amp;")
				continue
			case strings.ContainsRune("\\`*_[]|#~$", r), b.Len() == 0 && strings.ContainsRune("-+=", r):
				b.WriteByte('\\')
			}
			b.WriteRune(visible(r))
		}
	}
	return b.String()
}
