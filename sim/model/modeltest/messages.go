package modeltest

import (
	"testing"

	"fencepost/sim"
)

// Folds tests that messages, each of which differs from the others in a field, differ in
// their digests, and that each has a text.
func Folds[M sim.Message](t testing.TB, messages ...M) {
	t.Helper()
	seen := map[sim.Digest]M{}
	for _, m := range messages {
		digest := m.Fold(0)
		if other, twice := seen[digest]; twice {
			t.Errorf("modeltest: two messages have the same digest: %+v and %+v", other, m)
		}
		if m.String() == "" {
			t.Errorf("modeltest: %+v has no text", m)
		}
		seen[digest] = m
	}
}
