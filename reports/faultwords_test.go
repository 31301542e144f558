package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

// TestFaultWords has each verb and each trigger.
func TestFaultWords(t *testing.T) {
	p := &sim.Program{Nodes: []string{"a", "b", "n-1", "n-2", "n-3"}, Kinds: []string{"start", "write", "checked"}, Notes: []string{"checked"}}
	for15 := sim.Constant(15 * time.Second)
	second := sim.Time(time.Second)
	for want, f := range map[string]sim.Fault{
		`a is paused after each note "checked" of its own, for 15s.`:                   {Do: sim.Pause, Node: 1, For: for15, When: sim.When{Note: 2}},
		`a is paused after the 2nd note "checked" of b, for 15s.`:                      {Do: sim.Pause, Node: 1, For: for15, When: sim.When{Note: 2, By: 2, Nth: 2}},
		`a is paused, as often and as long as its log says, from a drawn place in it.`: {Do: sim.Pause, Node: 1, When: sim.When{Replay: []sim.Stop{{}}, Span: 1}},
		`the machine of b sleeps before the 13th "write" of its own leaves, for a time drawn from {exp: 10s}.`: {
			Do: sim.Suspend, Node: 2, For: sim.Exponential(10 * time.Second), When: sim.When{Before: 1, Nth: 13}},
		`a crashes again and again, a time drawn from {exp: 30s} after its last end, and restarts after 15s.`: {
			Do: sim.Crash, Node: 1, For: for15, When: sim.When{Every: sim.Exponential(30 * time.Second)}},
		`a crashes at 1s, and does not come back.`:                           {Do: sim.Crash, Node: 1, Forever: true, When: sim.When{At: second}},
		`the wall clock of a is stepped by -10s at 1s.`:                      {Do: sim.StepClock, Node: 1, By: -10 * time.Second, When: sim.When{At: second}},
		`the wall clock of a is stepped by +10s at 0s.`:                      {Do: sim.StepClock, Node: 1, By: 10 * time.Second},
		`the oscillator of a runs at -500ppm at 1s to the end.`:              {Do: sim.SetRate, Node: 1, Rate: -500_000, Forever: true, When: sim.When{At: second}},
		`messages between a and n-1 to n-3 are lost from 1s on, for 15s.`:    {Do: sim.Cut, Sides: [][]sim.NodeID{{1}, {3, 4, 5}}, For: for15, When: sim.When{At: second}},
		`messages from a to b, n-1 are held back from the start to the end.`: {Do: sim.Hold, Sides: [][]sim.NodeID{{1}, {2, 3}}, OneWay: true, Forever: true},
		`messages between the groups a | b | n-1 are lost after each note "checked" of b, for 15s.`: {
			Do: sim.Cut, Sides: [][]sim.NodeID{{1}, {2}, {3}}, For: for15, When: sim.When{Note: 2, By: 2}},
		`the 1st "write" from a to b takes 15s instead of the delay of its link.`: {Do: sim.Delay, For: for15, Msg: sim.MsgChoice{Kind: 1, From: 1, To: 2, Nth: 1}},
		`each "write" is lost from 1s on.`:                                        {Do: sim.Lose, Msg: sim.MsgChoice{Kind: 1}, When: sim.When{At: second}},
		`twice: the 23rd "write" arrives twice, and the second copy takes 15s.`:   {Name: "twice", Do: sim.Duplicate, For: for15, Msg: sim.MsgChoice{Kind: 1, Nth: 23}},
		`the clocks of b are as wrong as its log says from 1s on.`:                {Do: sim.FollowLog, Node: 2, When: sim.When{At: second}},
	} {
		assert.Equal(t, want, FaultWords(p, &f))
	}
}

func TestNames(t *testing.T) {
	for want, names := range map[string][]string{
		"":                             nil,
		"a, b":                         {"a", "b"},
		"a-1, a-2":                     {"a-1", "a-2"},
		"a-1 to a-3, b-1, c":           {"a-1", "a-2", "a-3", "b-1", "c"},
		"a-9 to a-11":                  {"a-9", "a-10", "a-11"},
		"a-1, a-3, a-2":                {"a-1", "a-3", "a-2"},
		"n-99999999999999999999999, x": {"n-99999999999999999999999", "x"},
	} {
		assert.Equal(t, want, Names(names))
	}
}
