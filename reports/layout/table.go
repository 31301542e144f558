// Package layout arranges text: tables that fit a terminal, wrapped lines, headers, sections and colours.
package layout

import (
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
)

// Column is one column of a table: its heading, and whether it holds numbers.
type Column struct {
	Head    string
	Numeric bool
}

// TextColumn is a column of text, which begins at the left.
func TextColumn(head string) Column { return Column{head, false} }

// NumberColumn is a column of numbers, which end at the right.
func NumberColumn(head string) Column { return Column{head, true} }

// ruleWidth is how long the line under the headings is at most: a last column of prose is
// not underlined to its end.
const ruleWidth = 120

// Table writes rows under their headings: aligned columns with a line under the
// headings and no other, so that a row is also a line for grep and awk.
func Table(out io.Writer, columns []Column, rows [][]string) error {
	var head []string
	var align []tw.Align
	for _, c := range columns {
		head = append(head, c.Head)
		if c.Numeric {
			align = append(align, tw.AlignRight)
		} else {
			align = append(align, tw.AlignLeft)
		}
	}
	var b strings.Builder
	t := tablewriter.NewTable(&b,
		tablewriter.WithConfig(config(align)),
		// Without this the layout depends on LANG and TERM.
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRendition(tw.Rendition{
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		}))
	t.Header(head)
	if err := t.Bulk(rows); err != nil {
		return err
	}
	if err := t.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if rule := strings.TrimRight(line, " \n"); strings.Trim(rule, "─") == "" {
			line = rule[:min(len(rule), ruleWidth*len("─"))]
		}
		if _, err := io.WriteString(out, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// config turns off what tablewriter does to headings and numbers by itself.
func config(align []tw.Align) tablewriter.Config {
	c := tablewriter.Config{}
	for _, s := range []*tw.CellConfig{&c.Header, &c.Row, &c.Footer} {
		s.Alignment = tw.CellAlignment{Global: tw.AlignLeft, PerColumn: align}
		s.Formatting = tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}
	}
	return c
}
