package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// cells is a column of a table, from its heading down.
type cells struct {
	column
	rows []string
	with bool // it stays with the column before it
}

// writeColumns writes columns behind the first ones, in as many tables as it takes for
// them to fit into a width. Without columns it writes nothing.
func writeColumns(out io.Writer, title string, width int, first, columns []cells) error {
	if len(columns) > 0 && title != "" {
		if _, err := fmt.Fprintln(out, title); err != nil {
			return err
		}
	}
	for i := range first {
		width -= first[i].width()
	}
	for i := 0; len(columns) > 0; i++ {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		n := fitting(columns, width)
		head, rows := []column(nil), make([][]string, len(columns[0].rows))
		for _, c := range slices.Concat(first, columns[:n]) {
			head = append(head, c.column)
			for r := range rows {
				rows[r] = append(rows[r], c.rows[r])
			}
		}
		if err := table(out, head, rows); err != nil {
			return err
		}
		columns = columns[n:]
	}
	return nil
}

// fitting is how many columns fit, at least one with those that stay with it.
func fitting(columns []cells, room int) int {
	fit, used := 0, 0
	for i := range columns {
		if used += columns[i].width(); used > room && fit > 0 {
			break
		}
		if i+1 == len(columns) || !columns[i+1].with {
			fit = i + 1
		}
	}
	return fit
}

// width is how wide a column is with the space around it.
func (c *cells) width() int {
	widest := 0
	for _, t := range append(strings.Split(c.head, "\n"), c.rows...) {
		widest = max(widest, len([]rune(unpainted(t))))
	}
	return widest + 2
}

// unpainted is a text without the colour of [Style.paint].
func unpainted(t string) string {
	t = strings.ReplaceAll(t, "\x1b[0m", "")
	for _, color := range []string{red, green, yellow} {
		t = strings.ReplaceAll(t, "\x1b[1;"+color+"m", "")
	}
	return t
}

// interval95 is the heading of the interval of the column before it.
const interval95 = "95% interval"

// table writes a table, or several with the same first columns where it is wider than the
// terminal.
func (s Style) table(out io.Writer, first int, columns []column, rows [][]string) error {
	if s.Width == 0 || first == len(columns) {
		return table(out, columns, rows)
	}
	all := transposed(columns, rows)
	return writeColumns(out, "", s.widest(math.MaxInt), all[:first], all[first:])
}

// transposed is a table by its columns, of which an interval, and what has no heading,
// stays with the one before it.
func transposed(columns []column, rows [][]string) []cells {
	list := make([]cells, len(columns))
	for i := range list {
		list[i] = cells{column: columns[i], with: columns[i].head == interval95 || columns[i].head == ""}
		for _, row := range rows {
			list[i].rows = append(list[i].rows, row[i])
		}
	}
	return list
}

// names writes names after a text, on one line without a terminal. Of none it is nothing.
func (s Style) names(out io.Writer, before string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	text := before + strings.Join(names, ", ") + "\n"
	if s.Width > 0 {
		text = s.wrap(before, names, ", ")
	}
	_, err := io.WriteString(out, text)
	return err
}

// wrap writes words after a text, over as many lines as it takes, each further one
// indented by as much as there is room for. Of no words it is nothing.
func (s Style) wrap(before string, words []string, between string) string {
	if len(words) == 0 {
		return ""
	}
	b, line := &strings.Builder{}, before
	indent := strings.Repeat(" ", min(len([]rune(before)), 12))
	empty := true
	for i, w := range words {
		if i < len(words)-1 {
			w += between
		}
		if n := len([]rune(unpainted(line + strings.TrimRight(w, " ")))); n > s.widest(compareWidth) && !empty {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line, empty = line+w, false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
