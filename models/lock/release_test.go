package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// R1: a client that releases without waiting for the reply to its write lets the two race,
// and loses updates under any delay that is not constant, without a fault.

// spread are networks in which nothing goes wrong, but that delays differ. The store is
// the fifth node of three clients and one Redis.
func spread(t *testing.T) map[string]sim.Network {
	t.Helper()
	log, err := sim.LogNormal(2*ms, 40*ms)
	require.NoError(t, err)
	slow := sim.LinkRule{To: []sim.NodeID{5}, Link: sim.Link{Delay: sim.Uniform(0, 200*ms)}}
	return map[string]sim.Network{
		"exponential":         {Default: sim.Link{Delay: sim.Exponential(5 * ms)}},
		"exponential, free":   {Default: sim.Link{Delay: sim.Exponential(5 * ms)}, Order: sim.Free},
		"log-normal, free":    {Default: sim.Link{Delay: log}, Order: sim.Free},
		"uniform":             {Default: sim.Link{Delay: sim.Uniform(0, 30*ms)}},
		"uniform, slow store": {Default: sim.Link{Delay: sim.Uniform(0, 2*ms)}, Rules: []sim.LinkRule{slow}},
	}
}

// turns are three clients that take turns on a lock whose lease is far longer than they
// take for anything.
func turns(set func(*Params)) Params {
	p := Params{Service: "redis", TTL: ptr(10 * time.Minute), Clients: 3, Rounds: []int{8}, Work: []time.Duration{10 * ms},
		Retry: ptr(sim.Constant(5 * ms)), PerNode: ptr(time.Second)}
	set(&p)
	return p
}

// rejects is violated by a write that the store rejects.
type rejects struct{ sim.Check }

func (r *rejects) Name() string                   { return "no-write-rejected" }
func (r *rejects) Reset(*sim.View[core.Msg])      { r.Clear() }
func (r *rejects) End(*sim.View[core.Msg])        {}
func (r *rejects) Why(*sim.View[core.Msg]) string { return "the store rejected a write" }

func (r *rejects) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if r.Saw(); o.Event == sim.Noted && o.Msg.Kind == core.Rejected {
		r.Violate(v.Now(), o.Node)
	}
}

// TestNoUpdateIsLostWithoutAFault: whatever the lock, and however delays are spread.
func TestNoUpdateIsLostWithoutAFault(t *testing.T) {
	for name, set := range map[string]func(*Params){
		"redis":                 func(*Params) {},
		"redis, get and del":    func(p *Params) { p.Release = "get-del" },
		"redis, renewed":        func(p *Params) { p.Extend = 3 * ms },
		"naive":                 func(p *Params) { p.Service, p.TTL = "naive", nil },
		"redlock":               func(p *Params) { p.Service = "redlock" },
		"redlock, sequential":   func(p *Params) { p.Service, p.Requests = "redlock", "sequential" },
		"redlock, node-redlock": func(p *Params) { p.Service, p.Preset, p.Tries = "redlock", "node-redlock", ptr(0) },
		"redis, ge":             func(p *Params) { p.Tokens, p.Fencing = "counter", "ge" },
		"redis, gt":             func(p *Params) { p.Tokens, p.Fencing = "counter", "gt" },
		"redlock, lex":          func(p *Params) { p.Service, p.Tokens, p.Fencing = "redlock", "counter", "lex" },
	} {
		p := turns(set)
		require.Empty(t, p.Problems())
		system := func() sim.System[core.Msg] {
			s := p.System()
			s.Properties = append(s.Properties, &rejects{})
			return s
		}
		for how, network := range spread(t) {
			t.Run(name+", "+how, func(t *testing.T) {
				c := simtest.Count(t, system, sim.Config{Until: at(60_000), Network: network}, whole.Of(8, 16))
				c.Holds("no-lost-update", "mutual-exclusion", "entitled-exclusion", "owner-release", "no-write-rejected")
				if p.Preset != "node-redlock" { // which splits votes for most of the minute: figure-split-votes
					c.Holds("deadlock-free")
				}
				if p.Fencing != "" {
					c.Holds("fenced-order", "increasing-tokens")
				}
			})
		}
	}
}

// TestUnawaitedWriteMutant is the client as it was: it loses updates in the same networks,
// a fence rejects the writes of its rightful holders, and the lock itself is not to blame.
func TestUnawaitedWriteMutant(t *testing.T) {
	for _, service := range []string{"redis", "redlock"} {
		p := turns(func(p *Params) { p.Service, p.Await = service, ptr(false) })
		require.Empty(t, p.Problems())
		c := simtest.Count(t, p.System, sim.Config{Until: at(60_000), Network: spread(t)["exponential"]}, 160)
		c.Violates("no-lost-update")
		c.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder", "owner-release")
		p.Tokens, p.Fencing = "counter", "lex"
		c = simtest.Count(t, func() sim.System[core.Msg] {
			s := p.System()
			s.Properties = append(s.Properties, &rejects{})
			return s
		}, sim.Config{Until: at(60_000), Network: spread(t)["exponential"]}, 160)
		c.Violates("no-write-rejected")
	}
}

// TestTheLockIsReleasedAfterTheWritesReply: at 1.010 the client writes, at 1.020 the reply
// is there. Then comes hold, and then the release.
func TestTheLockIsReleasedAfterTheWritesReply(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, Work: []time.Duration{time.Second}}
	released := func(change ...simtest.Change) sim.Time { return play(t, p, change...).Moment("client-1 releases") }
	assert.Equal(t, at(1_020), released())
	assert.Equal(t, at(1_715), released(delayed(core.WriteReply, 700*ms)), "the reply is slow")
	assert.Equal(t, at(1_715), released(delayed(core.Write, 700*ms)), "the write is slow")
	assert.Equal(t, at(1_020), released(doubled(core.WriteReply, 7*ms)), "a second copy of the reply changes nothing")
	p.Hold = []time.Duration{2 * time.Second}
	assert.Equal(t, at(3_020), released())
	assert.Equal(t, at(3_020), released(doubled(core.WriteReply, 500*ms)), "nor does it while the client holds on")
	p.Await = ptr(false)
	assert.Equal(t, at(3_010), released(), "hold from the write")
}

// TestWriteInDoubt: without a reply the client gives up after the timeout, and finally
// releases. The write may be applied, or not.
func TestWriteInDoubt(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, TTL: ptr(time.Minute), Work: []time.Duration{time.Second}, Hold: []time.Duration{2 * time.Second}}
	for name, f := range map[string]simtest.Change{
		"the reply is lost": losing(core.WriteReply, "store"),
		"the write is lost": losing(core.Write, "client-1"),
		"the store is down": crash("store", 900, 5_000),
		"the reply is late": delayed(core.WriteReply, 20*time.Second),
		"a copy is late":    doubled(core.Write, time.Second),
	} {
		r := play(t, p, f)
		want := at(11_010)
		if name == "a copy is late" {
			want = at(3_020)
		}
		assert.Equal(t, want, r.Moment("client-1 releases"), name)
		r.Holds("mutual-exclusion", "owner-release", "no-orphan")
	}
	p.WriteWait = ptr(300 * ms)
	assert.Contains(t, play(t, p, losing(core.WriteReply, "store")).String(),
		"1.310s client-1 releases the lock: its write was not answered in time, and may be applied later")
	p.WriteWait = ptr(time.Duration(0))
	assert.NotContains(t, play(t, p, losing(core.WriteReply, "store")).String(), "releases", "0s waits without end")
}

// TestLateReplyOfAnEarlierRound: what answers the write of a round that is over does not
// end the wait for the reply to the next one.
func TestLateReplyOfAnEarlierRound(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, Rounds: []int{2}, Work: []time.Duration{100 * ms}, WriteWait: ptr(50 * ms)}
	second := simtest.Disturb("store", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.WriteReply, Nth: 2}})
	// It gives up at 160, acquires at 180 and writes at 280: the old reply comes at 295.
	r := play(t, p, delayed(core.WriteReply, 180*ms), second)
	assert.Contains(t, r.String(), "0.160s client-1 releases")
	assert.Contains(t, r.String(), "client-1 releases the lock: its write was not answered in time")
	assert.NotRegexp(t, `0\.[23]\d+s client-1 releases the lock\n`, r.String())
}

// TestRejectedWriteReturns: a write that the store rejects has returned too. The client
// learns it 10 ms after it wrote, and holds the lock no longer.
func TestRejectedWriteReturns(t *testing.T) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Fencing: "lex", Hold: []time.Duration{5 * time.Second},
		Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}}
	pause := simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(15 * time.Second)})
	r := play(t, p, pause)
	assert.Equal(t, at(15_110), r.Moment("client-1 learns that its write was rejected, and releases the lock"), r)
	r = play(t, Params{Service: "redlock", Clients: 1, Tokens: "counter", Fencing: "lex"}, doubled(core.Write, 2*ms), delayed(core.WriteReply, 10*ms))
	assert.NotContains(t, r.String(), "learns", "of a write that arrives twice the second copy is rejected, and the first applied")
}

// TestRenewedWhileItWaits: a client extends its lock while it waits for the reply, and
// stops when it releases.
func TestRenewedWhileItWaits(t *testing.T) {
	p := Params{Service: "redis", Clients: 1, TTL: ptr(2 * time.Second), Extend: 600 * ms, Work: []time.Duration{time.Second}}
	r := play(t, p, delayed(core.WriteReply, 6*time.Second))
	r.Holds("quorum-behind-holder", "entitled-exclusion", "no-orphan")
	assert.Equal(t, at(7_015), r.Moment("client-1 releases"))
	assert.Regexp(t, `\n *6\.[0-9s. ]+redis-1 .*from client-1: extend`, r.Trace())
	assert.NotRegexp(t, `\n *(7\.[1-9]|[89]\.)[0-9s. ]+redis-1 .*from client-1: extend`, r.Trace())
}
