package lock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// drawnFaults are a lock on one Redis that keeps its key on disk, or does not, and two faults of which
// one at least is a crash or a step of a clock; the steps of one node may take time.
func drawnFaults(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	ttl, work, retry := between(60, 110), between(20, 50), sim.Constant(between(10, 25))
	disk := []string{"none", "aof-always"}[r.IntN(2)]
	least := between(0, 3)
	p = proof{least: least, most: least + between(0, 3), property: []string{"mutual-exclusion", "no-lost-update"}[r.IntN(2)], set: func(q *Params) {
		q.Service, q.TTL, q.Retry, q.Persistence, q.Work = "redis", &ttl, &retry, disk, []time.Duration{work}
	}}
	pause := certify.Fault{Name: "pause", Nodes: []sim.NodeID{1, 2}, Most: ttl, Count: 1}
	ahead := certify.Fault{Name: "ahead", Do: sim.StepClock, Nodes: []sim.NodeID{3}, Most: between(5, 120), Count: 1}
	back := certify.Fault{Name: "back", Do: sim.StepClock, Nodes: []sim.NodeID{3}, Most: between(5, 60), Back: true, Count: 1}
	client := certify.Fault{Name: "client", Do: sim.Crash, Nodes: []sim.NodeID{1}, Most: between(5, 60), Count: 1}
	server := certify.Fault{Name: "server", Do: sim.Crash, Nodes: []sim.NodeID{3}, Most: between(5, 60), Count: 1}
	faults := [][]certify.Fault{{ahead}, {pause, ahead}, {pause, back}, {client}, {server}, {server, ahead}}[r.IntN(6)]
	s = p.search()
	s.Faults, s.Limits = faults, certify.Limits{States: 15_000}
	if r.IntN(3) == 0 {
		s.Config.Costs = make([]sim.Dist, len(s.Program.Nodes))
		s.Config.Costs[r.IntN(3)] = sim.Constant(between(1, 5))
	}
	for _, f := range faults {
		name += fmt.Sprintf("%s of up to %v, ", f.Name, f.Most)
	}
	return fmt.Sprintf("%sttl %v, work %v, retry %v, %s, delay %v to %v, steps take %v: %s", name, ttl, work, retry, disk, p.least, p.most, s.Config.Costs, p.property), p, s
}

// begun is a configuration in which each of the faults begins at a drawn moment.
func begun(r *rand.Rand, s *certify.Search, p *proof) sim.Config {
	c := s.Config
	for _, f := range s.Faults {
		size := f.Most
		if r.IntN(3) == 0 {
			size = time.Duration(r.Int64N(int64(f.Most) + 1))
		}
		fault := sim.Fault{Name: f.Name, Do: f.Do, Node: f.Nodes[r.IntN(len(f.Nodes))], When: sim.When{At: sim.Time(r.Int64N(int64(150 * ms)))}}
		switch {
		case f.Do != sim.StepClock:
			fault.For = sim.Constant(size)
		case f.Back:
			fault.By = -size
		default:
			fault.By = size
		}
		c.Faults = append(c.Faults, fault)
	}
	if r.IntN(2) == 0 {
		c.Network.Default.Delay, _ = sim.Empirical([]time.Duration{p.least, p.most})
	}
	return c
}

// No run of the engine with crashes and steps of clocks violates what is certified, and some do what is not. Most
// locks are explored in full.
func TestNoRunViolatesWhatIsCertifiedWithCrashesAndSteps(t *testing.T) {
	t.Parallel()
	locks, runs := drawn(100, 1_000)
	r := rand.New(rand.NewPCG(21, 25))
	modeltest.Sound(t, locks, runs, func() modeltest.Proof {
		name, p, s := drawnFaults(r)
		return modeltest.Proof{Name: name, Search: s, Seeds: 5, Hostile: func() sim.Config { return begun(r, s, &p) }}
	})
}
