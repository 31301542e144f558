package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestNoLockLosesAnUpdate: both clients read 0 and write 1; each has the lock at once, for
// no message.
func TestNoLockLosesAnUpdate(t *testing.T) {
	r := play(t, Params{Service: "none", Clients: 2, Start: []time.Duration{0, 50 * ms}})
	assert.EqualValues(t, 1, r.Measure("lost-updates"))
	assert.EqualValues(t, 0, r.Measure("messages-per-acquisition"))
	assert.EqualValues(t, 0, r.Measure("acquire-latency"))
	r.Violated("mutual-exclusion", at(50))
	r.Violated("no-lost-update", at(2_055))
}
