package explore

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/internal/race"
)

// play plays a schedule without anything that searches.
func play(t testing.TB, s *Search, sch Schedule) sim.Result {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r, err := sch.Play(w)
	require.NoError(t, err)
	return *r
}

func TestBytesAreOrdinarySchedules(t *testing.T) {
	s := restless(t)
	d, err := NewDecoder(s)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	digests, faults, draws := map[uint64]bool{}, 0, 0
	n := whole.Of(10, 30)
	for range n {
		data := random(r, 600)
		got, sch, err := d.Run(&Bytes{Data: data})
		require.NoError(t, err)
		want := *got
		require.True(t, sch.Minimal)
		again := play(t, s, sch)
		require.Equal(t, want.Digest, again.Digest)
		require.Equal(t, want.Steps, again.Steps)
		require.Equal(t, want.Properties, again.Properties)
		digests[want.Digest] = true
		faults, draws = max(faults, len(sch.Faults)), max(draws, len(sch.Overrides))

		got, same, err := d.Run(&Bytes{Data: data})
		require.NoError(t, err)
		require.Equal(t, sch, same)
		require.Equal(t, want.Digest, got.Digest)
	}
	require.Greater(t, len(digests), n*4/5)
	require.Greater(t, faults, 2)
	require.Greater(t, draws, 50)
}

func TestNoBytesAreTheCalmRun(t *testing.T) {
	s := restless(t)
	d, err := NewDecoder(s)
	require.NoError(t, err)
	calm := Schedule{Seed: 1, Minimal: true, Faults: s.Config.Faults}
	want := play(t, s, calm)
	for _, data := range [][]byte{nil, {0}, make([]byte, 100_000)} {
		got, sch, err := d.Run(&Bytes{Data: data})
		require.NoError(t, err)
		require.Equal(t, calm.Faults, sch.Faults)
		require.Empty(t, sch.Overrides)
		require.Equal(t, want.Digest, got.Digest)
	}
}

// A chooser may say anything; what it says is taken for what is possible.
func TestChoicesAreClamped(t *testing.T) {
	s := restless(t)
	d, err := NewDecoder(s)
	require.NoError(t, err)
	asked := 0
	got, sch, err := d.Run(ChooserFunc(func(n uint64) uint64 {
		require.Greater(t, n, uint64(1))
		asked++
		return ^uint64(0)
	}))
	require.NoError(t, err)
	require.Greater(t, asked, 100)
	require.Len(t, sch.Faults, len(s.Config.Faults)+1, "the budget has one of the last kind")
	require.Equal(t, got.Digest, play(t, s, sch).Digest)
	for _, o := range sch.Overrides {
		require.Equal(t, ^uint64(0), o.Value)
	}
}

// The second run of a step draws what the first did.
func TestBytesWithEachStepTwice(t *testing.T) {
	s := Search{Program: race.Program(false, false), Config: sim.Config{Until: sim.Time(time.Second), Twice: true}, Seed: 1}
	d, err := NewDecoder(&s)
	require.NoError(t, err)
	got, sch, err := d.Run(&Bytes{Data: []byte{10, 20}})
	require.NoError(t, err)
	require.Nil(t, got.Panic)
	require.Equal(t, []sim.Override{
		{Draw: sim.Draw{Purpose: sim.Timers, From: 1}, Value: 10 * 0x0101010101010101},
		{Draw: sim.Draw{Purpose: sim.Timers, From: 2}, Value: 20 * 0x0101010101010101},
	}, sch.Overrides)
}

func TestOverridesOfTheConfigurationStay(t *testing.T) {
	o := sim.Override{Draw: sim.Draw{Purpose: sim.Timers, From: 1}, Value: 1 << 62}
	s := Search{Program: race.Program(false, false), Seed: 1,
		Config: sim.Config{Until: sim.Time(time.Second), Overrides: []sim.Override{o}}}
	d, err := NewDecoder(&s)
	require.NoError(t, err)
	got, sch, err := d.Run(&Bytes{Data: []byte{200}})
	require.NoError(t, err)
	require.Equal(t, []sim.Override{o, {Draw: sim.Draw{Purpose: sim.Timers, From: 2}, Value: 200 * 0x0101010101010101}}, sch.Overrides)
	require.Equal(t, got.Digest, play(t, &s, sch).Digest)
}

func TestAFailureOfBytes(t *testing.T) {
	s := Search{Program: race.Program(true, false), Config: sim.Config{Until: sim.Time(time.Second)}, Seed: 1}
	d, err := NewDecoder(&s)
	require.NoError(t, err)
	for _, v := range []struct {
		data     []byte
		property int
	}{{nil, -2}, {[]byte{250}, 0}, {[]byte{0, 255}, NoProperty}} {
		r, sch, err := d.Run(&Bytes{Data: v.data})
		require.NoError(t, err)
		digest := r.Digest
		f, err := d.Failure(sch)
		require.NoError(t, err)
		if v.property < NoProperty {
			require.Nil(t, f)
			continue
		}
		require.Equal(t, v.property, f.Property)
		require.Equal(t, digest, f.Digest)
		require.Equal(t, v.property == NoProperty, f.Panic != nil)
	}
}

func TestDecoderRefuses(t *testing.T) {
	s := restless(t)
	s.Budget.Loss = 1
	_, err := NewDecoder(s)
	require.ErrorContains(t, err, "budget: loss is a chance")
	s.Budget = Budget{Pauses: -1}
	_, err = NewDecoder(s)
	require.ErrorContains(t, err, "pause: want 0 to 64, got -1")
	s.Budget, s.Config.Until = Budget{}, 0
	_, err = NewDecoder(s)
	require.ErrorContains(t, err, "until: must be positive")

	p, c := ring(2)
	_, err = NewDecoder(&Search{Program: p, Config: c})
	require.ErrorContains(t, err, "in the fault-free run, in which every draw is the least, time does not pass")
}

func TestBytesAsChoices(t *testing.T) {
	b := Bytes{Data: []byte{3, 7, 1, 2, 255, 9}}
	require.Equal(t, uint64(0), b.Below(1), "no byte for no choice")
	require.Equal(t, uint64(3), b.Below(4))
	require.Equal(t, uint64(3), b.Below(4), "7 goes round")
	require.Equal(t, uint64(0x0102), b.Below(1000), "two bytes")
	require.Equal(t, uint64(255), b.Below(256))
	require.Equal(t, uint64(0x0900), b.Below(1<<16), "what is missing is 0")
	require.Equal(t, uint64(0), b.Below(1<<63))
}
