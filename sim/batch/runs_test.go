package batch

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/internal/race"
	"fencepost/sim/stats"
)

func options(clumsy, panics bool) Options {
	return Options{Program: race.Program(clumsy, panics), Config: race.Config(), Seed: 1, Runs: 3001}
}

func TestRunsDoNotDependOnJobs(t *testing.T) {
	o := options(true, false)
	want := stats.NewTally(&o.Program, 1)
	world, err := o.Program.NewWorld(o.Config)
	require.NoError(t, err)
	for i := range o.Runs {
		want.Add(world.Run(o.Seed + uint64(i)))
	}
	require.NotNil(t, want.FirstPanic)
	require.NotNil(t, want.Properties[0].First)
	require.Positive(t, want.Faults[0].Runs)
	want.FirstPanic.Stack = ""

	for _, jobs := range []int{1, 2, 7} {
		for _, runs := range []int{1, 2, 100, 3001} {
			o.Jobs, o.Runs = jobs, runs
			got, digest, err := Runs(context.Background(), o, nil)
			require.NoError(t, err)
			require.Equal(t, runs, got.Runs)
			require.Equal(t, got.Digest(), digest)
			if runs < 3001 {
				continue
			}
			got.FirstPanic.Stack = ""
			require.Equal(t, want, got, "%d jobs", jobs)
		}
	}
}

func TestRunsReportProgress(t *testing.T) {
	o := options(false, false)
	last := 0
	_, _, err := Runs(context.Background(), o, func(so *stats.Tally) {
		require.GreaterOrEqual(t, so.Runs, last)
		last = so.Runs
	})
	require.NoError(t, err)
	require.Equal(t, o.Runs, last)
}

func TestRunsThatAreStoppedKeepTheFirstSeeds(t *testing.T) {
	for _, jobs := range []int{1, 2, 7} {
		ctx, stop := context.WithCancel(context.Background())
		o := options(false, false)
		o.Runs, o.Jobs = 1_000_000, jobs
		got, digest, err := Runs(ctx, o, func(so *stats.Tally) {
			if so.Runs > 2000 {
				stop()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Greater(t, got.Runs, 2000)
		require.Less(t, got.Runs, o.Runs)

		o.Runs = got.Runs
		want, again, err := Runs(context.Background(), o, nil)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, again, digest)
	}
}

func TestRunsBegunTooLate(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	got, _, err := Runs(ctx, options(false, false), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, got.Runs)
}

func TestRunsReportABrokenProperty(t *testing.T) {
	for _, jobs := range []int{1, 7} {
		o := options(false, true)
		o.Runs, o.Jobs = 1_000_000, jobs
		got, _, err := Runs(context.Background(), o, nil)
		require.ErrorContains(t, err, fmt.Sprintf("seed %d: panic outside of a step: a broken property", o.Seed+uint64(got.Runs)))
		require.Less(t, got.Runs, o.Runs)
	}
}

func TestRunsRefuseWhatTheEngineRefuses(t *testing.T) {
	o := options(false, false)
	o.Config.Until = 0
	_, _, err := Runs(context.Background(), o, nil)
	require.ErrorContains(t, err, "until: must be positive")
	o.Runs = 0
	_, _, err = Runs(context.Background(), o, nil)
	require.ErrorContains(t, err, "runs: must be positive, got 0")

	wrong := errors.New("no world")
	o = options(false, false)
	o.Program.NewWorld = func(sim.Config) (sim.Runner, error) { return nil, wrong }
	_, _, err = Runs(context.Background(), o, nil)
	require.ErrorIs(t, err, wrong)
}

func BenchmarkRuns(b *testing.B) {
	o := options(false, false)
	o.Runs = b.N
	_, _, err := Runs(context.Background(), o, nil)
	require.NoError(b, err)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
