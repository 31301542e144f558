package scenarios

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestExpectations(t *testing.T) {
	at := sim.Time(10020 * ms)
	low, high := sim.Chance(100_000_000), sim.Chance(300_000_000)
	exactly := func(n int64) Bound { return Bound{&n, &n} }
	one, five := int64(1), int64(5*time.Second)
	for text, want := range map[string]Expectation{
		"on-time: holds":          {Property: "on-time", Verdict: sim.Holds},
		"on-time: violated":       {Property: "on-time", Verdict: sim.Violated},
		"on-time: unknown":        {Property: "on-time"},
		"on-time: {violated: {}}": {Property: "on-time", Verdict: sim.Violated},
		"on-time: {violated: {at: 10020ms, nodes: store}}": {Property: "on-time", Verdict: sim.Violated, At: &at, Nodes: []string{"store"}},
		"on-time: {violated: {nodes: [store, client-2]}}":  {Property: "on-time", Verdict: sim.Violated, Nodes: []string{"store", "client-2"}},
		"on-time: {share: [0.1, 30%]}":                     {Property: "on-time", Low: &low, High: &high},
		"writes: 3":                                        {Measure: "writes", Want: exactly(3)},
		"writes: {least: 1}":                               {Measure: "writes", Want: Bound{Least: &one}},
		"latency: -5109ms":                                 {Measure: "latency", Want: exactly(int64(-5109 * ms))},
		"latency: {least: 1ns, most: 5s}":                  {Measure: "latency", Want: Bound{&one, &five}},
	} {
		require.Equal(t, []Expectation{want}, good(t, minimal+"expect: {"+text+"}\n").Expect, text)
	}
	s := good(t, minimal+"expect: {writes: 1, on-time: holds, latency: 1s}\n")
	require.Equal(t, []string{"writes", "", "latency"}, []string{s.Expect[0].Measure, s.Expect[1].Measure, s.Expect[2].Measure}, "in the order of the file")
}
