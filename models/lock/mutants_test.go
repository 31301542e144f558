package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/models/lock/redislock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// Each property has a mutant here that violates it, and without the mutation it does
// not: a checker that cannot fail is a defect.

// generous is a Redis that grants the lock to everybody.
type generous struct{ redisserver.Server }

func (g *generous) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.Set {
		free := in
		free.Msg.Kind = core.Del
		g.Server.Step(free, out)
	}
	g.Server.Step(in, out)
}

// forgetful is a Redis whose script forgets to compare.
type forgetful struct{ redisserver.Server }

func (f *forgetful) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.DelIf {
		in.Msg.Kind = core.Del
	}
	f.Server.Step(in, out)
}

// hoarder is a Redis that never lets go of a key: it answers a release and ignores
// it, and knows no expiry.
type hoarder struct{ redisserver.Server }

func (h *hoarder) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch in.Msg.Kind {
	case core.DelIf:
		out.Send(in.From, core.NewReply(core.DelReply, true).Of(in.Msg.Try))
		return
	case core.Set:
		in.Msg = core.NewSet(in.Msg.LockValue(), 0).Of(in.Msg.Try)
	}
	h.Server.Step(in, out)
}

// stutterer is a counter that issues every token twice.
type stutterer struct {
	Counter
	calls int
}

func (s *stutterer) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.Incr {
		if s.calls++; s.calls%2 == 0 {
			s.last--
		}
	}
	s.Counter.Step(in, out)
}

// careless is a store that forgets the token it has seen after each write.
type careless struct{ Store }

func (c *careless) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	c.fence = Fence{}
	c.Store.Step(in, out)
}

// unheard is a client whose requests for the lock are ignored.
type unheard struct{ core.Attempt }

func (u *unheard) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	u.Begin(in.Self, out, 1)
	return core.Pending
}
func (u *unheard) Receive(sim.In[core.Msg], *sim.Out[core.Msg]) core.Outcome { return core.Pending }
func (u *unheard) Release(sim.In[core.Msg], *sim.Out[core.Msg]) core.Outcome { return core.Done }
func (u *unheard) Hold() core.Hold                                           { return u.Held() }

// mutate replaces the nodes of a system whose names begin like this.
func mutate(p *Params, prefix string, mutant func(name string) sim.Spec[core.Msg]) func() sim.System[core.Msg] {
	return func() sim.System[core.Msg] {
		s := p.System()
		for i, n := range s.Nodes {
			if len(n.Name) >= len(prefix) && n.Name[:len(prefix)] == prefix {
				s.Nodes[i] = mutant(n.Name)
			}
		}
		return s
	}
}

func two() Params {
	return Params{Service: "redlock", Clients: 2, Start: []time.Duration{0, 200 * ms}, Work: []time.Duration{time.Second}}
}

// nightly is a job every ten seconds.
func nightly(p *Params) {
	*p = Params{Service: "redis", WorkAs: "cron", Period: ptr(10 * time.Second), Clients: 2, Tries: ptr(1), Work: []time.Duration{2 * time.Second}}
}

func TestMutants(t *testing.T) {
	server := func(m func() sim.Spec[core.Msg]) func(string) sim.Spec[core.Msg] {
		return func(name string) sim.Spec[core.Msg] { s := m(); s.Name = name; return s }
	}
	grantsAll := server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", generous{}) })
	freesAll := server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", forgetful{}) })
	ignored := server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", Worker[unheard, *unheard]{}) })
	p := election()
	leads := p.plan().worker("client-1", p.critical(p.plan(), p.firstServer()+1))
	candidates := func(name string) sim.Spec[core.Msg] {
		if name == "client-1" {
			return leads
		}
		return ignored(name)
	}
	keepsAll := server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", hoarder{}) })
	caught := map[string]bool{}
	for _, v := range []struct {
		property string
		first    sim.Time
		set      func(*Params)
		prefix   string
		mutant   func(string) sim.Spec[core.Msg]
		faults   []simtest.Change
	}{
		{"mutual-exclusion", at(210), nil, "redis-", grantsAll, nil},
		{"entitled-exclusion", at(210), nil, "redis-", grantsAll, nil},
		{"quorum-behind-holder", at(205), nil, "redis-", grantsAll, nil},
		{"no-lost-update", at(1_215), nil, "redis-", grantsAll, nil},
		{"owner-release", at(215), nil, "redis-", freesAll, nil},
		{"increasing-tokens", at(1_041), func(p *Params) { p.Tokens = "counter"; p.Start = []time.Duration{0, 1_026 * ms} }, "counter",
			server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", stutterer{}) }), nil},
		{"continuous-hold", at(205), func(p *Params) { p.Extend = 3 * time.Second }, "redis-", grantsAll, nil},
		{"leader-per-term", 0, func(p *Params) { *p = election(); p.Tokens, p.Hold = "counter", []time.Duration{5 * time.Second} }, "counter",
			server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", stutterer{}) }), nil},
		{"failover-bound", at(3_000 + 11_500), func(p *Params) { *p = election(); p.FailoverBound = ptr(11_500 * ms) }, "client-", candidates,
			[]simtest.Change{gone("client-1", 3_000)}},
		{"starvation-bound", at(4_000), func(p *Params) {
			*p = Params{Service: "none", Clients: 2, Start: []time.Duration{0}, Work: []time.Duration{990 * ms}, Rounds: []int{0}, StarvationBound: ptr(3)}
		}, "client-2", ignored, nil},
		{"deadlock-free", at(200 + 30_000), nil, "redis-", keepsAll, nil},
		{"no-orphan", at(1_020 + 10_001), nil, "redis-", keepsAll, nil},
		{"takeover-bound", 0, nil, "redis-", keepsAll, []simtest.Change{
			simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(500)}})}},
		{"available-within", at(500 + 15_000), func(p *Params) { p.AvailableWithin = ptr(15 * time.Second) }, "redis-", keepsAll, []simtest.Change{gone("client-1", 500)}},
		{"run-once", at(12_015), nightly, "redis-", grantsAll, nil},
		{"no-missed-run", at(20_000), nightly, "client-", ignored, nil},
		// A late write, without which nothing would ever be out of order.
		{"fenced-order", at(16_000), func(p *Params) {
			p.Tokens, p.Fencing = "counter", "lex"
			p.Start, p.Work = []time.Duration{0, 10_010 * ms}, []time.Duration{8_990 * ms, 1_975 * ms}
		}, "store", server(func() sim.Spec[core.Msg] { return sim.Place[core.Msg]("", careless{Store{Policy: RejectLex}}) }),
			[]simtest.Change{simtest.Disturb("client-1", "", sim.Fault{Do: sim.Delay, For: sim.Constant(7 * time.Second), Msg: sim.MsgChoice{Kind: core.Write, Nth: 1}})}},
	} {
		caught[v.property] = true
		t.Run(v.property, func(t *testing.T) {
			p := two()
			if v.set != nil {
				v.set(&p)
			}
			require.NotEqual(t, sim.Violated, play(t, p, v.faults...).Finding(v.property).Verdict, "without the mutation")
			r := playSystem(t, &p, mutate(&p, v.prefix, v.mutant), v.faults...)
			f := r.Finding(v.property)
			require.Equal(t, sim.Violated, f.Verdict, r)
			if v.first > 0 {
				require.Equal(t, v.first, f.First, r)
			}
		})
	}
	base := two()
	for _, property := range base.System().Properties {
		require.True(t, caught[property.Name()], "no mutant violates %s", property.Name())
	}
}

// TestOffByOneQuorum is a Redlock that is content with two of five.
func TestOffByOneQuorum(t *testing.T) {
	p := two()
	p.Start = nil
	build := func() sim.System[core.Msg] {
		return p.build(p.withRedlock(func(r *redislock.Redlock) { r.Rules.Quorum-- }))
	}
	// Each client reaches two instances that the other does not.
	r := playSystem(t, &p, build, apart("client-1", "redis-4", "redis-5"), apart("client-2", "redis-1", "redis-2"))
	require.Equal(t, sim.Violated, r.Finding("entitled-exclusion").Verdict, r)
	require.Equal(t, sim.Violated, r.Finding("quorum-behind-holder").Verdict, r)
}
