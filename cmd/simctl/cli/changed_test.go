package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The first line after a change says what it did, whatever else the report has.
func TestTheLineSaysWhatAChangeDid(t *testing.T) {
	for line, want := range map[string]string{
		"run redlock/gc-pause --set params.first-token=33":                                   "REPRODUCED: mutual-exclusion at 10.020s", // as the file has it
		"run redlock/gc-pause --set params.ttl=5s --set params.ttl=20s":                      "HELD: with ttl=20s the violation no longer occurs",
		"run redlock/late-write --set params.fencing=ge":                                     "VIOLATED: still violated with fencing=ge: mutual-exclusion at 10.020s (client-2, client-1); no longer violated: fenced-order, no-lost-update",
		"run redis/watchdog-stuck-worker-bounded --set params.watchdog.max-renewals=0":       "NOT EXERCISED: deadlock-free had nothing to check",
		"run redis/sentinel-lost-lock-wait --set params.sentinel.wait=0":                     "VIOLATED: with sentinel.wait=0: quorum-behind-holder at 5.020s",
		"run redis/sentinel-wait-all --set params.sentinel.wait=1":                           "VIOLATED: with sentinel.wait=1: quorum-behind-holder",
		"explore redlock/gc-pause --no-faults --budget none --runs 100":                      "HELD: no violation in 100 runs without a fault",
		"certify redis/pause-certified --no-faults":                                          "CERTIFIED: with no faults: mutual-exclusion holds",
		"explore redlock/gc-pause --set params.ttl=20s --no-faults --budget none --runs 100": "HELD: with ttl=20s: no violation in 100 runs without a fault",
	} {
		_, stdout, stderr := runLine(strings.Fields(line)...)
		assert.Contains(t, stdout, "\n"+want, "%s\n%s", line, stderr)
	}
	code, _, stderr := runLine("run", "limiter/fixed-window-boundary", "--set", "params.clients=[]")
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "want at least one client; without the list there is one that asks once")
}
