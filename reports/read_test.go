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
		marked, err := ReadRun(strings.NewReader("\ufeff" + string(text)))
		require.NoError(t, err, "with a byte order mark")
		require.Equal(t, r, marked)
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
		`{"schema": "` + RunSchema + `", "variants": [{}]}`:                                        "the document has been changed: point 1 has no settings",
		`{"schema": "` + RunSchema + `", "series": [{"metric": "a", "at_ns": [1], "values": []}]}`: `series "a": it has 1 instants and 0 values`,
	} {
		_, err := ReadRun(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
		require.Less(t, len(err.Error()), 300)
	}
}

// TestReadChangedRun: what no run can have brought about is refused, with what and where.
func TestReadChangedRun(t *testing.T) {
	document := func(outcome string) string {
		return `{"schema": "` + RunSchema + `", "runs": 10, "variants": [{"settings": [{"path": "params.ttl", "value": "5s"}], "runs": 10, ` + outcome + `}]}`
	}
	property := func(rest string) string { return document(`"properties": [{"name": "p", ` + rest + `}]`) }
	metric := func(rest string) string { return document(`"metrics": {"m": {` + rest + `}}`) }
	timeline := func(rest string) string {
		return document(`"timeline": {"nodes": ["a"], "states": ["in"], "end_ns": 9, ` + rest + `}`)
	}
	fine := []string{
		property(`"runs": 10, "violated": 3, "share": {"value": 0.3, "low": 0.1, "high": 0.6}`),
		metric(`"unit": "ns", "value": 5, "low": 5, "high": 5`), metric(`"unit": "count"`), metric(`"unit": "ns", "p50": 5, "p50_low": 5`),
		document(`"series": [{"metric": "a", "at_ns": [2, 2], "values": [1, 1]}]`),
		timeline(`"spans": [{"node": "a", "state": "in", "from_ns": 1, "to_ns": 9}], "instants": [{"node": "a", "what": "w", "at_ns": 0}]`),
	}
	for _, text := range fine {
		_, err := ReadRun(strings.NewReader(text))
		require.NoError(t, err, text)
	}
	for text, want := range map[string]string{
		property(`"runs": 11`):                     `property "p": runs is 11: want 0 to the 10 runs that were done`,
		property(`"runs": -1`):                     `property "p": runs is -1`,
		property(`"runs": 5, "violated": 6`):       `property "p": violated is 6: want 0 to 5, the runs that were checked`,
		property(`"runs": 5, "violated": -1`):      `property "p": violated is -1`,
		property(`"runs": 5, "not_exercised": -1`): `property "p": not_exercised is -1: want at least 0`,
		property(`"runs": 5, "violations": -2`):    `property "p": violations is -2: want at least 0`,
		property(`"runs": 10, "violated": 3, "share": {"value": 3, "low": 2, "high": 4}`):       "share.value is 3: want violated / runs, 3 / 10\npoint 1 (params.ttl 5s): property \"p\": share.low, value and high are 2, 3 and 4: want them in order, from 0 to 1",
		property(`"runs": 10, "violated": 3, "share": {"value": 0.3, "low": 0.4, "high": 0.6}`): "share.low, value and high are 0.4, 0.3 and 0.6: want them in order",
		property(`"runs": 10, "violated": 3, "share": {"value": 0.3, "low": 0.1, "high": 0.2}`): "share.low, value and high are 0.1, 0.3 and 0.2",
		property(`"runs": 10, "violated": 3, "share": {"value": 0.3, "low": 0.1, "high": 1.1}`): "share.low, value and high are 0.1, 0.3 and 1.1: want them in order, from 0 to 1",
		property(`"runs": 0, "violated": 0, "share": {"value": 0, "low": 0, "high": 0.6}`):      "share.value is 0: want violated / runs, 0 / 0",
		metric(`"unit": "m"`):                                                          `measure "m": unit is "m": want "ns", "count" or "code"`,
		metric(`"unit": "ns", "value": "NaN"`):                                         `measure "m": "NaN": want a number`,
		metric(`"unit": "ns", "mean": 1e999`):                                          `measure "m": 1e999: want a number`,
		metric(`"unit": "ns", "value": 5, "low": 6, "high": 7`):                        `measure "m": value is 5: want at least low, which is 6`,
		metric(`"unit": "ns", "p99_low": 6`):                                           `measure "m": there is p99_low without p99`,
		metric(`"unit": "ns", "p99": 5, "p99_high": 4`):                                `measure "m": p99 is 5: want at most p99_high, which is 4`,
		document(`"series": [{"metric": "a", "at_ns": [2, 1], "values": [1, 1]}]`):     `series "a": at_ns[1] is 1: want the instants in order, from 0`,
		document(`"series": [{"metric": "a", "at_ns": [-2], "values": [1]}]`):          `series "a": at_ns[0] is -2`,
		timeline(`"spans": [{"node": "a", "state": "in", "from_ns": 3, "to_ns": 2}]`):  `timeline: spans[0] is from 3 to 2`,
		timeline(`"spans": [{"node": "a", "state": "in", "from_ns": 3, "to_ns": 10}]`): `timeline: spans[0] is from 3 to 10: want it from 0 on, up to 9`,
		timeline(`"spans": [{"node": "b", "state": "out", "from_ns": 3, "to_ns": 9}]`): `timeline: spans[0] is of the state "out": want one of in`,
		timeline(`"instants": [{"node": "b", "what": "x", "at_ns": 3}]`):               `timeline: instants[0] is of the node "b", which is not among nodes`,
		timeline(`"violations": [{"property": "p", "at_ns": -3}]`):                     `timeline: violations[0] is at -3`,
		`{"schema": "` + RunSchema + `", "runs": -5}`:                                  "runs is -5: want at least 0",
	} {
		_, err := ReadRun(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	many := strings.Repeat(`{"metric": "a", "at_ns": [-2], "values": [1]},`, 50)
	_, err := ReadRun(strings.NewReader(document(`"series": [` + strings.TrimSuffix(many, ",") + `]`)))
	require.ErrorContains(t, err, "\nand 40 more")
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
