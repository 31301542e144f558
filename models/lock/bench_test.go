package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// busy is a lock on a single Redis that two clients take over and over.
func busy() Params {
	return Params{Service: "redis", Clients: 2, Work: []time.Duration{20 * ms}, Think: []time.Duration{30 * ms}, Rounds: []int{0}, Retry: ptr(sim.Constant(20 * ms))}
}

// BenchmarkRedis is a minute of the lock on a single Redis, with all properties and
// measures.
func BenchmarkRedis(b *testing.B) {
	p := busy()
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(ms))
}

// BenchmarkUnobserved is the same lock without properties, measures and the ledger that they share: what its steps cost
// beside those of BenchmarkIdle is the lock, and what those of BenchmarkRedis cost beside these is the observers.
func BenchmarkUnobserved(b *testing.B) {
	p := busy()
	simtest.Benchmark(b, func() sim.System[Msg] {
		s := p.System()
		s.Ledgers, s.Properties, s.Meters = nil, nil, nil
		return s
	}, sim.Config{Until: at(60_000)}, simtest.Delay(ms))
}

// BenchmarkRedlockGCPause is the scenario redlock/gc-pause: whole runs, with
// all properties and measures, worlds reused.
func BenchmarkRedlockGCPause(b *testing.B) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}, Hold: []time.Duration{0, 5 * time.Second}}
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(5*ms),
		simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(15 * time.Second)}))
}

// turn is three clients that take turns on a lock for a minute.
func turn(service string) *Params {
	p := DefaultParams()
	p.Service, p.Clients, p.Rounds = service, 3, []int{0}
	p.Work, p.Think = []time.Duration{100 * ms}, []time.Duration{200 * ms}
	return &p
}

// BenchmarkServices is a minute of each lock, with all properties and measures: runs per
// second are 1e9 through ns/op.
func BenchmarkServices(b *testing.B) {
	for i := range services {
		name := services[i].name
		b.Run(name, func(b *testing.B) {
			p := turn(name)
			require.Empty(b, p.Problems())
			simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(5*ms))
		})
	}
}

// TestAStepAllocatesNothing is a run of a world that is warm, for each lock. Without any
// lock there is a violation, and its words are made.
func TestAStepAllocatesNothing(t *testing.T) {
	for _, s := range services[1:] {
		p := turn(s.name)
		require.Empty(t, p.Problems())
		assert.Zero(t, simtest.Allocs(t, p.System, sim.Config{Until: at(5_000)}, simtest.Delay(5*ms)), p.Service)
	}
}

// idle asks of the engine what a node of a lock asks of it, and decides nothing: in each step a message or a
// timer, in three of four a note, and in one of four a timeout that has no effect.
type idle struct {
	Peer sim.NodeID

	steps int
}

// Step implements [sim.Node].
func (n *idle) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.OK { // a timeout
		return
	}
	n.steps++
	m := core.NewTrying(uint32(n.steps), uint64(in.Mono), n.steps)
	if n.steps%4 == 0 {
		timeout := m
		timeout.OK = true
		out.After(time.Second, timeout)
	}
	if n.steps%4 != 1 {
		out.Note(m)
	}
	if n.steps%2 == 0 {
		out.After(ms, m)
	} else {
		out.Send(n.Peer, m)
	}
}

// BenchmarkIdle is what the engine takes for a step with about the effects of BenchmarkRedis, without a lock
// and without observers.
func BenchmarkIdle(b *testing.B) {
	system := func() sim.System[Msg] {
		p := busy()
		of := p.System()
		return sim.System[Msg]{Kinds: of.Kinds, Notes: of.Notes, Nodes: []sim.Spec[Msg]{
			sim.Place[Msg]("a", idle{Peer: 2}), sim.Place[Msg]("b", idle{Peer: 3}), sim.Place[Msg]("c", idle{Peer: 1})}}
	}
	simtest.Benchmark(b, system, sim.Config{Until: at(60_000)}, simtest.Delay(ms))
}
