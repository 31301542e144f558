package explain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// ball is the message of the test model.
type ball struct {
	kind sim.Kind
	n    int
}

const (
	start sim.Kind = iota
	ping
	got
	later
)

var ballKinds = []string{"start", "ping", "got", "later"}

func (b ball) Label() sim.Kind              { return b.kind }
func (b ball) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(b.kind), uint64(b.n)) }
func (b ball) String() string               { return fmt.Sprintf("%s %d", ballKinds[b.kind], b.n) }

// thrower throws four balls when it starts, and a fifth after 2 s.
type thrower struct{}

func (t *thrower) Step(in sim.In[ball], out *sim.Out[ball]) {
	switch in.Msg.kind {
	case start:
		for n := range 4 {
			out.Send(2, ball{ping, n + 1})
		}
		out.After(2*time.Second, ball{kind: later})
	case later:
		out.Send(2, ball{ping, 5})
	}
}

// catcher notes each ball.
type catcher struct{ caught int }

func (c *catcher) Step(in sim.In[ball], out *sim.Out[ball]) {
	if in.Msg.kind == ping {
		c.caught++
		out.Note(ball{got, in.Msg.n})
	}
}

// timely holds if ball n is caught before an instant.
type timely struct {
	sim.Check
	n      int
	before sim.Time
}

func (p *timely) Name() string               { return fmt.Sprintf("ball-%d-in-time", p.n) }
func (p *timely) Reset(*sim.View[ball])      { p.Clear() }
func (p *timely) End(*sim.View[ball])        {}
func (p *timely) Why(*sim.View[ball]) string { return fmt.Sprintf("ball %d came late", p.n) }
func (p *timely) Observe(v *sim.View[ball], o *sim.Observation[ball]) {
	if o.Event == sim.Noted && o.Msg.n == p.n {
		if p.Saw(); v.Now() >= p.before {
			p.Violate(v.Now(), 2)
		}
	}
}

func balls() sim.Program {
	return sim.NewProgram(func() sim.System[ball] {
		return sim.System[ball]{
			Nodes:      []sim.Spec[ball]{sim.Place[ball]("thrower", thrower{}), sim.Place[ball]("catcher", catcher{})},
			Kinds:      ballKinds,
			Notes:      []sim.Kind{got},
			Properties: []sim.Property[ball]{&timely{n: 2, before: 1e9}, &timely{n: 5, before: 2.75e9}},
		}
	})
}

// failing plays a schedule and takes down its violation of a property.
func failing(t *testing.T, s *explore.Search, sch explore.Schedule, property int) *explore.Failure {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r, err := sch.Play(w)
	require.NoError(t, err)
	require.Equal(t, sim.Violated, r.Properties[property].Verdict)
	return &explore.Failure{Schedule: sch, Run: 1, Property: property, Finding: r.Properties[property]}
}

// within expects a point whose interval has the probability that theory gives.
func within(t *testing.T, p explain.Point, want float64) {
	t.Helper()
	assert.LessOrEqual(t, p.Low, want, p.What)
	assert.GreaterOrEqual(t, p.High, want, p.What)
}

// TestDecisiveFault: a pause before the second "got" is drawn anew among what effects
// there are. Of the thrower's five balls and a timer, and the catcher's five notes, four
// make ball 2 late: the first two of each.
func TestDecisiveFault(t *testing.T) {
	pause := sim.Fault{Name: "p", Do: sim.Pause, Node: 2, When: sim.When{Before: got, Nth: 2}, For: sim.Constant(10 * time.Second)}
	s := &explore.Search{Program: balls(), Config: sim.Config{Until: 30e9, Network: sim.Network{Default: sim.Link{Delay: sim.Constant(10 * time.Millisecond)}}}}
	f := failing(t, s, explore.Schedule{Faults: []sim.Fault{pause}}, 0)
	c, err := explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 2000})
	require.NoError(t, err)
	require.True(t, c.Whole)
	require.Equal(t, "ball-2-in-time", c.Property)

	at := map[uint64]explain.Point{} // by step
	for _, p := range c.Points {
		at[p.Step] = p
	}
	within(t, at[0], 4.0/11) // the start
	within(t, at[3], 1.0/5)  // ball 1 is caught: of 5 effects left one does it
	last := c.Points[len(c.Points)-1]
	require.Equal(t, 1.0, last.P)
	d := c.Points[c.Decisive]
	require.Equal(t, []any{"ball-2-in-time is violated", true}, []any{c.Points[len(c.Points)-1].What, d.P == 1})
	require.Contains(t, c.Sentence(), "P(ball-2-in-time is violated) is 0.")
	for i := 1; i < c.Decisive; i++ {
		assert.Less(t, c.Points[i].P, 0.5)
	}
	for _, p := range c.Points[c.Decisive:] {
		require.Equal(t, 1.0, p.P)
	}
}

// TestDecisiveDraw: ball 5 is late in one case of four until it is thrown, and then it
// is or is not. An override that made it late does not outlast the rewinding.
func TestDecisiveDraw(t *testing.T) {
	uniform := sim.Network{Default: sim.Link{Delay: sim.Uniform(0, time.Second)}, Order: sim.Free}
	s := &explore.Search{Program: balls(), Config: sim.Config{Until: 30e9, Network: uniform}}
	late := sim.Override{Draw: sim.Draw{Purpose: sim.Delays, From: 1, Index: 4}, Value: 1<<64 - 1}
	f := failing(t, s, explore.Schedule{Minimal: true, Overrides: []sim.Override{late}}, 1)
	c, err := explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{})
	require.NoError(t, err)
	require.Len(t, c.Points, 5)
	for _, p := range c.Points[:c.Decisive] {
		within(t, p, 0.25)
	}
	d := c.Points[c.Decisive]
	require.Equal(t, []any{"thrower handles its timer later 0 and sends ping 5 to catcher", 1.0}, []any{d.What, d.P})
	require.Contains(t, c.Sentence(), " until thrower handles its timer later 0 and sends ping 5 to catcher (2.000s), and 1 after that")

	s.Config.Minimal = true
	c, err = explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 10})
	require.NoError(t, err)
	for _, p := range c.Points[:c.Decisive] {
		require.Zero(t, p.P, "a scenario of minimal draws stays one")
	}
}

// gcPause is the failure that redlock/gc-pause shows.
func gcPause(t *testing.T) (*explore.Search, *explore.Failure) {
	s, err := scenarios.Load("redlock/gc-pause", format.Options{})
	require.NoError(t, err)
	search := &explore.Search{Program: s.Program, Config: s.Config}
	property := -1
	for i, p := range s.Program.Properties {
		if p == "no-lost-update" {
			property = i
		}
	}
	return search, failing(t, search, explore.Schedule{Seed: s.Seed, Faults: s.Config.Faults}, property)
}

// TestDecisiveIsDeterministic: the same seed gives the same curve, with as many worlds
// as you like.
func TestDecisiveIsDeterministic(t *testing.T) {
	s, f := gcPause(t)
	var texts []string
	for _, jobs := range []int{1, 4, 1} {
		c, err := explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 100, Jobs: jobs})
		require.NoError(t, err)
		b, err := json.Marshal(c)
		require.NoError(t, err)
		texts = append(texts, string(b))
	}
	require.Equal(t, texts[0], texts[1])
	require.Equal(t, texts[0], texts[2])
	for _, key := range []string{`"property":"no-lost-update"`, `"runs":100`, `"at_ns":100000000`, `"what":"client-1 is paused for 15s"`, `"fault":true`, `"violated":100`, `"low":`, `"decisive":`} {
		require.Contains(t, texts[0], key)
	}
}

// TestDecisiveBudget: how long a fault lasts is drawn from the budget, if it says so, and
// of its node too.
func TestDecisiveBudget(t *testing.T) {
	s, f := gcPause(t)
	s.Budget = explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{time.Millisecond}}}
	c, err := explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 300})
	require.NoError(t, err)
	require.Equal(t, []float64{0, 1}, []float64{c.Points[0].P, c.Points[len(c.Points)-1].P}, "a pause of 1 ms harms nobody")
	s.Budget = explore.Budget{Nodes: []sim.NodeID{s.Program.Node("store")}}
	c, err = explain.Decisive(context.Background(), s, f, explain.DecisiveOptions{Runs: 300})
	require.NoError(t, err)
	require.Zero(t, c.Points[0].P, "nor does one of the store")
}

// TestDecisiveBrokenOff: the curve has what is known so far.
func TestDecisiveBrokenOff(t *testing.T) {
	s, f := gcPause(t)
	ctx, stop := context.WithCancel(context.Background())
	c, err := explain.Decisive(ctx, s, f, explain.DecisiveOptions{Runs: 50, Progress: func(c *explain.Curve) {
		if len(c.Points) == 2 {
			stop()
		}
	}})
	require.NoError(t, err)
	require.False(t, c.Whole)
	require.Len(t, c.Points, 2)
	require.NoError(t, c.Write(&strings.Builder{}))
	require.Error(t, c.Write(broken{}))
	require.NotEmpty(t, (&explain.Curve{}).Sentence())
	_, err = explain.Decisive(ctx, s, f, explain.DecisiveOptions{Runs: -1})
	require.EqualError(t, err, "runs and points must not be negative")
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
