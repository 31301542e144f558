// Package layout arranges text: tables that fit a terminal, wrapped lines, headers, sections and colours.
package layout

import (
	"io"
	"strings"
	"unicode"
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
// headings and no other, so that a row is also a line for grep and awk. A cell of
// several lines makes a row of as many.
func Table(out io.Writer, columns []Column, rows [][]string) error {
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.Head
	}
	widths := make([]int, len(columns))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			for line := range strings.SplitSeq(cell, "\n") {
				widths[i] = max(widths[i], width(line))
			}
		}
	}
	rule := 0
	for _, w := range widths {
		rule += w + 2
	}
	var b strings.Builder
	writeRow(&b, columns, widths, head)
	if len(rows) > 0 {
		b.WriteString(strings.Repeat("─", min(rule, ruleWidth)) + "\n")
	}
	for _, row := range rows {
		writeRow(&b, columns, widths, row)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeRow writes the lines of a row, each cell with a space on both sides.
func writeRow(b *strings.Builder, columns []Column, widths []int, row []string) {
	lines, height := make([][]string, len(row)), 1
	for i, cell := range row {
		lines[i] = strings.Split(cell, "\n")
		height = max(height, len(lines[i]))
	}
	for n := range height {
		var text strings.Builder
		for i, cell := range lines {
			line := ""
			if n < len(cell) {
				line = cell[n]
			}
			space := strings.Repeat(" ", widths[i]-width(line))
			if columns[i].Numeric {
				text.WriteString(" " + space + line + " ")
			} else {
				text.WriteString(" " + line + space + " ")
			}
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
}

// width is how many columns of a terminal a text takes, its colours left out.
func width(text string) (n int) {
	for _, r := range Unpainted(text) {
		switch {
		case r < 0x300:
			n++
		case unicode.Is(unicode.Mn, r): // on top of the letter before it
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			n += 2
		default:
			n++
		}
	}
	return n
}
