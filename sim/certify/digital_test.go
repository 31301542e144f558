package certify_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// digits plays every run of a system of Fischer's processes in which each message and each write takes a
// whole number in its range: these are to be few. It reports whether one of them violates the property.
//
// Reference: Henzinger, Manna and Pnueli, "What Good Are Digital Clocks?", ICALP 1992: where bounds are
// not strict, a system violates such a property in whole numbers if it does at all.
func digits(t *testing.T, s *certify.Search, longest time.Duration) (violated bool) {
	d := s.Config.Network.Default.Delay
	delays := int(d.Most()-d.Least()) + 1
	var messages []sim.MsgChoice
	for p := sim.NodeID(1); p <= 2; p++ {
		for _, m := range []sim.MsgChoice{{Kind: read, From: p, To: 3}, {Kind: value, From: 3, To: p}, {Kind: write, From: p, To: 3}} {
			m.Nth = 1
			messages = append(messages, m)
		}
		messages = append(messages, sim.MsgChoice{Kind: read, From: p, To: 3, Nth: 2}, sim.MsgChoice{Kind: value, From: 3, To: p, Nth: 2})
	}
	values := make([]uint64, longest+1) // the least draw of each length of a write
	range_ := sim.Uniform(0, longest+1)
	for n := range values {
		low, high := uint64(0), ^uint64(0)
		for low < high {
			if middle := low + (high-low)/2; range_.Sample(middle) >= time.Duration(n) {
				high = middle
			} else {
				low = middle + 1
			}
		}
		values[n] = low
	}
	c := s.Config
	c.Faults = nil
	w, err := s.Program.NewWorld(c)
	require.NoError(t, err)
	runs := 1
	for range messages {
		runs *= delays
	}
	for i := range runs {
		var faults []sim.Fault
		rest := i
		for k, m := range messages {
			faults = append(faults, sim.Fault{Name: fmt.Sprint(k), Do: sim.Delay, Msg: m, For: sim.Constant(d.Least() + time.Duration(rest%delays))})
			rest /= delays
		}
		for a := range values {
			for b := range values {
				draws := []sim.Override{{Draw: sim.Draw{Purpose: sim.Timers, From: 1}, Value: values[a]}, {Draw: sim.Draw{Purpose: sim.Timers, From: 2}, Value: values[b]}}
				require.NoError(t, w.Vary(sim.Variation{Faults: faults, Overrides: draws}))
				if w.Run(1).Properties[0].Verdict == sim.Violated {
					return true
				}
			}
		}
	}
	return false
}

// A search finds what all runs in whole numbers find. Of what happens at one instant a run has one
// order and a search has all, so that what is not certified may have no run, or another than the search tried.
func TestASearchFindsWhatAllDigitalRunsFind(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	found := map[certify.Verdict]int{}
	for range 30 {
		longest, wait := time.Duration(r.IntN(4)), time.Duration(1+r.IntN(6))
		least := time.Duration(r.IntN(3))
		most := least + time.Duration(r.IntN(2))
		s := certify.Search{Program: fischer(2, longest, wait), Config: sim.Config{Until: 1000,
			Network: sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Uniform(least, most+1)}}}}
		result, err := s.Run(t.Context())
		require.NoError(t, err)
		name := fmt.Sprintf("write %d, wait %d, delay %d to %d: %s", longest, wait, least, most, result.Bound)
		digital := digits(t, &s, longest)
		if result.Verdict != certify.Unknown {
			assert.Equal(t, digital, result.Verdict == certify.Violated, name)
		}
		found[result.Verdict]++
	}
	t.Log(found)
	assert.Greater(t, found[certify.Certified], 5)
	assert.Greater(t, found[certify.Violated], 5)
}
