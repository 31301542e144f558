package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/hostile"
	"fencepost/reports/eventorder"
)

// The forms of a log that order reads.
const (
	withExpression = "with its expression"
	hostsFirst     = "hosts first"
	eventsFirst    = "events first"
	asScript       = "script"
)

// clockLog is a log of forty events of two hosts in a form; if it is not to be consistent,
// a host counts back at the end.
func clockLog(form string, wrong bool) (lines []string) {
	known := map[string]map[string]int{"alice": {}, "bob": {}}
	add := func(host, text string) {
		clock, _ := json.Marshal(known[host]) // counters
		event := fmt.Sprintf("%s %s", host, clock)
		if form == eventsFirst {
			lines = append(lines, text, event)
		} else {
			lines = append(lines, event, text)
		}
	}
	if form == withExpression {
		lines = append(lines, `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`, "")
	}
	for i := range 10 {
		if form == asScript {
			lines = append(lines, fmt.Sprintf("alice: s%d w%d", i, i), fmt.Sprintf("bob: r%d t%d", i, i), fmt.Sprintf("s%d -> r%d", i, i))
			continue
		}
		known["alice"]["alice"]++
		add("alice", fmt.Sprintf("2026-03-01T08:00:%02d.500Z sends %d.5 to bob", i, i))
		known["bob"]["alice"] = known["alice"]["alice"]
		known["bob"]["bob"]++
		add("bob", "is told")
		known["bob"]["bob"]++
		add("bob", "thinks")
		known["alice"]["alice"]++
		add("alice", "waits")
	}
	if wrong {
		known["alice"]["alice"] -= 3
		add("alice", "begins again")
	}
	return lines
}

// Words of refusal.
const (
	noEvent, zero, leftOut = "there is no event in it", "a zero byte: this is no text", "lines are part of no event, the first is line"
	noSuchEvent            = "there is no event \""
	noClock, noHost        = "no line is a host and its clock", "no event has a counter of its own host"
	runs, noScript         = "--execution: ", "want PROCESS: EVENT"
	delimiter, noName      = "the delimiter", "is no name of a process or an event"
)

// refusedLogs are the variants that order refuses, with what it says, of which one is said.
// Of a form that is not named all others are read.
var refusedLogs = map[string][]string{
	"empty": {noEvent}, "binary": {zero}, "trailing-nuls": {zero}, "leading-nuls": {zero}, "gzip-cut": {"the gzip is damaged or cut here"},
	"long-line": {"a line of more than 1048576 bytes"}, "docker-json": {"expected a host in quotes", noEvent}, "foreign-half": {leftOut, noEvent},
	"garbage-half": {leftOut, delimiter, noScript, "unexpected"}, "blank-lines": {leftOut}, "header-only": {noEvent, noScript, "reads"},
	"quoted-lines": {noEvent, noClock, noScript, noName, noSuchEvent}, "quoted-csv-lines": {runs, noClock, noScript, noName, noSuchEvent}, "half-quoted-lines": {noClock, noScript, noName, noSuchEvent},
	"indented": {noClock}, "trailing-spaces": {noEvent}, "grep-numbers": {runs, noHost, noName, noScript}, "grep-names": {runs, noHost, noName, noScript},
	"syslog-3164": {noEvent, noClock, noScript, noName}, "syslog-file": {noEvent, noClock, noScript, noName}, "syslog-iso": {noEvent, noClock, noScript, noName},
	"syslog-5424": {noEvent, noClock, noScript, noName}, "journald": {noEvent, noClock, noScript, noName}, "timestamps": {noEvent, noClock, noScript, noName},
	"cri": {noEvent, noClock, noScript, noName}, "compose": {"finds no host, clock or event in it", noClock, noScript, noName},
	"interleaved": {leftOut, runs}, "garbage-few": {noScript}, "foreign-few": {noEvent}, "cut-in-line": {"there is no event", noScript}, "begins-in-line": {noScript},
}

// F1 and the rule for files of others: a variant of a log has the verdict of the log, or is
// refused in words, or says how many of its lines are left out, a tenth at most. What has
// another order, or lacks lines, is checked as it is, and says so.
func TestHostileLogs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	for _, form := range []string{withExpression, hostsFirst, eventsFirst, asScript} {
		for _, wrong := range []bool{false, true} {
			if form == asScript && wrong {
				continue // it has no clocks to contradict each other
			}
			lines := clockLog(form, wrong)
			code, want, _ := orderOf(t, file, hostile.Named(lines, "plain").Data)
			require.Equal(t, map[bool]int{false: cli.ExitOK, true: cli.ExitNotExpected}[wrong], code)
			require.Equal(t, map[bool]int{false: 40, true: 41}[wrong], want.Events)
			for _, v := range hostile.Variants(lines) {
				t.Run(fmt.Sprintf("%s/%v/%s", form, wrong, v.Name), func(t *testing.T) { hostileLog(t, file, v, want) })
			}
		}
	}
}

// orderOf is what order says of a log, which is written to a file, as JSON, and its errors.
func orderOf(t *testing.T, file string, log []byte) (code int, doc *eventorder.Order, stderr string) {
	require.NoError(t, os.WriteFile(file, log, 0o600))
	code, stdout, stderr := call(t, "order", file, "--json")
	requireShown(t, "JSON", stdout)
	requireShown(t, "errors", stderr)
	if code == cli.ExitError || code == cli.ExitUsage {
		require.Empty(t, stdout)
		return code, nil, stderr
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	_, text, _ := call(t, "order", file)
	require.Equal(t, doc.Skipped > 0, strings.HasSuffix(text, " left out\n"), text)
	return code, doc, stderr
}

func hostileLog(t *testing.T, file string, v hostile.Variant, want *eventorder.Order) {
	_, doc, stderr := orderOf(t, file, v.Data)
	if doc == nil {
		const tie = "the text of an event may stand before or behind its clock, and both fit equally well" // with a line more, or one less
		wants := append(slices.Clone(refusedLogs[v.Name]), tie)
		require.True(t, slices.ContainsFunc(wants, func(s string) bool { return strings.Contains(stderr, s) }), stderr)
		return
	}
	require.LessOrEqual(t, 10*doc.Skipped, doc.Lines)
	switch v.Name {
	case "newest-first", "second-half-first":
		require.Equal(t, []int{want.Events, want.Messages}, []int{doc.Events, doc.Messages})
		require.Equal(t, want.Pairs, doc.Pairs)
		if want.Format == "shiviz" { // the lines of a script may stand in any order
			require.True(t, slices.ContainsFunc(doc.Kinds, func(k eventorder.OrderKind) bool { return k.Kind == "out-of-order" }))
		}
	case "cut-in-line", "begins-in-line", "header-only":
		require.GreaterOrEqual(t, doc.Events, v.Kept/2-1)
		require.LessOrEqual(t, doc.Events, want.Events)
	default:
		require.Equal(t, []any{want.OK, want.Events, want.Messages, want.Pairs, want.Kinds}, []any{doc.OK, doc.Events, doc.Messages, doc.Pairs, doc.Kinds})
		if v.Same {
			require.Zero(t, doc.Skipped)
			require.Equal(t, want.Order, doc.Order)
		}
	}
}

// More than a tenth that is part of no event is read if that is asked for, and said.
func TestOrderOtherLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	require.NoError(t, os.WriteFile(file, hostile.Named(clockLog(hostsFirst, false), "foreign-half").Data, 0o600))
	code, stdout, stderr := call(t, "order", file, "--regex", `^(?<host>\w+) (?<clock>{.*})\n(?<event>.*)`)
	require.Equal(t, cli.ExitError, code, stdout)
	require.Contains(t, stderr, leftOut)
	code, stdout, _ = call(t, "order", file, "--regex", `^(?<host>\w+) (?<clock>{.*})\n(?<event>.*)`, "--other-lines")
	require.Equal(t, cli.ExitOK, code, stdout)
	require.Contains(t, stdout, "; 80 of 160 lines left out\n")
}
