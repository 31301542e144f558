package limiter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/fleet/message"
)

func TestALimiterThatIsResetHoldsNoCommandOfTheRunBefore(t *testing.T) {
	initial := Limiter{Pipeline: Pipeline{Most: 3, Flush: time.Second}}
	l := initial
	l.Pipeline.held = []message.Msg{{Kind: message.Get}, {Kind: message.Get}}
	l.Pipeline.flushes = 5
	l.Reset(&initial)
	assert.Empty(t, l.Pipeline.held)
	assert.Zero(t, l.Pipeline.flushes)
}
