package lock

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/claim"
	"fencepost/sim/explore"
)

// A proof and a search take a budget of copies for the same: what a proof certifies no run of a search violates, and
// where it is violated a search finds it too. Messages take 2 ms. Client-1 sends the deletion of its key, which is a plain
// one, at 28 ms, and client-2 sets its own at 32 ms: a copy of the deletion within 4 ms does nothing, and a later one
// deletes the key of client-2.
func TestAProofAndASearchAgreeAboutCopies(t *testing.T) {
	retry, ttl := sim.Constant(20*ms), 200*ms
	set := func(p *Params) {
		p.Service, p.TTL, p.Retry, p.Clients, p.Release = "redis", &ttl, &retry, 2, "del"
		p.Start, p.Work = []time.Duration{0, 6 * ms}, []time.Duration{20 * ms}
	}
	for _, c := range []struct {
		property string
		release  string
		copies   int
		lateBy   time.Duration // 0: any
		violated bool
	}{
		{"owner-release", "del", 0, 0, false},
		{"owner-release", "del", 1, 0, true},
		{"owner-release", "del", 1, 3 * ms, false},
		{"owner-release", "del", 1, 5 * ms, true},
		{"owner-release", "script", 1, 0, false},
		{"mutual-exclusion", "script", 1, 0, false},
	} {
		p := proof{property: c.property, least: 2 * ms, most: 2 * ms, set: func(p *Params) { set(p); p.Release = c.release }}
		s := p.search()
		budget := explore.Budget{Duplicated: c.copies}
		if c.lateBy > 0 {
			budget.LateBy.List = []time.Duration{c.lateBy}
		}
		proved, err := claim.Of(s.Program, s.Config, budget, s.Property)
		require.NoError(t, err)
		proved.Limits.States = 20_000
		r, err := proved.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.violated, r.Verdict == certify.Violated, "%+v: %v, %v", c, r.Verdict, r.Bound)
		assert.Equal(t, !c.violated, r.Verdict == certify.Certified, "%+v: %v, %v", c, r.Verdict, r.Bound)
		if c.copies == 0 {
			continue
		}
		s.Config.Until = sim.Time(300 * ms)
		found, err := explore.Find(t.Context(), explore.Search{Program: s.Program, Config: s.Config, Budget: budget, Targets: []int{s.Property}, Runs: 400, Jobs: 1, Seed: 1})
		require.NoError(t, err)
		assert.Equal(t, c.violated, found.Found != nil && slices.Index(s.Program.Properties, c.property) == found.Found.Property, "%+v", c)
		t.Logf("%+v: %v, %d states", c, r.Verdict, r.States)
	}
}
