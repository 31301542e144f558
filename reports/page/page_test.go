package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/printable"
	"fencepost/sim"
)

// recorded is a run in which client asks server so often, every millisecond; the last request is violated.
func recorded(names []string, asked int) *Recorded {
	j := &sim.Journal{Turned: []int{2*asked - 1}}
	for i := range asked {
		sent, at := sim.Time(i)*sim.Time(time.Millisecond), sim.Time(i)*sim.Time(time.Millisecond)+500
		msg := fmt.Sprintf("request %d", i)
		j.Entries = append(j.Entries,
			sim.Entry{Step: uint64(2*i + 1), Cause: -1, At: sent, Due: sent, Sent: sent, Node: 1, From: 1, Kind: 1, Msg: "tick",
				Text: "from itself: tick; sends " + names[1] + ": " + msg, Mono: sim.Mono(sent), Wall: sim.Wall(sent) + 7},
			sim.Entry{Step: uint64(2*i + 2), Cause: 2 * i, At: at, Due: at, Sent: sent, Node: 2, From: 1, Kind: 2, Msg: msg,
				Text: "from " + names[0] + ": " + msg, Mono: sim.Mono(at), Wall: sim.Wall(at)})
	}
	last := j.Entries[len(j.Entries)-1]
	return &Recorded{
		Program: &sim.Program{Nodes: names, Kinds: []string{"start", "tick", "request"}, Properties: []string{"answered"}, Bounds: make([]sim.Bound, 1),
			States: []string{sim.StatePaused, sim.StateDown}},
		Journal: j, Timeline: &sim.Timeline{}, Why: func(int) string { return names[0] + " waits" },
		Result: &sim.Result{Seed: 1, End: last.At, Properties: []sim.Finding{{Verdict: sim.Violated, First: last.At, Nodes: [2]sim.NodeID{1, 2}}}},
	}
}

var plain = []string{"client", "server"}

func write(t *testing.T, runs ...*Run) string {
	var out bytes.Buffer
	require.NoError(t, Write(&out, runs...))
	return out.String()
}

// TestEventsSayWhatWasRecorded: instants, causes, clocks and messages come out of the lists as they went in.
func TestEventsSayWhatWasRecorded(t *testing.T) {
	r := Collect(recorded(plain, 3), 0)
	require.Equal(t, 6, r.Events.Count)
	require.Equal(t, []int64{0, 500, 999_500, 500, 999_500, 500}, r.Events.At)
	require.Equal(t, []int{0, 1, 0, 1, 0, 1}, r.Events.Cause)
	require.Equal(t, []int{0, 1, 0, 1, 0, 1}, r.Events.From)
	require.Equal(t, []int64{7, 0, 7, 0, 7, 0}, r.Events.Wall)
	require.Nil(t, r.Events.Mono, "no monotonic clock is ahead")
	require.Nil(t, r.Events.To, "no message is lost")
	require.Equal(t, "sends server: request 0", r.Strings[r.Events.Text[0][1]])
	require.Equal(t, []Violation{{Property: "answered", AtNS: 2_000_500, Nodes: []int{1, 2}, Why: "client waits", Event: 5}}, r.Violations)
}

// TestWhatBecameOfMessages: lost, buffered, and arrived before.
func TestWhatBecameOfMessages(t *testing.T) {
	in := recorded(plain, 1)
	j := in.Journal
	copied := j.Entries[1]
	j.Entries = append(j.Entries, copied,
		sim.Entry{Cause: 0, Node: 1, To: 2, Kind: 2, Text: "sends server request 0, which is lost"},
		sim.Entry{Cause: 0, Node: 1, To: 2, Kind: 2, Text: "sends server request 0, which finds it down"},
		sim.Entry{Cause: 0, Node: 1, To: 2, Kind: 2, Text: "sends server request 0, which is buffered until 3s"})
	flags := Collect(in, 0).Events.Flags
	require.Equal(t, []int{IsStep, IsStep, IsStep | IsCopy, IsLost, IsLost, IsBuffered}, flags)
}

// TestTwoOfTheSameMessageAreNoCopies: a step that sends a message twice has sent two.
func TestTwoOfTheSameMessageAreNoCopies(t *testing.T) {
	in := recorded(plain, 1)
	in.Journal.Entries[0].Text += "; sends server: request 0"
	in.Journal.Entries = append(in.Journal.Entries, in.Journal.Entries[1])
	require.Equal(t, []int{IsStep, IsStep, IsStep}, Collect(in, 0).Events.Flags)
}

// TestLongRunIsAWindowAroundItsViolation: and it says what is left out.
func TestLongRunIsAWindowAroundItsViolation(t *testing.T) {
	in := recorded(plain, 1000)
	in.Journal.Turned[0] = 999
	in.Result.Properties[0].First = in.Journal.Entries[999].At
	r := Collect(in, 100)
	require.Equal(t, 100, r.Events.Count)
	require.Equal(t, &Left{Before: 924, After: 976, FromNS: 462_000_000, ToNS: 511_000_500}, r.Left)
	require.Equal(t, 75, r.Violations[0].Event)
	require.Equal(t, int64(462_000_000), r.Events.At[0], "the first instant is since the begin of the run")
	require.Nil(t, Collect(in, 0).Left)
}

// TestCauseOutsideTheWindow: a message whose sender is left out says so.
func TestCauseOutsideTheWindow(t *testing.T) {
	in := recorded(plain, 10)
	in.Result.Properties[0].Verdict = sim.Holds
	in.Journal.Entries = in.Journal.Entries[:19]
	in.Journal.Turned[0] = -1
	in.Journal.Entries[18].Cause = 2
	in.Result.Properties[0] = sim.Finding{Verdict: sim.Violated, First: in.Journal.Entries[18].At, Nodes: [2]sim.NodeID{1}}
	r := Collect(in, 4)
	require.Equal(t, IsStep|IsOutside, r.Events.Flags[3])
	require.Zero(t, r.Events.Cause[3])
}

// TestPageIsTheSameEachTime: and holds its runs.
func TestPageIsTheSameEachTime(t *testing.T) {
	r := Collect(recorded(plain, 20), 0)
	text := write(t, r, r)
	require.Equal(t, text, write(t, Collect(recorded(plain, 20), 0), r))
	back, err := Read([]byte(text))
	require.NoError(t, err)
	require.Equal(t, []*Run{r, r}, back)
	_, err = Read([]byte("<p>"))
	require.Error(t, err)
	require.Error(t, Write(&bytes.Buffer{}))
	require.Error(t, Write(&bytes.Buffer{}, r, r, r))
}

// TestPageOfAThousandEventsIsSmall: below 150 kB.
func TestPageOfAThousandEventsIsSmall(t *testing.T) {
	require.Less(t, len(write(t, Collect(recorded(plain, 500), 0))), 150_000)
}

// TestPageNeedsNothingElse: its policy allows its own script and style, and it names no other file.
func TestPageNeedsNothingElse(t *testing.T) {
	text := write(t, Collect(recorded(plain, 1), 0))
	for _, tag := range []string{"style", "script"} {
		begin := map[string]string{"style": "<style>", "script": `<script type="module">`}[tag]
		_, inside, ok := strings.Cut(text, begin)
		require.True(t, ok)
		inside, _, _ = strings.Cut(inside, "</"+tag+">")
		require.Contains(t, text, tag+"-src '"+hash(inside)+"'")
		require.NotContains(t, inside, "{{")
	}
	require.Contains(t, text, "default-src 'none'")
	require.NotRegexp(t, regexp.MustCompile(`https?://|src=|url\(|@import|innerHTML|eval\(`), text)
}

// TestHostileNamesStayText: a name cannot end an element, turn what follows around, or fill the picture.
func TestHostileNamesStayText(t *testing.T) {
	names := []string{"</script><script>window.pwned=1</script>", "a\x1b]0;b\u202ec\u2028" + strings.Repeat("long", 2500)}
	r := Collect(recorded(names, 2), 0)
	r.Scenario = "</title><script>window.pwned=1</script>\u202e"
	text := write(t, r)
	require.NotContains(t, text, "<script>window")
	require.Equal(t, 2, strings.Count(text, "</script>"))
	for _, c := range text {
		require.True(t, printable.Harmless(c))
	}
	for _, s := range append(r.Strings, r.Nodes...) {
		for _, c := range s {
			require.True(t, printable.Harmless(c))
		}
	}
}

// TestPanicIsAViolation: with the step that panicked.
func TestPanicIsAViolation(t *testing.T) {
	in := recorded(plain, 2)
	in.Result.Properties, in.Program.Properties, in.Program.Bounds = nil, nil, nil
	in.Result.Panic = &sim.Panic{At: in.Result.End, Node: 2, Name: "server", Message: "request 1", Value: "who asks?"}
	r := Collect(in, 0)
	require.Equal(t, []Violation{{Property: "panic", AtNS: 1_000_500, Nodes: []int{2}, Why: "server panics, handling request 1: who asks?", Event: 3}}, r.Violations)
	require.Equal(t, IsStep|IsPanic, r.Events.Flags[3])
}
