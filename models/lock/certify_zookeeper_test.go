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
	"fencepost/models/lock/zklock"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// zooKeeperOf is a lock of ZooKeeper with sessions of 6 s and ticks of 2 s. Its second client wants it at 7 s, and each closes its session.
func zooKeeperOf(start, work time.Duration) func(*Params) {
	return func(p *Params) {
		p.Service, p.TTL, p.Start, p.Work = "zookeeper", ptr(6*time.Second), []time.Duration{start, 7 * time.Second}, []time.Duration{work, 10 * ms}
		p.ZooKeeper = &ZooKeeperParams{Session: "fresh", Creates: 1}
	}
}

// zooKeeperProof is such a lock with a pause of its first client.
func zooKeeperProof(set func(*Params), pause time.Duration) *certify.Search {
	p := proof{set: set, property: "mutual-exclusion", most: 5 * ms, pause: pause}
	s := p.search()
	s.Faults[0].Nodes, s.Limits.States = []sim.NodeID{1}, 100_000
	return s
}

// A session that has sent its latest request at t0 is touched up to a delay later, and expires at the first multiple of the tick that is
// later than the timeout after that: with sessions of 6 s, touched before 2 s, at 8 s. The next ping is sent a third of the timeout after t0. With a pause
// before it the client believes to hold the lock until t0 + timeout/3 + pause, and another has it when the session has expired: safe up to
// pause + timeout/3 + t0 = 8 s. The latest request before the ping is the fifth message, at most four delays after the start. A start at 1985 ms lets the
// session be touched just before 2 s, which is the latest that counts: whenever a client starts, pause <= timeout - timeout/3 is safe.
//
// Work that is shorter than a third is over, with the reply to its write, at most eight delays after the start.
func TestTheEdgeOfZooKeeper(t *testing.T) {
	for i, c := range []struct {
		name               string
		start, work, holds time.Duration
	}{
		{"just before a tick", 1985 * ms, 2500 * ms, 4 * time.Second},
		{"a little before a tick", 1975 * ms, 2500 * ms, (8000 - 2000 - 1995) * ms},
		{"work that is shorter", 0, 1700 * ms, (8000 - 1700 - 40) * ms},
	} {
		if !whole.Takes(i, 3) {
			continue
		}
		s := zooKeeperProof(zooKeeperOf(c.start, c.work), c.holds+200*ms)
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err, c.name)
		t.Logf("%s: %v, %d states, holds to %v, violated from %v, %d states", c.name, r.Verdict, r.States, e.Holds, e.From, e.Result.States)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.LessOrEqual(t, e.From, c.holds+2, c.name)
		assert.Positive(t, e.From, c.name)
	}
}

// wrongZooKeeper is one that takes what it gets for later than it is.
type wrongZooKeeper struct {
	zklock.Server
	By time.Duration
}

func (w *wrongZooKeeper) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != core.ZKTick && in.Msg.Kind != core.Start {
		in.Mono = in.Mono.Add(w.By)
	}
	w.Server.Step(in, out)
}

// wrongPinger is a client that takes its latest request for later than it is.
type wrongPinger struct {
	Worker[zklock.Client, *zklock.Client]
	By time.Duration // may be negative
}

func (w *wrongPinger) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == core.ZKCreated {
		in.Mono = in.Mono.Add(w.By)
	}
	w.Worker.Step(in, out)
}

// A mutant of the server, or of the client, moves the edge by what it is wrong by.
func TestAZooKeeperThatIsWrongMovesTheEdge(t *testing.T) {
	set := zooKeeperOf(1985*ms, 2500*ms)
	// A session is put in no bucket that is over, so that a server is wrong one way only.
	for i, by := range []time.Duration{ms, -ms} {
		if !whole.Takes(i, 2) {
			continue
		}
		for name, c := range map[string]struct {
			put   func(*sim.System[Msg], sim.Node[Msg])
			node  sim.NodeID
			holds time.Duration
		}{
			"server": {func(s *sim.System[Msg], n sim.Node[Msg]) {
				sim.Put(s, 3, wrongZooKeeper{*n.(*zklock.Server), 2*ms + by})
			}, 3, 4*time.Second + 2*ms + by},
			"client": {func(s *sim.System[Msg], n sim.Node[Msg]) {
				sim.Put(s, 1, wrongPinger{*n.(*Worker[zklock.Client, *zklock.Client]), by})
			}, 1, 4*time.Second - by},
		} {
			s := zooKeeperProof(set, c.holds+2)
			s.Program = sim.NewProgram(func() sim.System[Msg] {
				p := DefaultParams()
				set(&p)
				system := p.System()
				stage, err := sim.NewStage(system)
				require.NoError(t, err)
				c.put(&system, stage.Node(c.node).(sim.Node[Msg]))
				return system
			})
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, certify.Violated, r.Verdict, "%s, wrong by %v", name, by)
			if name == "client" && !whole.Tests() {
				continue // without the mutant that is certified
			}
			e, err := s.Edge(t.Context(), 0, r)
			require.NoError(t, err)
			t.Logf("%s, wrong by %v: holds to %v, violated from %v, %d states", name, by, e.Holds, e.From, e.Result.States)
			assert.Equal(t, c.holds, e.Holds, "%s, wrong by %v", name, by)
		}
	}
}

// drawnZooKeeper is a lock of ZooKeeper of random settings, and a property of it.
func drawnZooKeeper(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	tick := between(80, 300)
	ttl, start, work := 3*tick+max(0, between(-200, 100)), between(0, 300), between(5, 400)
	least := between(0, 2)
	p = proof{least: least, most: least + between(0, 3), pause: ttl * between(5, 90) / (100 * ms), property: []string{"mutual-exclusion", "mutual-exclusion", "mutual-exclusion", "no-lost-update", "owner-release"}[r.IntN(5)]}
	guid, percent := r.IntN(4) > 0, 20+r.IntN(81)
	b := ZooKeeperParams{Tick: &tick, Watch: []string{"predecessor", "predecessor", "predecessor", "directory"}[r.IntN(4)], GUID: &guid,
		StopAt: []string{"suspended", "suspended", "suspended", "lost", "expired"}[r.IntN(5)], Session: []string{"fresh", "fresh", "fresh", "fresh", "fresh", "kept"}[r.IntN(6)], Containers: ptr(3 * tick), Creates: int32(r.IntN(4) / 3)}
	if b.StopAt != "expired" {
		b.Percent = &percent
	}
	losses, copies := r.IntN(10)/9, r.IntN(10)/9
	p.set = func(q *Params) {
		c := b
		q.Service, q.TTL, q.Start, q.Work, q.ZooKeeper = "zookeeper", &ttl, []time.Duration{start, start + ttl}, []time.Duration{work, 5 * ms}, &c
	}
	s = p.search()
	s.Losses, s.Copies, s.Limits.States = losses, copies, 4_000
	s.Faults[0].Nodes = s.Faults[0].Nodes[:1+r.IntN(6)/5]
	name = fmt.Sprintf("ttl %v, tick %v, start %v, work %v, watch %s, guid %v, stop at %s, %d%%, session %s, %d creates, delay of %v to %v, %d lost, %d twice, a pause of %v of %v: %s",
		ttl, tick, start, work, b.Watch, guid, b.StopAt, percent, b.Session, b.Creates, p.least, p.most, losses, copies, p.pause, s.Faults[0].Nodes, p.property)
	return name, p, s
}

// No run of the engine violates what is certified of a lock of ZooKeeper.
func TestNoRunViolatesWhatIsCertifiedOfZooKeeper(t *testing.T) {
	t.Parallel()
	locks, runs := modeltest.Drawn(drawn(200, 1_000))
	certified := 0
	for n := range locks {
		r := rand.New(rand.NewPCG(29, uint64(n+1)))
		name, p, s := drawnZooKeeper(r)
		result, err := s.Run(t.Context())
		require.NoError(t, err, name)
		t.Logf("%s: %v, %d states", name, result.Verdict, result.States)
		if result.Verdict == certify.Certified {
			certified++
			proof := held(name, r, s, &p)
			assert.Zero(t, proof.Violating(t, runs), name)
		}
	}
	assert.Greater(t, 10*certified, locks, "more than a tenth is certified")
}

// What clients and servers of ZooKeeper say a proof may leave out has no effect, in storms of pauses, crashes, losses and copies.
func TestDeclarationsOfZooKeeperHold(t *testing.T) {
	for _, stop := range []string{"suspended", "lost", "expired"} {
		for _, session := range []string{"fresh", "kept"} {
			program := sim.NewProgram(func() sim.System[Msg] {
				p := DefaultParams()
				zooKeeperOf(0, 1200*ms)(&p)
				p.TTL, p.Rounds, p.ZooKeeper.Tick, p.ZooKeeper.StopAt, p.ZooKeeper.Session = ptr(time.Second), []int{3}, ptr(300*ms), stop, session
				system := p.System()
				stage, err := sim.NewStage(system)
				require.NoError(t, err)
				for id := sim.NodeID(1); id <= 2; id++ {
					modeltest.Declared(t, &system, id, stage.Node(id).(*Worker[zklock.Client, *zklock.Client]))
				}
				modeltest.Declared(t, &system, 3, stage.Node(3).(*zklock.Server))
				return system
			})
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
