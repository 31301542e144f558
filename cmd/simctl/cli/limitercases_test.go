package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/cli"
)

// Reports about the limiters of others, as small scenarios. Each file names its source, and expects what the report says.
func TestReportsAboutLimiters(t *testing.T) {
	for _, name := range []string{"l1-nginx-burst", "l2-traefik-average", "l7-envoy-rolling", "l8-blocked-calls-count"} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := runLine("run", limiterCase(name))
			assert.Equal(t, cli.ExitOK, code, stderr)
		})
	}
}

// nginx in its own words: burst=100 nodelay is the meter of 101.
func TestNginxInItsOwnWords(t *testing.T) {
	r := runJSON(t, limiterCase("l1-nginx-burst"), "--set", "params.algorithm=nginx", "--set", "params.burst=100", "--set", "params.nodelay=true")
	assert.EqualValues(t, "131", r.Metrics["admitted"].Value)
}

// Two reports that cannot be told yet, with what comes out today.
//
// koa-simple-ratelimit gives a counter its expiry when its look has found no counter. The model's get-incr gives one when
// INCR answers 1, so the counter that was made anew expires.
//
// gubernator 0.x let every peer that does not own a GLOBAL limit say yes until the owner had told it. The model's limiters
// count what they admit themselves, and refuse by that.
func TestReportsThatCannotBeToldYet(t *testing.T) {
	r := runJSON(t, limiterCase("l4-ttl-lost-between"))
	assert.EqualValues(t, "12", r.Metrics["admitted"].Value)
	assert.EqualValues(t, "0", r.Metrics["rejected"].Value)
	r = runJSON(t, limiterCase("l5-gubernator-global"))
	assert.EqualValues(t, "2", r.Metrics["admitted"].Value)
}

func limiterCase(name string) string {
	return filepath.Join("testdata", "cases", "limiters", name+".yaml")
}
