// Package layout arranges text: tables that fit a terminal, wrapped lines, headers, sections and colours.
package layout

import (
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
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
	text, err := aligner().table(head, align, rows)
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		if rule := strings.TrimRight(line, " \n"); strings.Trim(rule, "─") == "" {
			line = rule[:min(len(rule), ruleWidth*len("─"))]
		}
		if _, err := io.WriteString(out, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// columns aligns the columns of all tables, one table after another. Each new table of the library has a cache for
// 10,240 types, and six of these were a tenth of a run: it has one table, with a cache for one type.
type columns struct {
	sync.Mutex
	of   *tablewriter.Table
	text strings.Builder
}

var aligner = sync.OnceValue(func() *columns {
	a := new(columns)
	a.of = tablewriter.NewTable(&a.text,
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)),
		// Without this the layout depends on LANG and TERM.
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRendition(tw.Rendition{
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		}))
	return a
})

// table is a table with its columns aligned.
func (a *columns) table(head []string, align []tw.Align, rows [][]string) (string, error) {
	a.Lock()
	defer a.Unlock()
	a.text.Reset()
	a.of.Reset()
	a.of.Options(tablewriter.WithConfig(config(align)))
	a.of.Header(head)
	if err := a.of.Bulk(rows); err != nil {
		return "", err
	}
	err := a.of.Render()
	return a.text.String(), err
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
