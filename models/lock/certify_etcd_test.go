package lock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/core"
	"fencepost/models/lock/etcdlock"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// etcdOf is a lock of etcd with a TTL, whose second client wants it 100 ms after the first. Requests are not sent again.
func etcdOf(ttl, start, work time.Duration) func(*Params) {
	return func(p *Params) {
		election, never := 500*ms, time.Duration(0)
		p.Service, p.TTL, p.Start, p.Work = "etcd", &ttl, []time.Duration{start, start + 100*ms}, []time.Duration{work, 10 * ms}
		p.Etcd = &EtcdParams{Timeout: &never, Election: &election}
	}
}

// etcdProof is such a lock with a pause of its first client.
func etcdProof(set func(*Params), pause time.Duration) (proof, *certify.Search) {
	p := proof{set: set, property: "mutual-exclusion", most: 5 * ms, pause: pause}
	s := p.search()
	s.Faults[0].Nodes, s.Limits.States = []sim.NodeID{1}, 100_000
	return p, s
}

// A lease lasts from when the server has got a keep-alive. The reply takes a delay; a pause that begins before it is
// handled ends with a turn of the loop that sends, whose turns are 500 ms apart from then on. The next keep-alive is sent
// at the first of them later than a third of the TTL after, and takes another delay. It is too late at the last nanosecond of the lease:
// in time up to pause + turn + 2 * delay.max < ttl, where turn is that multiple of 500 ms: 1.5 s of a TTL of 3 s.
//
// With a TTL of 1 s the turn after 500 ms is later than a third of it after the reply as long as pause + 2 * delay.max + 333.333333 ms < 500 ms.
// Else the next is that after 1 s, and too late. Work that is shorter than a turn needs that of Redis' lock, with one delay more, as the lease lasts from
// the first keep-alive, which leaves with the request for the lock: pause + work + 4 * delay.max <= ttl.
func TestTheEdgeOfEtcd(t *testing.T) {
	for i, c := range []struct {
		name        string
		set         func(*Params)
		pause       time.Duration
		holds, from time.Duration
	}{
		{"ttl of 3 s", etcdOf(3*time.Second, 0, 1700*ms), 1500 * ms, 1490*ms - 1, 1490 * ms},
		{"ttl of 1 s", etcdOf(time.Second, 0, 1600*ms), 200 * ms, 156_666_666, 156_666_667},
		{"work that is not renewed", etcdOf(time.Second, 0, 300*ms), 800 * ms, 680 * ms, 680*ms + 1},
	} {
		if !whole.Takes(i, 3) {
			continue // of the others mutants move the edge, below
		}
		_, s := etcdProof(c.set, c.pause)
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err, c.name)
		t.Logf("%s: %v, %d states, holds to %v, violated from %v, %d states", c.name, r.Verdict, r.States, e.Holds, e.From, e.Result.States)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.Equal(t, c.from, e.From, c.name)
	}
}

// wrongEtcd is an etcd whose leases end later than they should.
type wrongEtcd struct {
	etcdlock.Server
	By time.Duration // may be negative
}

func (w *wrongEtcd) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == core.EtcdKeepAlive {
		in.Mono = in.Mono.Add(w.By)
	}
	w.Server.Step(in, out)
}

// wrongSession is a client that counts a third of the TTL from later than it should.
type wrongSession struct {
	Worker[etcdlock.Client, *etcdlock.Client]
	By time.Duration // may be negative
}

func (w *wrongSession) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == core.EtcdKeptAlive {
		in.Mono = in.Mono.Add(w.By)
	}
	w.Worker.Step(in, out)
}

// A mutant of the server, or of the client, moves the edge by what it is wrong by.
func TestAnEtcdThatIsWrongMovesTheEdge(t *testing.T) {
	for i, by := range []time.Duration{ms, -ms} {
		if !whole.Takes(i, 2) {
			continue
		}
		for name, c := range map[string]struct {
			set   func(*Params)
			put   func(*sim.System[Msg], sim.Node[Msg])
			node  sim.NodeID
			holds time.Duration
		}{
			"server": {etcdOf(time.Second, 495*ms, 300*ms), func(s *sim.System[Msg], n sim.Node[Msg]) {
				sim.Put(s, 3, wrongEtcd{*n.(*etcdlock.Server), by})
			}, 3, 680*ms + by},
			"client": {etcdOf(time.Second, 0, 1600*ms), func(s *sim.System[Msg], n sim.Node[Msg]) {
				sim.Put(s, 1, wrongSession{*n.(*Worker[etcdlock.Client, *etcdlock.Client]), by})
			}, 1, 156_666_666 - by},
		} {
			_, s := etcdProof(c.set, c.holds+1)
			s.Program = sim.NewProgram(func() sim.System[Msg] {
				p := DefaultParams()
				c.set(&p)
				system := p.System()
				stage, err := sim.NewStage(system)
				require.NoError(t, err)
				c.put(&system, stage.Node(c.node).(sim.Node[Msg]))
				return system
			})
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			e, err := s.Edge(t.Context(), 0, r)
			require.NoError(t, err)
			t.Logf("%s, wrong by %v: holds to %v, violated from %v, %d states", name, by, e.Holds, e.From, e.Result.States)
			assert.Equal(t, c.holds, e.Holds, "%s, wrong by %v", name, by)
			assert.Equal(t, c.holds+1, e.From, "%s, wrong by %v", name, by)
		}
	}
}

// With a step of the wall clock, the time since then is another at each turn of the loop: a search ends all the same.
func TestASearchWhoseStatesGrowWithoutEndIsUnknown(t *testing.T) {
	_, s := etcdProof(etcdOf(3*time.Second, 0, 1700*ms), 0)
	back := certify.Fault{Nodes: []sim.NodeID{3}, Count: 1}
	back.Stepped(-time.Second, 0)
	s.Faults = []certify.Fault{back}
	s.Limits.States = 200
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Unknown, r.Verdict)
	assert.Equal(t, certify.Grows, r.Bound)
}

// drawnEtcd is a lock of etcd of random settings, and a property of it.
func drawnEtcd(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	ttl, start, work := time.Second*time.Duration(1+r.IntN(5)/4), between(0, 500), between(100, 1200)
	least := between(0, 2)
	p = proof{least: least, most: least + between(0, 3), pause: between(20, 700), property: []string{"mutual-exclusion", "mutual-exclusion", "mutual-exclusion", "no-lost-update", "owner-release"}[r.IntN(5)]}
	recipe, verify, again := []string{"mutex", "mutex", "election", "txn"}[r.IntN(4)], r.IntN(4) > 0, between(30, 200)
	b := EtcdParams{Recipe: recipe, Unlock: []string{"name", "guarded"}[r.IntN(2)], DeadlineFrom: []string{"response", "send"}[r.IntN(2)], Margin: between(0, 1) * 200, Revocation: between(0, 1) * 7}
	if recipe == "mutex" {
		b.Verify = &verify
	}
	fresh, losses, copies := r.IntN(6) == 0, r.IntN(8)/7, r.IntN(8)/7
	p.set = func(q *Params) {
		etcdOf(ttl, start, work)(q)
		b.Election, b.Timeout, b.Session = q.Etcd.Election, q.Etcd.Timeout, "kept"
		if fresh {
			b.Session = "fresh"
		}
		if losses > 0 {
			b.Timeout = &again
		}
		c := b
		q.Etcd = &c
	}
	s = p.search()
	s.Losses, s.Copies = losses, copies
	s.Faults[0].Nodes = s.Faults[0].Nodes[:1+r.IntN(6)/5]
	name = fmt.Sprintf("ttl %v, start %v, work %v, %s, verify %v, unlock %s, deadline %s, margin %v, revoked in %v, fresh %v, delay of %v to %v, %d lost, %d twice, a pause of %v of %v: %s",
		ttl, start, work, recipe, verify, b.Unlock, b.DeadlineFrom, b.Margin, b.Revocation, fresh, p.least, p.most, losses, copies, p.pause, s.Faults[0].Nodes, p.property)
	return name, p, s
}

// No run of the engine violates what is certified of a lock of etcd.
func TestNoRunViolatesWhatIsCertifiedOfEtcd(t *testing.T) {
	t.Parallel()
	locks, runs := modeltest.Drawn(drawn(200, 1_000))
	certified := 0
	for n := range locks {
		r := rand.New(rand.NewPCG(28, uint64(n+3)))
		name, p, s := drawnEtcd(r)
		s.Limits.States = 8_000
		result, err := s.Run(t.Context())
		require.NoError(t, err, name)
		t.Logf("%s: %v, %d states", name, result.Verdict, result.States)
		if result.Verdict == certify.Certified {
			certified++
			proof := held(name, r, s, &p)
			assert.Zero(t, proof.Violating(t, runs), name)
		}
	}
	assert.Greater(t, 5*certified, locks, "more than a fifth is certified")
}

// What clients of etcd say a proof may leave out has no effect, in storms of pauses, crashes, losses and copies.
func TestDeclarationsOfEtcdHold(t *testing.T) {
	for _, recipe := range []string{"mutex", "election", "txn", "put"} {
		for _, session := range []string{"fresh", "kept"} {
			for _, blind := range []bool{false, true} {
				if blind && recipe != "mutex" {
					continue // the others do not look for their key
				}
				program := sim.NewProgram(func() sim.System[Msg] { return declaredEtcd(t, recipe, session, blind) })
				c := sim.Config{Until: modeltest.At(60_000)}
				modeltest.Storm(&c, &program)
				w, err := program.NewWorld(c)
				require.NoError(t, err)
				for seed := range uint64(whole.Of(3, 10)) {
					require.Nil(t, w.Run(seed).Panic)
				}
			}
		}
	}
}

// declaredEtcd is a lock of etcd whose clients check at each step what they declare.
func declaredEtcd(t testing.TB, recipe, session string, blind bool) sim.System[Msg] {
	p := DefaultParams()
	etcdOf(time.Second, 0, 1200*ms)(&p)
	p.Rounds, p.Etcd.Recipe, p.Etcd.Session, p.Etcd.DeadlineFrom = []int{2}, recipe, session, "send"
	again := 300 * ms
	if p.Etcd.Timeout = &again; recipe == "mutex" && blind {
		p.Etcd.Verify = new(bool)
	}
	system := p.System()
	stage, err := sim.NewStage(system)
	require.NoError(t, err)
	for id := sim.NodeID(1); id <= 2; id++ {
		modeltest.Declared(t, &system, id, stage.Node(id).(*Worker[etcdlock.Client, *etcdlock.Client]))
	}
	return system
}
