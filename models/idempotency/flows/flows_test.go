package flows_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
	"fencepost/models/idempotency/flows"
)

func TestEveryShippedFlowIsReadAndSaysWhereItComesFrom(t *testing.T) {
	for _, name := range flows.Names() {
		text, ok := flows.Text(name)
		require.True(t, ok)
		p, err := flow.Parse(name, text)
		if assert.NoError(t, err, name) {
			assert.Contains(t, p.About, "Source: ", name)
			assert.True(t, p.Has(flow.Request) || p.Has(flow.Event), name)
		}
	}
	assert.IsIncreasing(t, flows.Names())
	_, ok := flows.Text("no-such-flow")
	assert.False(t, ok)
}
