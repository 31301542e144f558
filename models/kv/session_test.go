package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// sessionArrivals are those of G-01: a write that is called at 0 arrives at node-1 at 10 ms, node-2
// at 60 and node-3 at 90; nothing else takes time.
func sessionArrivals() []simtest.Change {
	link := func(from, to string, d time.Duration) simtest.Change {
		return simtest.Link(from, to, sim.Link{Delay: sim.Constant(d)})
	}
	return []simtest.Change{simtest.Delay(0), link("writer", "node-1", 10*ms),
		link("node-1", "node-2", 50*ms), link("node-1", "node-3", 80*ms)}
}

// sessions is a client that writes v1 to x and reads it at 20 ms from node-2, and another one
// that reads it at 20 ms from node-1 and at 70 ms from node-3. R = W = 1.
func sessions(p *Params) {
	p.Read, p.Write, p.Claims = ptr(1), ptr(1), sessionGuarantees
	p.Clients = []ClientParams{
		script("put x v1 via node-1", "at 20ms", "get x from node-2 via node-2"),
		script("at 20ms", "get x from node-1 via node-1", "at 70ms", "get x from node-3 via node-3"),
	}
	p.Clients[0].Name, p.Clients[1].Name = "writer", "reader"
}

// G-01: with R = W = 1 and sessionArrivals at 10, 60 and 90 ms, a read of node-2 at 20 lacks the
// reader's own write; one of node-1 at 20 returns v1, and then one of node-3 at 70 nothing.
func TestReadsOfOneReplicaViolateSessions(t *testing.T) {
	r := play(t, sessions, sessionArrivals()...)
	r.OnlyViolates("read-your-writes", "monotonic-reads")
	r.Violated("read-your-writes", modeltest.At(20))
	r.Violated("monotonic-reads", modeltest.At(70))
	assert.Contains(t, r.Why, "writer reads nothing from x, which lacks its own write of v1")
	assert.Contains(t, r.Why, "reader reads nothing from x, and has read v1 before")
}

// G-02: with a floor and a poll of 10 ms node-2 answers at 60 and node-3 at 90.
func TestAFloorWaitsForTheReplica(t *testing.T) {
	r := play(t, func(p *Params) {
		sessions(p)
		p.Session.Floor = true
	}, sessionArrivals()...)
	r.Holds("read-your-writes", "monotonic-reads")
	r.Logs("0.060s writer reads v1 from x")
	r.Logs("0.090s reader reads v1 from x")
}

// A client with a floor fails rather than to read less than it has seen.
func TestAFloorThatIsNotReachedFails(t *testing.T) {
	r := play(t, func(p *Params) {
		sessions(p)
		p.Session.Floor, p.Patience = true, 25*ms
	}, sessionArrivals()...)
	r.Logs("0.045s writer fails in its read at x: older than what it has seen")
	r.Logs("0.090s reader reads v1 from x")
}

// A client that stays at one node reads what that node stores.
func TestAStickyClientReadsItsOwnWrites(t *testing.T) {
	r := play(t, func(p *Params) {
		sessions(p)
		p.Route = "sticky"
		p.Clients[0].Steps = script("put x v1", "at 20ms", "get x").Steps
		p.Clients[1].Steps = script("at 20ms", "get x", "at 70ms", "get x", "at 80ms", "get x").Steps
	}, sessionArrivals()...)
	r.Holds("read-your-writes", "monotonic-reads")
	r.Logs("0.030s writer reads v1 from x")
	r.Logs("0.020s reader reads nothing from x")
	r.Logs("0.070s reader reads v1 from x")
}

// A crash ends a session: what the client has seen before it does not count.
func TestACrashEndsASession(t *testing.T) {
	crash := simtest.Inject("reader", sim.Fault{Do: sim.Crash, When: sim.When{At: modeltest.At(30)}, For: sim.Constant(ms)})
	r := play(t, sessions, append(sessionArrivals(), crash)...)
	r.OnlyViolates("read-your-writes")
}

// nodeAhead is a client that writes to x by way of node-1, whose clock is 5 s ahead, and then by
// way of node-2, and one that reads and writes likewise.
func nodeAhead(policy string) func(p *Params) {
	return func(p *Params) {
		p.Read, p.Write, p.Claims = ptr(1), ptr(1), sessionGuarantees
		p.Conflict.Conflict, p.Session.Floor = policy, true
		p.Clients = []ClientParams{
			script("put x v1 via node-1", "wait 50ms", "put x v2 via node-2"),
			script("at 500ms", "get x from node-1 via node-1", "put x v3 via node-3"),
		}
	}
}

func TestWritesInOrderNeedAClockThatFollowsWhatWasRead(t *testing.T) {
	ahead := simtest.Clock("node-1", sim.Clock{Offset: 5 * time.Second})
	r := play(t, nodeAhead("last-write-wins"), ahead)
	r.OnlyViolates("monotonic-writes", "writes-follow-reads")
	play(t, nodeAhead("last-write-wins-hlc"), ahead).OnlyViolates()
}

// forgetful is a client that remembers nothing of a key.
type forgetful struct{ Client }

func (c *forgetful) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	c.known.Set(0, nil)
	c.Client.Step(in, out)
}

func (c *forgetful) Reset(initial *forgetful) { c.Client.Reset(&initial.Client) }

// behindhand is a node whose hybrid clock does not follow what a writer has read, nor what
// it has written itself.
type behindhand struct{ replica.Node }

func (n *behindhand) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.Put {
		n.Writer = version.NewReplica(uint32(in.Self))
		in.Msg.Obj = nil
	}
	n.Node.Step(in, out)
}

func (n *behindhand) Reset(initial *behindhand) { n.Node.Reset(&initial.Node) }

// sessionMutants are a client, or a node, that does not give a guarantee.
func sessionMutants(t *testing.T) []modeltest.Mutant[core.Msg] {
	mutant := func(property string, correct func(*Params), nodes map[int]func(sim.System[core.Msg], *Params) sim.Spec[core.Msg], changes ...simtest.Change) modeltest.Mutant[core.Msg] {
		set := func(p *Params) {
			correct(p)
			p.Session.Floor, p.Claims = true, []string{property}
		}
		return modeltest.Mutant[core.Msg]{Property: property, Correct: system(t, set), Mutant: func() sim.System[core.Msg] {
			p := DefaultParams()
			set(&p)
			s := p.System()
			for i, wrong := range nodes {
				s.Nodes[i] = wrong(s, &p)
			}
			return s
		}, Changes: changes}
	}
	client := func(n int) map[int]func(sim.System[core.Msg], *Params) sim.Spec[core.Msg] {
		return map[int]func(sim.System[core.Msg], *Params) sim.Spec[core.Msg]{2 + n: func(s sim.System[core.Msg], p *Params) sim.Spec[core.Msg] {
			return sim.Place[core.Msg](s.Nodes[2+n].Name, forgetful{p.clients(p.layout())[n-1]})
		}}
	}
	node := func(n int) map[int]func(sim.System[core.Msg], *Params) sim.Spec[core.Msg] {
		return map[int]func(sim.System[core.Msg], *Params) sim.Spec[core.Msg]{n - 1: func(s sim.System[core.Msg], p *Params) sim.Spec[core.Msg] {
			l := p.layout()
			return sim.Place[core.Msg](s.Nodes[n-1].Name, behindhand{replica.Node{Settings: l.Settings, Ring: l.Ring}})
		}}
	}
	ahead := simtest.Clock("node-1", sim.Clock{Offset: 5 * time.Second})
	return []modeltest.Mutant[core.Msg]{
		mutant("read-your-writes", sessions, client(1), sessionArrivals()...),
		mutant("monotonic-reads", sessions, client(2), sessionArrivals()...),
		mutant("monotonic-writes", nodeAhead("last-write-wins-hlc"), node(2), ahead),
		mutant("writes-follow-reads", nodeAhead("last-write-wins-hlc"), node(3), ahead),
	}
}
