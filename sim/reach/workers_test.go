package reach_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// Every number, every byte counted, every bound and every way is the same however many
// workers there are.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, fence := range []bool{true, false} {
		for _, p := range []params{{1, 1, 1}, {2, 3, 2}, {3, 2, 3}, {2, 3, 4}} {
			for _, limits := range []reach.Limits{{}, {States: 1}, {States: 2000}, {States: 17_967}, {Memory: 1 << 20}, {Memory: 2_500_000}, {Memory: 4 << 20}} {
				want, err := reach.Visit(t.Context(), leaseSpace(p, fence), limits)
				require.NoError(t, err)
				for _, limits.Workers = range []int{2, 3, 16} {
					r, err := reach.Visit(t.Context(), leaseSpace(p, fence), limits)
					require.NoError(t, err)
					require.Equal(t, want, r, "%+v, fence %v, %+v", p, fence, limits)
				}
			}
		}
	}
}

// A panic and a step that is no function are found in the same place too, with what was
// visited until then.
func TestWorkersFindTheSameFault(t *testing.T) {
	for token := uint8(1); token <= 3; token++ {
		for _, fault := range []string{"panics", "differs"} {
			visit := func(workers int) string {
				space := leaseSpace(params{2, 3, 3}, true)
				space.Nodes[3] = reach.Place[msg]("store", brittle{Token: token, Fault: fault})
				space.Invariant = nil
				r, err := reach.Visit(t.Context(), space, reach.Limits{Workers: workers})
				require.Equal(t, fault == "panics", r.Violation != nil)
				return fmt.Sprintf("%d %d %d\n%v\n%v", r.States, r.Transitions, r.Depth, r.Violation, err)
			}
			assert.Equal(t, visit(1), visit(2))
			assert.Equal(t, visit(1), visit(5))
		}
	}
}

// brittle is a store that does not do well with one token.
type brittle struct {
	Token uint8
	Fault string

	n int
}

func (b *brittle) Step(in sim.In[msg], _ *sim.Out[msg]) {
	if in.Msg.Kind == start || in.Msg.Token != b.Token {
		return
	}
	if b.Fault == "panics" {
		panic("no such token")
	}
	calls++ //fencepost:allow this node is impure on purpose: it must be caught
	b.n = calls
}
