package reports

import (
	"io"
	"strings"
)

// ListSchema names the form of the document that [List] is.
const ListSchema = "fencepost/list/v1"

// List names the scenarios that there are.
type List struct {
	Schema    string   `json:"schema"`
	Scenarios []Listed `json:"scenarios"`
}

// Listed is one of them.
type Listed struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	About string `json:"about"`
}

// WriteText writes a table of the scenarios, whose lines end at a width, 0 for none.
func (l *List) WriteText(out io.Writer, width int) error {
	var rows [][]string
	room := width - len("  scenario    model  ")
	for _, s := range l.Scenarios {
		room = min(room, width-len("         ")-len(s.Name)-len(s.Model))
	}
	for _, s := range l.Scenarios {
		about := []rune(strings.Join(strings.Fields(s.About), " "))
		if width > 0 && len(about) > max(room, 10) {
			about = append(about[:max(room, 10)-3], '.', '.', '.')
		}
		rows = append(rows, []string{s.Name, s.Model, string(about)})
	}
	return table(out, []column{text("scenario"), text("model"), text("about")}, rows)
}
