package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// remainder says after one to three seconds how much is left of ten.
type remainder struct {
	waiter
	Until sim.Wall
	Looks bool // at the number
}

func (l *remainder) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Msg.Kind == first {
		l.Until = in.Wall.Add(10 * time.Second)
		out.Note(word{Kind: enters})
		out.AfterDraw(sim.Uniform(time.Second, 3*time.Second+1), word{Kind: look})
		return
	}
	left := l.Until.Sub(in.Wall)
	if l.Looks && left < time.Second {
		left = time.Second
	}
	l.Until = 0
	out.Send(2, word{Kind: value, X: int64(left)})
}

// sleeper waits for as long as it is told, or a second less.
type sleeper struct {
	waiter
	Less time.Duration
}

func (l *sleeper) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case value:
		out.Note(word{Kind: enters})
		out.After(time.Duration(in.Msg.X)-l.Less, word{Kind: look})
	case look:
		out.Note(word{Kind: leaves})
	}
}

// notLate holds if the sleeper does not wake later than a deadline after the start.
type notLate struct{ notEarly }

func (n *notLate) Symbolic() sim.Property[word] { return n }
func (n *notLate) Observe(v *sim.View[word], o *sim.Observation[word]) {
	n.Saw()
	if o.Node == 1 && o.Msg.Kind == enters {
		n.Entered = v.Now()
	} else if n.Entered.Add(n.Deadline).Before(v.Now()) {
		n.Violate(v.Now(), o.Node)
	}
}

func sleeps(p sim.Property[word], looks bool, less time.Duration) certify.Search {
	program := sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters, leaves}, Properties: []sim.Property[word]{p}}
		sim.Put(&s, s.Node("remainder"), remainder{Looks: looks})
		sim.Put(&s, s.Node("sleeper"), sleeper{Less: less})
		return s
	})
	return certify.Search{Program: program, Config: sim.Config{Until: sim.Time(time.Minute), Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(time.Second, 2*time.Second+1)}}}}
}

// What is left of ten seconds, as one node says it and another waits for it, is over ten seconds and a
// delay after they began, whenever it is said. A pause that begins before it is sent makes it later, and one that begins
// before the start is told sooner after that.
func TestATimerThatIsAsLongAsFromOneReadingToAnother(t *testing.T) {
	early, late := func(d time.Duration) sim.Property[word] { return &notEarly{Deadline: d} }, func(d time.Duration) sim.Property[word] { return &notLate{notEarly{Deadline: d}} }
	for _, c := range []struct {
		of    sim.Property[word]
		pause time.Duration
		rate  sim.PPB
		want  certify.Verdict
	}{
		{early(11 * time.Second), 0, 0, certify.Certified}, {early(11*time.Second + 1), 0, 0, certify.Violated},
		{late(11500 * time.Millisecond), 0, 0, certify.Violated},
		{late(12 * time.Second), 0, 0, certify.Certified}, {late(12*time.Second - 1), 0, 0, certify.Violated},
		{early(6 * time.Second), 5 * time.Second, 0, certify.Certified}, {early(6*time.Second + 1), 5 * time.Second, 0, certify.Violated},
		{late(17 * time.Second), 5 * time.Second, 0, certify.Certified}, {late(17*time.Second - 1), 5 * time.Second, 0, certify.Violated},
		{early(7 * time.Second), 0, 100_000_000, certify.Certified}, {late(16 * time.Second), 0, 100_000_000, certify.Certified},
		{late(12 * time.Second), 0, 100_000_000, certify.Unknown},
	} {
		s := sleeps(c.of, false, 0)
		s.Rate = c.rate
		s.Faults = []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1}, Most: c.pause, Count: 1}}
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%T %+v, pause %v, rate %v: %s", c.of, c.of, c.pause, c.rate, r.Bound)
	}
}

// narrow holds if a sleeper that is told 4.5 s after the start or later does not wake between 11.5 s and 11.6 s.
type narrow struct {
	notEarly
	Noted [2]sim.Time // the start, and when it is told
}

func (n *narrow) Reset(v *sim.View[word])      { n.notEarly.Reset(v); n.Noted = [2]sim.Time{} }
func (n *narrow) Remembers() any               { return &n.Noted }
func (n *narrow) Symbolic() sim.Property[word] { return n }
func (n *narrow) Observe(v *sim.View[word], o *sim.Observation[word]) {
	n.Saw()
	if o.Msg.Kind == enters {
		n.Noted[o.Node-1] = v.Now()
		return
	}
	start, told := n.Noted[0], n.Noted[1]
	if !told.Before(start.Add(4500*time.Millisecond)) && start.Add(11500*time.Millisecond).Before(v.Now()) && v.Now().Before(start.Add(11600*time.Millisecond)) {
		n.Violate(v.Now(), o.Node)
	}
}

// The run that shows a violation has the timer as long as what lies between its readings. The earliest instants of the path
// have not: the sleeper is told 2.5 s after the start and two seconds, that 7.5 s are left, and wakes at 11.5 s.
func TestThePathOfAMeasuredTimerIsPlayed(t *testing.T) {
	s := sleeps(&narrow{}, false, 0)
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, certify.Violated, r.Verdict, r.Bound)
}

// A step that looks at the number of such a length is refused, and one that adds to it.
func TestALengthBetweenReadingsIsKeptWhole(t *testing.T) {
	s := sleeps(&notEarly{}, true, 0)
	_, err := s.Run(t.Context())
	assert.ErrorContains(t, err, "a step of remainder depends on the number of a reading")
	s = sleeps(&notEarly{}, false, time.Second)
	_, err = s.Run(t.Context())
	assert.ErrorContains(t, err, "a step of sleeper depends on the number of a reading")
}
