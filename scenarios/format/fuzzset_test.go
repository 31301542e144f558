package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/internal/printable"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// FuzzSet: whatever --set says, the scenario has the value, or it is refused in words
// that a terminal shows as they are.
func FuzzSet(f *testing.F) {
	for path, value := range map[string]string{
		"params.ttl": "5s", "params.tll": "5s", "faults.0.for": "1s", "faults.9.for": "1s", "network.delay": "{exp: 5ms}",
		"seed": "\x1b[2J", "params.\x1b]0;pwn\a": "1", "vary.params.ttl": "[1s, 2s]", "expect.mutual-exclusion": "violated", "clocks.redis-1": "{drift: 1ppm}",
		"about": "\u202ebackwards", "a..b": "", "": "x", "faults": "[]", "runs": "99999999999999999999", "params": "{",
	} {
		f.Add(path, value)
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		s, err := scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: path, Value: value}}})
		if err == nil {
			require.NotNil(t, s.Program)
			return
		}
		require.Nil(t, s)
		for _, r := range err.Error() {
			require.True(t, printable.Harmless(r), "%q in %q", r, err)
		}
	})
}
