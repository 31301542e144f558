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
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// drawn says how many locks of random settings a test takes, and how many runs of the engine it holds against each: all of
// them as CI does. More of both are those of -proofs and -each, see [modeltest.Drawn].
func drawn(few, all int) (locks, runs int) {
	return whole.Of(5, 12), whole.Of(few, all)
}

// drawnProof is a lock of random settings, and a property of it.
func drawnProof(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	ttl, work, retry, think := between(60, 130), between(5, 40), sim.Constant(between(25, 50)), between(1, 20)
	least := between(0, 3)
	most := least + between(0, 5)
	services := []string{"redis", "redis", "redis", "naive"}
	p = proof{least: least, most: most, pause: ttl * 2, property: []string{"mutual-exclusion", "mutual-exclusion", "no-lost-update", "owner-release"}[r.IntN(4)]}
	service, del, release := services[r.IntN(4)], []string{"script", "del", "get-del"}[max(0, r.IntN(5)-2)], r.IntN(3) > 0
	rounds := 1 + r.IntN(8)/7
	timeout := between(10, 30)
	losses, copies, pauses := max(0, r.IntN(4)-2), max(0, r.IntN(4)-2), 1+r.IntN(5)/4
	var extend time.Duration
	by := []string{"script", "set-nx"}[r.IntN(2)]
	if service == "redis" && r.IntN(3) == 0 {
		extend, work = ttl/2, ttl+between(5, 20)
	}
	tokens, fencing := "", ""
	if r.IntN(3) == 0 {
		tokens, fencing = "counter", []string{"none", "ge", "gt"}[r.IntN(3)]
		p.property = []string{"fenced-order", "fenced-order", "no-lost-update"}[r.IntN(3)]
	}
	p.set = func(q *Params) {
		q.Service, q.Work, q.Retry, q.Think, q.Rounds = service, []time.Duration{work}, &retry, []time.Duration{think}, []int{rounds}
		if service == "redis" {
			q.TTL, q.Release = &ttl, del
		}
		if extend > 0 {
			q.Extend, q.ExtendBy = extend, by
		}
		q.Tokens, q.Fencing, q.Await = tokens, fencing, &release
		if losses > 0 && release {
			q.WriteWait = &timeout
		}
	}
	s = p.search()
	s.Losses, s.Copies, s.Faults[0].Count, s.Limits = losses, copies, pauses, certify.Limits{States: whole.Of(4_000, 30_000)}
	name = fmt.Sprintf("%s, ttl %v, work %v, extended by %s every %v, retry %v, release %s, awaits %v, rounds %d, tokens %s, fencing %s, delay %v to %v, %d pauses, %d lost, %d twice: %s",
		service, ttl, work, by, extend, retry, del, release, rounds, tokens, fencing, least, most, pauses, losses, copies, p.property)
	return name, p, s
}

// of a client, and to one: what a pause strikes before, and what is lost or comes twice.
var (
	asks    = []sim.Kind{core.Set, core.Read, core.Write, core.DelIf, core.Get, core.Del, core.Acquired, core.Released}
	answers = []sim.Kind{core.Set, core.SetReply, core.Read, core.ReadReply, core.Write, core.WriteReply, core.DelIf}

	watchdogAsks    = []sim.Kind{core.Enter, core.Extend, core.Subscribe, core.Read, core.Write, core.Leave, core.Acquired, core.Released}
	watchdogAnswers = []sim.Kind{core.Enter, core.EnterReply, core.Extend, core.ExtReply, core.Subscribe, core.Leave, core.LeaveReply, core.Unlocked, core.Write}

	electionAsks    = []sim.Kind{core.GetObject, core.CreateObject, core.UpdateObject, core.Read, core.Write, core.Acquired, core.Released}
	electionAnswers = []sim.Kind{core.GetObject, core.CreateObject, core.UpdateObject, core.ObjectReply, core.Write, core.WriteReply}

	etcdAsks    = []sim.Kind{core.EtcdGrant, core.EtcdLock, core.EtcdKeepAlive, core.EtcdVerify, core.Write, core.EtcdUnlock, core.Acquired, core.Released}
	etcdAnswers = []sim.Kind{core.EtcdGranted, core.EtcdLock, core.EtcdLocked, core.EtcdKeepAlive, core.EtcdKeptAlive, core.EtcdDeleted, core.EtcdVerified, core.EtcdUnlock}

	zooKeeperAsks    = []sim.Kind{core.ZKConnect, core.ZKCreate, core.ZKList, core.ZKGet, core.ZKPing, core.Write, core.ZKDelete, core.Acquired, core.Released}
	zooKeeperAnswers = []sim.Kind{core.ZKConnected, core.ZKCreate, core.ZKCreated, core.ZKList, core.ZKListed, core.ZKPing, core.ZKPong, core.ZKEvent, core.ZKClosed, core.ZKDeleted}
)

// kinds are those of the lock's service.
func (p *proof) kinds() (asked, answered []sim.Kind) {
	var q Params
	switch p.set(&q); q.Service {
	case "watchdog":
		return watchdogAsks, watchdogAnswers
	case "etcd":
		return etcdAsks, etcdAnswers
	case "k8s-lease":
		return electionAsks, electionAnswers
	case "zookeeper":
		return zooKeeperAsks, zooKeeperAnswers
	}
	return asks, answers
}

// hostile is what a run of the engine may have of what a search covers: pauses at a drawn moment or
// before a drawn effect, of the longest length or a drawn one, messages that are lost or come twice, and
// delays that are all drawn, or all at an end of their range.
func hostile(r *rand.Rand, s *certify.Search, p *proof) (faults []sim.Fault, link sim.Link) {
	pause := s.Faults[0]
	asks, answers := p.kinds()
	for i := range r.IntN(pause.Count + 1) {
		f := sim.Fault{Name: fmt.Sprint("pause ", i), Do: sim.Pause, Node: pause.Nodes[r.IntN(len(pause.Nodes))], For: sim.Constant(pause.Most)}
		if r.IntN(3) == 0 {
			f.For = sim.Uniform(0, pause.Most+1)
		}
		if r.IntN(2) == 0 {
			f.When = sim.When{Before: asks[r.IntN(len(asks))], By: f.Node, Nth: 1 + r.IntN(2)}
		} else {
			f.When = sim.When{At: sim.Time(r.Int64N(int64(max(400*ms, p.pause))))}
		}
		faults = append(faults, f)
	}
	for i := range s.Losses + s.Copies {
		f := sim.Fault{Name: fmt.Sprint("message ", i), Do: sim.Lose, Msg: sim.MsgChoice{Kind: answers[r.IntN(len(answers))], Nth: 1 + r.IntN(3)}}
		if i >= s.Losses {
			f.Do, f.For = sim.Duplicate, sim.Constant(time.Duration(r.Int64N(int64(300*ms))))
		}
		faults = append(faults, f)
	}
	link.Delay = sim.Uniform(p.least, p.most+1)
	if r.IntN(2) == 0 {
		link.Delay, _ = sim.Empirical([]time.Duration{p.least, p.most})
	}
	return faults, link
}

// held is a proof that is held against hostile runs.
func held(name string, r *rand.Rand, s *certify.Search, p *proof) modeltest.Proof {
	return modeltest.Proof{Name: name, Search: s, Seeds: 20, Hostile: func() sim.Config {
		c := s.Config
		c.Faults, c.Network.Default = hostile(r, s, p)
		return c
	}}
}

// No run of the engine violates what is certified; one does just above most edges.
func TestNoRunViolatesWhatIsCertified(t *testing.T) {
	t.Parallel()
	locks, runs := drawn(300, 10_000)
	r := rand.New(rand.NewPCG(10, 8))
	found := modeltest.Sound(t, locks, runs, func() modeltest.Proof {
		name, p, s := drawnProof(r)
		return held(name, r, s, &p)
	})
	assert.GreaterOrEqual(t, 10*found.Sharp, 6*found.Edges, "where no run is just above, a violation takes an order at one instant that no run has")
}

// With clocks that are fast or slow by 1% work takes work / 0.99 at most. A key is there for (TTL + 1
// ms) / 1.01 at least from when it was set, rounded down to a millisecond, which counts as 1 ms / 0.99:
// two readings of a clock are two ranges. What is rounded away is a few nanoseconds.
func TestThePauseLawWithRatesOfClocks(t *testing.T) {
	c := proof{"redis", short("redis", nil), "mutual-exclusion", 0, 5 * ms, 0, certify.Certified}
	s := c.search()
	s.Rate = 10_000_000
	law := 1001*ms*100/101 - 201*ms*100/99 - 15*ms
	for _, by := range []time.Duration{-20, 20} {
		s.Faults[0].Most = law + by
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, by < 0, r.Verdict == certify.Certified, "%v: %v", s.Faults[0].Most, r.Verdict)
		t.Log(r.Verdict, r.States, r.Bound)
	}
}

// wrongServer is a Redis whose keys are there for longer than they should.
type wrongServer struct {
	redisserver.Server
	By time.Duration // may be negative
}

func (w *wrongServer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == core.Set {
		in.Msg = core.NewSet(in.Msg.LockValue(), in.Msg.TTL()+w.By).Of(in.Msg.Try)
	}
	w.Server.Step(in, out)
}

// A mutant of the server moves the edge by what it is wrong by, in the direction that it is.
func TestAServerThatIsWrongMovesTheEdge(t *testing.T) {
	for _, by := range []time.Duration{-ms, 0, 3 * ms} {
		c := proof{"redis", short("redis", often), "mutual-exclusion", 1 * ms, 5 * ms, 800 * ms, certify.Violated}
		s := c.search()
		s.Program = sim.NewProgram(func() sim.System[Msg] {
			p := DefaultParams()
			c.set(&p)
			system := p.System()
			require.Equal(t, "redis-1", system.Nodes[2].Name)
			sim.Put(&system, 3, wrongServer{redisserver.NewServer(2), by})
			return system
		})
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err)
		assert.Equal(t, 786*ms+by, e.Holds, "wrong by %v", by)
		assert.Equal(t, 786*ms+by+2, e.From, "wrong by %v", by)
	}
}

// What a lock says has no effect has none: a search that keeps it finds the same edge.
func TestWhatALockIgnoresHasNoEffect(t *testing.T) {
	retry, ttl := sim.Constant(25*ms), 60*ms
	redis := func(set func(*Params)) func(p *Params) {
		return func(p *Params) {
			p.Service, p.TTL, p.Retry = "redis", &ttl, &retry
			set(p)
		}
	}
	for i, c := range []struct {
		name  string
		set   func(*Params)
		pause time.Duration
	}{
		{"redis", redis(func(p *Params) { p.Work = []time.Duration{20 * ms} }), 100 * ms},
		{"get-del", redis(func(p *Params) { p.Work, p.Release = []time.Duration{20 * ms}, "get-del" }), 100 * ms},
		{"extended", redis(func(p *Params) { p.Work, p.Extend = []time.Duration{70 * ms}, 40*ms }), 100 * ms},
		{"watchdog", func(p *Params) { shortWatchdog(nil)(p); *p.TTL, p.Work[0] = 60*ms, 70*ms }, 100 * ms},
		{"election", shortElection, 7 * time.Second},
	} {
		if !whole.Takes(i, 2) {
			continue
		}
		p := proof{set: c.set, property: "mutual-exclusion", most: 3 * ms, pause: c.pause}
		s := p.search()
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		edge, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err)
		require.Equal(t, certify.Certified, edge.Result.Verdict, c.name)
		for pause, want := range map[time.Duration]certify.Verdict{edge.Holds: certify.Certified, edge.From: certify.Violated} {
			if want == certify.Violated && !whole.Tests() {
				continue // a run shows it
			}
			s = p.search()
			s.KeepIgnored, s.Faults[0].Most = true, pause
			r, err = s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict, "%s: pause of up to %v", c.name, pause)
			t.Logf("%s, pause of up to %v: %d states where it is certified, %d with what is ignored", c.name, pause, edge.Result.States, r.States)
		}
	}
}
