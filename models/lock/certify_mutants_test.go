package lock

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/models/lock/k8slock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/certify"
)

// A client that looks at its lease before it writes has its write applied less than ttl - drift + delay.max after it asked for the
// lock, and another reads more than ttl + 3 * delay.min after that: no update is lost if drift >= delay.max - 3 * delay.min, however
// long the work is. Of a client that trusts its lease a millisecond longer one is. The drift is 1% of the TTL and what the parameter says.
func TestAClientThatTrustsItsLeaseLongerLosesAnUpdate(t *testing.T) {
	for drift, want := range map[time.Duration]certify.Verdict{3 * ms: certify.Certified, 2 * ms: certify.Violated} {
		p := proof{property: "no-lost-update", most: 4 * ms, set: func(p *Params) {
			ttl, retry := 100*ms, sim.Constant(15*ms)
			p.Service, p.TTL, p.Retry, p.DriftMin, p.Work, p.Jitter = "redis", &ttl, &retry, &drift, []time.Duration{50 * ms}, 100*ms
			p.Start = []time.Duration{500 * time.Microsecond} // between two of the server's milliseconds
		}}
		s := p.search()
		s.Faults = nil
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "drift %v: %s", drift, r.Bound)
	}
}

// staleServer takes every alarm for that of the key which is there: it deletes a key that was extended.
type staleServer struct {
	redisserver.Server
	Keeps bool // it says that such an alarm has an effect
}

func (w *staleServer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case core.Expire:
		in.Msg = core.New(core.Del)
	case core.DelReply: // to itself
		return
	}
	w.Server.Step(in, out)
}

func (w *staleServer) Ignores(e *sim.Arrival[Msg]) bool { return !w.Keeps && w.Server.Ignores(e) }

// A stale alarm that is taken for a live one deletes a key that was extended: a run violates mutual exclusion
// without a pause. Where the server says of it that it has no effect, that is certified, and runs show that it is wrong.
func TestAStaleAlarmThatIsTakenForALiveOneIsViolated(t *testing.T) {
	for _, c := range []struct {
		stale, keeps bool
		want         certify.Verdict
		shown        bool
	}{{false, false, certify.Certified, false}, {true, true, certify.Violated, true}, {true, false, certify.Certified, true}} {
		p := proof{property: "mutual-exclusion", least: 1 * ms, most: 2 * ms, set: func(p *Params) {
			ttl, retry := 60*ms, sim.Constant(25*ms)
			p.Service, p.TTL, p.Retry, p.Extend, p.Work, p.Start = "redis", &ttl, &retry, 30*ms, []time.Duration{90 * ms}, []time.Duration{0, 20 * ms}
		}}
		s := p.search()
		if c.stale {
			s.Program = sim.NewProgram(func() sim.System[Msg] {
				q := DefaultParams()
				p.set(&q)
				system := q.System()
				sim.Put(&system, 3, staleServer{redisserver.NewServer(2), c.keeps})
				return system
			})
		}
		s.Faults = nil
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%+v: %s", c, r.Bound)
		w, err := s.Program.NewWorld(s.Config)
		require.NoError(t, err)
		assert.Equal(t, c.shown, w.Run(1).Properties[s.Property].Verdict == sim.Violated, "%+v", c)
	}
}

// deaf is a member of an election that says of its deadline, which is live, that it has no effect any more.
type deaf struct {
	Worker[k8slock.Member, *k8slock.Member]
}

func (d *deaf) Ignores(e *sim.Arrival[Msg]) bool {
	return e.Msg.Kind == core.RenewDeadline || d.Worker.Ignores(e)
}

// A live alarm that is taken for a stale one, here the deadline of a leader, changes the verdict: the leader leads on
// forever in the search, and another takes the lease.
func TestALiveAlarmThatIsTakenForAStaleOneChangesTheVerdict(t *testing.T) {
	p, s := electionProof(0, 0)
	long := func() *Params {
		q := DefaultParams()
		p.set(&q)
		q.Work[0] = 9 * time.Second
		return &q
	}
	s.Program = sim.NewProgram(func() sim.System[Msg] { return long().System() })
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, certify.Certified, r.Verdict)
	s.Program = sim.NewProgram(func() sim.System[Msg] {
		q := long()
		plan, next := q.plan(), 0
		plan.worker = func(name string, c Critical) sim.Spec[Msg] {
			next++
			return sim.Place[Msg](name, deaf{Worker[k8slock.Member, *k8slock.Member]{Critical: c, Lock: q.Kubernetes.member(next-1, q.firstServer())}})
		}
		return q.build(plan)
	})
	require.Equal(t, s.Property, slices.Index(s.Program.Properties, p.property))
	r, err = s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Unknown, r.Verdict, "no run of the engine shows it")
	assert.True(t, r.Found())
}
