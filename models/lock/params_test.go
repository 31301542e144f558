package lock

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/paramstest"
	"fencepost/models/lock/redislock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

func TestProblems(t *testing.T) {
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"counts", func(p *Params) { p.Clients, p.Instances = 0, ptr(33) }, []string{"instances", "clients"}},
		{"even cluster", func(p *Params) { p.Instances = ptr(4) }, []string{"instances"}},
		{"an even cluster on purpose", func(p *Params) { p.Instances, p.Even = ptr(4), true }, nil},
		{"a TTL below the allowance for the clocks", func(p *Params) { p.TTL = ptr(2 * ms) }, []string{"ttl"}},
		{"a TTL just above it", func(p *Params) { p.TTL = ptr(3 * ms) }, nil},
		{"one instance only", func(p *Params) { p.Service, p.Instances = "redis", ptr(3) }, []string{"instances"}},
		{"preset of another service", func(p *Params) { p.Service, p.Preset = "redis", "redsync" }, []string{"preset"}},
		{"naive with a TTL", func(p *Params) { p.Service, p.TTL = "naive", ptr(time.Second) }, []string{"ttl"}},
		{"a TTL that Redis cannot have", func(p *Params) { p.TTL = ptr(time.Second + time.Microsecond) }, []string{"ttl"}},
		{"negative counts", func(p *Params) { p.Tries, p.Rounds = ptr(-1), []int{-1} }, []string{"tries", "rounds.0"}},
		{"more values than clients", func(p *Params) { p.Work = make([]time.Duration, 3) }, []string{"work"}},
		{"fencing without tokens", func(p *Params) { p.Fencing = "lex" }, []string{"fencing"}},
		{"a first token without tokens", func(p *Params) { p.FirstToken = ptr(int64(33)) }, []string{"first-token"}},
		{"a first token of 0", func(p *Params) { p.Tokens, p.FirstToken = "counter", ptr(int64(0)) }, []string{"first-token"}},
		{"cas without tokens", func(p *Params) { p.Fencing = "cas" }, nil},
		{"cas and nothing to compare with", func(p *Params) { p.Fencing, p.FenceOp = "cas", ptr(false) }, []string{"fence-op"}},
		{"a timeout for a reply that is not awaited", func(p *Params) { p.Await, p.WriteWait = ptr(false), ptr(time.Second) }, []string{"write-timeout"}},
		{"a fence operation without fencing", func(p *Params) { p.FenceOp = ptr(true) }, []string{"fence-op"}},
		{"gt and a fence operation", func(p *Params) { p.Tokens, p.Fencing, p.FenceOp = "counter", "gt", ptr(true) }, []string{"fence-op"}},
		{"extension too late", func(p *Params) { p.TTL, p.Extend = ptr(time.Second), time.Second }, []string{"extend"}},
		{"round and round in no time", func(p *Params) { p.Rounds, p.Work = []int{0}, []time.Duration{0} }, []string{"rounds"}},
		{"keys of another service", func(p *Params) {
			p.Service, p.Preset, p.Persistence, p.TTL = "none", "redsync", "none", ptr(time.Second)
		}, []string{"preset", "ttl", "persistence"}},
		{"a token that the lock does not have", func(p *Params) { p.Tokens = "own" }, []string{"tokens"}},
		{"more clients than are replicated", func(p *Params) { p.Service, p.Clients = "sentinel", 256 }, []string{"clients"}},
		{"blocks of other services, with nothing in them", func(p *Params) {
			p.Consul, p.Etcd, p.Kubernetes, p.ZooKeeper = &ConsulParams{}, &EtcdParams{}, &Kubernetes{}, &ZooKeeperParams{}
		}, []string{"kubernetes", "consul", "etcd", "zookeeper"}},
		{"no TTL at all", func(p *Params) { p.TTL = ptr(time.Duration(0)) }, []string{"ttl"}},
		{"again at once", func(p *Params) { p.Retry = ptr(sim.Uniform(0, 999)) }, []string{"retry"}},
		{"again at once, or not", func(p *Params) { p.Retry = ptr(sim.Uniform(0, 1000)) }, nil},
		{"three tries at once", func(p *Params) { p.Retry, p.Tries = ptr(sim.Constant(0)), ptr(3) }, nil},
		{"tries at once, again and again", func(p *Params) { p.Retry, p.Tries, p.Rounds = ptr(sim.Constant(0)), ptr(3), []int{1, 0} }, []string{"rounds"}},
		{"one try, again and again", func(p *Params) { p.Tries, p.Rounds = ptr(1), []int{1, 0} }, []string{"rounds"}},
		{"one try, and a while later another", func(p *Params) { p.Tries, p.Rounds, p.Think = ptr(1), []int{0}, []time.Duration{ms} }, nil},
		{"a clock for no delay", func(p *Params) { p.RejoinClock = "wall" }, []string{"rejoin-clock"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}

// TestSystemRefuses: R11. Go code that does not call Problems learns of them too, all at
// once, when it makes a world.
func TestSystemRefuses(t *testing.T) {
	p := DefaultParams()
	p.Tokens, p.Fencing, p.Instances = "counter", "fence", ptr(33)
	_, err := sim.NewWorld(p.System(), sim.Config{Until: 1})
	assert.EqualError(t, err, "lock: instances: want 1 to 31, got 33\n"+
		"lock: fencing: want one of none, ge, gt, lex, cas, got \"fence\"")
}

// TestPresets compares with what the code of redlock-rb, redsync and node-redlock does.
func TestPresets(t *testing.T) {
	preset := func(name string) redislock.Redlock {
		return (&Params{Service: "redlock", Preset: name, Clients: 1}).redlock()
	}
	r := preset("reference")
	assert.True(t, r.Sequential)
	assert.Equal(t, sim.WallClock, r.Clock)
	assert.Equal(t, 3, r.Tries)
	assert.Equal(t, sim.Uniform(0, 200*ms), r.Retry)
	assert.Zero(t, r.Wait)
	assert.False(t, r.Rules.AnyValidity)
	r = preset("redsync")
	assert.False(t, r.Sequential)
	assert.Equal(t, sim.MonoClock, r.Clock)
	assert.Equal(t, 32, r.Tries)
	assert.Equal(t, 8*time.Second, r.Rules.TTL)
	assert.Equal(t, 400*ms, r.Wait)
	assert.Equal(t, 80*ms, r.Rules.Drift)
	r = preset("node-redlock")
	assert.True(t, r.Rules.AnyValidity && r.Rules.AtQuorum && r.KeepValue)
	assert.Equal(t, redislock.CleanNone, r.Cleanup)
	assert.Equal(t, 11, r.Tries, "ten retries")
	assert.Equal(t, sim.WallClock, r.Clock)
}

// TestSequential asks one instance after the other: five round trips.
func TestSequential(t *testing.T) {
	r := play(t, Params{Service: "redlock", Preset: "reference", Clients: 1})
	assert.Equal(t, at(50), r.Moment("client-1 acquired"))
	r.Holds("mutual-exclusion", "owner-release", "no-orphan")
}

// TestAtQuorum decides at the third answer; an instance that is down costs nothing.
func TestAtQuorum(t *testing.T) {
	r := play(t, Params{Service: "redlock", Preset: "node-redlock", Clients: 1}, apart("client-1", "redis-4", "redis-5"))
	assert.Equal(t, at(10), r.Moment("client-1 acquired"))
}

// TestEvenSplit: R9. With an even number of servers the votes may be two to two, and the
// promise of node-redlock never settles: no second try, no failure, and no extension. The
// others count all answers, are refused and try again.
func TestEvenSplit(t *testing.T) {
	near := func(c *sim.Config, _ *sim.Program) {
		for client := range sim.NodeID(2) {
			c.Network.Rules = append(c.Network.Rules, sim.LinkRule{From: []sim.NodeID{client + 1},
				To: []sim.NodeID{3 + 2*client, 4 + 2*client}, Link: sim.Link{Delay: sim.Constant(ms)}})
		}
	}
	p := Params{Service: "redlock", Preset: "node-redlock", Instances: ptr(4), Even: true, Clients: 2}
	r := play(t, p, near)
	r.Violated("deadlock-free", at(30_000))
	assert.EqualValues(t, 0, r.Measure("acquisitions"))
	assert.EqualValues(t, 2, r.Measure("attempts"))
	assert.EqualValues(t, 0, r.Measure("refused-attempts"))
	assert.Contains(t, r.String(), "0.010s client-1 has 2 of 4 for it and as many against it: the attempt never ends")
	p.Instances = ptr(5)
	play(t, p, near).Holds("deadlock-free")
	p.Instances, p.Preset = ptr(4), "redsync"
	r = play(t, p, near)
	r.Holds("deadlock-free")
	assert.EqualValues(t, 2, r.Measure("acquisitions"))

	p = Params{Service: "redlock", Preset: "node-redlock", Instances: ptr(4), Even: true, Clients: 1, Extend: time.Second, Work: []time.Duration{9 * time.Second}}
	r = play(t, p, simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(500)}, For: sim.Constant(time.Second)}, []string{"client-1"}, []string{"redis-1", "redis-2"}))
	extends := regexp.MustCompile(`redis-3 .*from client-1: extend `).FindAllString(r.Trace(), -1)
	assert.Len(t, extends, 1, "the extension at 1.010 never ends, and no other begins")
}

// TestExtension works for longer than the TTL, and extends every third of it.
func TestExtension(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Extend: 3333 * ms, Start: []time.Duration{0, 5 * time.Second}, Work: []time.Duration{25 * time.Second, time.Second}}
	r := play(t, p)
	r.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder", "no-lost-update", "deadlock-free", "no-orphan")
	assert.EqualValues(t, 2, r.Measure("acquisitions"))
	assert.Greater(t, r.Moment("client-2 acquired"), at(25_010))
	p.Extend = 0
	r = play(t, p)
	assert.Contains(t, r.String(), "client-1 finds its lease at an end and writes nothing")
}

// TestExtensionRefused leaves the old lease standing: an extension needs a quorum.
func TestExtensionRefused(t *testing.T) {
	p := Params{Service: "redlock", Clients: 1, Extend: 3333 * ms, Work: []time.Duration{25 * time.Second}}
	r := play(t, p, simtest.Part(sim.Fault{Do: sim.Cut, Forever: true, When: sim.When{At: at(1_000)}}, []string{"client-1"}, []string{"redis-1", "redis-2", "redis-3"}))
	assert.Equal(t, at(25_010), r.Moment("client-1 finds its lease at an end"))
}

// TestTakeover measures the recovery of a lease after its holder crashes: TTL, and
// what the contender's polling adds.
func TestTakeover(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, Start: []time.Duration{0, 50 * ms}, Work: []time.Duration{5 * time.Second}}
	r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(2_000)}}))
	r.Holds("takeover-bound", "deadlock-free", "no-orphan", "mutual-exclusion")
	assert.Equal(t, at(10_070), r.Moment("client-2 acquired"))
	assert.EqualValues(t, 8_070*ms+10*ms, r.Measure("time-without-owner"), "[0, 10) and [2000, 10 070)")
}

// TestMessages counts 4 messages to acquire and release a single lock.
func TestMessages(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, Rounds: []int{2}, Work: []time.Duration{10 * ms}, Think: []time.Duration{20 * ms}}
	assert.EqualValues(t, 2+4, play(t, p).Measure("messages-per-acquisition"), "the first has released nothing yet")
}
