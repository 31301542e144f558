package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tm is the message of the test nodes.
type tm struct {
	kind Kind
	n    int64
}

// The kinds of tm.
const (
	start Kind = iota
	alpha
	beta
	gamma
	tick
	mark
)

var kindNames = []string{"start", "alpha", "beta", "gamma", "tick", "mark"}

func (m tm) Label() Kind          { return m.kind }
func (m tm) Fold(d Digest) Digest { return d.Fold(uint64(m.kind), uint64(m.n)) }
func (m tm) String() string       { return fmt.Sprintf("%s %d", kindNames[m.kind], m.n) }

// ms is a length in milliseconds.
const ms = time.Millisecond

// at is an instant in milliseconds.
func at(millis int64) Time { return Time(millis * int64(ms)) }

// forMillis is a fixed length in milliseconds.
func forMillis(millis int64) Dist { return Constant(time.Duration(millis) * ms) }

// does is what a test node does with each message.
type does func(in In[tm], out *Out[tm])

// actor is a test node that is given as a function.
type actor struct {
	do  does
	rig *rig
}

func (a *actor) Step(in In[tm], out *Out[tm]) {
	a.rig.steps = append(a.rig.steps, stepped{a.rig.w.now, in})
	if a.do != nil {
		a.do(in, out)
	}
}

// stepped is a step and the true instant at which it was done.
type stepped struct {
	at Time
	in In[tm]
}

func (s stepped) String() string {
	return fmt.Sprintf("%v %s<%s %v", s.at, nodeName(s.in.Self), nodeName(s.in.From), s.in.Msg)
}

// observed is an observation and its true instant.
type observed struct {
	at Time
	o  Observation[tm]
}

func (o observed) String() string {
	what := [...]string{"", "paused", "resumed", "crashed", "restarted", "retimed"}[o.o.Event]
	if o.o.Event == Noted {
		what = o.o.Msg.String()
	}
	return fmt.Sprintf("%v %s %s", o.at, nodeName(o.o.Node), what)
}

func nodeName(id NodeID) string { return string(rune('a' + id - 1)) }

// rig is a world of actors called a, b, c..., and what was seen in it.
type rig struct {
	w     *World[tm]
	sys   System[tm]
	steps []stepped
	seen  []observed
	story []string
}

func (r *rig) Reset(*View[tm]) { r.steps, r.seen, r.story = nil, nil, nil }
func (r *rig) Observe(v *View[tm], o *Observation[tm]) {
	r.seen = append(r.seen, observed{v.Now(), *o})
}
func (r *rig) add(name string, initial actor) *rig {
	initial.rig = r
	r.sys.Nodes = append(r.sys.Nodes, Place[tm](name, initial))
	return r
}

func newRig(t testing.TB, c Config, nodes ...does) *rig {
	t.Helper()
	r := &rig{sys: System[tm]{Kinds: kindNames}}
	for i, do := range nodes {
		r.add(nodeName(NodeID(i+1)), actor{do: do})
	}
	r.sys.Meters = []Observer[tm]{r}
	if c.Until == 0 {
		c.Until = at(100_000)
	}
	w, err := NewWorld(r.sys, c)
	require.NoError(t, err)
	r.w = w
	w.Watch(Watch{Moments: func(m Moment) { r.story = append(r.story, fmt.Sprintf("%v %s", m.At, m.Text)) }})
	return r
}

// run runs the world and refuses a panic.
func (r *rig) run(t testing.TB, seed uint64) *Result {
	t.Helper()
	res := r.w.Run(seed)
	require.Nil(t, res.Panic)
	return res
}

// stepsOf are the steps but for starts, of one node or, with None, of all.
func (r *rig) stepsOf(id NodeID) []string {
	var s []string
	for _, x := range r.steps {
		if x.in.Msg.kind != start && (id == None || x.in.Self == id) {
			s = append(s, x.String())
		}
	}
	return s
}

// events are the observations but for those of the given kinds.
func (r *rig) events(without ...Event) []string {
	var s []string
	for _, x := range r.seen {
		if !slices.Contains(without, x.o.Event) {
			s = append(s, x.String())
		}
	}
	return s
}

// onStart does something when the node starts.
func onStart(f func(out *Out[tm])) does {
	return func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == start {
			f(out)
		}
	}
}

// idle does nothing.
func idle(In[tm], *Out[tm]) {}
