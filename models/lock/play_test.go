package lock

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// played is what came out of one run.
type played struct {
	t       *testing.T
	program sim.Program
	result  sim.Result
	why     []string
	moments []sim.Moment
	trace   strings.Builder
	keys    keysLeft
}

// keysLeft counts the instances that have a key when the run ends.
type keysLeft struct {
	layout Layout
	owners owners
}

func (k *keysLeft) Reset(*sim.View[Msg]) { k.owners.reset(k.layout) }

func (k *keysLeft) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) { k.owners.observe(o) }

func (k *keysLeft) End(*sim.View[Msg]) {}

func (k *keysLeft) count() int { return len(k.owners.grant) - k.owners.of(0) }

// play runs a lock for a minute, or until the given instant, with a delay of 5 ms.
func play(t *testing.T, p Params, change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, &p, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, p *Params, build func() sim.System[Msg], change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	r := &played{t: t}
	setup := p.resolve()
	r.keys.layout = Layout{FirstServer: sim.NodeID(len(setup.clients) + 1), Servers: setup.rules.Instances}
	program := sim.NewProgram(func() sim.System[Msg] {
		s := build()
		s.Meters = append(s.Meters, &r.keys)
		return s
	})
	c := sim.Config{Until: at(60_000), Twice: true}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	for _, f := range change {
		f(&c, &program)
	}
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	r.program = program
	w.SetTrace(&r.trace)
	w.SetStory(func(m sim.Moment) { r.moments = append(r.moments, m) })
	got := w.Run(1)
	require.Nil(t, got.Panic)
	r.result = *got
	for i := range program.Properties {
		r.why = append(r.why, w.Why(i))
	}
	return r
}

func until(t sim.Time) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, _ *sim.Program) { c.Until = t }
}

// fault adds a fault; who is the node it strikes.
func fault(who string, f sim.Fault) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, p *sim.Program) {
		f.Node = p.Node(who)
		f.Name = fmt.Sprintf("%v %s %d", f.Do, who, len(c.Faults))
		c.Faults = append(c.Faults, f)
	}
}

// apart cuts nodes off from each other for ever.
func apart(who string, from ...string) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, p *sim.Program) {
		f := sim.Fault{Name: "cut " + who, Do: sim.Cut, Forever: true, Sides: [][]sim.NodeID{{p.Node(who)}, nil}}
		for _, n := range from {
			f.Sides[1] = append(f.Sides[1], p.Node(n))
		}
		c.Faults = append(c.Faults, f)
	}
}

func (r *played) finding(property string) sim.Finding {
	r.t.Helper()
	for i, n := range r.program.Properties {
		if n == property {
			return r.result.Properties[i]
		}
	}
	r.t.Fatalf("no property %s", property)
	return sim.Finding{}
}

// violated checks that a property is first violated at an instant.
func (r *played) violated(property string, first sim.Time) {
	r.t.Helper()
	f := r.finding(property)
	require.Equal(r.t, sim.Violated, f.Verdict, "%s\n%s", property, r.story())
	require.Equal(r.t, first, f.First, "%s\n%s", property, r.story())
}

// holds checks that properties hold, and saw something.
func (r *played) holds(properties ...string) {
	r.t.Helper()
	for _, p := range properties {
		require.Equal(r.t, sim.Holds, r.finding(p).Verdict, "%s\n%s", p, r.story())
	}
}

// measure is the sum of what a measure recorded.
func (r *played) measure(name string) int64 {
	r.t.Helper()
	for i, m := range r.program.Measures {
		if m.Name != name {
			continue
		}
		sum := int64(0)
		for _, s := range r.result.Samples {
			if s.Measure == i {
				sum += s.Value
			}
		}
		return sum
	}
	r.t.Fatalf("no measure %s", name)
	return 0
}

// moment is the instant at which the story first says something.
func (r *played) moment(text string) sim.Time {
	r.t.Helper()
	for _, m := range r.moments {
		if strings.Contains(m.Text, text) {
			return m.At
		}
	}
	r.t.Fatalf("the story does not say %q:\n%s", text, r.story())
	return 0
}

func (r *played) story() string {
	var b strings.Builder
	for _, m := range r.moments {
		fmt.Fprintf(&b, "%v %s\n", m.At, m.Text)
	}
	return b.String()
}

func (r *played) String() string {
	var b strings.Builder
	b.WriteString(r.story())
	for i, p := range r.program.Properties {
		fmt.Fprintf(&b, "\n%-22s %-9v %s", p, r.result.Properties[i].Verdict, r.why[i])
	}
	for _, m := range r.program.Measures {
		fmt.Fprintf(&b, "\n%-26s %d", m.Name, r.measure(m.Name))
	}
	return b.String()
}
