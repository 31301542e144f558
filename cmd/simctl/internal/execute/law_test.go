package execute

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/conditions"
	"fencepost/internal/splitmix"
	"fencepost/reports/searches"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim/certify/bounds"
)

// Random scenarios are within the box, and no range of them is upside down.
func TestDraw(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "delay.min", Above: 1}, {Name: "delay.max", Is: 5 * time.Millisecond, Above: -1}, {Name: "ttl", Is: 10 * time.Second, Above: -1}, {Name: "start", Above: -1}}}
	random := splitmix.Stream(1)
	different := map[time.Duration]bool{}
	for range 200 {
		values := l.draw(&random)
		assert.LessOrEqual(t, values[0], values[1])
		for i := range values {
			least, most := l.box(i)
			assert.GreaterOrEqual(t, values[i], least)
			assert.LessOrEqual(t, values[i], most)
		}
		assert.Zero(t, values[2]%time.Millisecond)
		different[values[2]] = true
	}
	assert.Greater(t, len(different), 150)
}

// A lease whose third paths depend on is drawn so that this is whole once that is seen, at a lease whose third is not: 10s. Its law
// is found where it is whole.
func TestAPartedTermIsDrawnInParts(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "ttl", Is: 10 * time.Second, Above: -1}}, Most: 40 * time.Second, Progress: func(string) {}}
	l.Load = func(values []time.Duration) (*Proof, error) {
		s, err := scenarios.Load("redis/watchdog-certified", format.Options{Sets: []result.Setting{{Path: "params.ttl", Value: values[0].String()}}})
		require.NoError(t, err)
		p := &Proof{Scenario: s}
		return p, p.Prepare()
	}
	l.laws = conditions.NewLaws(nil)
	require.ErrorIs(t, l.learn(t.Context(), []time.Duration{10 * time.Second}), ErrNoPath)
	random := splitmix.Stream(1)
	for range 50 {
		assert.Zero(t, l.draw(&random)[0]%(12*time.Millisecond))
	}
	require.NoError(t, l.learn(t.Context(), []time.Duration{12 * time.Second}))
	assert.EqualValues(t, 2*5*time.Second-2*5*time.Millisecond, l.laws.Holds([]int64{int64(15 * time.Second)}))
}

// ofHold are the laws of redlock/gc-pause by how long client-1 keeps the lock after its write, and a TTL by that.
func ofHold(t *testing.T, ttl func(hold time.Duration) string) *Laws {
	l := &Laws{Terms: []Term{{Name: "hold.0", Above: -1}}, Most: 15 * time.Second, Progress: func(string) {}, laws: conditions.NewLaws(nil)}
	l.Load = func(values []time.Duration) (*Proof, error) {
		s, err := scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: "params.instances", Value: "1"}, {Path: "params.ttl", Value: ttl(values[0])},
			{Path: "params.hold.0", Value: values[0].String()}, {Path: "faults.0.for", Value: "{uniform: [0s, 15s]}"}}})
		require.NoError(t, err)
		p := &Proof{Scenario: s}
		return p, p.Prepare()
	}
	return l
}

// Client-1 of redlock/gc-pause writes at the end of its time with the lock, so that the path of any time after the write is another
// one: its law is found at one of a millisecond, and is right without any.
func TestATermOfNoneHasALaw(t *testing.T) {
	l := ofHold(t, func(time.Duration) string { return "10s" })
	require.NoError(t, l.learn(t.Context(), []time.Duration{0}))
	for hold, edge := range map[time.Duration]time.Duration{0: 9910 * time.Millisecond, time.Second: 8910 * time.Millisecond} {
		assert.EqualValues(t, edge, l.laws.Holds([]int64{int64(hold)}))
	}
}

// Where the scenario with a millisecond has no edge the law is looked for elsewhere.
func TestATermOfNoneWithoutAnEdgeNearby(t *testing.T) {
	l := ofHold(t, func(hold time.Duration) string {
		if hold > 0 {
			return "1h"
		}
		return "10s"
	})
	require.ErrorIs(t, l.learn(t.Context(), []time.Duration{0}), ErrNoPath)
}

// A document has the numbers of a law, and those that grow with n.
func TestLawOfDocument(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "ttl"}, {Name: "retry"}}}
	law := l.law(&conditions.Law{At: conditions.Forms{{Of: []int64{-1, 2}, Pause: 1, At: 5}}, Step: conditions.Forms{{Of: []int64{0, 1}, At: 3}}, Least: 2, Most: 9})
	assert.Equal(t, []searches.Condition{{Text: "pause + (n + 2)*retry + 5ns + n*3ns >= ttl", Pauses: searches.Coefficient{Name: "pause", Is: 1}, OrEqual: true,
		Terms: []searches.Coefficient{{Name: "ttl", Is: -1}, {Name: "retry", Is: 2, PerN: 1}}, ConstantNS: searches.Coefficient{Is: 5, PerN: 3}}}, law.Conditions)
	assert.Equal(t, []int64{2, 9}, []int64{law.Least, law.Most})
	law = l.law(&conditions.Law{At: conditions.Forms{{Of: []int64{-1, 0}, Pause: 1, Strict: true}}})
	assert.Equal(t, "pause > ttl", law.Text)
	law = l.law(&conditions.Law{At: conditions.Forms{{Of: []int64{-2, 0}, Pause: 3, Strict: true, Parts: 3}}})
	assert.Equal(t, "pause > 2*ttl/3", law.Text)
}

// What is learned at one scenario may be wrong at an earlier one: the check goes back to it. Here the path exists only where the
// delay does not end before it begins, which is not known before that is looked at.
func TestTheCheckGoesBack(t *testing.T) {
	list := func(at []int64) []bounds.Bound { // at: ttl, least, most, pause
		return []bounds.Bound{{X: 1, Y: 0, At: at[3]}, {X: 0, Y: 1, At: -at[0], Strict: true}, {X: 2, Y: 0, At: at[2]}, {X: 0, Y: 2, At: -at[1]}}
	}
	at := []int64{100, 1, 5, 120}
	var moved [][]bounds.Bound
	for i := range at {
		to := slices.Clone(at)
		to[i]++
		moved = append(moved, list(to))
	}
	p, ok := conditions.NewPath(3, 4, list(at), moved, at, []int64{1, 1, 1, 1})
	require.True(t, ok)
	l := &Laws{laws: conditions.NewLaws([][]int64{{100, 1, 5}})}
	l.laws.Add(p)
	done := []checked{{values: []time.Duration{100, 9, 2}, edge: conditions.Never}, {values: []time.Duration{90, 1, 5}, edge: 90}}
	for i := range done {
		l.laws.Know(nanoseconds(done[i].values), done[i].edge)
	}
	require.NoError(t, l.mend(t.Context(), done))
	assert.EqualValues(t, conditions.Never, l.laws.Holds([]int64{100, 9, 2}))
	assert.EqualValues(t, 90, l.laws.Holds([]int64{90, 1, 5}))
	assert.Equal(t, []int{1, 0}, []int{done[0].tries, done[1].tries})
}

// A law that is wrong at the scenario as it is says so, however many others there are at which it is right; where a part of a duration is
// no whole nanosecond it may be one off.
func TestTheScenarioAsItIsIsChecked(t *testing.T) {
	list := func(at []int64) []bounds.Bound {
		return []bounds.Bound{{X: 1, Y: 0, At: at[1]}, {X: 0, Y: 1, At: -at[0], Strict: true}}
	}
	at := []int64{100, 120}
	p, ok := conditions.NewPath(2, 2, list(at), [][]bounds.Bound{list([]int64{101, 120}), list([]int64{100, 121})}, at, []int64{1, 1})
	require.True(t, ok)
	for edge, own := range map[int64]*searches.WrongLaw{100: nil, 101: {At: "ttl=100ns", SaysNS: 100, IsNS: 101}, 150: {At: "ttl=100ns", SaysNS: 100, IsNS: 150}} {
		for _, parted := range []bool{false, true} {
			l := &Laws{Terms: []Term{{Name: "ttl", Above: -1, parted: parted}}, laws: conditions.NewLaws([][]int64{{100}}), own: &checked{values: []time.Duration{100}, edge: edge}}
			l.laws.Add(p)
			r, random := &searches.Laws{}, splitmix.Stream(1)
			require.NoError(t, l.check(t.Context(), r, &random))
			if parted && edge == 101 {
				own = nil
			}
			assert.Equal(t, own, r.Own, edge)
			assert.Zero(t, r.Points)
		}
	}
}
