package promises

const consulLock = "hashicorp/consul/api 1.35, lock.go and session.go; Consul documentation, Sessions and distributed locks"

// consul is the lock of Consul's client, on a session.
func consul() Lock {
	return Lock{
		Name: "consul", Servers: []string{"consul"},
		About: "Lock of Consul's client: a key that is held by a session",
		Settings: []Setting{
			{"ttl", Duration, "15s", "of the session: LockSessionTTL"},
			{"lockdelay", Duration, "15s", "LockDelay of the session: for how long no client gets the lock after it has ended"},
			delay("5ms"),
			{"work", Duration, "2s", "time from acquiring to the write, for the logs"},
			pauseSetting("45s"),
		},
		Derived: []Derived{
			{"session", Duration, "2*ttl", "a session ends no earlier than its TTL, and the server gives it two"},
			{"retry", Duration, "5s", "DefaultLockRetryTime, between two attempts in a lock-delay"},
		},
		Limits: []Limit{
			{"ttl", "ttl - 10s + 1ns", "must be at least 10s"},
			{"ttl", "24h + 1ns - ttl", "must be at most 24h"},
			{"lockdelay", "60s + 1ns - lockdelay", "must be at most 60s"},
			{"delay", "1s - delay", "must be below 1s"},
		},
		Harm:     "two hold the lock at once",
		Rules:    consulRules(),
		Tuned:    []Tune{{"ttl", "1s"}},
		Costs:    []Cost{{"the holder", "2s/ttl"}},
		Watch:    Watch{"ttl", "renewal of the session", "the client renews it twice in a TTL, and stops to when none is answered for one"},
		Promises: consulPromises(),
	}
}

// consulRules are up to when what may happen does no harm. A server that crashes gives each session its TTL anew.
func consulRules() []Rule {
	const (
		period = "retry + ttl/20 + 10*delay"
		ended  = "The session ends, and without a lock-delay another has the lock before the holder is told."
		later  = "A renewal is lost, so that there is no other, and the holder is paused from when its session ends until the lock-delay is over."
		told   = "The session has ended, and the message that says so is lost: the holder works on after the lock-delay."
	)
	return []Rule{
		{
			Formula: "(session + lockdelay)/fast - ttl/2*slow - pause - 2*delay", Period: period,
			Says: "The holder is paused just before it renews the session, and learns only when it resumes that the session has ended.",
		},
		{
			Kinds: []string{Hanging}, Period: period, Formula: "(session + lockdelay)/fast - ttl/2*slow - min(pause, ttl/2) - outage - 2*delay",
			Says: "The holder is paused just before it renews the session, and hears nothing when it resumes.",
		},
		{
			Needs: []string{Pause}, Kinds: []string{Hanging}, Period: period, Formula: "max(ttl/2 - pause - 2*delay, lockdelay/fast - outage - 2*delay)",
			Says: "The holder is paused until it renews the session no more, and hears only after the lock-delay that it has ended.",
		},
		{Kinds: []string{Refused, Cut}, Period: period, Formula: "session/fast - ttl/2*slow - min(pause, ttl/2) - outage - 2*delay", Says: told},
		{Needs: []string{Pause}, Kinds: []string{Refused, Cut, Crash}, Period: period, Formula: "ttl/2 - pause - 2*delay", Says: told},
		{Needs: []string{Pause}, Period: period, Formula: "max(lockdelay/fast - delay, ttl/2 - pause - 2*delay)", Says: ended},
		{Kinds: []string{Hanging}, Period: period, Formula: "max(lockdelay/fast - delay, ttl/2/fast - outage - 2*delay)", Says: ended},
		{Kinds: []string{Refused, Cut, Crash}, Period: period, Formula: "max(lockdelay/fast - delay, 0s - outage)", Says: ended},
		{Needs: []string{Pause}, Kinds: []string{Refused, Cut, Crash}, Period: period, Formula: "lockdelay/fast - pause - 2*delay", Says: later},
		{Needs: []string{Pause}, Kinds: []string{Hanging}, Period: period, Formula: "max(ttl/2/fast - outage - 2*delay, lockdelay/fast - pause - 2*delay)", Says: later},
		{
			Keeps: true, Period: period, Formula: "ttl/2 - pause - 2*delay",
			Says: "The holder is paused just before it renews the session, and does not renew one that is older than its TTL.",
		},
		{
			Keeps: true, Kinds: []string{Hanging}, Period: period, Formula: "ttl/2/fast - outage - 2*delay",
			Says: "The answer to a renewal comes when the next is due.",
		},
		{Keeps: true, Kinds: []string{Refused, Cut, Crash}, Period: period, Formula: "0s - outage", Says: "A renewal is lost, and the next would be a TTL after the one before: there is none."},
	}
}

// consulPromises are what the settings of Consul's lock promise.
func consulPromises() []Promise {
	promises := []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "session + lockdelay + retry + 6*delay",
			Says:   "The holder crashes as it renews the session; the server ends it after two TTLs, and refuses the lock until the lock-delay is over; a client that is refused asks again after 5 s.",
			Period: "retry + ttl/20 + 8*delay",
			Copied: []Copied{
				{"ttl", "the session ends after its TTL: the server gives it two, and the lock-delay follows"},
				{"ttl + lockdelay", "TTL and lock-delay: the session has two TTLs"}},
			Source: consulLock,
		},
	}
	promises = append(promises, told("4*delay", "The blocking query of the waiter ends: release, answer, and a request with its answer. There is no lock-delay after a release.", consulLock)...)
	return append(promises,
		Promise{
			Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below,
			Formula: "min(session + lockdelay - ttl/2 - 2*delay, ttl/2 - 2*delay + max(0s, lockdelay - delay)*1000000)",
			Says:    "The holder is paused just before it renews the session, and learns as it resumes that the session has ended.",
			Period:  "retry + ttl/20 + 10*delay",
			Copied:  []Copied{{"ttl", "a pause below the TTL is safe: it is, and one more than twice as long"}},
			Source:  consulLock,
		},
		Promise{
			Name: "pause-kept", Title: "pause that the leadership survives", Quantity: "pause", Relation: Below, Formula: "ttl/2 - 2*delay",
			Says:   "The client renews twice in a TTL, and does not renew a session that it has not renewed for one.",
			Period: "ttl/20 + 4*delay",
			Copied: []Copied{{"ttl", "a pause below the TTL is survived: half of it has passed when the pause begins"}},
			Source: consulLock,
		},
		Promise{
			Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4",
			Says: "Acquire and release, without contention; renewals besides.", Period: "1", Source: consulLock,
		})
}
