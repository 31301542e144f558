package explain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestPhrases(t *testing.T) {
	p := &sim.Program{Nodes: []string{"client-1", "client-2", "store"}, Kinds: []string{"start", "write"}}
	pause := sim.Fault{Do: sim.Pause, Node: 1, When: sim.When{Before: p.Kind("write"), Nth: 1}, For: sim.Constant(8061 * time.Millisecond)}
	faults := []sim.Fault{pause, {Name: "noise", Do: sim.StepClock, Node: 3, When: sim.When{Every: sim.Exponential(time.Minute)}, By: -time.Second}}
	noise := sim.Override{Draw: sim.Draw{Purpose: sim.Faults, Name: sim.Hash("noise"), Index: 2}, Value: 1 << 63}
	require.Equal(t, "client-1 is paused for 8.061s, just before its 1st write is emitted", Phrase(p, &pause))
	d := sim.Draw{From: 1, Index: 2}
	for purpose, want := range map[sim.Purpose]string{
		sim.Delays:     "the delay of message 3 of client-1, drawn at 50%",
		sim.Losses:     "the loss of message 3 of client-1, drawn at 50%",
		sim.Duplicates: "the duplication of message 3 of client-1, drawn at 50%",
		sim.Timers:     "the length of drawn timer 3 of client-1, drawn at 50%",
		sim.Costs:      "the cost of step 3 of client-1, drawn at 50%",
	} {
		d.Purpose = purpose
		require.Equal(t, want, DrawPhrase(p, faults, &sim.Override{Draw: d, Value: 1 << 63}))
	}
	d = sim.Draw{Purpose: sim.Duplicates, From: 1, To: 2, Index: ^uint64(2)}
	require.Equal(t, "the delay of the second copy of message 3 of client-1 to client-2, drawn at 25%", DrawPhrase(p, nil, &sim.Override{Draw: d, Value: 1 << 62}))
	require.Equal(t, `draw 3 of the fault "noise", drawn at 50%`, DrawPhrase(p, faults, &noise))
	require.Equal(t, "draw 3 of a fault, drawn at 50%", DrawPhrase(p, nil, &noise))
}

// A fault that follows a log is never drawn anew.
func TestFollowedLogInWords(t *testing.T) {
	p := &sim.Program{Nodes: []string{"a", "b"}}
	log := sim.Fault{Do: sim.FollowLog, Node: 2, Changes: []sim.ClockChange{{Step: 1}}}
	assert.Equal(t, "b has its clocks follow a log from the start", Phrase(p, &log))
	log.When.At = sim.Time(1500 * time.Millisecond)
	assert.Equal(t, "b has its clocks follow a log from 1.500s on", Phrase(p, &log))
	assert.True(t, stays(&log), "it happens once, from the start")
}
