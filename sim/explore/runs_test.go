package explore

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// ball is the message of a race: two players note how long they took.
type ball struct{ kind sim.Kind }

func (b ball) Label() sim.Kind              { return b.kind }
func (b ball) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(b.kind), 0) }
func (b ball) String() string               { return [...]string{"start", "ready", "fell"}[b.kind] }

type player struct{ Clumsy bool }

func (p *player) Step(in sim.In[ball], out *sim.Out[ball]) {
	switch {
	case in.Msg.kind == 0:
		out.AfterDraw(sim.Exponential(10*time.Millisecond), ball{1})
	case p.Clumsy && in.Mono > sim.Mono(60*time.Millisecond):
		panic("fell over")
	default:
		out.Note(ball{1})
	}
}

// quick is violated by whoever takes longer than 30 ms.
type quick struct {
	sim.Check
	panics bool
	last   sim.Time
}

func (q *quick) Name() string                 { return "quick" }
func (q *quick) Reset(*sim.View[ball])        { q.Clear() }
func (q *quick) Why(v *sim.View[ball]) string { return "slow" }
func (q *quick) End(*sim.View[ball]) {
	if q.panics && q.last > sim.Time(90*time.Millisecond) {
		panic("a broken property")
	}
}

func (q *quick) Observe(v *sim.View[ball], o *sim.Observation[ball]) {
	if o.Event != sim.Noted {
		return
	}
	q.last = v.Now()
	q.Saw()
	v.Record(0, int64(v.Now()))
	v.Record(1, 1)
	if v.Now() > sim.Time(30*time.Millisecond) {
		q.Violate(v.Now(), o.Node)
	}
}

func race(clumsy, panics bool) Options {
	return Options{
		Program: sim.NewProgram(func() sim.System[ball] {
			return sim.System[ball]{
				Nodes: []sim.Spec[ball]{
					sim.Place[ball]("ann", player{}),
					sim.Place[ball]("bob", player{Clumsy: clumsy}),
				},
				Kinds:      []string{"start", "ready", "fell"},
				Notes:      []sim.Kind{1},
				Properties: []sim.Property[ball]{&quick{panics: panics}},
				Measures:   []sim.Measure{{Name: "time", Unit: sim.Duration}, {Name: "ready", Total: true}},
			}
		}),
		Config: sim.Config{Until: sim.Time(time.Second), Faults: []sim.Fault{
			{Name: "pause", Do: sim.Pause, Node: 1, When: sim.When{Every: sim.Exponential(time.Second)}, For: sim.Constant(time.Millisecond)},
		}},
		Seed: 1, Runs: 3001,
	}
}

func TestRunsDoNotDependOnJobs(t *testing.T) {
	o := race(true, false)
	want := sim.NewTally(&o.Program, 1)
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
	o := race(false, false)
	last := 0
	_, _, err := Runs(context.Background(), o, func(so *sim.Tally) {
		require.GreaterOrEqual(t, so.Runs, last)
		last = so.Runs
	})
	require.NoError(t, err)
	require.Equal(t, o.Runs, last)
}

func TestRunsThatAreStoppedKeepTheFirstSeeds(t *testing.T) {
	for _, jobs := range []int{1, 2, 7} {
		ctx, stop := context.WithCancel(context.Background())
		o := race(false, false)
		o.Runs, o.Jobs = 1_000_000, jobs
		got, digest, err := Runs(ctx, o, func(so *sim.Tally) {
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
	got, _, err := Runs(ctx, race(false, false), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, got.Runs)
}

func TestRunsReportABrokenProperty(t *testing.T) {
	for _, jobs := range []int{1, 7} {
		o := race(false, true)
		o.Runs, o.Jobs = 1_000_000, jobs
		got, _, err := Runs(context.Background(), o, nil)
		require.ErrorContains(t, err, fmt.Sprintf("seed %d: panic outside of a step: a broken property", o.Seed+uint64(got.Runs)))
		require.Less(t, got.Runs, o.Runs)
	}
}

func TestRunsRefuseWhatTheEngineRefuses(t *testing.T) {
	o := race(false, false)
	o.Config.Until = 0
	_, _, err := Runs(context.Background(), o, nil)
	require.ErrorContains(t, err, "until: must be positive")
	o.Runs = 0
	_, _, err = Runs(context.Background(), o, nil)
	require.ErrorContains(t, err, "runs: must be positive, got 0")

	wrong := errors.New("no world")
	o = race(false, false)
	o.Program.NewWorld = func(sim.Config) (sim.Runner, error) { return nil, wrong }
	_, _, err = Runs(context.Background(), o, nil)
	require.ErrorIs(t, err, wrong)
}

func BenchmarkRuns(b *testing.B) {
	o := race(false, false)
	o.Runs = b.N
	_, _, err := Runs(context.Background(), o, nil)
	require.NoError(b, err)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
