package idempotency

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// drawnProof is a flow of random settings, and a property of it.
func drawnProof(t testing.TB, r *rand.Rand) (c proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	list := []string{"lookup-process-store", "powertools", "ttl-cache-only", "cache-lock-database", "on-conflict", "recovery-points-fenced", lockAlone, lockAlone, chargeAlone}
	c.flow = list[r.IntN(len(list))]
	c.least = between(0, 2)
	c.most = c.least + between(0, 4)
	ttl, lease, work, second := between(60, 150), between(40, 120), between(1, 20), between(0, 120)
	servers, attempts, backoff, timeout := 1+r.IntN(2), 1+r.IntN(3), between(5, 30), between(20, 70)
	jitter := between(0, 20)
	clients := 1 + r.IntN(2)
	c.set = func(p *Params) {
		p.Clients, p.Servers, p.Tasks, p.Intent, p.Key, p.Start = clients, servers, 2, []int{1}, []int{1}, []time.Duration{0, second}[:clients]
		p.TTL, p.ProviderTTL, p.LockTTL, p.Lease, p.Work = ptr(ttl), ptr(ttl), ptr(lease), ptr(lease), ptr(sim.Constant(work))
		p.Attempts, p.Backoff, p.Timeout = []int{attempts}, []sim.Dist{sim.Uniform(backoff, backoff+jitter+1)}, []time.Duration{timeout}
		p.MaxWait, p.Poll = ptr(30*ms), ptr(15*ms)
	}
	s = c.search(t, []string{"at-most-once", "at-most-once", "same-answer"}[r.IntN(3)])
	f := &s.Faults[0]
	f.Nodes = nil
	for id := range s.Program.Nodes {
		f.Nodes = append(f.Nodes, sim.NodeID(id+1))
	}
	f.Most = 2 * ttl
	crashes := ""
	if r.IntN(3) == 0 {
		node := sim.NodeID(1 + r.IntN(len(s.Program.Nodes)))
		s.Faults = append(s.Faults, certify.Fault{Name: "crash", Do: sim.Crash, Nodes: []sim.NodeID{node}, Most: between(0, 30), Count: 1})
		crashes = ", a crash of " + s.Program.Nodes[node-1]
	}
	s.Losses, s.Copies, s.Limits = max(0, r.IntN(4)-2), max(0, r.IntN(4)-2), certify.Limits{States: whole.Of(4_000, 8_000)}
	c.name = fmt.Sprintf("%.24q, ttl %v, lease %v, work %v, second at %v, %d clients, %d servers, %d attempts, timeout %v, backoff %v+%v, delay %v to %v, %d lost, %d twice%s: %s", c.flow, ttl, lease, work,
		second, clients, servers, attempts, timeout, backoff, jitter, c.least, c.most, s.Losses, s.Copies, crashes, s.Program.Properties[s.Property])
	return c, s
}

// What a pause comes before, and what is lost or comes twice.
var (
	paused  = []sim.Kind{Request, Query, CacheGet, CacheAdd, CacheSet, CacheDelIf, Charge, Result, CacheReply, Charged, Response}
	carried = []sim.Kind{Request, Query, CacheAdd, CacheSet, Charge, Result, CacheReply, Charged, Response}
)

// hostile is what a run of the engine may have of what a search covers: a pause at a drawn moment or before a drawn
// effect, of the longest length or a drawn one, messages that are lost or come twice, and delays that are all drawn, or
// all at an end of their range.
func hostile(r *rand.Rand, s *certify.Search, c *proof) (faults []sim.Fault, link sim.Link) {
	pause := &s.Faults[0]
	if r.IntN(4) > 0 {
		f := sim.Fault{Name: "pause", Do: sim.Pause, Node: pause.Nodes[r.IntN(len(pause.Nodes))], For: sim.Constant(pause.Most)}
		if r.IntN(3) == 0 {
			f.For = sim.Uniform(0, pause.Most+1)
		}
		if r.IntN(2) == 0 {
			f.When = sim.When{Before: paused[r.IntN(len(paused))], By: f.Node, Nth: 1 + r.IntN(3)}
		} else {
			f.When = sim.When{At: sim.Time(r.Int64N(int64(200 * ms)))}
		}
		faults = append(faults, f)
	}
	for _, crash := range s.Faults[1:] {
		f := sim.Fault{Name: "crash", Do: sim.Crash, Node: crash.Nodes[0], For: sim.Constant(crash.Most), When: sim.When{At: sim.Time(r.Int64N(int64(200 * ms)))}}
		if r.IntN(2) == 0 {
			f.When = sim.When{Before: paused[r.IntN(len(paused))], By: f.Node, Nth: 1 + r.IntN(3)}
		}
		faults = append(faults, f)
	}
	for i := range s.Losses + s.Copies {
		f := sim.Fault{Name: fmt.Sprint("message ", i), Do: sim.Lose, Msg: sim.MsgChoice{Kind: carried[r.IntN(len(carried))], Nth: 1 + r.IntN(3)}}
		if i >= s.Losses {
			f.Do, f.For = sim.Duplicate, sim.Constant(2*c.least) // the shortest for either copy
		}
		faults = append(faults, f)
	}
	link.Delay = sim.Uniform(c.least, c.most+1)
	if r.IntN(2) == 0 {
		link.Delay, _ = sim.Empirical([]time.Duration{c.least, c.most})
	}
	return faults, link
}

// No run of the engine violates what is certified; some violate what is not.
func TestNoRunViolatesWhatIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	modeltest.Sound(t, 10, 300, func() modeltest.Proof {
		p, s := drawnProof(t, r)
		return modeltest.Proof{Name: p.name, Search: s, Seeds: 20, Hostile: func() sim.Config {
			c := s.Config
			c.Faults, c.Network.Default = hostile(r, s, &p)
			return c
		}}
	})
}
