package reports

import (
	"bytes"
	"encoding/csv"
	"testing"

	"fencepost/result"

	"github.com/stretchr/testify/require"
)

// Reliability F11: a case called =HYPERLINK(...) was a formula for the spreadsheet that
// opened the table.
func TestNoCellOfATableIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		`=HYPERLINK("http://x","y")`: `'=HYPERLINK("http://x","y")`,
		"@SUM(A1)":                   "'@SUM(A1)",
		"-1+cmd|' /C calc'!A0":       "'-1+cmd|' /C calc'!A0",
		"+A1":                        "'+A1",
		"-":                          "'-",
		"\t=1":                       "'\t=1",
		"-5ms":                       "-5ms",
		"-200ppm":                    "-200ppm",
		"+1.5e3":                     "+1.5e3",
		"-.5":                        "-.5",
		"10s":                        "10s",
		"a=b":                        "a=b",
		"":                           "",
	} {
		var b bytes.Buffer
		r := &Run{Scenario: "s", Settings: []result.Setting{{Path: "params.case", Value: cell}}, Seed: 1, Runs: 1}
		require.NoError(t, WriteCSV(&b, []*Run{r}))
		rows, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		require.Contains(t, rows[1], want, "%q", cell)
	}
}
