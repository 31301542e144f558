package layout

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// TextWidth is how wide a table, or a text that is wrapped, is at most.
const TextWidth = 100

// Cells is a column of a table, from its heading down.
type Cells struct {
	Column
	Rows []string
	With bool // it stays with the column before it
}

// WriteColumns writes columns behind the first ones, in as many tables as it takes for
// them to fit into a width. Without columns it writes nothing.
func WriteColumns(out io.Writer, title string, width int, first, columns []Cells) error {
	if len(columns) > 0 && title != "" {
		if _, err := fmt.Fprintln(out, title); err != nil {
			return err
		}
	}
	for i := range first {
		width -= first[i].Width()
	}
	for i := 0; len(columns) > 0; i++ {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		n := Fitting(columns, width)
		head, rows := []Column(nil), make([][]string, len(columns[0].Rows))
		for _, c := range slices.Concat(first, columns[:n]) {
			head = append(head, c.Column)
			for r := range rows {
				rows[r] = append(rows[r], c.Rows[r])
			}
		}
		if err := Table(out, head, rows); err != nil {
			return err
		}
		columns = columns[n:]
	}
	return nil
}

// Fitting is how many columns fit, at least one with those that stay with it.
func Fitting(columns []Cells, room int) int {
	fit, used := 0, 0
	for i := range columns {
		if used += columns[i].Width(); used > room && fit > 0 {
			break
		}
		if i+1 == len(columns) || !columns[i+1].With {
			fit = i + 1
		}
	}
	return fit
}

// Width is how wide a column is with the space around it.
func (c *Cells) Width() int {
	widest := 0
	for _, t := range append(strings.Split(c.Head, "\n"), c.Rows...) {
		widest = max(widest, len([]rune(Unpainted(t))))
	}
	return widest + 2
}

// Unpainted is a text without the colour of [Style.paint].
func Unpainted(t string) string {
	t = strings.ReplaceAll(t, "\x1b[0m", "")
	for _, color := range []string{Red, Green, Yellow} {
		t = strings.ReplaceAll(t, "\x1b[1;"+color+"m", "")
	}
	return t
}

// Interval95 is the heading of the interval of the column before it.
const Interval95 = "95% interval"

// Table writes a table, or several with the same first columns where it is wider than the
// terminal.
func (s Style) Table(out io.Writer, first int, columns []Column, rows [][]string) error {
	if s.Width == 0 || first == len(columns) {
		return Table(out, columns, rows)
	}
	all := transposed(columns, rows)
	return WriteColumns(out, "", s.Widest(math.MaxInt), all[:first], all[first:])
}

// transposed is a table by its columns, of which an interval, and what has no heading,
// stays with the one before it.
func transposed(columns []Column, rows [][]string) []Cells {
	list := make([]Cells, len(columns))
	for i := range list {
		list[i] = Cells{Column: columns[i], With: columns[i].Head == Interval95 || columns[i].Head == ""}
		for _, row := range rows {
			list[i].Rows = append(list[i].Rows, row[i])
		}
	}
	return list
}

// Names writes names after a text, on one line without a terminal. Of none it is nothing.
func (s Style) Names(out io.Writer, before string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	text := before + strings.Join(names, ", ") + "\n"
	if s.Width > 0 {
		text = s.Wrap(before, names, ", ")
	}
	_, err := io.WriteString(out, text)
	return err
}

// Wrap writes words after a text, over as many lines as it takes, each further one
// indented by as much as there is room for. Of no words it is nothing.
func (s Style) Wrap(before string, words []string, between string) string {
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
		if n := len([]rune(Unpainted(line + strings.TrimRight(w, " ")))); n > s.Widest(TextWidth) && !empty {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line, empty = line+w, false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// Fit wraps the lines of a text of prose, further ones indented by as much as hang. Without a terminal the text is as it is.
func (s Style) Fit(text string, hang int) string {
	if s.Width == 0 {
		return text
	}
	b := &strings.Builder{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		n := min(hang, len(line))
		b.WriteString(s.Wrap(line[:n], strings.Split(line[n:], " "), " "))
	}
	return b.String()
}
