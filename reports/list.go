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

// WriteText writes a table of the scenarios.
func (l *List) WriteText(out io.Writer) error {
	var rows [][]string
	for _, s := range l.Scenarios {
		rows = append(rows, []string{s.Name, s.Model, strings.Join(strings.Fields(s.About), " ")})
	}
	return table(out, []column{text("scenario"), text("model"), text("about")}, rows)
}
