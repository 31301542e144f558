package simtest_test

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// rapidly lets rapid make the choices; what it chose in the last run is in chosen.
func rapidly(t testing.TB, c simtest.Case[Msg], chosen *[]uint64) {
	d := simtest.NewDriver(t, c)
	rapid.Check(t, func(rt *rapid.T) {
		*chosen = (*chosen)[:0]
		d.Run(rt, func(n uint64) uint64 {
			v := rapid.Uint64Range(0, n-1).Draw(rt, "choice")
			*chosen = append(*chosen, v)
			return v
		})
	})
}

// begin rapid

func TestHandOverRapidly(t *testing.T) {
	d := simtest.NewDriver(t, simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{Until: sim.Time(20 * time.Second)},
		Budget: explore.Budget{Pauses: 2, Lost: 2},
	})
	rapid.Check(t, func(rt *rapid.T) {
		d.Run(rt, func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(rt, "choice") })
	})
}

// end rapid

// seeded makes rapid choose the same each time.
func seeded(t *testing.T) {
	f := flag.Lookup("rapid.seed")
	before := f.Value.String()
	require.NoError(t, f.Value.Set("1"))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}

// Rapid finds a planted race, and makes it as small as it can be: a single fault, and
// every draw minimal.
func TestRapidFindsAndShrinks(t *testing.T) {
	seeded(t)
	c := impatient()
	c.Budget = explore.Budget{Pauses: 2, Lost: 2, Duplicated: 1}
	var chosen []uint64
	k := try(t, "TestX", func(t testing.TB) { rapidly(t, c, &chosen) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "one-in-charge is violated")
	require.Contains(t, k.log.String(), "VIOLATED: primary notes in-charge while standby is still in")
	require.Len(t, failures(t, "TestX"), 1)

	d, err := explore.NewDecoder(&explore.Search{Program: sim.NewProgram(c.System), Config: c.Config, Budget: c.Budget, Seed: 1})
	require.NoError(t, err)
	_, s, err := d.Run(explore.ChooserFunc(func(uint64) uint64 {
		v := chosen[0]
		chosen = chosen[1:]
		return v
	}))
	require.NoError(t, err)
	require.Empty(t, chosen)
	require.Len(t, s.Faults, 1)
	require.Empty(t, s.Overrides)

	k = try(t, "TestX", func(t testing.TB) { rapidly(t, patient(), &chosen) })
	require.False(t, k.failed, k.log.String())
}

// What a driver kept is played before anything else.
func TestADriverPlaysWhatWasKept(t *testing.T) {
	seeded(t)
	var chosen []uint64
	k := try(t, "TestX", func(t testing.TB) { rapidly(t, impatient(), &chosen) })
	require.True(t, k.failed)
	chosen = nil
	k = again("TestX", func(t testing.TB) { rapidly(t, impatient(), &chosen) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "still fails, step for step")
	require.Empty(t, chosen)
}

func TestADriverIsAskedOnlyWhereThereIsAChoice(t *testing.T) {
	c := patient()
	c.Budget = explore.Budget{Pauses: 2, Crashes: 1, Lost: 2}
	k := try(t, "TestX", func(tb testing.TB) {
		d := simtest.NewDriver(tb, c)
		for _, much := range []uint64{0, 1, 1 << 63} {
			d.Run(tb, func(n uint64) uint64 {
				require.Greater(t, n, uint64(1))
				return much
			})
		}
	})
	require.NotContains(t, k.log.String(), "simtest:")
}
