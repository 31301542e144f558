package chain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

func perSecond(n int64) traffic.Rate { return traffic.Rate{Requests: n, Per: time.Second} }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// played is what came out of one run.
type played struct {
	t       *testing.T
	program sim.Program
	result  sim.Result
	why     []string
	moments []sim.Moment
}

// play runs a chain until an instant, without delays.
func play(t *testing.T, p Params, until sim.Time, change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, until, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], until sim.Time, change ...func(*sim.Config, *sim.Program)) *played {
	t.Helper()
	r := &played{t: t, program: sim.NewProgram(build)}
	c := sim.Config{Until: until}
	for _, f := range change {
		f(&c, &r.program)
	}
	w, err := r.program.NewWorld(c)
	require.NoError(t, err)
	w.SetStory(func(m sim.Moment) { r.moments = append(r.moments, m) })
	got := w.Run(1)
	require.Nil(t, got.Panic)
	r.result = *got
	for i := range r.program.Properties {
		r.why = append(r.why, w.Why(i))
	}
	return r
}

// twice checks that steps are pure.
func twice(c *sim.Config, _ *sim.Program) { c.Twice = true }

// delay is that of every link.
func delay(d time.Duration) func(*sim.Config, *sim.Program) {
	return func(c *sim.Config, _ *sim.Program) { c.Network.Default.Delay = sim.Constant(d) }
}

// fault adds a fault; who is the node it strikes.
func fault(who string, f sim.Fault) func(*sim.Config, *sim.Program) {
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

// verdicts are all properties that came to one.
func (r *played) verdicts(v sim.Verdict) (list []string) {
	for i, f := range r.result.Properties {
		if f.Verdict == v {
			list = append(list, r.program.Properties[i])
		}
	}
	return list
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

func (r *played) String() string {
	var b strings.Builder
	for i, m := range r.moments {
		if i < 40 {
			fmt.Fprintf(&b, "%v %s\n", m.At, m.Text)
		}
	}
	for i, p := range r.program.Properties {
		f := r.result.Properties[i]
		fmt.Fprintf(&b, "\n%-18s %-9v %d, first %v: %s", p, f.Verdict, f.Violations, f.First, r.why[i])
	}
	for _, m := range r.program.Measures {
		fmt.Fprintf(&b, "\n%-18s %d", m.Name, r.measure(m.Name))
	}
	return b.String()
}
