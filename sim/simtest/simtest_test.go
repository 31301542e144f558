package simtest_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// patient is the case of TestHandOver.
func patient() simtest.Case[Msg] {
	c := impatient()
	c.System = handOver
	return c
}

// failures are the files in the folder of a test.
func failures(t *testing.T, test string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "fencepost", test, "*"))
	require.NoError(t, err)
	return files
}

func TestRunHolds(t *testing.T) {
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, patient()) })
	require.False(t, k.failed, k.log.String())
	runs := "100"
	if testing.Short() {
		runs = "25"
	}
	require.Equal(t, "holds in "+runs+" runs: p < 3/"+runs+" at 95%\n", k.log.String())
	require.Empty(t, failures(t, "TestX"))
}

func TestRunFails(t *testing.T) {
	c := impatient()
	c.Config.Network.Default.Loss = sim.Certain / 5
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, c) })
	require.True(t, k.failed)
	for _, want := range []string{"one-in-charge is violated at 6.000s", "VIOLATED: primary notes in-charge while standby is still in",
		"what has to go wrong for it:\n  the loss of message 1 of standby to primary, drawn at", "again:  go test -run '^TestX$'"} {
		require.Contains(t, k.log.String(), want)
	}
	files := failures(t, "TestX")
	require.Len(t, files, 1)
	require.Contains(t, k.log.String(), "kept:   "+filepath.ToSlash(files[0])+"\n")
}

func TestAStepPanics(t *testing.T) {
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, round(sim.Place[Msg]("ann", clumsy{}))) })
	require.True(t, k.failed)
	for _, want := range []string{"a step panics at 0.3", `VIOLATED: ann panicked at "retire": fell over`, "clumsy).Step"} {
		require.Contains(t, k.log.String(), want)
	}
	require.NotContains(t, k.log.String(), "carefulStep")
	require.Len(t, failures(t, "TestX"), 1)

	k = again("TestX", func(t testing.TB) { simtest.Run(t, round(sim.Place[Msg]("ann", clumsy{}))) })
	require.Contains(t, k.log.String(), "still fails, step for step as it was kept")
}

func TestEachModeExplores(t *testing.T) {
	for _, mode := range []explore.Mode{explore.Random, explore.Exhaustive, explore.PCT} {
		c := patient()
		if c.Mode = mode; mode == explore.PCT { // whose faults are those of nodes only
			c.Budget = explore.Budget{Pauses: 1, Nodes: c.Budget.Nodes}
		}
		k := try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
		require.False(t, k.failed, k.log.String())
		require.Equal(t, mode == explore.Exhaustive, strings.Contains(k.log.String(), "holds: exhausted, "), k.log.String())

		// The pauses make the primary stay: with the answer late, not lost.
		c = impatient()
		c.Mode, c.Budget = mode, explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{2 * time.Second}}}
		k = try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
		require.True(t, k.failed, "%v: %s", mode, k.log.String())
		require.Contains(t, k.log.String(), "standby is paused for", "%v", mode)
	}
}

// Finding T10: a failing test does not shrink for minutes, and says when it stopped.
func TestShrinkingHasABound(t *testing.T) {
	c := impatient()
	c.Shrink = 1 // nothing can be done in a nanosecond
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, round(sim.Place[Msg]("ann", clumsy{}))) })
	require.NotContains(t, k.log.String(), "cut off")
	k = try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "shrinking was cut off after 1ns and 0 runs: it may be smaller yet, with -fencepost.shrink or Case.Shrink\n")
	require.Contains(t, k.log.String(), "VIOLATED: ", "it is explained, too")
	require.Len(t, failures(t, "TestX"), 1)
	limit := flag.Lookup("fencepost.shrink")
	require.NotNil(t, limit)
	require.Equal(t, "10s", limit.DefValue)
}

func TestExploreStopsAtItsBound(t *testing.T) {
	c := patient()
	c.Mode, c.Runs = explore.Exhaustive, 10
	k := try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
	require.False(t, k.failed)
	require.Contains(t, k.log.String(), "holds in 10 runs, in 9 of which a fault of the budget was injected")
	require.NotContains(t, k.log.String(), "exhausted")
}

func TestVacuousProperties(t *testing.T) {
	with := func(properties ...sim.Property[Msg]) simtest.Case[Msg] {
		c := round(sim.Place[Msg]("ann", ticker{}))
		build := c.System
		c.System = func() sim.System[Msg] {
			s := build()
			s.Properties = properties
			return s
		}
		c.Runs = 10
		return c
	}
	both, one := with(&content{}, &blind{}), with(&blind{})
	named, covered := both, both
	named.Properties, covered.Covered = []string{"content", "blind"}, true
	other := both
	other.Properties = []string{"content"}
	for _, v := range []struct {
		c     simtest.Case[Msg]
		fails bool
		want  string
	}{
		{both, false, "blind was not exercised in 10 runs\n"},
		{one, true, "no property was exercised in 10 runs"},
		{named, true, "blind was not exercised in 10 runs: that it holds says nothing"},
		{covered, true, "blind was not exercised in 10 runs: that it holds says nothing"},
		{other, false, ""},
	} {
		k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, v.c) })
		assert.Equal(t, v.fails, k.failed, k.log.String())
		assert.Contains(t, k.log.String(), v.want)
		if v.want == "" {
			assert.NotContains(t, k.log.String(), "blind")
		}
	}
}

func TestOnlyTheNamedPropertiesCount(t *testing.T) {
	c := impatient()
	c.System = func() sim.System[Msg] {
		s := impatient().System()
		s.Properties = append(s.Properties, &content{})
		return s
	}
	c.Properties = []string{"content"}
	k := try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
	require.False(t, k.failed, k.log.String())
}

func TestImpureNodes(t *testing.T) {
	for _, v := range []struct {
		name string
		node sim.Spec[Msg]
		want string
	}{
		{"the order of a map", sim.Place[Msg]("ann", unordered{map[sim.Kind]bool{Take: true, Taken: true, retire: true, patience: true}}), `twice from the same state, and did not do the same.`},
		{"a variable of the package", sim.Place[Msg]("ann", counted{}), `ann is not pure: at 0.000s, with seed 1, it handled "start" twice from the same state`},
		{"a slice that is not copied", sim.Place[Msg]("ann", sharing{[]int{0}}), "A node that owns slices or maps implements sim.Resetter."},
	} {
		t.Run(v.name, func(t *testing.T) {
			for _, f := range []func(testing.TB, simtest.Case[Msg]){simtest.Run[Msg], simtest.Explore[Msg]} {
				k := try(t, "TestX", func(t testing.TB) { f(t, round(v.node)) })
				require.True(t, k.failed)
				require.Contains(t, k.log.String(), v.want)
				require.Empty(t, failures(t, "TestX"))
			}
		})
	}
}

// once is pure within a step, and counts runs in a variable of the package.
type once struct{}

var starts int

func (*once) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == 0 && starts%2 == 1 {
		out.Note(Say(InCharge))
	}
}

// restart is a property that counts the runs for once.
type restart struct{ content }

func (p *restart) End(*sim.View[Msg]) { starts++ }

func TestRunsThatDifferFromRunToRun(t *testing.T) {
	starts = 0
	c := round(sim.Place[Msg]("ann", ticker{}), sim.Place[Msg]("bob", once{}))
	build := c.System
	c.System = func() sim.System[Msg] {
		s := build()
		s.Properties = []sim.Property[Msg]{&restart{}}
		return s
	}
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, c) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "seed 1 does not give the same run twice: step 2 differs,\n"+
		"  first   0.000s  bob: starts; notes in-charge\n  then    0.000s  bob: starts\nSome step or property")

	c.System = func() sim.System[Msg] {
		s := build()
		s.Nodes = s.Nodes[:1]
		s.Properties = []sim.Property[Msg]{&grudging{}}
		return s
	}
	k = try(t, "TestX", func(t testing.TB) { simtest.Run(t, c) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "the steps are the same, but of content it found holds and then violated")
}

func TestCoverage(t *testing.T) {
	c := round(sim.Place[Msg]("ann", ticker{}))
	c.Runs = 10
	k := try(t, "TestX", func(t testing.TB) { simtest.Run(t, c) })
	require.False(t, k.failed)
	const want = "no node handled, in 10 runs: take, taken, patience\nno node noted, in 10 runs: relieved\n"
	require.Contains(t, k.log.String(), want)

	c.Covered = true
	k = try(t, "TestX", func(t testing.TB) { simtest.Run(t, c) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), want)

	c = patient()
	c.Covered = true
	k = try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
	require.False(t, k.failed, k.log.String())
}

func TestABudgetThatCanDoNothing(t *testing.T) {
	c := round(sim.Place[Msg]("ann", ticker{}))
	c.Budget = explore.Budget{Lost: 1}
	k := try(t, "TestX", func(t testing.TB) { simtest.Explore(t, c) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "no fault of the budget was injected")
}

func TestWhatIsWrongWithACase(t *testing.T) {
	unnamed, endless, bad, empty, wrong := patient(), patient(), patient(), patient(), patient()
	wrong.System = func() sim.System[Msg] { return sim.System[Msg]{Err: errors.New("patience is negative")} }
	unnamed.Properties = []string{"two-in-charge"}
	endless.Config.Until = 0
	bad.Budget.Pauses = -1
	empty.System = func() sim.System[Msg] {
		s := handOver()
		s.Properties = nil
		return s
	}
	for _, v := range []struct {
		c    simtest.Case[Msg]
		want string
	}{
		{simtest.Case[Msg]{}, "simtest: the case has no system"},
		{unnamed, `simtest: the system has no property "two-in-charge": it has one-in-charge`},
		{endless, "simtest: until: must be positive"},
		{bad, "simtest: budget: pause: want 0 to 64, got -1"},
		{empty, "simtest: the system has no properties"},
		{wrong, "patience is negative"},
	} {
		for _, f := range []func(testing.TB){
			func(t testing.TB) { simtest.Explore(t, v.c) },
			func(t testing.TB) { simtest.NewDriver(t, v.c) },
		} {
			k := try(t, "TestX", f)
			assert.True(t, k.failed)
			assert.Contains(t, k.log.String(), v.want)
		}
	}
}

func TestKeptFailures(t *testing.T) {
	explored := func(c simtest.Case[Msg]) func(testing.TB) { return func(t testing.TB) { simtest.Explore(t, c) } }
	k := try(t, "TestX/a b", explored(impatient()))
	require.True(t, k.failed)
	files := failures(t, "TestX/a_b-*")
	require.Len(t, files, 1)

	k = again("TestX/a b", explored(impatient()))
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), filepath.ToSlash(files[0])+" still fails, step for step as it was kept\n")
	require.Contains(t, k.log.String(), "again:  go test -run '^TestX$/^a b$'")
	require.Len(t, failures(t, "TestX/a_b-*"), 1, "it is not kept twice")

	k = again("TestX/a_b", explored(patient())) // another test, which has kept nothing
	require.Equal(t, 1, strings.Count(k.log.String(), "\n"), k.log.String())

	k = again("TestX/a b", explored(patient()))
	require.False(t, k.failed, k.log.String())
	require.Contains(t, k.log.String(), filepath.ToSlash(files[0])+" does not fail any more\n")

	slower := impatient()
	slower.Config.Network.Default.Delay = sim.Uniform(2*time.Millisecond, 20*time.Millisecond)
	k = again("TestX/a b", explored(slower))
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "still fails, though its steps are not those that were kept: the model has changed")

	other := impatient()
	other.System = func() sim.System[Msg] {
		s := impatient().System()
		s.Nodes[1] = sim.Place[Msg]("standby", clumsy{})
		return s
	}
	k = again("TestX/a b", explored(other))
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "fails, but in another way than it was kept: there one-in-charge is violated\na step panics at")

	renamed := impatient()
	renamed.System = func() sim.System[Msg] {
		s := impatient().System()
		s.Nodes[1] = sim.Place[Msg]("deputy", Standby{})
		return s
	}
	k = again("TestX/a b", explored(renamed))
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), `there is no node "standby"`)
	require.Contains(t, k.log.String(), "Delete it if the model is no longer the one that it is about.")

	require.NoError(t, os.WriteFile(files[0], []byte(`{"format"`), 0o644))
	k = again("TestX/a b", explored(impatient()))
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "it ends in the middle")

	require.NoError(t, os.Truncate(files[0], explore.MaxText+1))
	k = again("TestX/a b", explored(impatient()))
	require.Contains(t, k.log.String(), "it is too large")
}

// Nothing is written but in the folder of the package, whatever a test is called.
func TestNamesOfTests(t *testing.T) {
	for _, name := range []string{"TestX/../../../../up", "TestX//abs", `TestX/c:\con`, "TestX/" + strings.Repeat("long", 100), "TestX/é\x00\n", "TestX/."} {
		outer := t.TempDir()
		inner := filepath.Join(outer, "a", "b", "c", "d")
		require.NoError(t, os.MkdirAll(inner, 0o755))
		t.Chdir(inner)
		k := again(name, func(t testing.TB) { simtest.Explore(t, impatient()) })
		require.True(t, k.failed)
		require.Contains(t, k.log.String(), "kept:   testdata/fencepost/TestX/", name)
		count := 0
		require.NoError(t, filepath.WalkDir(outer, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				count++
				require.True(t, strings.HasPrefix(path, filepath.Join(inner, "testdata", "fencepost", "TestX")), path)
			}
			return err
		}))
		require.Equal(t, 1, count)
		k = again(name, func(t testing.TB) { simtest.Explore(t, impatient()) })
		require.Contains(t, k.log.String(), "still fails, step for step", name)
	}
}

func TestALinkThatLeadsAway(t *testing.T) {
	away := t.TempDir()
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.Symlink(away, filepath.Join("testdata", "fencepost")))
	k := again("TestX", func(t testing.TB) { simtest.Explore(t, impatient()) })
	require.True(t, k.failed)
	require.Contains(t, k.log.String(), "escapes")
	left, err := os.ReadDir(away)
	require.NoError(t, err)
	require.Empty(t, left)
}
