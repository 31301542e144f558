package page

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// exported is a run with a message that is lost, a copy, and a state.
func exported(asked int) *Run {
	in := recorded(plain, asked)
	j := in.Journal
	j.Entries = append(j.Entries, j.Entries[1], sim.Entry{Cause: 0, At: in.Result.End, Node: 1, To: 2, Kind: 2, Text: "sends server request 0, which is lost"})
	in.Timeline.Spans = []sim.Span{{Node: 1, State: sim.StatePaused, From: 100, To: 400}}
	r := Collect(in, 0)
	r.Scenario = "a; b %% \"c\"\nend"
	return r
}

// TestCSVHasARowForEachEvent: read back by encoding/csv, it says what the run does.
func TestCSVHasARowForEachEvent(t *testing.T) {
	r := exported(3)
	var out bytes.Buffer
	require.NoError(t, WriteCSV(&out, r))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+r.Events.Count)
	require.Equal(t, csvColumns, rows[0])
	require.Equal(t, []string{"1", "500", "server", "message", "client", "server", "request", "0", "0", "500", "500", "from client: request 0", "", "", ""}, rows[2])
	require.Equal(t, "answered", rows[6][13])
	require.Equal(t, []string{"duplicate", "lost"}, []string{rows[7][3], rows[8][3]})
	require.Equal(t, []string{"client", "server"}, rows[8][4:6])
}

// TestPerfettoHasASliceForEachEvent: read back, each event is one slice, and each flow begins and ends in one.
func TestPerfettoHasASliceForEachEvent(t *testing.T) {
	r := exported(3)
	var out bytes.Buffer
	require.NoError(t, WritePerfetto(&out, r))
	var trace struct {
		TraceEvents []struct {
			Ph, Name, Cat, BP, S string
			PID, TID, ID         int
			TS, Dur              json.Number
			Args                 map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &trace))
	inside, events, states, instants, flows := map[string]bool{}, 0, 0, 0, map[int]string{}
	for _, e := range trace.TraceEvents {
		at := strconv.Itoa(e.TID) + "@" + e.TS.String()
		switch {
		case e.Ph == "X" && e.PID == nodesProcess:
			require.Equal(t, float64(events), e.Args["event"])
			events++
			inside[at] = true
		case e.Ph == "X":
			states++
			require.Equal(t, []string{"0.100", "0.300"}, []string{e.TS.String(), e.Dur.String()})
		case e.Ph == "s", e.Ph == "f":
			require.Contains(t, inside, at, "a flow binds to a slice")
			flows[e.ID] += e.Ph + e.BP
		case e.Ph == "i":
			instants++
			require.Equal(t, "g", e.S)
		}
	}
	require.Equal(t, []int{r.Events.Count, 1, 1}, []int{events, states, instants})
	require.Equal(t, map[int]string{2: "sfe", 4: "sfe", 6: "sfe", 7: "sfe"}, flows)
}

// TestMermaidHasALineForEachEvent: each line is one of the few statements that there are, and no text adds one.
func TestMermaidHasALineForEachEvent(t *testing.T) {
	statement := regexp.MustCompile(`^    (title [^;%\n]*(#\d+;[^;%\n]*)*|participant n\d+ as [^\n]+|n\d+(->>|-->>|-x|-\))n\d+: [^\n]+|Note over n\d+: [^\n]+)$`)
	for asked, want := range map[int]int{3: 8, 100: MaxMermaid} {
		var out bytes.Buffer
		require.NoError(t, WriteMermaid(&out, exported(asked)))
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		require.Equal(t, "sequenceDiagram", lines[0])
		events := 0
		for _, line := range lines[1:] {
			require.Regexp(t, statement, line)
			if regexp.MustCompile(`: [0-9.]+[nµm]?s `).MatchString(line) {
				events++
			}
		}
		require.Equal(t, want, events, out.String())
		require.Equal(t, asked == 100, strings.Contains(out.String(), "are left out"))
		require.Contains(t, out.String(), "VIOLATED answered: client waits")
		if asked == 3 {
			require.Contains(t, out.String(), "n1-xn2: ")
			require.Contains(t, out.String(), "n1-->>n2: ")
		}
	}
}
