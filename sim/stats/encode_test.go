package stats

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"fencepost/sim"

	"github.com/stretchr/testify/require"
)

// reread is a tally that was written and read.
func reread(t *testing.T, from *Tally) *Tally {
	text, err := json.Marshal(from)
	require.NoError(t, err)
	to := NewTally(&tallied, len(from.Faults))
	require.NoError(t, json.Unmarshal(text, to))
	return to
}

func TestTallyThatWasWrittenMergesToTheSame(t *testing.T) {
	rs := results(211)
	rs[3].Samples = append(rs[3].Samples, sim.Sample{Measure: 4, Value: math.MinInt64}, sim.Sample{Measure: 1, Value: math.MinInt64}, sim.Sample{Measure: 0, Value: math.MaxInt64})
	want := tally(rs)
	for _, cuts := range [][]int{{0, 211}, {0, 1, 2, 100, 211}, {0, 70, 140, 211}} {
		got := NewTally(&tallied, 2)
		for i := range cuts[1:] {
			got.Merge(reread(t, tally(rs[cuts[i]:cuts[i+1]])))
		}
		require.Equal(t, want, got)
	}
}

func TestPairedThatWasWrittenMergesToTheSame(t *testing.T) {
	rs := results(120)
	pairs := func(from, to int) *Paired {
		p := NewPaired(&tallied, &tallied)
		for i := from; i < to; i++ {
			p.Add(rs[i], rs[(i+7)%len(rs)])
		}
		clear(p.totals[0]) // the memory of the last pair
		clear(p.totals[1])
		return p
	}
	got := NewPaired(&tallied, &tallied)
	for _, part := range []*Paired{pairs(0, 50), pairs(50, 120)} {
		text, err := json.Marshal(part)
		require.NoError(t, err)
		read := NewPaired(&tallied, &tallied)
		require.NoError(t, json.Unmarshal(text, read))
		got.Merge(read)
	}
	require.Equal(t, pairs(0, 120), got)
}

// TestTallyOfAnotherShapeIsRefused: text that comes from elsewhere does not panic later.
func TestTallyOfAnotherShapeIsRefused(t *testing.T) {
	text, err := json.Marshal(tally(results(40)))
	require.NoError(t, err)
	for _, change := range [][2]string{
		{`"runs":40`, `"runs":41`},
		{`"at":`, `"at":9999`},
		{`"n":`, `"n":1`},
		{`"squares":[`, `"squares":[1,`},
		{`"Violated":0`, `"Violated":-1`},
		{`"measures":[`, `"measures":[{},`},
		{`"panics":2`, `"panics":41`},
	} {
		other := strings.Replace(string(text), change[0], change[1], 1)
		require.NotEqual(t, string(text), other, change)
		require.Error(t, json.Unmarshal([]byte(other), NewTally(&tallied, 2)), change)
	}
	r := Range{Runs: 40, Seed: tally(results(40)).Properties[0].First.Seed - uint64(tally(results(40)).Properties[0].First.Run-1), Nodes: []string{"a", "b"}, Until: sim.Never}
	require.NoError(t, tally(results(40)).Check(r))
	r.Nodes = r.Nodes[:1]
	require.ErrorContains(t, tally(results(40)).Check(r), "want 0 to 1", "node 2 is named")
}

func FuzzTallyText(f *testing.F) {
	text, err := json.Marshal(tally(results(40)))
	require.NoError(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		one := NewTally(&tallied, 2)
		if json.Unmarshal(data, one) != nil {
			return
		}
		all := tally(results(3))
		all.Merge(one)
		for i := range all.Measures {
			all.Measures[i].Quantile(500)
			all.Measures[i].MeanInterval()
			all.RatioInterval(i)
		}
	})
}
