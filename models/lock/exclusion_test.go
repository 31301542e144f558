package lock

import (
	"testing"
	"time"

	"fencepost/sim"
)

// The first client leaves at the very instant at which two others come in: it overlaps with neither, and these two do
// overlap.
func TestTwoThatComeInAsAThirdLeavesOverlap(t *testing.T) {
	p := two()
	p.Service, p.Clients, p.Work, p.Start = "redis", 3, []time.Duration{100 * ms}, []time.Duration{0, 110 * ms, 110 * ms}
	r := playSystem(t, &p, mutate(&p, "redis-", func(name string) sim.Spec[Msg] { return sim.Place[Msg](name, generous{}) }))
	r.Violated("mutual-exclusion", at(120))
	r.Violated("entitled-exclusion", at(120))
}
