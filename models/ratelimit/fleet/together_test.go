package fleet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// forms are fleets whose limiters work together, with several keys.
func forms() map[string]Params {
	list := map[string]Params{}
	for _, form := range []string{"sync", "lease", "regions"} {
		p := together(form, 0)
		p.Window, p.Clients = 500*ms, nil
		p.Lease.Idle, p.Lease.Learning, p.Regions.Every = "return", "window", 30*ms
		for key := range int64(3) {
			p.Clients = append(p.Clients, core.ClientParams{Key: ptr(key + 1), Cost: ptr(key + 1), Phases: []core.Phase{{Every: sim.Exponential(2 * ms), Count: ptr(0)}}})
		}
		list[form] = p
	}
	return list
}

// world is a fleet on a network that loses and doubles, with crashes and pauses if
// there are to be any.
func world(t *testing.T, p Params, crashes bool) sim.Runner {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	last := sim.NodeID(len(program.Nodes))
	c := sim.Config{Until: at(3000), Twice: crashes}
	c.Network.Default = sim.Link{Delay: sim.Exponential(2 * ms), Loss: 20_000_000, Duplicate: 20_000_000}
	c.Network.Order = sim.Free
	if crashes {
		for n := last - 4; n <= last; n++ {
			c.Faults = append(c.Faults,
				sim.Fault{Name: "crash " + program.Nodes[n-1], Do: sim.Crash, Node: n, When: sim.When{Every: sim.Exponential(500 * ms)}, For: sim.Constant(20 * ms)},
				sim.Fault{Name: "pause " + program.Nodes[n-1], Do: sim.Pause, Node: n, When: sim.When{Every: sim.Exponential(500 * ms)}, For: sim.Exponential(100 * ms)})
		}
	}
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	return w
}

// A run is the seed's, whatever the world ran before, and each step is pure.
func TestFormsRepeat(t *testing.T) {
	for form, p := range forms() {
		w := world(t, p, true)
		for seed := range uint64(whole.Of(1, 3)) {
			first := *w.Run(seed)
			require.Nil(t, first.Panic, form)
			require.Nil(t, w.Run(seed+100).Panic, form)
			require.Equal(t, first.Digest, w.Run(seed).Digest, form)
			require.Equal(t, first.Digest, world(t, p, true).Run(seed).Digest, form)
		}
	}
}

func TestFormsAllocateNothing(t *testing.T) {
	for form, p := range forms() {
		w := world(t, p, false)
		allocatesWords(t, form, w)
	}
}

// Leases that end by their length keep to the limit whatever the network loses, doubles
// or overtakes, whichever node is paused, and if a coordinator learns until its window is over.
func TestLeasesUnderFaults(t *testing.T) {
	p := forms()["lease"]
	w := world(t, p, true)
	program := sim.NewProgram(p.System)
	for seed := range uint64(10) {
		r := w.Run(seed)
		require.Nil(t, r.Panic)
		for i, name := range program.Properties {
			if name == "outstanding-within-limit" {
				require.Equal(t, sim.Holds, r.Properties[i].Verdict, "seed %d: %s", seed, w.Why(i))
			}
		}
	}
}

// The story of a fleet says each thing once.
func TestTogetherStory(t *testing.T) {
	p := stranding(8 * ms)
	p.Lease.Idle = "return"
	r := play(t, p, simtest.Until(at(2000)), tamper(sim.Duplicate, message.LeaseAsk, "limiter-1", 1))
	for _, text := range []string{
		"coordinator leases 10 of key 1 to limiter-2, for 1s",
		"coordinator grants limiter-1 the same 10 of key 1 as before",
		"coordinator takes 9 of key 1 back from limiter-4",
		"coordinator has none of key 1 for limiter-1",
	} {
		assert.Equal(t, 1, strings.Count(r.Log(), text), "%s\n%s", text, r.Log())
	}
	r = play(t, carried("from-send"), simtest.Until(at(2000)), stop("limiter-1", 910, 190*ms))
	assert.Contains(t, r.Log(), "1.100s the lease of limiter-1 is over: 9 of key 1 were not used")

	p = together("lease", ms)
	p.Lease.Batch = 25
	r = play(t, p, simtest.Until(at(1000)), simtest.Inject("coordinator", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(10 * ms)}))
	assert.Equal(t, 2, strings.Count(r.Log(), "coordinator leases 25 of key 1 to limiter-2"), "once more after the restart")

	r = play(t, together("sync", ms), simtest.Until(at(1000)), tamper(sim.Lose, message.SyncAck, "store", 1))
	assert.Contains(t, r.Log(), "0.100s store has counted 100 of key 1, with 25 of limiter-4: the limit is 100")
	assert.Contains(t, r.Log(), "0.200s store is told of 25 of key 1 by limiter-1 for the second time, and does not count them")

	r = play(t, three(500*ms), simtest.Until(at(1000)))
	assert.Equal(t, 6, strings.Count(r.Log(), "hears of 50 of key 1 in region-"), r.Log())
}

// Every kind of message has a name and words.
func TestTogetherWords(t *testing.T) {
	kind := func(name string) sim.Kind { return sim.Kind(slices.Index(message.Kinds.Names(), name)) }
	of := message.Msg{Key: 1, ID: 7}
	sync := message.NewSync(7, 1, 5, int64(time.Second))
	for k, want := range map[message.Msg]string{
		sync:                         "sync key 1 window 1s: 5, number 7",
		message.NewSyncAck(of, 5):    "sync-ack key 1 window 0s: 5, number 7",
		message.NewLeaseAsk(7, 1, 5): "lease-ask key 1: 5, number 7",
		message.NewLeaseGrant(7, 1, 5, time.Second, 0):               "lease-grant key 1: 5 for 1s, number 7",
		message.NewAbsoluteGrant(7, 1, 5, sim.Wall(time.Second), 0):  "lease-grant key 1: 5 until 1s, number 7",
		message.NewLeaseReturn(0, 1, 5, 0):                           "lease-return key 1: 5",
		message.NewGossip(1, 5, 0):                                   "gossip key 1 window 0s: 5",
		{Kind: kind("sync-begin")}:                                   "sync-begin",
		{Kind: kind("sync-tick")}:                                    "sync-tick",
		message.NewSettle(of, 2):                                     "settle limiter 2 key 1, number 7",
		message.NewLeaseHalf(7, 1, time.Second):                      "lease-half key 1, number 7",
		message.NewLeaseTimer(kind("lease-end"), 7, 1):               "lease-end key 1, number 7",
		message.NewLeaseTimer(kind("lease-wait"), 7, 1):              "lease-wait key 1, number 7",
		{Kind: kind("gossip-tick")}:                                  "gossip-tick",
		message.NewCounted(message.NewSync(7, 1, 2, 0), 0, 5, false): "counted key 1: 5, 2 of limiter 1",
		message.NewLeased(0, 1, 5, time.Second, false):               "leased key 1: 5 to limiter 1 for 1s",
		message.NewReturned(0, 1, 5):                                 "returned key 1: 5 of 1",
		message.NewLapsed(1, 5):                                      "lapsed key 1: 5",
		message.NewHeard(message.NewGossip(1, 5, 0), 0):              "heard key 1: 5 of 1",
	} {
		assert.Equal(t, want, k.String())
	}
}
