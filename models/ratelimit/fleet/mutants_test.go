package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/shards"
	"fencepost/models/ratelimit/wish"
	"fencepost/sim"
)

// Each property has a mutant here that violates it, and without the mutation it does
// not: a checker that cannot fail is a defect.

// mutant is a limiter that steps otherwise.
type mutant struct {
	limiter core.Limiter
	fault   otherwise
}

// otherwise is another step.
type otherwise interface {
	step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg])
}

// Reset implements [sim.Resetter].
func (m *mutant) Reset(initial *mutant) {
	m.fault = initial.fault
	m.limiter.Reset(&initial.limiter)
}

// Step implements [sim.Node].
func (m *mutant) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m.fault.step(&m.limiter, in, out)
}

// generous admits whatever comes.
type generous struct{}

func (generous) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind == message.Request {
		core.Admit(out, in.Msg, in.From, 0)
	}
}

// grumpy refuses whatever comes.
type grumpy struct{}

func (grumpy) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind == message.Request {
		core.Reject(out, in.Msg, in.From, time.Second)
	}
}

// deaf never answers.
type deaf struct{}

func (deaf) step(*core.Limiter, sim.In[message.Msg], *sim.Out[message.Msg]) {}

// stutterer answers twice.
type stutterer struct{}

func (stutterer) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	l.Step(in, out)
	if in.Msg.Kind == message.Request {
		out.Send(in.From, message.Msg{Kind: message.Response, ID: in.Msg.ID})
	}
}

// optimist says half the retry-after.
type optimist struct{}

func (optimist) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind != message.Request {
		return
	}
	d := l.Decide(&in)
	d.Wait /= 2
	core.Answer(out, in.Msg, in.From, d)
}

// partial serves its first client alone.
type partial struct{}

func (partial) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind == message.Request && in.From != 1 {
		core.Reject(out, in.Msg, in.From, time.Second)
		return
	}
	l.Step(in, out)
}

// belated answers the second request a second late, and the others at once.
type belated struct{}

func (belated) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch {
	case in.Msg.Kind == message.Request && in.Msg.ID == message.RequestID(1, 2):
		out.After(time.Second, message.Msg{Kind: message.Serve, ID: in.Msg.ID, Key: 1, Cost: 1})
	case in.Msg.Kind == message.Serve:
		core.Admit(out, in.Msg, message.ClientOf(in.Msg.ID), 0)
	default:
		l.Step(in, out)
	}
}

// mutate makes all limiters of a system step otherwise.
func mutate(p *Params, fault otherwise) func() sim.System[message.Msg] {
	return func() sim.System[message.Msg] {
		s := p.System()
		for i := range p.Limiters {
			n := len(p.clients()) + i
			s.Nodes[n] = sim.Place[message.Msg](s.Nodes[n].Name, mutant{core.Limiter{Clock: p.ClockID(), Keys: p.fleet().MustKeys(p.Limit)}, fault})
		}
		return s
	}
}

// steady is a limit of 5 a minute, and a client that asks every 6 s.
func steady(algorithm string) Params {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Limit = algorithm, 5
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(20), Every: sim.Constant(6 * time.Second)}}}}
	return p
}

// wishes wants what steady's limiter does.
func wishes(p *Params) { p.Wish.Wish = wish.Wish{Limit: 5, Window: time.Minute} }

func TestMutants(t *testing.T) {
	second := core.ClientParams{Phases: []core.Phase{{At: time.Second, Count: ptr(20), Every: sim.Constant(6 * time.Second)}}}
	for _, v := range []struct {
		name, property, algorithm string
		first                     sim.Time
		set                       func(*Params)
		fault                     otherwise
	}{
		{"admits all", "window-limit", "sliding-log", at(30_000), nil,
			generous{}},
		{"admits all", "burst-bound", "token-bucket", at(54_000), nil, // the tenth, where 9 are the bound
			generous{}},
		{"starts all", "spacing", "leaky-queue", at(6_000), nil,
			generous{}},
		{"admits all", "equals-exact-log", "sliding-log", at(30_000), nil,
			generous{}},
		{"refuses all", "equals-exact-log", "sliding-log", at(0), nil,
			grumpy{}},
		{"refuses all", "no-false-rejection", "sliding-log", at(0), nil,
			grumpy{}},
		{"never answers", "one-answer", "sliding-log", at(60_000), nil,
			deaf{}},
		{"answers twice", "one-answer", "sliding-log", at(0), nil,
			stutterer{}},
		{"half the retry-after", "retry-after-honest", "sliding-log", at(54_000), nil, // told 6 s at 48 s, in place of 12
			optimist{}},
		{"serves one", "fair", "sliding-log", at(300_000), func(p *Params) {
			p.Limit, p.FairFrom, p.Clients = 100, 900, append(p.Clients, second)
		}, partial{}},
		{"admits all", "aligned-window-limit", "fixed-window", at(30_000), func(p *Params) { p.Aligned = true },
			generous{}},
		{"answers late", "useful-work", "fixed-window", at(7_000), func(p *Params) { p.AnswerWithin = 500 * ms },
			belated{}},
		{"admits all", "admitted-over-rule", "sliding-log", at(30_000), wishes,
			generous{}},
		{"refuses all", "rejected-within-rule", "sliding-log", at(0), wishes,
			grumpy{}},
	} {
		t.Run(v.property+", "+v.name, func(t *testing.T) {
			p := steady(v.algorithm)
			if v.set != nil {
				v.set(&p)
			}
			play(t, p).Holds(v.property)
			playSystem(t, mutate(&p, v.fault)).Violated(v.property, v.first)
		})
	}
}

// TestCheckedIfAsked: properties that a parameter asks for say nothing without it.
func TestCheckedIfAsked(t *testing.T) {
	r := play(t, steady("sliding-log"))
	for _, name := range []string{"fair", "aligned-window-limit", "useful-work", "shards-even", "rejected-within-rule", "admitted-over-rule"} {
		require.Equal(t, sim.NotExercised, r.Finding(name).Verdict, name)
	}
	r = play(t, sharded(100, 10, func(*shards.ShardParams) {}))
	require.Equal(t, sim.NotExercised, r.Finding("shards-even").Verdict)
}
