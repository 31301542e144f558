package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// aligned says something at its start, or After that, and again at the next multiple of 1000 that is later than 300 after that.
type aligned struct{ After time.Duration }

func (a *aligned) Step(in sim.In[word], out *sim.Out[word]) {
	switch {
	case in.Msg.Kind == look:
		out.Note(word{Kind: enters})
	case in.Msg.Kind == first && a.After > 0:
		out.AfterDraw(sim.Uniform(a.After, a.After+1), word{Kind: read})
	default:
		out.Note(word{Kind: value})
		out.After(in.Mono.Add(300).Truncate(1000).Add(1000).Sub(in.Mono), word{Kind: look})
	}
}

func (a *aligned) Symbolic() string                { return "" }
func (a *aligned) Forget()                         {}
func (a *aligned) Ignores(*sim.Arrival[word]) bool { return false }

// At the start of a node its monotonic clock reads 0, so that what it is rounded to is known. Later it is known to a unit; that a run
// shows the one value that there is leaves no more than UNKNOWN.
func TestAReadingAtTheStartIsRoundedExactly(t *testing.T) {
	pause := certify.Fault{Name: "pause", Do: sim.Pause, Nodes: []sim.NodeID{1}, Most: 900, Count: 1}
	for _, c := range []struct {
		name        string
		after       time.Duration
		least, most time.Duration
		faults      []certify.Fault
		want        certify.Verdict
	}{
		{"at the start", 0, 1000, 1000, nil, certify.Certified},
		{"at the start, and it is late", 0, 1001, 2000, nil, certify.Violated},
		{"after a pause, or with one before the timer is set", 0, 300, 1900, []certify.Fault{pause}, certify.Certified},
		{"after a pause", 0, 1000, 1900, []certify.Fault{pause}, certify.Violated},
		{"later", 100, 300, 1300, nil, certify.Certified},
		{"later, known to a unit", 100, 900, 900, nil, certify.Unknown},
		{"later, and it is late", 100, 901, 1300, nil, certify.Violated},
	} {
		program := sim.NewProgram(func() sim.System[word] {
			w := within{Note: enters, Least: c.least, Most: c.most}
			s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters}, Properties: []sim.Property[word]{&w}}
			sim.Put(&s, s.Node("aligned"), aligned{c.after})
			return s
		})
		s := certify.Search{Program: program, Config: sim.Config{Until: 10_000}, Faults: c.faults}
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, r.Verdict, "%s: %s", c.name, r.Bound)
	}
}
