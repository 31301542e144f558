package explain_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// text is an explanation as it is written.
func text(t *testing.T, s *explore.Search, f *explore.Failure) string {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	explanation, err := explain.Explain(context.Background(), w, &s.Program, f)
	require.NoError(t, err)
	require.True(t, explanation.Whole)
	var b strings.Builder
	require.NoError(t, explanation.Write(&b))
	require.Error(t, explanation.Write(broken{}))
	return b.String()
}

// TestExplanationOfBalls: a model that tells nothing is told of by its messages. Balls 1, 3
// and 4 have nothing to do with ball 2, but for the pause that is injected at the first.
func TestExplanationOfBalls(t *testing.T) {
	pause := sim.Fault{Name: "p", Do: sim.Pause, Node: 2, When: sim.When{At: 5e6}, For: sim.Constant(10 * time.Second)}
	late := sim.Fault{Name: "l", Do: sim.Pause, Node: 1, When: sim.When{At: 50e6}, For: sim.Constant(time.Second)}
	s := &explore.Search{Program: balls(), Config: sim.Config{Until: 30e9, Network: sim.Network{Default: sim.Link{Delay: sim.Constant(10 * time.Millisecond)}}}}
	f := failing(t, s, explore.Schedule{Faults: []sim.Fault{pause, late}}, 0)
	require.Equal(t, `ball-2-in-time is violated at 10.005s (catcher)
2 of the 8 steps up to then lead to it; without the others it happens all the same

 true time  what happened                               why it was possible
    0.000s  thrower starts and sends ping 2 to catcher
    0.005s  catcher is paused for 10s                   fault: no violation without it
   10.005s  catcher resumes
   10.005s  catcher gets ping 2 from thrower            sent at 0.000s; due at 0.010s, but it was
                                                          paused: 9.995s late
   10.005s  VIOLATED: ball 2 came late
`, text(t, s, f))
}

// TestExplanationOfDelay: a message that a fault delays is in the explanation with the fault.
func TestExplanationOfDelay(t *testing.T) {
	delay := sim.Fault{Name: "d", Do: sim.Delay, Msg: sim.MsgChoice{Kind: ping, From: 1, Nth: 2}, For: sim.Constant(3 * time.Second)}
	s := &explore.Search{Program: balls(), Config: sim.Config{Until: 30e9}}
	f := failing(t, s, explore.Schedule{Faults: []sim.Fault{delay}}, 0)
	require.Contains(t, text(t, s, f), `
    0.000s  thrower starts and sends ping 2 to catcher
    0.000s  thrower sends catcher ping 2, which takes 3s  delay: no violation without it
    3.000s  catcher gets ping 2 from thrower              sent at 0.000s, 3s under way
`)
}

// dropper notes a ball a moment after it came, so that its arrival only arms a timer.
type dropper struct{}

func (*dropper) Step(in sim.In[ball], out *sim.Out[ball]) {
	switch in.Msg.kind {
	case ping:
		out.After(10*time.Millisecond, ball{later, in.Msg.n})
	case later:
		out.Note(ball{got, in.Msg.n})
	}
}

// TestExplanationOfPauseFarAway: a pause without which there is no violation is in the explanation, even
// if what it made late only armed a timer of another node, and is in it for no other reason.
func TestExplanationOfPauseFarAway(t *testing.T) {
	p := sim.NewProgram(func() sim.System[ball] {
		return sim.System[ball]{
			Nodes: []sim.Spec[ball]{sim.Place[ball]("thrower", thrower{}), sim.Place[ball]("dropper", dropper{})},
			Kinds: ballKinds, Notes: []sim.Kind{got}, Properties: []sim.Property[ball]{&timely{n: 5, before: 2.75e9}},
		}
	})
	pause := sim.Fault{Name: "p", Do: sim.Pause, Node: 1, When: sim.When{At: 1e9}, For: sim.Constant(3 * time.Second)}
	s := &explore.Search{Program: p, Config: sim.Config{Until: 30e9}}
	f := failing(t, s, explore.Schedule{Faults: []sim.Fault{pause}}, 0)
	require.Contains(t, text(t, s, f), `
    1.000s  thrower is paused for 3s           fault: no violation without it
    4.000s  thrower resumes
    4.010s  dropper handles its timer later 5  its timer later 5, armed at 4.000s
`)
}

// TestExplanationOfFaultsThatMeet: a fault that begins soon after another one begins or ends is told relative to it, one that is
// nearer to the start of the run is not.
func TestExplanationOfFaultsThatMeet(t *testing.T) {
	p := sim.NewProgram(func() sim.System[ball] {
		return sim.System[ball]{
			Nodes: []sim.Spec[ball]{sim.Place[ball]("thrower", thrower{}), sim.Place[ball]("dropper", dropper{})},
			Kinds: ballKinds, Notes: []sim.Kind{got}, Properties: []sim.Property[ball]{&timely{n: 5, before: 5.5e9}},
		}
	})
	s := &explore.Search{Program: p, Config: sim.Config{Until: 30e9}}
	for _, c := range []struct {
		first, second sim.Time
		length        time.Duration // of the second
		want          string
	}{
		{1e9, 4.005e9, 3 * time.Second, "4.005s dropper is paused for 3s fault, 5ms after thrower resumes: no violation without it"},
		{1.5e9, 2.5e9, 4 * time.Second, "2.500s dropper is paused for 4s fault, 1s after thrower is paused: no violation without it"},
		{1e9, 2.5e9, 4 * time.Second, "2.500s dropper is paused for 4s fault: no violation without it"},
	} {
		f := failing(t, s, explore.Schedule{Faults: []sim.Fault{
			{Name: "a", Do: sim.Pause, Node: 1, When: sim.When{At: c.first}, For: sim.Constant(3 * time.Second)},
			{Name: "b", Do: sim.Pause, Node: 2, When: sim.When{At: c.second}, For: sim.Constant(c.length)}}}, 0)
		require.Contains(t, strings.Join(strings.Fields(text(t, s, f)), " "), c.want)
	}
}

// TestExplanationJSON: a second explanation is the same, and JSON has it all.
func TestExplanationJSON(t *testing.T) {
	s, f := gcPause(t)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	one, err := explain.Explain(context.Background(), w, &s.Program, f)
	require.NoError(t, err)
	two, err := explain.Explain(context.Background(), w, &s.Program, f)
	require.NoError(t, err)
	require.Equal(t, one, two)
	b, err := json.Marshal(one)
	require.NoError(t, err)
	var back explain.Explanation
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, one, &back)
	for _, key := range []string{`"property":"no-lost-update"`, `"at_ns":15105000000`, `"mono_ns":`, `"wall_ns":`, `"to_ns":`, `"what":"client-1 is paused for 15s"`, `"fault":true`, `"replays":`} {
		require.Contains(t, string(b), key)
	}
}

// TestExplanationBrokenOff: an explanation that is broken off is whole all the same, only longer.
func TestExplanationBrokenOff(t *testing.T) {
	s, f := gcPause(t)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	whole, err := explain.Explain(context.Background(), w, &s.Program, f)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	long, err := explain.Explain(ctx, w, &s.Program, f)
	require.NoError(t, err)
	require.False(t, long.Whole)
	require.Greater(t, long.Kept, whole.Kept)
	var b strings.Builder
	require.NoError(t, long.Write(&b))
	require.Contains(t, b.String(), "or fewer: the search was broken off")

	f.Finding.Nodes = [2]sim.NodeID{7, 8}
	_, err = explain.Explain(context.Background(), w, &s.Program, f)
	require.EqualError(t, err, "seed 1: the failure is not reproduced")
}

// fragile is a catcher that panics at ball 5.
type fragile struct{}

func (*fragile) Step(in sim.In[ball], out *sim.Out[ball]) {
	if in.Msg.n == 5 {
		panic("five is too many")
	}
}

// TestExplanationOfPanic: what led to the step that panicked.
func TestExplanationOfPanic(t *testing.T) {
	p := sim.NewProgram(func() sim.System[ball] {
		return sim.System[ball]{Nodes: []sim.Spec[ball]{sim.Place[ball]("thrower", thrower{}), sim.Place[ball]("catcher", fragile{})}, Kinds: ballKinds}
	})
	s := &explore.Search{Program: p, Config: sim.Config{Until: 30e9}}
	w, err := p.NewWorld(s.Config)
	require.NoError(t, err)
	r := w.Run(1)
	require.NotNil(t, r.Panic)
	f := &explore.Failure{Schedule: explore.Schedule{Seed: 1}, Property: explore.NoProperty, Panic: r.Panic}
	require.Equal(t, `a step panics at 2.000s (catcher)
3 of the 8 steps up to then lead to it; without the others it happens all the same

 true time  what happened                                     why it was possible
    2.000s  thrower handles its timer later 0 and sends ping  its timer later 0, armed at its start
              5 to catcher
    2.000s  catcher gets ping 5 from thrower                  sent at 2.000s
    2.000s  VIOLATED: catcher panicked at "ping 5": five is too many
`, text(t, s, f))
	c, err := explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 10})
	require.NoError(t, err)
	require.Equal(t, "P(a step panics) is 1 from the start to the end: no single step decides", c.Sentence())
}
