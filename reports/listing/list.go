// Package listing writes what `simctl list` and `simctl show` say of scenarios without running them.
package listing

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fencepost/reports/layout"
)

// ListSchema names the form of the document that [List] is.
const ListSchema = "fencepost/list/v1"

// List names the scenarios that there are.
type List struct {
	Schema    string         `json:"schema"`
	Scenarios []Listed       `json:"scenarios"`
	Folders   []ListedFolder `json:"-"` // in the order in which they are shown
}

// Listed is one of them.
type Listed struct {
	Name   string `json:"name"`
	Model  string `json:"model"`
	About  string `json:"about"`
	Source string `json:"source"`
}

// ListedFolder is what some scenarios are about: those whose names begin with it, or some by their names.
type ListedFolder struct {
	Name, About string
	Only        []string
}

// has reports whether a scenario is shown below the folder.
func (f *ListedFolder) has(name string) bool {
	return slices.Contains(f.Only, name) || len(f.Only) == 0 && path.Dir(name) == f.Name
}

// WriteText writes a table of the scenarios, whose lines end at a width, 0 for none.
func (l *List) WriteText(out io.Writer, width int) error {
	var rows [][]string
	room := width - len("  scenario    model  ")
	for _, s := range l.Scenarios {
		room = min(room, width-len("         ")-len(s.Name)-len(s.Model))
	}
	for _, s := range l.Scenarios {
		most := len(s.About)
		if width > 0 {
			most = max(room, 10)
		}
		rows = append(rows, []string{s.Name, s.Model, clip(s.About, most)})
	}
	return layout.Table(out, []layout.Column{layout.TextColumn("scenario"), layout.TextColumn("model"), layout.TextColumn("about")}, rows)
}

// WriteFolders writes the scenarios of each folder below it: what each is about and where
// that is told, cut so that lines end at a width. Without a width, 0, nothing is cut.
func (l *List) WriteFolders(out io.Writer, width int) error {
	var b bytes.Buffer
	var mine []Listed
	for _, f := range l.Folders {
		mine = mine[:0]
		for _, s := range l.Scenarios {
			if f.has(s.Name) {
				mine = append(mine, s)
			}
		}
		if len(mine) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.Reset()
			b.WriteByte('\n')
		}
		title := strings.TrimSuffix(f.Name+": "+f.About, ": ")
		if width > 0 {
			fmt.Fprintf(&b, "%s\n", clip(title, width))
			writeCut(&b, mine, width)
		} else {
			fmt.Fprintf(&b, "%s\n", title)
			writeWhole(&b, mine)
		}
		if _, err := out.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeWhole writes a line for each scenario.
func writeWhole(b *bytes.Buffer, list []Listed) {
	names := 0
	for _, s := range list {
		names = max(names, len(s.Name))
	}
	for _, s := range list {
		fmt.Fprintf(b, "  %-*s  %s", names, s.Name, oneLine(s.About))
		if s.Source != "" {
			fmt.Fprintf(b, " [%s]", oneLine(s.Source))
		}
		endLine(b)
	}
}

// endLine ends a line, without the blanks at its end.
func endLine(b *bytes.Buffer) {
	b.Truncate(len(bytes.TrimRight(b.Bytes(), " ")))
	b.WriteByte('\n')
}

// writeCut writes a line for each scenario that ends at a width, with the first of its
// sources.
func writeCut(b *bytes.Buffer, list []Listed, width int) {
	names, sources := 0, 0
	for i := range list {
		s := &list[i]
		s.Source, _, _ = strings.Cut(s.Source, "; ")
		names, sources = max(names, len(s.Name)), max(sources, len([]rune(s.Source)))
	}
	// A long name takes from what stands behind it, and not from all.
	names, sources = min(names, width/3+1), min(sources, width/6)
	for _, s := range list {
		about := width - max(names, len(s.Name)) - sources - len("      ")
		fmt.Fprintf(b, "  %-*s  %-*s  %s", names, s.Name, max(about, 0), clip(s.About, max(about, 10)), clip(s.Source, sources))
		endLine(b)
	}
}

// clip is a text on one line of at most this many characters.
func clip(s string, most int) string {
	s = oneLine(s)
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:max(most-1, 0)]), " ,;:.") + "…"
}

// oneLine is a text with one blank between its words.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if strings.Contains(s, "  ") || strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}
