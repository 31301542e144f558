package lock

import (
	"slices"
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
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

	available *time.Duration // nil: there is no bound
	period    time.Duration  // of a nightly job
	overtakes *int           // nil: there is no bound
	extended  bool           // leases are extended
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
		deadlock: values.Or(p.DeadlockBound, max(3*ttl, p.longestHold()+takeover)), takeover: values.Or(p.TakeoverBound, takeover),
		failover: values.Or(p.FailoverBound, takeover), orphan: ttl + s.late,
		available: p.AvailableWithin, period: p.period(), overtakes: p.StarvationBound, extended: p.Extend > 0,
	}
}

// longestHold is how long a client is in the critical section at most, if it does not wait for the store there.
func (p *Params) longestHold() (longest time.Duration) {
	for i := range max(len(p.Work), len(p.Hold), 1) {
		longest = max(longest, values.At(p.Work, i, usualWork)+p.Jitter+values.At(p.Hold, i, 0))
	}
	return longest
}

// unexercised is in the place of a checker that does not apply.
type unexercised struct{}

// Check implements [model.Checker].
func (*unexercised) Check(*model.Report[Msg]) {}

// properties are what is checked of every lock. Those that look at what time has passed
// are told of it whatever happens next, so that they are violated as early as can be.
func properties(ledger *ledger, b bounds) []sim.Property[Msg] {
	l := &ledger.Layout
	on := func(name string, c model.Checker[Msg], kinds ...[]sim.Kind) *model.Property[Msg] {
		return model.NewProperty(name, c, slices.Concat(kinds...)...)
	}
	lively := func(name string, c model.Checker[Msg], kinds ...[]sim.Kind) *model.Property[Msg] {
		return on(name, c, kinds...).AlsoFaults().Also(sim.NetworkChanged, sim.Elapsed)
	}
	where := func(applies bool, p *model.Property[Msg]) *model.Property[Msg] {
		if !applies {
			return model.NewProperty(p.Name(), &unexercised{}, core.Start) // which is no note
		}
		return p
	}
	return []sim.Property[Msg]{
		on("mutual-exclusion", &mutualExclusion{Ledger: ledger}, believing).Also(sim.Crashed, sim.Elapsed).
			Loses(sim.Exclusion).Needs("a client must acquire the lock"),
		on("entitled-exclusion", &entitledExclusion{Ledger: ledger}, believing, extending).Also(sim.Crashed, sim.ClockChanged, sim.Elapsed).
			Loses(sim.Exclusion).Needs("a client must acquire the lock while its lease is valid"),
		on("quorum-behind-holder", &quorumBehindHolder{Quorum: l.Quorum, Ledger: ledger, Told: byClient[uint64](l)}, entering, extending, owning).
			Also(sim.ClockChanged).Needs("a client must hold the lock under a lease that is valid"),
		model.NewProperty("fenced-order", &fencedOrder{}, core.Applied, core.Fenced).
			Needs("a client must write with a fencing token: add fencing"),
		model.NewProperty("increasing-tokens", &increasingTokens{Order: byClient[grantOrder](l)}, core.Acquired, core.Issued).
			Needs("a client must be given a fencing token: add tokens or fencing"),
		where(l.Workload != cron, model.NewProperty("no-lost-update", &noLostUpdate{Ledger: ledger}, core.Applied)).
			Loses(sim.Data).Needs("a client that holds the lock must write to the store; a job of work-as: cron counts nothing"),
		model.NewProperty("owner-release", &ownerRelease{ledger}, core.Freed).
			Needs("a client must delete a key of the lock"),
		where(l.Workload != leader, lively("deadlock-free", &deadlockFree{progress{Ledger: ledger, Within: b.deadlock}}, wanting)).
			Loses(sim.Liveness).Needs("a client must acquire the lock, or reach the servers that it needs and wait for longer than the bound; a leader keeps the lock"),
		on("takeover-bound", &takeoverBound{Ledger: ledger, Within: b.takeover}, wanting).AlsoFaults().Also(sim.NetworkChanged).
			Loses(sim.Liveness).Needs("a client must crash while it holds the lock, and another that reaches the servers must want it then"),
		on("no-orphan", &noOrphan{TTL: b.orphan, Ledger: ledger, Told: byInstance[bool](l), Gone: byInstance[lease](l),
			Try: byClient[uint32](l), Ended: make(attempts, l.Clients+1)}, owning, leaving, []sim.Kind{core.Trying, core.Refused}).
			Also(sim.Crashed, sim.ClockChanged).Needs("a server must have a key of the lock"),
		where(b.extended, on("continuous-hold", &continuousHold{Quorum: l.Quorum, Ledger: ledger, Told: byClient[uint64](l)}, entering, owning)).
			Needs("a client must acquire a lock of service redis, redlock or sentinel that has extend"),
		where(b.overtakes != nil, on("starvation-bound", &starvationBound{Most: values.Or(b.overtakes, 0), Ledger: ledger, Overtaken: byClient[int](l)},
			wanting).Also(sim.Crashed)).Loses(sim.Liveness).Needs("a client must acquire the lock while another waits: add starvation-bound"),
		where(l.Workload == leader, model.NewProperty("leader-per-term", &leaderPerTerm{}, core.Issued)).
			Loses(sim.Exclusion).Needs("a leader must be given a term: add work-as: leader, and tokens"),
		where(l.Workload == leader, lively("failover-bound", &failoverBound{progress{Ledger: ledger, Within: b.failover}}, believing, wanting)).
			Loses(sim.Liveness).Needs("a candidate must become the leader, or reach the servers that it needs and wait for longer than the bound: add work-as: leader"),
		where(b.available != nil, lively("available-within", &availableWithin{progress{Ledger: ledger, Within: values.Or(b.available, 0), Outages: true}},
			believing, wanting)).Loses(sim.Liveness).Needs("clients must wait until one of them acquires the lock: add available-within"),
		where(l.Workload == cron, model.NewProperty("run-once", &runOnce{}, core.Applied)).
			Loses(sim.Data).Needs("a job must be run: add work-as: cron"),
		where(l.Workload == cron, model.NewProperty("no-missed-run", &noMissedRun{Period: b.period}, core.Applied).Also(sim.Elapsed)).
			Loses(sim.Liveness).Needs("the run must last until the next period of a job begins: add work-as: cron"),
	}
}
