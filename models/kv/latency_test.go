package kv

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/kv/core"
	"fencepost/models/kv/pbs"
	"fencepost/sim"
)

// outcomes is what a client sees that writes a key and reads it again and again.
type outcomes struct {
	asked       sim.Time
	last        uint32 // its write
	write, read []time.Duration
	fresh       int
}

func (*outcomes) Reset(*sim.View[core.Msg]) {}
func (*outcomes) End(*sim.View[core.Msg])   {}

// Observe implements [sim.Observer].
func (s *outcomes) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	switch m := &o.Msg; {
	case o.Event != sim.Noted:
	case m.Kind == core.Asked:
		s.asked = v.Now()
		if m.Write != nil {
			s.last = m.Write.ID
		}
	case m.Kind == core.Answered && m.Write != nil:
		s.write = append(s.write, v.Now().Sub(s.asked))
	case m.Kind == core.Answered:
		s.read = append(s.read, v.Now().Sub(s.asked))
		for _, value := range m.Obj.Values() {
			if value.Write == s.last {
				s.fresh++
			}
		}
	}
}

// proxied is a store whose client sends its requests by way of a node that does not store the
// key, and reads t after each write. Nothing but the messages of the request repairs a replica.
func proxied(r, w, rounds int, t time.Duration, latency pbs.Latency) func(*Params) {
	return func(p *Params) {
		p.Nodes, p.Replicas, p.Read, p.Write, p.Coordinator, p.Latency = 4, ptr(3), ptr(r), ptr(w), "any", latency
		p.ReadRepair, p.Gossip, p.AntiEntropy, p.ReplicaTimeout, p.Timeout, p.Patience = "none", 0, 0, 0, time.Hour, time.Hour
		ring, proxy := p.firstRing(), sim.NodeID(1)
		for ring.Has(0, 3, proxy) {
			proxy++
		}
		via := fmt.Sprintf(" via node-%d", proxy)
		p.Clients = []ClientParams{script("put x v"+via, "wait "+t.String(), "get x"+via)}
		p.Clients[0].Repeat, p.Clients[0].Think = ptr(rounds), sim.Constant(20*time.Second)
	}
}

// seen are the outcomes of the store in several runs.
func seen(t *testing.T, set func(*Params), runs int) *outcomes {
	s := system(t, set)()
	o := &outcomes{}
	s.Meters = append(s.Meters, o)
	w, err := sim.NewWorld(s, sim.Config{Until: sim.Time(1000 * time.Hour)})
	require.NoError(t, err)
	for seed := range uint64(runs) {
		require.Nil(t, w.Run(seed+1).Panic)
	}
	return o
}

// The store agrees with the trials: "Unsurprisingly, our observations matched WARS."
// As in section 5.2 of the paper, requests go by way of a node that does not store the key,
// and read repair is off. Probabilities lie within five standard errors of each other.
func TestStoreAgreesWithTrials(t *testing.T) {
	const runs = 8
	rounds, trials := whole.Of(200, 500), whole.Of(40_000, 100_000) // few rounds: the oracle of writes keeps the history of each
	near := func(want, got, n float64, what string) {
		t.Helper()
		error := math.Sqrt(want*(1-want)*(1/n+1/float64(trials))) + 1/n
		assert.InDelta(t, want, got, 5*error, what)
	}
	for _, fit := range []string{"lnkd-disk", "ymmr"} {
		for _, q := range []pbs.Quorums{{N: 3, R: 1, W: 1}, {N: 3, R: 1, W: 2}, {N: 3, R: 2, W: 1}, {N: 3, R: 2, W: 2}} {
			delays, err := pbs.Fit(fit)
			require.NoError(t, err)
			wars := pbs.NewTrials(delays, q, 99)
			var visible, reads, writes []time.Duration
			for i := range uint64(trials) {
				o := wars.Trial(i)
				visible, reads, writes = append(visible, o.Visible), append(reads, o.Read), append(writes, o.Write)
			}
			for _, list := range [][]time.Duration{visible, reads, writes} {
				slices.Sort(list)
			}
			for _, after := range []time.Duration{0, 5 * ms} {
				name := fmt.Sprintf("%s %v at %v", fit, q, after)
				store := seen(t, proxied(q.R, q.W, rounds, after, pbs.Latency{Fit: fit}), runs)
				require.Len(t, store.read, rounds*runs)
				n := float64(rounds * runs)
				near(shareUpTo(visible, after), float64(store.fresh)/n, n, name+": fresh")
				near(0.5, shareUpTo(store.read, reads[trials/2]), n, name+": median of reads")
				near(0.99, shareUpTo(store.read, reads[trials*99/100]), n, name+": p99 of reads")
				near(0.5, shareUpTo(store.write, writes[trials/2]), n, name+": median of writes")
				near(0.99, shareUpTo(store.write, writes[trials*99/100]), n, name+": p99 of writes")
			}
		}
	}
}

func shareUpTo(list []time.Duration, most time.Duration) float64 {
	n := 0
	for _, d := range list {
		if d <= most {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// Each of the four messages takes its own time, on top of the network, and twice the time
// between data centers; a coordinator that is a replica does its own part at once.
func TestLatencyOfEachMessage(t *testing.T) {
	of := func(d time.Duration) *sim.Dist { return ptr(sim.Constant(d)) }
	latency := pbs.Latency{Write: of(10 * ms), Ack: of(20 * ms), Read: of(30 * ms), Answer: of(40 * ms)}
	o := seen(t, proxied(2, 2, 1, 0, latency), 1)
	require.Equal(t, []time.Duration{30 * ms}, o.write)
	require.Equal(t, []time.Duration{70 * ms}, o.read)
	latency.Remote = ptr(75 * ms)
	o = seen(t, proxied(2, 2, 1, 0, latency), 1)
	require.Equal(t, []time.Duration{180 * ms}, o.write)
	require.Equal(t, []time.Duration{220 * ms}, o.read)
	set := func(p *Params) {
		p.Latency, p.Read, p.Write, p.Clients = latency, ptr(1), ptr(3), []ClientParams{script("put x v", "get x")}
		p.Gossip, p.AntiEntropy = 0, 0 // a thousand hours of them
	}
	o = seen(t, set, 1)
	require.Equal(t, []time.Duration{180 * ms}, o.write)
	require.Equal(t, []time.Duration{0}, o.read)
	played := play(t, set) // the network takes 5 ms each way
	require.Equal(t, 2, strings.Count(played.Trace(), "sends node-1: write-ack"))
	require.Contains(t, played.Trace(), "0.115s        node-2    0.115s        0.115s        from itself: delayed write-ack key-0; after 75ms: remote write-ack key-0")
}
