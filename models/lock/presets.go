package lock

import (
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// preset is Redlock as a library has it.
type preset struct {
	lock  Redlock                           // its TTL is the usual one
	drift func(time.Duration) time.Duration // the allowance for the clocks within a TTL
	share time.Duration                     // an instance is waited for for this part of the TTL; 0: as lock says
}

// presets are the implementations: the page's, and by name those of libraries.
//
// Source: redlock-rb (antirez, 2014), redlock.rb; redsync 4, redsync.go and mutex.go;
// node-redlock 5, src/index.ts.
var presets = map[string]preset{
	"": {drift: DriftOf, lock: Redlock{
		Rules:   Rules{Instances: 5, TTL: 10 * time.Second},
		polling: polling{Retry: sim.Uniform(0, 200*time.Millisecond), Wait: 50 * time.Millisecond},
	}},
	"reference": {drift: DriftOf, lock: Redlock{
		Rules: Rules{Instances: 5, TTL: 10 * time.Second}, Clock: sim.WallClock, Sequential: true,
		polling: polling{Retry: sim.Uniform(0, 200*time.Millisecond), Tries: 3},
	}},
	"redsync": {drift: driftOfRedsync, share: 20, lock: Redlock{
		Rules:   Rules{Instances: 5, TTL: 8 * time.Second},
		polling: polling{Retry: sim.Uniform(50*time.Millisecond, 250*time.Millisecond), Tries: 32},
	}},
	"node-redlock": {drift: driftOfNode, lock: Redlock{
		Rules: Rules{Instances: 5, TTL: 10 * time.Second, AnyValidity: true, AtQuorum: true},
		Clock: sim.WallClock, Cleanup: CleanNone, KeepValue: true,
		polling: polling{Retry: sim.Uniform(100*time.Millisecond, 300*time.Millisecond), Tries: 11, Wait: 50 * time.Millisecond},
	}},
}

// driftOfRedsync is one per cent of the TTL.
func driftOfRedsync(ttl time.Duration) time.Duration { return ttl / 100 }

// driftOfNode is one per cent of the TTL, rounded to a millisecond, and 2 ms.
func driftOfNode(ttl time.Duration) time.Duration {
	return (ttl / 100).Round(time.Millisecond) + 2*time.Millisecond
}

// redlock is the preset with what the parameters say.
func (p *Params) redlock() Redlock {
	preset, known := presets[p.Preset]
	if !known {
		preset = presets[""] // Problems says so; it looks at the rest too
	}
	r := preset.lock
	r.Rules.TTL = values.Or(p.TTL, r.Rules.TTL)
	r.Rules.Drift = p.drift(r.Rules.TTL, preset.drift)
	r.Rules.Instances = values.Or(p.Instances, r.Rules.Instances)
	r.Rules.Quorum = Quorum(r.Rules.Instances)
	r.Rules.AnyValidity = word(p.Validity, map[string]bool{"checked": false, "elapsed": false, "ignored": true}, r.Rules.AnyValidity)
	if p.Validity == "elapsed" {
		r.Rules.Drift = 0 // then something of the TTL is left if, and only if, less than the TTL has elapsed
	}
	if preset.share > 0 {
		r.Wait = r.Rules.TTL / preset.share
	}
	r.polling = p.polling(r.polling)
	r.Clock = p.clock(r.Clock)
	r.Sequential = word(p.Requests, map[string]bool{"parallel": false, "sequential": true}, r.Sequential)
	r.Cleanup = word(p.Cleanup, map[string]Cleanup{"all": CleanAll, "granted": CleanGranted, "none": CleanNone}, r.Cleanup)
	r.Renew, r.Extend = p.Extend, p.extendBy()
	return r
}

func planRedlock(p *Params, first sim.NodeID) plan {
	r := p.redlock()
	r.Servers = first
	return plan{servers: p.redisServers(r.Rules.Instances), worker: worker(r), quorum: r.Rules.Quorum, clock: r.Clock,
		ttl: r.Rules.TTL, poll: r.longest()}
}

// checkRedlock is what the tags do not say of Redlock.
func checkRedlock(p *Params, found *kit.Errors) {
	rules := p.redlock().Rules
	p.checkLease(found, rules.TTL, rules.Drift)
	if p.Validity == "elapsed" && p.DriftMin != nil {
		found.Add("drift-min", "there is no allowance for the clocks: validity is elapsed")
	}
	if n := rules.Instances; n%2 == 0 && !p.Even {
		found.Add("instances", "%d tolerate %d down, as %d do, and their votes may be split evenly: want an odd number, or even-instances: true", n, Tolerated(n), n-1)
	}
	p.checkRedis(found)
}
