package promises

const (
	redisPage = "Redis documentation, Distributed Locks with Redis"
	redisTTL  = "Redis, src/expire.c, keyIsExpired: a key is gone when the clock is above its instant, in whole milliseconds"
	kleppmann = "Kleppmann 2016, How to do distributed locking"
)

// leaseSettings are those of a lock with a TTL that is not renewed.
func leaseSettings(retry, retryMeaning string) []Setting {
	return []Setting{
		{"ttl", Duration, "10s", "lease of the lock"},
		{"work", Duration, "2s", "time from acquiring to the write"},
		delay("5ms"),
		{"retry", Duration, retry, retryMeaning},
		{"pause", Duration, "15s", "longest pause of a client, as by a collection"},
	}
}

// leaseLimits are what those settings must keep.
func leaseLimits() []Limit {
	return []Limit{
		{"ttl", "ttl", "must be more than 0"},
		{"ttl", "1ns - (ttl - floor(ttl, 1ms))", "must be whole milliseconds, as PX takes them"},
		{"ttl", "ttl - drift - 2*delay", "an acquisition takes up to 2*delay, and drift is taken off: nothing is left of the lease"},
		{"work", "work - 2*delay", "must be more than 2*delay: before it writes the holder reads"},
		{"retry", "retry - 1us + 1ns", "must be at least 1us"},
		{"retry", "retry - ttl/1000000", "is below a millionth of the TTL: a run takes too long"},
	}
}

// redis is one Redis: SET NX PX, and a script to release.
func redis() Lock {
	return Lock{
		Name: "redis", Servers: []string{"redis-1"},
		About:    "a lock on one Redis: SET key value NX PX ttl, released by a script that compares the value",
		Settings: leaseSettings("100ms", "time between two attempts"),
		Derived:  []Derived{redisDrift("ttl")},
		Limits:   leaseLimits(),
		Harm:     "an update is lost, unless it is fenced",
		Rules:    []Rule{leaseRule("2*delay"), heldUp("2*delay"), forgotten("crash - work*slow - pause - 2*delay", asked)},
		Assumes:  memory,
		Tuned:    []Tune{{"ttl", "1ms"}},
		Promises: []Promise{
			{
				Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "ttl + 1ms + retry + 3*delay",
				Says:   "The holder crashes as soon as it has the lock; the waiter's attempt comes just before the key expires, and is repeated.",
				Period: "retry + 2*delay",
				Copied: []Copied{{"ttl", "the lock is free after the TTL: the waiter's next attempt comes later"}},
				Source: redisTTL,
			},
			{
				Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
				Formula: "ttl + 1ms - work/2 + retry/2 + delay",
				Says:    "The holder crashes at any instant of its work, each as likely; each message takes the delay.",
				Period:  "retry + 2*delay", Source: redisTTL,
			},
			{
				Name: "takeover-release", Title: "takeover after a release, at most", Quantity: "takeover", Formula: "retry + 4*delay",
				Says:   "A Redis lock tells no waiter that it is free: the waiter's attempt comes just before the release, and is repeated.",
				Period: "retry + 2*delay",
				Copied: []Copied{{"2*delay", "a released lock is taken at once: only if the waiter is told"}},
				Source: redisPage,
			},
			{
				Name: "takeover-release-mean", Title: "takeover after a release, on average", Quantity: "takeover", Relation: Mean,
				Formula: "retry/2 + 3*delay",
				Says:    "The release comes at any instant between two attempts; each message takes the delay.",
				Period:  "retry + 2*delay", Source: redisPage,
			},
			outage("1"),
			{
				Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below, Formula: "ttl - work - 2*delay",
				Says:   "A pause anywhere between acquiring and writing; longer, and the write may arrive after another client has read.",
				Period: "retry + 4*delay + 2ms",
				Copied: []Copied{{"ttl", "a pause below the TTL is safe: the work and two messages come off it"}},
				Source: kleppmann,
			},
			checkedPause("ttl - work - 2*delay"),
			rate(),
			{
				Name: "overlap", Title: "two holders at once, at most", Quantity: "overlap", Formula: "max(0, pause + work + 3*delay - ttl)",
				Says:   "The holder is paused between its check and its write; it holds the lock until the write is answered.",
				Period: "retry + 4*delay + 2ms",
				Copied: []Copied{{"0s", "a lock has one holder at a time: no lease has that under a pause"}},
				Source: kleppmann,
			},
			{
				Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4",
				Says: "Request and reply, to acquire and to release, without contention.", Period: "1", Source: redisPage,
			},
		},
	}
}

// sentinel is the lock on the master of a Redis with replicas.
func sentinel() Lock {
	l := redis()
	l.Name, l.About = "sentinel", "the same lock on the master of a Redis with replicas, which Sentinels promote"
	l.Settings = append(l.Settings,
		Setting{"downafter", Duration, "30s", "down-after-milliseconds: a master that does not answer for this long is replaced"},
		Setting{"ping", Duration, "1s", "between two PINGs of a Sentinel"})
	l.Limits = append(l.Limits,
		Limit{"downafter", "downafter - ping", "must be more than the time between two PINGs"},
		Limit{"ping", "ping - 1ms + 1ns", "must be at least 1ms"})
	l.Rules = append(sentinelRules(), l.Rules[:2]...)
	l.Tuned = []Tune{{"downafter", "1s"}, {"ttl", "1ms"}}
	l.Assumes += "; a replica may lack the latest write when it is promoted"
	return l
}

// sentinelRules are of a master that is replaced: the one that is promoted may not have the key.
func sentinelRules() []Rule {
	const period = "2*ping + 5s + 2*retry + 8*delay"
	return []Rule{
		{
			Kinds: []string{Cut}, Period: period, Formula: "downafter/fast - ping*slow - outage",
			Says: "The master is cut off with the holder, and grants it the lock; on the other side a replica is promoted, and grants it too.",
		},
		{
			Kinds: []string{Refused, Hanging}, Period: period, Formula: "downafter/fast - ping*slow - min(outage, work*slow + pause + 2*delay)",
			Says: "A replica is promoted that does not have the key yet.",
		},
		{
			Kinds: []string{Crash}, Forgets: true, Period: period, Formula: "min(crash, downafter/fast - ping*slow) - work*slow - pause - 2*delay",
			Says: "The master crashes as soon as it has granted the lock, and comes back without the key, or a replica is promoted that does not have it yet.",
		},
	}
}

// outage is what a holder that renews nothing asks of the servers.
func outage(servers string) Promise {
	what := "The server may"
	if servers != "1" {
		what = "All servers may"
	}
	return Promise{
		Name: "outage", Title: "work that needs no server", Quantity: "work", Relation: Below, Formula: "ttl - drift - 2*delay",
		Says:   what + " be unreachable from the acquisition on, for any time: nothing is renewed, and the check still passes after this much work.",
		Period: "2*delay + 2ms",
		Copied: []Copied{{"ttl", "the holder has the whole TTL: the acquisition and the drift come off it"}},
		Source: redisPage,
	}
}

// checkedPause is what a check before the write is good for.
func checkedPause(formula string) Promise {
	return Promise{
		Name: "pause-checked", Title: "harmless pause, with a check before the write", Quantity: "pause", Relation: Below, Formula: formula,
		Says:   "Before the check a pause of any length is harmless, since the check sees it. Between check and write it is what it is without a check.",
		Period: "retry + 4*delay + 2ms",
		Source: kleppmann + ": a pause can come right after the check",
	}
}

// rate is by how much a server's clock may run faster than the holder's.
func rate() Promise {
	return Promise{
		Name: "clock-rate", Title: "server's clock faster than the holder's, at most", Unit: Ratio, Quantity: "rate", Relation: Below,
		Formula: "ttl/(ttl - drift)",
		Says:    "The holder stops after ttl - drift on its clock, the key is gone after ttl on the server's.",
		Period:  "(2*retry + 6*delay + 4ms)/(ttl - drift)",
		Copied:  []Copied{{"ttl/(ttl - ttl/100)", "a drift factor of 1%, without the 2 ms"}},
		Source:  redisPage + "; redlock-rb, redlock.rb, drift",
	}
}

// redlock is a lock on the majority of independent servers.
func redlock() Lock {
	settings := leaseSettings("200ms", "longest time between two attempts: they wait from 0 to this")
	settings = append(settings, Setting{"instances", Number, "5", "independent Redis servers"})
	limits := append(leaseLimits(),
		Limit{"instances", "instances", "must be 1 or more"},
		Limit{"instances", "32 - instances", "must be at most 31"},
		Limit{"instances", "instances - 2*floor(instances/2, 1)", "an even number tolerates no more failures than one less, and can split evenly: want an odd number"})
	return Lock{
		Name: "redlock", Servers: []string{"redis-1", "redis-2", "redis-3"},
		About:    "a lock on the majority of independent Redis servers, all asked at once",
		Settings: settings,
		Derived: []Derived{redisDrift("ttl"),
			{"quorum", Number, "floor(instances/2, 1) + 1", "servers that must grant the lock"},
			{"wait", Duration, "((retry/2 + 2*delay)*(retry/2 + 2*delay) + retry*retry/12)/(retry + 4*delay)", "mean time to the waiter's next attempt"}},
		Limits:   limits,
		Harm:     "an update is lost, unless it is fenced",
		Rules:    []Rule{leaseRule("3*delay"), heldUp("3*delay"), redlockForgets()},
		Assumes:  memory,
		Tuned:    []Tune{{"ttl", "1ms"}},
		Promises: redlockPromises(),
	}
}

// redlockForgets is the rule of one server that has lost its key: with it there can be a second majority, where votes were split or some
// servers were out of reach.
func redlockForgets() Rule {
	r := forgotten("crash - work*slow - pause - 3*delay", asked)
	r.Says = "Two clients ask at once, and the votes are split, or some servers are out of reach: as few as can grant the lock do. One of them crashes, and comes back without the key."
	return r
}

// redlockPromises are what the settings of Redlock promise.
func redlockPromises() []Promise {
	return []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "ttl + 1ms + retry + 4*delay",
			Says:   "The holder crashes as soon as it has the lock, and one client waits. Several can split the votes, again and again: then there is no bound.",
			Period: "retry + 2*delay",
			Copied: []Copied{{"ttl", "the lock is free after the TTL: the waiter's next attempt comes later"}},
			Source: redisPage + ", retry on failure; " + redisTTL,
		},
		{
			Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
			Formula: "ttl + 1ms - work/2 + wait",
			Says:    "The holder crashes at any instant of its work, each as likely; each message takes the delay.",
			Period:  "retry + 2*delay", Source: redisPage + ", retry on failure",
		},
		{
			Name: "takeover-release", Title: "takeover after a release, at most", Quantity: "takeover", Formula: "retry + 5*delay",
			Says:   "No waiter is told that the lock is free: an attempt that was sent just before is refused by all, and is repeated.",
			Period: "retry + 2*delay",
			Copied: []Copied{{"2*delay", "a released lock is taken at once: only if the waiter is told"}},
			Source: redisPage,
		},
		{
			Name: "takeover-release-mean", Title: "takeover after a release, on average", Quantity: "takeover", Relation: Mean,
			Formula: "wait + 2*delay",
			Says:    "The release comes at any instant between two attempts; each message takes the delay.",
			Period:  "retry + 2*delay", Source: redisPage,
		},
		outage("instances"),
		{
			Name: "servers-down", Title: "servers that may be down", Unit: Number, Quantity: "down", Formula: "instances - quorum",
			Says:   "With more the lock cannot be acquired. One that restarts without its keys breaks the lock, even alone.",
			Period: "1",
			Copied: []Copied{{"instances/2 - 1", "N/2 - 1 may fail: it is N - (N/2 + 1), with N/2 rounded down"}},
			Source: redisPage + ": N/2+1 instances",
		},
		{
			Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below, Formula: "ttl - work - 3*delay",
			Says:   "A pause anywhere between acquiring and writing; longer, and the write may arrive after another client has read.",
			Period: "retry + 4*delay + 2ms",
			Copied: []Copied{{"ttl", "a pause below the TTL is safe: the work and three messages come off it"}},
			Source: kleppmann,
		},
		checkedPause("ttl - work - 3*delay"),
		rate(),
		{
			Name: "overlap", Title: "two holders at once, at most", Quantity: "overlap", Formula: "max(0, pause + work + 4*delay - ttl)",
			Says:   "The holder is paused between its check and its write; it holds the lock until the write is answered.",
			Period: "retry + 4*delay + 2ms",
			Copied: []Copied{{"0s", "a majority has one holder at a time: a holder that is paused does not know that it has lost it"}},
			Source: kleppmann,
		},
		{
			Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4*instances",
			Says: "Request and reply with each server, to acquire and to release, without contention.", Period: "1", Source: redisPage,
		},
	}
}

// memory is what the rules take for granted of a Redis that crashes.
const memory = "a Redis that crashes comes back without its keys: one with appendonly yes and appendfsync always keeps them, and its crash is an outage"

// leaseRule is that of a lease that is not renewed: the write leaves before it ends, and arrives after some messages.
func leaseRule(messages string) Rule {
	return Rule{
		Formula: "(ttl - step)/fast - work*slow - pause - " + messages,
		Period:  "retry + 4*delay + 2ms",
		Says:    "The holder is paused before its write, its clock is slow, those of the servers are fast, and are stepped forward after the acquisition.",
	}
}

// forgets is the worst schedule of a server that crashes and has lost the key when it comes back.
const forgets = "The server crashes as soon as it has granted the lock, and comes back without the key before the holder has written."

// forgotten is the rule of such a server.
func forgotten(formula, period string) Rule {
	return Rule{Kinds: []string{Crash}, Forgets: true, Formula: formula, Period: period, Says: forgets}
}

// heldUp is the rule of a grant whose answer is held up: the holder begins late, up to where it takes nothing to be left of the lease.
func heldUp(messages string) Rule {
	return Rule{
		Kinds: []string{Hanging}, Period: "retry + 6*delay + 4ms",
		Formula: "(ttl - step)/fast - work*slow - pause - min(outage, (ttl - drift)*slow) - " + messages,
		Says:    "The answer to the acquisition is held up, and the holder begins its work with little left of the lease.",
	}
}

// asked is how long it takes until one that waits for the lock has asked a server that is back.
const asked = "2*retry + 8*delay + 2ms"
