package reports

import (
	"fmt"
	"io"
	"strings"
)

// cells is a column of a comparison: a cell for each contestant.
type cells struct {
	column
	rows []string
	with bool // it stays with the column before it
}

// writeColumns writes columns behind the first, in as many tables as it takes for them
// to fit. Without columns it writes nothing.
func writeColumns(out io.Writer, title string, first cells, columns []cells) error {
	if len(columns) > 0 {
		if _, err := fmt.Fprintln(out, title); err != nil {
			return err
		}
	}
	for i := 0; len(columns) > 0; i++ {
		if i > 0 {
			if _, err := fmt.Fprintln(out); err != nil {
				return err
			}
		}
		n := fitting(columns, compareWidth-first.width())
		head, rows := []column{first.column}, make([][]string, len(first.rows))
		for r := range rows {
			rows[r] = []string{first.rows[r]}
		}
		for _, c := range columns[:n] {
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

// wrap writes words after a text, over as many lines as it takes, each further one
// indented by as much as there is room for. Of no words it is nothing.
func wrap(before string, words []string, between string) string {
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
		if n := len([]rune(unpainted(line + strings.TrimRight(w, " ")))); n > compareWidth && !empty {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line, empty = line+w, false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
