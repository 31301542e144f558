package format_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

func TestExpectations(t *testing.T) {
	at := sim.Time(10020 * ms)
	low, high := sim.Chance(100_000_000), sim.Chance(300_000_000)
	exactly := func(n int64) format.Bound { return format.Bound{Least: &n, Most: &n} }
	one, five := int64(1), int64(5*time.Second)
	for text, want := range map[string]format.Expectation{
		"on-time: holds":                                   {Property: "on-time", Verdict: sim.Holds},
		"on-time: violated":                                {Property: "on-time", Verdict: sim.Violated},
		"on-time: not-exercised":                           {Property: "on-time"},
		"on-time: {violated: {}}":                          {Property: "on-time", Verdict: sim.Violated},
		"on-time: {violated: {at: 10020ms, nodes: store}}": {Property: "on-time", Verdict: sim.Violated, At: &at, Nodes: []string{"store"}},
		"on-time: {violated: {nodes: [store, client-2]}}":  {Property: "on-time", Verdict: sim.Violated, Nodes: []string{"store", "client-2"}},
		"on-time: {share: [0.1, 30%]}":                     {Property: "on-time", Low: &low, High: &high},
		"writes: 3":                                        {Measure: "writes", Want: exactly(3)},
		"writes: {least: 1}":                               {Measure: "writes", Want: format.Bound{Least: &one}},
		"latency: -5109ms":                                 {Measure: "latency", Want: exactly(int64(-5109 * ms))},
		"latency: {least: 1ns, most: 5s}":                  {Measure: "latency", Want: format.Bound{Least: &one, Most: &five}},
	} {
		require.Equal(t, []format.Expectation{want}, fake.Good(t, fake.Minimal+"expect: {"+text+"}\n").Expect, text)
	}
	s := fake.Good(t, fake.Minimal+"expect: {writes: 1, on-time: holds, latency: 1s}\n")
	require.Equal(t, []string{"writes", "", "latency"}, []string{s.Expect[0].Measure, s.Expect[1].Measure, s.Expect[2].Measure}, "in the order of the file")
}

// T5: unknown is the old word for not-exercised, read with a note until the next release.
func TestNotExercisedExpected(t *testing.T) {
	for word, notes := range map[string]int{"not-exercised": 0, "unknown": 1} {
		s := fake.Good(t, fake.Minimal+"expect: {on-time: "+word+"}\n")
		require.Equal(t, sim.NotExercised, s.Expect[0].Verdict)
		require.Len(t, s.Notes, notes)
	}
}

// T2: what comes out differs from point to point, and a grid expected a share of 0% to
// 100% everywhere.
func TestExpectAt(t *testing.T) {
	const rows = fake.Minimal + `vary:
  params.ttl: [1s, 2s, 3s]
  load: {calm: {}, busy: {params.clients: 2}}
expect: {on-time: holds, writes: 3}
expect-at:
  - {at: {params.ttl: [1s, 2s]}, on-time: violated}
  - {at: {params.ttl: 2s, load: busy}, on-time: not-exercised, latency: {most: 5s}}
`
	s := fake.Good(t, rows)
	var got []string
	for _, v := range s.Variants {
		text := ""
		for _, e := range v.Scenario.Expect {
			text += e.Property + e.Measure + " " + e.Verdict.String() + ";"
		}
		got = append(got, text)
	}
	require.Equal(t, []string{
		"on-time violated;writes not-exercised;", "on-time violated;writes not-exercised;",
		"on-time violated;writes not-exercised;", "on-time not-exercised;writes not-exercised;latency not-exercised;",
		"on-time holds;writes not-exercised;", "on-time holds;writes not-exercised;",
	}, got, "a later row takes the place of one before")
	require.Equal(t, []catalog.Given{{Path: "params.ttl=[1s, 2s]", Value: "on-time: violated"},
		{Path: "params.ttl=2s load=busy", Value: "on-time: not-exercised, latency: {most: 5s}"}}, catalog.ExpectedAt(s))
	require.Empty(t, s.Notes)

	picked := fake.Good(t, rows, result.Setting{Path: "params.ttl", Value: "2s"}, result.Setting{Path: "load", Value: "busy"})
	require.Equal(t, sim.NotExercised, picked.Variants[0].Scenario.Expect[0].Verdict, "of a single point")

	for text, want := range map[string]string{
		"{at: {params.tll: 1s}, writes: 1}":      `vary has no axis "params.tll"`,
		"{at: {params.ttl: 4s}, writes: 1}":      "params.ttl has no value 4s at any point",
		"{at: {load: quiet}, writes: 1}":         "load has no value quiet at any point",
		"{at: {params.ttl: 1s}}":                 "nothing is expected there",
		"{writes: 1}":                            "is not a row of expect-at",
		"{at: {params.ttl: 1s}, wrties: 1}":      `there is no property or measure "wrties"`,
		"{at: {params.ttl: 1s}, on-time: broke}": "is not a valid word",
	} {
		require.Contains(t, strings.Join(fake.Lines(rows+"  - "+text+"\n"), "\n"), want, text)
	}
}

// T2: a measure was shown by an expectation that cannot fail.
func TestShow(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"show: [writes, on-time]\n")
	require.Equal(t, []string{"writes", "on-time"}, s.Show)
	require.Equal(t, []string{"writes"}, fake.Good(t, fake.Minimal+"show: writes\n").Show)
	require.Contains(t, strings.Join(fake.Lines(fake.Minimal+"show: [wirtes]\n"), "\n"), `there is no property or measure "wirtes"`)
	require.Contains(t, strings.Join(fake.Lines(fake.Minimal+"show: [writes, writes]\n"), "\n"), "writes is shown twice")
}

// T2: an expectation that nothing can fail is pointed out.
func TestVacuousExpectations(t *testing.T) {
	for text, notes := range map[string]int{
		"on-time: {share: [0%, 100%]}": 1, "on-time: {share: [0%, 99%]}": 0,
		"writes: {least: 0}": 1, "writes: {least: 1}": 0, "writes: {least: 0, most: 4}": 0, "writes: 0": 0,
		"latency: {least: 0s}": 1, "latency: {least: -1s}": 1,
	} {
		s := fake.Good(t, fake.Minimal+"expect: {"+text+"}\n")
		require.Len(t, s.Notes, notes, text)
	}
	require.Contains(t, fake.Good(t, fake.Minimal+"expect: {writes: {least: 0}}\n").Notes[0], "3:10: writes: this expectation cannot fail, it is never less than 0: leave it out, and name it under show")
}

// TestExpectAtWithoutAGrid: a file without vary has no points to expect anything of.
func TestExpectAtWithoutAGrid(t *testing.T) {
	_, err := fake.LoadPath(fake.WriteFile(t, t.TempDir(), "a.yaml", fake.Minimal+"expect-at: [{at: {params.ttl: 1s}, writes: 1}]\n"), format.Options{})
	require.ErrorContains(t, err, "expect-at is about points of a grid, and the file has no vary: want expect")
}

// TestAnotherGridHasNoRows: a row of expect-at is about a point of the file's own grid, and one that --set replaces has others.
func TestAnotherGridHasNoRows(t *testing.T) {
	text := fake.Minimal + "vary: {params.clients: [1, 2]}\nexpect-at: [{at: {params.clients: 1}, on-time: holds}]\n"
	s := fake.Good(t, text, result.Setting{Path: "vary.params.clients", Value: "[3]"})
	require.Len(t, s.Variants, 1)
	require.Empty(t, s.Variants[0].Scenario.Expect)
}

// TestAChangeNeedNotFitWhatIsExpected: a shorter run and fewer clients are questions, and were refused at a line of the file
// that nobody had touched. What the command itself expects must fit.
func TestAChangeNeedNotFitWhatIsExpected(t *testing.T) {
	text := fake.Minimal + "expect: {on-time: {violated: {at: 500ms, nodes: [client-2]}}}\n"
	fake.Good(t, text)
	fake.Good(t, text, result.Setting{Path: "until", Value: "400ms"})
	fake.Good(t, text, result.Setting{Path: "params.clients", Value: "1"})
	require.NotEmpty(t, fake.Lines(text, result.Setting{Path: "until", Value: "400ms"}, result.Setting{Path: "expect.on-time.violated.at", Value: "450ms"}))
}
