package promises

// naive is SET NX on one Redis, without a TTL.
func naive() Lock {
	return Lock{
		Name: "naive", Servers: []string{"redis-1"}, Unchecked: true,
		About: "a lock on one Redis that never ends: SET key value NX, and DEL to release",
		Settings: []Setting{
			{"work", Duration, "2s", "time from acquiring to the write"},
			delay("5ms"),
			{"retry", Duration, "100ms", "time between two attempts"},
			{"pause", Duration, "15s", "longest pause of a client, as by a collection"},
		},
		Limits: []Limit{
			{"work", "work - 2*delay", "must be more than 2*delay: before it writes the holder reads"},
			{"retry", "retry - 1us + 1ns", "must be at least 1us"},
		},
		Harm:    "an update is lost, unless it is fenced",
		Rules:   []Rule{forgotten("crash - work*slow - pause - 2*delay", asked)},
		Assumes: memory,
		Promises: []Promise{
			{
				Name: "takeover-release", Title: "takeover after a release, at most", Quantity: "takeover", Formula: "retry + 4*delay",
				Says:   "No waiter is told that the lock is free: its attempt comes just before the release, and is repeated. After a crash of the holder no client ever has it.",
				Period: "retry + 2*delay", Source: redisPage,
			},
			{
				Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4",
				Says: "Request and reply, to acquire and to release, without contention.", Period: "1", Source: redisPage,
			},
		},
	}
}
