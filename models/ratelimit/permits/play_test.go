package permits

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

// list is lengths in milliseconds.
func list(lengths ...int) (l []time.Duration) {
	for _, n := range lengths {
		l = append(l, time.Duration(n)*ms)
	}
	return l
}

// works is constant lengths in milliseconds.
func works(lengths ...int) (l []sim.Dist) {
	for _, n := range lengths {
		l = append(l, sim.Constant(time.Duration(n)*ms))
	}
	return l
}

// played is what came out of one run.
type played struct {
	t       *testing.T
	program sim.Program
	result  sim.Result
	why     []string
	moments []sim.Moment
	trace   strings.Builder
}

// play runs a limiter for a second, or until the given instant, over a network without
// delay.
func play(t *testing.T, p Params, change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	r := &played{t: t, program: sim.NewProgram(build)}
	c := sim.Config{Until: at(1000), Twice: true}
	for _, f := range change {
		f(&c, &r.program)
	}
	w, err := r.program.NewWorld(c)
	require.NoError(t, err)
	w.SetTrace(&r.trace)
	w.SetStory(func(m sim.Moment) { r.moments = append(r.moments, m) })
	got := w.Run(1)
	require.False(t, got.Panic != nil, "%v", got.Panic)
	r.result = *got
	for i := range r.program.Properties {
		r.why = append(r.why, w.Why(i))
	}
	return r
}

func until(ms int64) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, _ *sim.Program) { c.Until = at(ms) }
}

func delay(d time.Duration) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, _ *sim.Program) { c.Network.Default.Delay = sim.Constant(d) }
}

// fault adds a fault; who is the node it strikes.
func strike(who string, f sim.Fault) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, p *sim.Program) {
		f.Node = p.Node(who)
		f.Name = fmt.Sprintf("%v %s %d", f.Do, who, len(c.Faults))
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
	require.Equal(r.t, sim.Violated, f.Verdict, "%s\n%s", property, r)
	require.Equal(r.t, first, f.First, "%s\n%s", property, r)
}

// onlyViolates checks that all properties but these hold, or saw nothing.
func (r *played) onlyViolates(properties ...string) {
	r.t.Helper()
	var found []string
	for i, n := range r.program.Properties {
		if r.result.Properties[i].Verdict == sim.Violated {
			found = append(found, n)
		}
	}
	require.ElementsMatch(r.t, properties, found, r.String())
}

// holds checks that properties hold, and saw something.
func (r *played) holds(properties ...string) {
	r.t.Helper()
	for _, p := range properties {
		require.Equal(r.t, sim.Holds, r.finding(p).Verdict, "%s\n%s", p, r)
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

func (r *played) story() string {
	var b strings.Builder
	for _, m := range r.moments {
		fmt.Fprintf(&b, "%v %s\n", m.At, m.Text)
	}
	return b.String()
}

// tells checks that the story has these lines, in this order.
func (r *played) tells(lines ...string) {
	r.t.Helper()
	rest := r.story()
	for _, l := range lines {
		_, after, found := strings.Cut(rest, l+"\n")
		require.True(r.t, found, "the story does not say %q after that:\n%s", l, r)
		rest = after
	}
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
