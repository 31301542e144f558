package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
)

// ways are all scripts with the algorithms that they are for.
func ways() (list []Params) {
	counters := []string{"fixed-window", "anchored-window"}
	for script, algorithms := range map[string][]string{
		"atomic": append(counters, "sliding-log", "token-bucket", "gcra", "leaky-queue"), "source": counters, "record": counters[1:],
		"incr-expire": counters, "incr-expire-nx": counters, "multi": counters, "incr-expire-always": counters, "get-set": counters, "get-incr": counters,
		"zcard-zadd": {"sliding-log"}, "zadd-zcard": {"sliding-log"},
	} {
		for _, a := range algorithms {
			list = append(list, atStore(3, a, 5, 10*time.Second, central.StoreParams{Script: script}))
		}
	}
	return list
}

// pipelined are ways with a pipeline, in which flushes are full, or late.
func pipelined() (list []Params) {
	for script, algorithm := range map[string]string{"atomic": "fixed-window", "get-set": "anchored-window", "zadd-zcard": "sliding-log"} {
		list = append(list, atStore(3, algorithm, 5, 10*time.Second, central.StoreParams{Script: script, Pipeline: 2, Flush: ptr(20 * ms), FlushCost: ms, CommandCost: 100 * time.Microsecond}))
	}
	return list
}

// strikeStore crashes, pauses and turns the clocks of a store and its limiters, and loses and
// doubles what they say to each other.
func strikeStore(c *sim.Config, p *sim.Program) {
	c.Until = at(100_000)
	c.Network.Default.Delay = sim.Exponential(3 * ms)
	bad := sim.Link{Delay: sim.Exponential(10 * ms), Loss: 20_000_000, Duplicate: 50_000_000}
	store := []sim.NodeID{p.Node("store")}
	c.Network.Rules = []sim.LinkRule{{From: store, Link: bad}, {To: store, Link: bad}}
	every := func(do sim.Action, who string, every, length time.Duration) {
		c.Faults = append(c.Faults, sim.Fault{Name: fmt.Sprint(do, who), Do: do, Node: p.Node(who), When: sim.When{Every: sim.Exponential(every)}, For: sim.Exponential(length)})
	}
	every(sim.Crash, "store", 20*time.Second, time.Second)
	every(sim.Crash, "limiter-1", 20*time.Second, time.Second)
	every(sim.Pause, "limiter-2", 5*time.Second, 200*ms)
	every(sim.Pause, "store", 5*time.Second, 100*ms)
	for i, by := range []time.Duration{7 * time.Second, -13 * time.Second} {
		c.Faults = append(c.Faults, sim.Fault{Name: fmt.Sprint("step", i), Do: sim.StepClock, Node: store[0], By: by, When: sim.When{At: at(int64(30_000 * (i + 1)))}})
	}
}

// TestStoreStorms plays every way in every storm: nothing panics, every request gets its one
// answer, and one script never loses a count.
func TestStoreStorms(t *testing.T) {
	for _, p := range append(ways(), pipelined()...) {
		name := fmt.Sprintf("%s by %s, pipeline %d", p.Algorithm.Algorithm, p.Store.Script, p.Store.Pipeline)
		t.Run(name, func(t *testing.T) {
			p.Store.Retries, p.Store.Memory, p.Store.Full = 1, 4, "evict"
			p.Store.Others = &core.Phase{Count: ptr(1000), Every: sim.Exponential(100 * ms)}
			p.Store.Fallback = "local"
			if p.Store.Kept(p.fleet()) == store.Counters && p.Store.Script != "atomic" {
				p.Store.Replica, p.Store.Promote = true, ptr(80*time.Second)
			}
			for _, key := range []int64{1, 2} {
				p.Clients = append(p.Clients, core.ClientParams{Key: &key, Obey: true, Phases: []core.Phase{{Count: ptr(0), Every: sim.Exponential(300 * ms)}}})
			}
			w, err := sim.NewProgram(p.System).NewWorld(stormOver(&p, false))
			require.NoError(t, err)
			twice, err := sim.NewProgram(p.System).NewWorld(stormOver(&p, true))
			require.NoError(t, err)
			var first uint64
			for seed := range uint64(whole.Of(2, 4)) {
				r := w.Run(seed)
				require.Nil(t, r.Panic, "%+v", r.Panic)
				for i, property := range sim.NewProgram(p.System).Properties {
					if property == "one-answer" || property == "no-lost-count" && p.Store.Script == "atomic" && p.Store.Kept(p.fleet()) < store.Records {
						require.Equal(t, sim.Holds, r.Properties[i].Verdict, "%s, seed %d: %s", property, seed, w.Why(i))
					}
				}
				if seed == 0 {
					first = r.Digest
					second := twice.Run(seed)
					require.Nil(t, second.Panic, "%+v", second.Panic)
					require.Equal(t, first, second.Digest, "pure")
				}
			}
			assert.Equal(t, first, w.Run(0).Digest, "a run leaves nothing behind")
		})
	}
}

func stormOver(p *Params, twice bool) sim.Config {
	program := sim.NewProgram(p.System)
	c := sim.Config{Twice: twice}
	strikeStore(&c, &program)
	return c
}

// Once it has run a few times, a fleet with a store allocates nothing.
func TestStoreAllocates(t *testing.T) {
	for _, pipeline := range []int{0, 4} {
		p := atStore(3, "fixed-window", 50, time.Second, central.StoreParams{Dedup: true, Pipeline: pipeline}, core.ClientParams{Phases: []core.Phase{each(0, 5000, ms)}})
		p.Bound = ptr(int64(100)) // a violation has its sentence, which is allocated
		w, err := sim.NewProgram(p.System).NewWorld(sim.Config{Until: at(6_000)})
		require.NoError(t, err)
		for range 20 { // a map spreads its keys anew after each clear, and so needs some runs to be large enough for any
			w.Run(1)
		}
		assert.Zero(t, testing.AllocsPerRun(10, func() { w.Run(1) }), pipeline)
	}
}
