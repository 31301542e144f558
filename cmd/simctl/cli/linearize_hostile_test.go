package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/histories"
	"fencepost/internal/hostile"
	"fencepost/sim/linear"
)

// register is a history of a register as each format has it: forty writes that are read
// after each other, and a stale read at the end if it is not to be linearizable.
func register(format string, stale bool) (lines []string) {
	op := func(process int, f, value string) {
		n, called := len(lines), value
		if f == "read" {
			called = "nil"
		}
		switch format {
		case linear.JSON:
			lines = append(lines, fmt.Sprintf(`{"client":%d,"op":"%s","value":"%s","call":%d,"return":%d}`,
				process, f, value, 1772348400+2*n, 1772348400+2*n+1))
		case linear.Jepsen:
			const line = "2026-03-01 08:%02d:%02d,000{GMT}\tINFO\t[jepsen worker %d] jepsen.util: %d\t:%s\t:%s\t%s"
			lines = append(lines, fmt.Sprintf(line, n/60, n%60, process, process, "invoke", f, called),
				fmt.Sprintf(line, (n+1)/60, (n+1)%60, process, process, "ok", f, value))
		default:
			const line = "{:process %d, :type :%s, :f :%s, :value %s, :index %d, :time %d}"
			lines = append(lines, fmt.Sprintf(line, process, "invoke", f, called, n, n*1_000_000),
				fmt.Sprintf(line, process, "ok", f, value, n+1, (n+1)*1_000_000))
		}
	}
	for i := range 40 {
		op(0, "write", fmt.Sprint(100+i))
		op(1, "read", fmt.Sprint(100+i))
	}
	if stale {
		op(1, "read", "100")
	}
	if format == "vector" {
		lines[0], lines[len(lines)-1] = "["+lines[0], lines[len(lines)-1]+"]"
	}
	return lines
}

// refused are the variants that a reader refuses, with a part of what it says. All others
// have the verdict of the original, and Unread counts what is not read.
var refused = map[string]map[string]string{
	"all": {
		"empty": "got no operation", "trailing-nuls": "zero byte", "leading-nuls": "zero byte", "binary": "zero byte",
		"gzip-cut": "damaged or cut", "garbage-half": "want ", "foreign-half": "want ",
		"quoted-lines": "want ", "quoted-csv-lines": "want ", "half-quoted-lines": "want ", "docker-json": `unknown field "log"`,
	},
	linear.Jepsen: {
		"no-last-end": "want the end of the last line", "cut-in-line": "want the end of the last line",
		"years-ahead-first": "process 0 first", "years-ahead-second": "order of their times", "years-ahead-last": "process 0 first",
		"interleaved": "want ", "newest-first": "the oldest first", "second-half-first": "want ",
	},
	linear.EDN: {
		"interleaved": "want ", "newest-first": "the oldest first", "second-half-first": "want ",
	},
	"vector": {
		"interleaved": "want ", "newest-first": "the oldest first", "second-half-first": "want ", "header-only": "want ], which closes",
	},
	"not a log": {
		"grep-numbers": "of EDN or JSON", "grep-names": "of EDN or JSON", "syslog-3164": "of EDN or JSON", "syslog-file": "of EDN or JSON",
		"syslog-iso": "of EDN or JSON", "syslog-5424": "of EDN or JSON", "journald": "of EDN or JSON", "timestamps": "of EDN or JSON",
		"cri": "of EDN or JSON", "compose": "of EDN or JSON", "begins-in-line": "of EDN or JSON",
		"cut-in-line": "want ", "long-line": "want ", "garbage-few": "want ", "foreign-few": "want ",
	},
}

// Findings R2, R3, R6: no variant of a history has a wrong verdict without a word.
func TestHostileHistories(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h")
	for _, format := range []string{linear.Jepsen, linear.EDN, "vector", linear.JSON} {
		for _, stale := range []bool{false, true} {
			for _, v := range hostile.Variants(register(format, stale)) {
				t.Run(fmt.Sprintf("%s/%v/%s", format, stale, v.Name), func(t *testing.T) { hostileHistory(t, name, format, stale, v) })
			}
		}
	}
}

func hostileHistory(t *testing.T, name, format string, stale bool, v hostile.Variant) {
	want, fails := refused["all"][v.Name]
	for _, kind := range []string{format, "not a log"} {
		if s, ok := refused[kind][v.Name]; ok && !(kind == "not a log" && format == linear.Jepsen) {
			want, fails = s, true
		}
	}
	require.NoError(t, os.WriteFile(name, v.Data, 0o600))
	l := histories.Check(context.Background(), name, &histories.Options{Limits: linear.DefaultLimits(), Timeout: time.Minute})
	require.Equal(t, -1, strings.IndexFunc(strings.ReplaceAll(l.Error+l.Why, "\n", ""), unicode.IsControl), "%q", l.Error)
	if fails {
		require.Empty(t, l.Verdict)
		require.Contains(t, l.Error, want)
		return
	}
	require.Empty(t, l.Error)
	if format == linear.JSON && strings.HasPrefix(v.Name, "years-ahead") {
		require.Contains(t, l.Note, "lies more than a thousand times as far from the others as those lie apart")
		return // the instants are the file's own; the line below the verdict points at the one
	}
	verdict := map[bool]string{false: "linearizable", true: "not linearizable"}[stale]
	if v.Name == "header-only" { // a write alone tests nothing
		verdict = "not exercised"
	}
	require.Equal(t, verdict, l.Verdict)
	switch {
	case v.Name == "header-only":
		require.Equal(t, 1, l.Operations)
	case v.Same:
		require.Zero(t, l.Unread+l.Ignored)
		fallthrough
	default:
		require.Equal(t, map[bool]int{false: 80, true: 81}[stale], l.Operations)
		require.Zero(t, l.Open)
		require.True(t, v.Not == 0 || v.Not == l.Unread || v.Name == "begins-in-line", "%d of %d", l.Unread, v.Not)
	}
}
