package lock

import (
	"slices"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// The notes that properties look at.
var (
	entering  = []sim.Kind{core.Acquired}
	leaving   = []sim.Kind{core.Released, core.Expired, core.Stale, core.LockLost}
	believing = slices.Concat(entering, leaving)
	extending = []sim.Kind{core.Extended}
	owning    = []sim.Kind{core.Owned, core.Freed}
	wanting   = []sim.Kind{core.Trying, core.Acquired, core.Failed}
)

// bounds are the times that properties allow.
type bounds struct {
	deadlock, takeover, failover, orphan time.Duration

	overtakes *int // nil: there is no bound
	extended  bool // leases are extended
}

// bounds are by default those of a lock that outlives its holder for the TTL; one that does
// so forever is to do what the others do.
func (p *Params) bounds(s *plan) bounds {
	ttl := s.ttl
	if ttl == 0 {
		ttl = usualTTL
	}
	takeover := ttl + s.poll + time.Second
	return bounds{
		deadlock: values.Or(p.DeadlockBound, 3*ttl), takeover: values.Or(p.TakeoverBound, takeover),
		failover: values.Or(p.FailoverBound, takeover), orphan: ttl + s.late,
		overtakes: p.StarvationBound, extended: p.Extend > 0,
	}
}

// unexercised is in the place of a checker that does not apply.
type unexercised struct{}

// Check implements [kit.Checker].
func (*unexercised) Check(*kit.Report[Msg]) {}

// properties are what is checked of every lock. Those that look at what time has passed
// are told of it whatever happens next, so that they are violated as early as can be.
func properties(ledger *ledger, b bounds) []sim.Property[Msg] {
	l := &ledger.Layout
	on := func(name string, c kit.Checker[Msg], kinds ...[]sim.Kind) *kit.Property[Msg] {
		return kit.NewProperty(name, c, slices.Concat(kinds...)...)
	}
	where := func(applies bool, p *kit.Property[Msg]) *kit.Property[Msg] {
		if !applies {
			return kit.NewProperty(p.Name(), &unexercised{}, core.Start) // which is no note
		}
		return p
	}
	return []sim.Property[Msg]{
		on("mutual-exclusion", &mutualExclusion{Ledger: ledger}, believing).Also(sim.Crashed, sim.Elapsed),
		on("entitled-exclusion", &entitledExclusion{Ledger: ledger}, believing, extending).Also(sim.Crashed, sim.ClockChanged, sim.Elapsed),
		on("quorum-behind-holder", &quorumBehindHolder{Quorum: l.Quorum, Ledger: ledger, Told: byClient[uint64](l)}, entering, extending, owning).
			Also(sim.ClockChanged),
		kit.NewProperty("fenced-order", &fencedOrder{}, core.Applied, core.Fenced),
		kit.NewProperty("increasing-tokens", &increasingTokens{Order: byClient[grantOrder](l)}, core.Acquired, core.Issued),
		where(l.Workload != cron, kit.NewProperty("no-lost-update", &noLostUpdate{Ledger: ledger}, core.Applied)),
		kit.NewProperty("owner-release", &ownerRelease{ledger}, core.Freed),
		where(l.Workload != leader, on("deadlock-free", &deadlockFree{Ledger: ledger, Within: b.deadlock}, wanting).
			AlsoFaults().Also(sim.Elapsed)),
		on("takeover-bound", &takeoverBound{Ledger: ledger, Within: b.takeover}, wanting).Also(sim.Crashed),
		on("no-orphan", &noOrphan{TTL: b.orphan, Ledger: ledger, Told: byInstance[bool](l), Gone: byInstance[lease](l),
			Try: byClient[uint32](l), Ended: make(attempts, l.Clients+1)}, owning, leaving, []sim.Kind{core.Trying, core.Refused}).
			Also(sim.Crashed, sim.ClockChanged),
		where(b.extended, on("continuous-hold", &continuousHold{Quorum: l.Quorum, Ledger: ledger, Told: byClient[uint64](l)}, entering, owning)),
		where(b.overtakes != nil, on("starvation-bound", &starvationBound{Most: values.Or(b.overtakes, 0), Ledger: ledger, Overtaken: byClient[int](l)},
			wanting).Also(sim.Crashed)),
		where(l.Workload == leader, kit.NewProperty("leader-per-term", &leaderPerTerm{}, core.Issued)),
		where(l.Workload == leader, on("failover-bound", &failoverBound{Ledger: ledger, Within: b.failover}, believing, wanting).
			AlsoFaults().Also(sim.Elapsed)),
	}
}
