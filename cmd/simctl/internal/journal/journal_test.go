package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/result"
)

func aHeader() *Header {
	return &Header{Schema: Schema, Version: "1.0", Digests: 1, Scenario: "x", Seed: 1, Runs: 10, Points: 3, Checksum: "sha256:00",
		Settings: []result.Setting{{Path: "params.x", Value: "<&>"}}}
}

func aPoint(n uint64) *execute.Point {
	at := int64(n)
	return &execute.Point{
		Variant: reports.Variant{Settings: []result.Setting{{Path: "a", Value: "<b>\n\u2028"}}, Seed: n, Runs: 10, Outcome: reports.Outcome{
			Digest: "00", OK: true,
			Faults:     []reports.Fault{{Fault: "f", FirstAtNS: &at}},
			Properties: []reports.Property{{Name: "p", Share: &reports.Share{Value: 1.0 / 3, Low: 0.1, High: 0.7}, First: &reports.First{Nodes: []string{}, Why: "w"}}},
			Metrics:    reports.Metrics{{Name: "z", Unit: "count", Value: result.Float(0.1)}, {Name: "a", Unit: "ns", Count: 1, P50: result.Int(7)}},
		}},
		Inputs: []result.Input{{Path: "log", Summary: "s"}}, SpanNS: 5,
	}
}

// begun is a file with two points.
func begun(t *testing.T) (path string, want []execute.Point) {
	path = filepath.Join(t.TempDir(), Name)
	j, err := New(path, aHeader())
	require.NoError(t, err)
	for n := range uint64(2) {
		require.NoError(t, j.Add(aPoint(n)))
		want = append(want, *aPoint(n))
	}
	require.Equal(t, 2, j.Count)
	require.NoError(t, j.Close())
	return path, want
}

// TestJournal: what is read is what was written, to the last digit, and goes on.
func TestJournal(t *testing.T) {
	path, want := begun(t)
	j, points, err := Open(path, aHeader())
	require.NoError(t, err)
	require.Equal(t, want, points)
	require.NoError(t, j.Add(aPoint(2)))
	require.Equal(t, 3, j.Count)
	require.NoError(t, j.Close())
	j, points, err = Open(path, aHeader())
	require.NoError(t, err)
	require.Equal(t, append(want, *aPoint(2)), points)
	require.NoError(t, j.Close())
	_, err = New(path, aHeader())
	require.ErrorIs(t, err, os.ErrExist)
}

// TestMismatch: each field of the header tells another run from this one.
func TestMismatch(t *testing.T) {
	path, _ := begun(t)
	for want, change := range map[string]func(*Header){
		`the format was "fencepost/points/v1" and is "v2"`:              func(h *Header) { h.Schema = "v2" },
		`simctl was "1.0" and is "1.1"`:                                 func(h *Header) { h.Version = "1.1" },
		`the encoding of digests was "1" and is "2"`:                    func(h *Header) { h.Digests = 2 },
		`the scenario was "x" and is "y"`:                               func(h *Header) { h.Scenario = "y" },
		`--control or --no-faults was "" and is "control"`:              func(h *Header) { h.Mode = "control" },
		`the settings was "params.x=<&>" and is ""`:                     func(h *Header) { h.Settings = nil },
		`the seed was "1" and is "2"`:                                   func(h *Header) { h.Seed = 2 },
		`the number of runs was "10" and is "11"`:                       func(h *Header) { h.Runs = 11 },
		`the number of points was "3" and is "4"`:                       func(h *Header) { h.Points = 4 },
		`of the files that it reads was "sha256:00" and is "sha256:01"`: func(h *Header) { h.Checksum = "sha256:01" },
	} {
		h := aHeader()
		change(h)
		_, _, err := Open(path, h)
		require.ErrorContains(t, err, path+": its points are of another run: ")
		require.ErrorContains(t, err, want)
	}
	var fields map[string]any
	text, err := json.Marshal(&Header{Mode: "m", Settings: []result.Setting{{}}})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &fields))
	require.Len(t, fields, 10, "a new field needs a line above")
}

// FuzzRead: nothing in a file panics, and what is read of one that was changed is what
// was written or nothing.
func FuzzRead(f *testing.F) {
	path := filepath.Join(f.TempDir(), Name)
	j, err := New(path, aHeader())
	require.NoError(f, err)
	require.NoError(f, j.Add(aPoint(0)))
	require.NoError(f, j.Add(aPoint(1)))
	require.NoError(f, j.Close())
	text, err := os.ReadFile(path)
	require.NoError(f, err)
	for cut := 0; cut < len(text); cut += 200 {
		f.Add(text[:cut])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		points, good, err := read(text, aHeader())
		require.LessOrEqual(t, good, len(text))
		if err != nil {
			require.Empty(t, points)
			return
		}
		again, length, err := read(text[:good], aHeader())
		require.NoError(t, err)
		require.Equal(t, good, length)
		require.Equal(t, points, again)
	})
}
