package lock

import (
	"time"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
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

// Hears implements [fact.Checker].
func (*unexercised) Hears() []fact.Kind { return nil }

// Check implements [fact.Checker].
func (*unexercised) Check(*fact.Report) {}

// properties are what is checked of every lock. Those that look at what time has passed
// are told of it whatever happens next, so that they are violated as early as can be.
func properties(l *check.LockLedger, work workload, b bounds) (list []fact.Property) {
	add := func(name string, loses sim.Class, c fact.Checker, needs string) {
		list = append(list, fact.Property{Claim: model.Claim{Name: name, Loses: loses, Needs: needs}, Checker: c})
	}
	where := func(applies bool, c fact.Checker) fact.Checker {
		if !applies {
			return &unexercised{}
		}
		return c
	}
	owes := func(within time.Duration) check.Progress { return check.Progress{Ledger: l, Within: within} }
	add("mutual-exclusion", sim.Exclusion, &check.MutualExclusion{Ledger: l}, "a client must acquire the lock")
	add("entitled-exclusion", sim.Exclusion, &check.EntitledExclusion{Ledger: l}, "a client must acquire the lock while its lease is valid")
	add("quorum-behind-holder", sim.Other, check.NewQuorumBehindHolder(l), "a client must hold the lock under a lease that is valid")
	add("fenced-order", sim.Other, &check.FencedOrder{}, "a client must write with a fencing token: add fencing")
	add("increasing-tokens", sim.Other, check.NewIncreasingTokens(&l.Layout), "a client must be given a fencing token: add tokens or fencing")
	add("no-lost-update", sim.Data, where(work != cron, &check.NoLostUpdate{Ledger: l}),
		"a client that holds the lock must write to the store; a job of work-as: cron counts nothing")
	add("owner-release", sim.Other, &check.OwnerRelease{Ledger: l}, "a client must delete a key of the lock")
	add("deadlock-free", sim.Liveness, where(work != leader, &check.DeadlockFree{Progress: owes(b.deadlock)}),
		"a client must acquire the lock, or reach the servers that it needs and wait for longer than the bound; a leader keeps the lock")
	add("takeover-bound", sim.Liveness, &check.TakeoverBound{Ledger: l, Within: b.takeover},
		"a client must crash while it holds the lock, and another that reaches the servers must want it then")
	add("no-orphan", sim.Other, check.NewNoOrphan(l, b.orphan), "a server must have a key of the lock")
	add("continuous-hold", sim.Other, where(b.extended, check.NewContinuousHold(l)),
		"a client must acquire a lock of service redis, redlock or sentinel that has extend")
	add("starvation-bound", sim.Liveness, where(b.overtakes != nil, check.NewStarvationBound(l, values.Or(b.overtakes, 0))),
		"a client must acquire the lock while another waits: add starvation-bound")
	add("leader-per-term", sim.Exclusion, where(work == leader, &check.LeaderPerTerm{}),
		"a leader must be given a term: add work-as: leader, and tokens")
	add("failover-bound", sim.Liveness, where(work == leader, &check.FailoverBound{Progress: owes(b.failover)}),
		"a candidate must become the leader, or reach the servers that it needs and wait for longer than the bound: add work-as: leader")
	add("available-within", sim.Liveness, where(b.available != nil, &check.AvailableWithin{Progress: check.Progress{Ledger: l, Within: values.Or(b.available, 0), Outages: true}}),
		"clients must wait until one of them acquires the lock: add available-within")
	add("run-once", sim.Data, where(work == cron, &check.RunOnce{}), "a job must be run: add work-as: cron")
	add("no-missed-run", sim.Liveness, where(work == cron, &check.NoMissedRun{Period: b.period}),
		"the run must last until the next period of a job begins: add work-as: cron")
	return list
}
