package cli

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/cli"
)

// TestReportsOfOthers: each failure that somebody reported of a queue or a store ends as its file expects, and its
// verdict names the failure.
func TestReportsOfOthers(t *testing.T) {
	for name, property := range map[string]string{
		"c2-offset-quorum":            "close-to-physical", // in part: that the node stops itself cannot be said yet
		"d1-quorum-delete-back":       "no-lost-write",     // scylladb issue 15243
		"d3-chaotic-timestamps":       "no-lost-write",     // scylladb issue 7082
		"i1-skip-locked-order":        "events-in-order",
		"i4-heartbeat-equals-timeout": "at-most-once",
		"i5-visibility-timeout":       "at-most-once",
		"x2-resurrection-by-name":     "no-resurrection",
	} {
		var out, err bytes.Buffer
		code := run([]string{"run", filepath.Join("testdata", "cases", name+".yaml"), "--output", "json"}, &out, &err)
		assert.Equal(t, cli.ExitOK, code, "%s: %s", name, err.String())
		assert.Regexp(t, `"name": "`+property+`",\s+("class": "\w+",\s+)?"verdict": "violated"`, out.String(), name)
	}
}
