package lock

import (
	"fencepost/models/lock/redislock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// redlock is the preset with what the parameters say.
func (p *Params) redlock() redislock.Redlock {
	preset, known := redislock.Presets[p.Preset]
	if !known {
		preset = redislock.Presets[""] // Problems says so; it looks at the rest too
	}
	r := preset.Lock
	r.Rules.TTL = values.Or(p.TTL, r.Rules.TTL)
	r.Rules.Drift = p.drift(r.Rules.TTL, preset.Drift)
	r.Rules.Instances = values.Or(p.Instances, r.Rules.Instances)
	r.Rules.Quorum = redislock.Quorum(r.Rules.Instances)
	r.Rules.AnyValidity = word(p.Validity, map[string]bool{"checked": false, "elapsed": false, "ignored": true}, r.Rules.AnyValidity)
	if p.Validity == "elapsed" {
		r.Rules.Drift = 0 // then something of the TTL is left if, and only if, less than the TTL has elapsed
	}
	if preset.Share > 0 {
		r.Wait = r.Rules.TTL / preset.Share
	}
	r.Polling = p.polling(r.Polling)
	r.Clock = p.clock(r.Clock)
	r.Sequential = word(p.Requests, map[string]bool{"parallel": false, "sequential": true}, r.Sequential)
	r.Cleanup = word(p.Cleanup, map[string]redislock.Cleanup{"all": redislock.CleanAll, "granted": redislock.CleanGranted, "none": redislock.CleanNone}, r.Cleanup)
	r.Renew, r.Extend = p.Extend, p.extendBy()
	return r
}

func planRedlock(p *Params, first sim.NodeID) plan {
	r := p.redlock()
	r.Servers = first
	return plan{servers: p.redisServers(r.Rules.Instances, !r.KeepValue), alike: !r.Sequential, renames: true, worker: worker(r), quorum: r.Rules.Quorum, clock: r.Clock,
		ttl: r.Rules.TTL, poll: r.Longest()}
}

// checkRedlock is what the tags do not say of Redlock.
func checkRedlock(p *Params, found *model.Errors) {
	rules := p.redlock().Rules
	p.checkLease(found, rules.TTL, rules.Drift)
	found.If(p.Validity == "elapsed" && p.DriftMin != nil, "drift-min", "there is no allowance for the clocks: validity is elapsed")
	if n := rules.Instances; n%2 == 0 && !p.Even {
		found.Add("instances", "%d tolerate %d down, as %d do, and their votes may be split evenly: want an odd number, or even-instances: true", n, redislock.Tolerated(n), n-1)
	}
	p.checkRedis(found)
}
