package batch

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/internal/race"
)

// races compares a race with a clumsy one, and with one without the pauses.
func races() Comparison {
	plain, clumsy, faultFree := options(false, false), options(true, false), options(false, false)
	often := plain.Config.Faults[0]
	often.When.Every, often.For = sim.Exponential(50*time.Millisecond), sim.Constant(5*time.Millisecond)
	plain.Config.Faults = []sim.Fault{often}
	faultFree.Config.Faults = nil
	return Comparison{
		Programs: []sim.Program{plain.Program, clumsy.Program, faultFree.Program},
		Configs:  []sim.Config{plain.Config, clumsy.Config, faultFree.Config},
		Seed:     1, Runs: 1001,
	}
}

// noStacks takes away what differs between the goroutines that saw a panic.
func (c *Compared) noStacks() {
	for _, t := range c.Tallies {
		if t.FirstPanic != nil {
			t.FirstPanic.Stack = ""
		}
	}
}

// TestCompareDoesNotDependOnJobs gives each program what it gets alone, and the same
// differences with any number of jobs.
func TestCompareDoesNotDependOnJobs(t *testing.T) {
	o := races()
	var want *Compared
	for _, jobs := range []int{1, 2, 8, 4096} {
		o.Jobs = jobs
		got, err := Compare(context.Background(), o, nil)
		require.NoError(t, err)
		require.NotNil(t, got.Tallies[1].FirstPanic)
		got.noStacks()
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "%d jobs", jobs)
	}
	for i := range o.Programs {
		alone, _, err := Runs(context.Background(), Options{Program: o.Programs[i], Config: o.Configs[i], Seed: o.Seed, Runs: o.Runs}, nil)
		require.NoError(t, err)
		if alone.FirstPanic != nil {
			alone.FirstPanic.Stack = ""
		}
		require.Equal(t, alone, want.Tallies[i])
		require.Equal(t, alone.Properties[0].Violated, want.Unsafe[i])
	}
	require.Nil(t, want.Pairs[0])
	q := want.Pairs[2].Properties[0]
	require.Equal(t, o.Runs, q.Runs)
	require.Equal(t, want.Tallies[2].Properties[0].Violated-want.Tallies[0].Properties[0].Violated, q.OnlyOther-q.OnlyBase)
	require.Positive(t, want.Pairs[2].Measures[0].Differ, "a pause makes a run last longer")
	require.Less(t, want.Pairs[2].Measures[0].Differ, o.Runs/2, "and the runs without one are the same")
}

func TestCompareBaseline(t *testing.T) {
	o := races()
	there, err := Compare(context.Background(), o, nil)
	require.NoError(t, err)
	o.Baseline = 2
	back, err := Compare(context.Background(), o, nil)
	require.NoError(t, err)
	require.Nil(t, back.Pairs[2])
	d, i, _ := there.Pairs[2].Measures[0].Difference()
	e, j, _ := back.Pairs[0].Measures[0].Difference()
	require.Equal(t, []float64{d, i.Low, i.High}, []float64{-e, -j.High, -j.Low})
}

func TestCompareThatIsStoppedKeepsTheFirstSeeds(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	o := races()
	o.Runs = 1_000_000_000
	got, err := Compare(ctx, o, func(so *Compared) {
		if so.Tallies[0].Runs > 500 {
			stop()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	o.Runs = got.Tallies[0].Runs
	require.Greater(t, o.Runs, 500)
	want, err := Compare(context.Background(), o, nil)
	require.NoError(t, err)
	want.noStacks()
	got.noStacks()
	require.Equal(t, want, got)
}

func TestCompareErrors(t *testing.T) {
	for want, change := range map[string]func(*Comparison){
		"runs: must be positive, got 0":                                       func(o *Comparison) { o.Runs = 0 },
		"compare: want one config for each program, and one program at least": func(o *Comparison) { o.Configs = nil },
		"baseline: want 0 to 2, got 3":                                        func(o *Comparison) { o.Baseline = 3 },
		"until: must be positive":                                             func(o *Comparison) { o.Configs[1].Until = 0 },
		"panic outside of a step: a broken property":                          func(o *Comparison) { o.Programs[2], o.Runs = race.Program(false, true), 20_000 },
	} {
		o := races()
		change(&o)
		_, err := Compare(context.Background(), o, nil)
		require.ErrorContains(t, err, want)
	}
}
