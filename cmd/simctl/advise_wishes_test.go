package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
)

// "Lease 15/10/2, API server down up to 20 s, nodes paused up to 12 s: can two leaders act?" Each alone does no harm; both do.
func TestAdviceCountsFaultsTogether(t *testing.T) {
	question := []string{"advise", "k8s-lease", "--lease", "15s", "--renew", "10s", "--retry", "2s", "--pause", "12s", "--outage", "20s", "--delay", "50ms", "--runs", "0"}
	code, text, stderr := runLine(question...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	for _, want := range []string{
		"pause 12s                 SAFE     harmless is a pause below 12.9s, a margin of 900ms",
		"outage 20s                SAFE     two never lead at once; the leader may step down",
		"pause 12s and outage 20s  UNSAFE   two lead at once; harmless is a pause below 2.95s",
		"set: --lease 25s   no wish does harm; a takeover after a crash takes at most 34.3s then",
	} {
		assert.Contains(t, text, want)
	}
	assert.Regexp(t, "\nUNSAFE: pause 12s and outage 20s: two lead at once; harmless is a pause below 2.95s\n$", text)

	code, text, _ = runLine(append(question, "--json")...)
	require.Equal(t, cli.ExitNotExpected, code)
	var doc reports.Advice
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.Len(t, doc.Wishes, 3)
	assert.Equal(t, "unsafe", doc.Verdict)
	assert.EqualValues(t, -9_050_000_000, doc.Wishes[2].MarginNS)
}

// What is recommended is safe, and a grain less is not.
func TestTheLeaseThatAdviceSetsIsTheShortest(t *testing.T) {
	for lease, code := range map[string]int{"25s": cli.ExitOK, "24s": cli.ExitNotExpected} {
		got, text, stderr := runLine("advise", "k8s-lease", "--lease", lease, "--renew", "10s", "--retry", "2s", "--pause", "12s", "--outage", "20s", "--delay", "50ms", "--runs", "200")
		require.Equal(t, code, got, stderr)
		if code == cli.ExitOK {
			assert.Regexp(t, "\nSAFE: pause 12s; outage 20s; pause 12s and outage 20s\n$", text)
			assert.NotContains(t, text, "set:")
		}
	}
}

// A wish alone, and settings without a wish, which have no verdict.
func TestAdviceOfOneFault(t *testing.T) {
	for line, want := range map[string]struct {
		code int
		last string
	}{
		"redis --ttl 10s --work 2s --pause 7s": {cli.ExitOK, "SAFE: pause 7s"},
		"redis --ttl 10s --work 2s --pause 8s": {cli.ExitNotExpected, "UNSAFE: pause 8s: an update is lost, unless it is fenced; harmless is a pause below 7.99s"},
		"k8s-lease --outage 20s":               {cli.ExitOK, "SAFE: outage 20s"},
		"k8s-lease --outage 20s --lease 11s":   {cli.ExitNotExpected, "UNSAFE: outage 20s: two lead at once"},
		"k8s-lease --pause 12s --outage 0s":    {cli.ExitOK, "SAFE: pause 12s"},
		"k8s-lease":                            {cli.ExitOK, "formulas only: nothing was simulated; each limit is for one fault alone, unless it names two"},
	} {
		args := append([]string{"advise"}, split("%s", line)...)
		code, text, stderr := runLine(append(args, "--runs", "0")...)
		assert.Equal(t, want.code, code, "%s: %s", line, stderr)
		assert.Contains(t, text, "\n"+want.last+"\n", line)
	}
}

func TestAdviseSuggestsALock(t *testing.T) {
	for word, lock := range map[string]string{"k8s": "k8s-lease", "kubernetes": "k8s-lease", "Redisson": "watchdog", "curator": "zookeeper"} {
		code, _, stderr := runLine("advise", word)
		assert.Equal(t, cli.ExitUsage, code)
		assert.Contains(t, stderr, "did you mean "+lock+"?", word)
	}
}
