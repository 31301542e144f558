package reports

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadRun: what was written is read again, and written again as it was.
func TestReadRun(t *testing.T) {
	files, err := filepath.Glob("testdata/TestJSON-*.json")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 4)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		r, err := ReadRun(bytes.NewReader(text))
		require.NoError(t, err, file)
		var again bytes.Buffer
		require.NoError(t, WriteJSON(&again, r))
		assert.JSONEq(t, string(text), again.String(), file)
		assert.Equal(t, string(text), again.String(), file)
	}
}

// TestReadBadRun: what is cut off, of another version or something else is refused.
func TestReadBadRun(t *testing.T) {
	text, err := os.ReadFile("testdata/TestJSON-grid.json")
	require.NoError(t, err)
	whole := string(text)
	for _, n := range []int{len(whole) / 4, len(whole) / 2, len(whole) - 3} {
		_, err := ReadRun(strings.NewReader(whole[:n]))
		require.ErrorContains(t, err, "the document is cut off at its end", n)
	}
	for text, want := range map[string]string{
		"":                         "the document is empty",
		"   \n":                    "the document is empty",
		"model: lock\nuntil: 5s\n": "line 1 is not JSON",
		"{\"schema\":\n\"fencepost/run/v1\",\n\nseed}": "line 4 is not JSON",
		"[]":                               `is array`,
		"{}":                               `the document names no schema: want "fencepost/run/v1"`,
		`{"schema": 3}`:                    `"schema" is number`,
		`{"schema": "` + RunSchema + `0"}`: `another version, "v10"`,
		`{"schema": "fencepost/run/v2", "seed": "x"}`:                                              `another version, "v2"`,
		`{"schema": "fencepost/suite/v1"}`:                                                         `is a "fencepost/suite/v1"`,
		`{"schema": "` + strings.Repeat("<", 9999) + `"}`:                                          "…",
		`{"schema": "` + RunSchema + `", "seed": -1}`:                                              `"seed" is number -1`,
		`{"schema": "` + RunSchema + `", "metrics": 5}`:                                            "metrics are no object",
		`{"schema": "` + RunSchema + `", "variants": [{}]}`:                                        "a point of the grid has no settings",
		`{"schema": "` + RunSchema + `", "series": [{"metric": "a", "at_ns": [1], "values": []}]}`: `series "a" has 1 instants and 0 values`,
	} {
		_, err := ReadRun(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
		require.Less(t, len(err.Error()), 300)
	}
}

// FuzzReadRun: no text makes it panic, and what is read can be written.
func FuzzReadRun(f *testing.F) {
	text, err := os.ReadFile("testdata/TestJSON-grid.json")
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"schema":"fencepost/run/v1","metrics":{"a":{"unit":"ns","value":1.5}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadRun(bytes.NewReader(text))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		_, err = json.Marshal(r)
		require.NoError(t, err)
	})
}
