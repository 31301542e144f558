// Package layout arranges text: tables that fit a terminal, wrapped lines, headers, sections and colours.
package layout

import (
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/ll"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
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

// tab is a tab in a cell. That of the library depends on the variables, the folder and the files that the program is called in.
const tab = "    "

// Table writes rows under their headings: aligned columns with a line under the
// headings and no other, so that a row is also a line for grep and awk.
func Table(out io.Writer, columns []Column, rows [][]string) error {
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.Head
	}
	t := newTable(columns)
	above, below := t.lines(head), [][]string(nil)
	for _, row := range rows {
		lines := t.lines(row)
		below = append(append(below, lines[0]), slices.DeleteFunc(lines[1:], empty)...)
	}
	for line := range strings.Lines(t.text(above, below)) {
		if rule := strings.TrimRight(line, " \n"); strings.Trim(rule, "─") == "" {
			line = rule[:min(len(rule), ruleWidth*len("─"))]
		}
		if _, err := io.WriteString(out, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// table aligns columns. It draws with the renderer of tablewriter and not with its Table, which has a cache for 10,240 types, and six of
// these were a tenth of a run.
type table struct {
	columns []Column
	widths  tw.Mapper[int, int] // of each column, with a blank on either side
}

func newTable(columns []Column) *table {
	twwidth.SetEastAsian(false) // otherwise the layout depends on LANG and TERM
	return &table{columns, tw.NewMapper[int, int]()}
}

// lines are the lines of a row, more than one where a cell has more, and makes room for them.
func (t *table) lines(row []string) [][]string {
	lines := [][]string{make([]string, len(row))}
	for i, cell := range row {
		cell = strings.ReplaceAll(cell, "\t", tab)
		for n, part := range strings.Split(cell, "\n") {
			if n == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[n][i] = part
			t.widths.Set(i, max(t.widths.Get(i), twwidth.Width(part)+len("  ")))
		}
	}
	return lines
}

// empty reports whether a line has nothing in any cell.
func empty(line []string) bool { return strings.Join(line, "") == "" }

// text is the table: lines above the rule, and below it.
func (t *table) text(above, below [][]string) string {
	var text strings.Builder
	draw := renderer.NewBlueprint(tw.Rendition{
		Symbols:  tw.NewSymbols(tw.StyleLight),
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
	})
	draw.Logger(ll.New("").Suspend()) // one that is only disabled formats what it does not log
	if err := draw.Start(&text); err != nil {
		panic(err) // it keeps the writer, and writes nothing
	}
	for _, line := range above {
		draw.Header(nil, t.formatting(line))
	}
	if len(below) > 0 {
		draw.Line(t.formatting(nil))
	}
	for _, line := range below {
		draw.Row(nil, t.formatting(line))
	}
	return text.String()
}

// formatting says how a line is drawn.
func (t *table) formatting(line []string) tw.Formatting {
	cells := make(map[int]tw.CellContext, len(line))
	for i, text := range line {
		cells[i] = tw.CellContext{Data: text, Padding: tw.PaddingDefault, Align: tw.AlignLeft}
		if t.columns[i].Numeric {
			cells[i] = tw.CellContext{Data: text, Padding: tw.PaddingDefault, Align: tw.AlignRight}
		}
	}
	return tw.Formatting{Row: tw.RowContext{Widths: t.widths, Current: cells}}
}
