package layout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
)

// TestColumnsAreAligned: numbers end at the right, text begins at the left; a colour and a combining character
// take no room, a wide one takes two columns; a cell of two lines makes a row of two.
func TestColumnsAreAligned(t *testing.T) {
	painted := layout.Style{Color: true}.Paint(layout.Red, "bad")
	columns := []layout.Column{layout.TextColumn("node"), layout.NumberColumn("median\nms"), layout.TextColumn("")}
	for _, c := range []struct {
		rows [][]string
		want []string
	}{
		{[][]string{{"a", "1.5", painted}, {"日本", "-120.25", "ok"}, {"e\u0301tat", "±3", "x\ny"}}, []string{
			" node   median",
			"            ms",
			strings.Repeat("─", 20),
			" a         1.5  " + painted,
			" 日本  -120.25  ok",
			" e\u0301tat       ±3  x",
			"                y",
		}},
		{nil, []string{" node  median", "           ms"}}, // nothing below it: no rule
	} {
		var b strings.Builder
		require.NoError(t, layout.Table(&b, columns, c.rows))
		assert.Equal(t, strings.Join(c.want, "\n")+"\n", b.String())
	}
}
