package promises

const (
	redisson   = "Redisson, RedissonBaseLock.renewExpiration and RedissonLock.lock"
	etcdClient = "etcd client 3.7, lease.go and concurrency/mutex.go; etcd server, lease/lessor.go"
	zkServer   = "ZooKeeper, ExpiryQueue.roundToNextInterval and ClientCnxn.java; Curator, ConnectionStateManager"
)

// pauseSetting is a setting of the locks that are renewed.
func pauseSetting(value string) Setting {
	return Setting{"pause", Duration, value, "longest pause of a client, as by a collection"}
}

// checked is the pause that is harmless with a check before the write: that without one.
func checked(p Promise, says string) Promise {
	p.Name, p.Title, p.Says = "pause-checked", "harmless pause, with a check before the write", says
	p.Copied = nil
	return p
}

// told is the takeover after a release of a lock that tells its waiter.
func told(formula, says, source string) []Promise {
	worst := Promise{
		Name: "takeover-release", Title: "takeover after a release, at most", Quantity: "takeover", Formula: formula,
		Says: says, Period: "4*delay + 1ms", Source: source,
	}
	mean := worst
	mean.Name, mean.Title, mean.Relation = "takeover-release-mean", "takeover after a release, on average", Mean
	mean.Says = "Each message takes the delay."
	return []Promise{worst, mean}
}

// watchdog is Redisson's lock.
func watchdog() Lock {
	return Lock{
		Name: "watchdog", Servers: []string{"redis-1"}, Unchecked: true,
		About: "Redisson's lock on one Redis: a lease that a watchdog renews every third of it",
		Settings: []Setting{
			{"lease", Duration, "30s", "lockWatchdogTimeout"},
			{"timeout", Duration, "3s", "of a command: how long a renewal waits for its answer"},
			{"work", Duration, "1m", "time from acquiring to the write"},
			delay("5ms"),
			pauseSetting("35s"),
		},
		Limits: []Limit{
			{"lease", "lease - 3ms + 1ns", "must be at least 3ms, of which the third is a millisecond"},
			{"lease", "1ns - (lease - floor(lease, 1ms))", "must be whole milliseconds, as PEXPIRE takes them"},
			{"timeout", "timeout - 2*delay", "every command times out: two messages take up to 2*delay"},
			{"timeout", "lease - lease/3 - timeout", "a renewal waits for its answer for longer than the lease lasts"},
			{"delay", "lease/3 - 2*delay", "the renewal takes longer than the third of the lease"},
			{"work", "work - 2*delay", "must be more than 2*delay: before it writes the holder reads"},
		},
		Harm:     "two hold the lock at once",
		Rules:    watchdogRules(),
		Assumes:  memory,
		Tuned:    []Tune{{"timeout", "1ms"}, {"lease", "1ms"}},
		Costs:    []Cost{{"the holder", "3s/lease"}},
		Watch:    Watch{"lease/3 + timeout", "renewal", "the watchdog renews every third of the lease; the age of a renewal is lease - PTTL"},
		Promises: watchdogPromises(),
	}
}

// watchdogRules are up to when what may happen does no harm.
func watchdogRules() []Rule {
	const (
		period = "lease/20 + 8*delay + 5ms"
		worked = "(lease - step)/fast - work*slow - pause - 2*delay" // to the end of the work, with the last renewal as it begins
		kept   = "(lease - step)/fast - lease/3*slow - pause - outage - 2*delay"
		waited = "timeout/fast - 2*delay - outage" // for the answer to a renewal
		fails  = "A renewal fails, and is the last: the lock ends with the lease, and the holder works on."
	)
	return []Rule{
		{
			Formula: "(lease - step)/fast - min(lease/3, work)*slow - pause - 2*delay", Period: period,
			Says: "The process stops, the watchdog with it, just before a renewal.",
		},
		{
			Kinds: []string{Hanging}, Period: period, Formula: "max(" + worked + ", " + kept + ")",
			Says: "The process stops just before a renewal, which arrives only after an outage.",
		},
		{Kinds: []string{Hanging}, Period: period, Formula: "max(" + worked + " + lease/3/fast, " + waited + ")", Says: fails + " It is carried out."},
		{Kinds: []string{Refused, Cut}, Period: period, Formula: worked, Says: fails},
		forgotten("crash - work*slow - pause - 2*delay", period),
		{Keeps: true, Period: period, Formula: kept, Says: "The process stops just before a renewal, which comes after the lease has ended."},
		{Keeps: true, Kinds: []string{Hanging}, Period: period, Formula: waited, Says: fails},
		{Keeps: true, Kinds: []string{Refused, Cut}, Period: period, Formula: "0s - outage", Says: fails},
		{Keeps: true, Kinds: []string{Crash}, Period: period, Formula: "0s - crash", Says: "The server comes back without the key."},
	}
}

// watchdogPromises are what the settings of Redisson's lock promise.
func watchdogPromises() []Promise {
	pause := Promise{
		Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below,
		Formula: "lease - lease/3 - 2*delay",
		Says:    "The whole process stops, the watchdog with it, just before a renewal; on resuming the renewal comes in time.",
		Period:  "lease/20 + 6*delay + 3ms",
		Copied:  []Copied{{"lease", "a pause below the lease is safe: up to a third of it has passed when the pause begins"}},
		Source:  redisson,
	}
	promises := []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "lease + 2ms + 4*delay",
			Says:   "The holder crashes as it sends a renewal; the waiter waits for what PTTL said was left, and tries again.",
			Period: "lease/20 + 4*delay + 3ms",
			Copied: []Copied{{"lease/3", "the next renewal that fails to come is noticed: only the end of the lease is"}},
			Source: redisson,
		},
		{
			Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
			Formula: "lease - lease/6 + 1ms + 3*delay",
			Says:    "The holder crashes at any instant between two renewals, each as likely.",
			Period:  "lease/3 + 4ms", Source: redisson,
		},
	}
	promises = append(promises, told("4*delay", "The unlock is published to the waiters: unlock, message, and an attempt with its answer.", redisson)...)
	return append(promises,
		Promise{
			Name: "outage", Title: "harmless outage of the server", Quantity: "outage", Relation: Below, Formula: "timeout - 2*delay",
			Says:   "A renewal that is not answered in time is the last in versions up to 2022: the lock then ends with the lease, and the holder is not told.",
			Period: "lease/20 + 2*delay + 2ms",
			Copied: []Copied{{"lease - lease/3", "two more renewals would come within the lease: not after one has failed"}},
			Source: redisson,
		},
		pause,
		checked(pause, "The holder never looks at its lease: there is nothing that a check could read."),
		Promise{
			Name: "clock-rate", Title: "server's clock faster than the holder's, at most", Unit: Ratio, Quantity: "rate", Relation: Below,
			Formula: "(lease - 3*delay)/(lease/3)",
			Says:    "The renewal, every third of the lease on the holder's clock, comes before the lease is over on the server's.",
			Source:  redisson,
		},
		Promise{
			Name: "overlap", Title: "two holders at once, at most", Quantity: "overlap", Safe: true,
			Formula: "max(0, pause + work + 3*delay - lease)",
			Says:    "The holder is paused as it gets the lock. One that has lost its lock works to the end: nothing tells it.",
			Period:  "8*delay + 5ms",
			Copied:  []Copied{{"0s", "the watchdog keeps the lock for as long as the holder needs it: not while the process is paused"}},
			Source:  redisson,
		},
		Promise{
			Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4",
			Says: "Lock and unlock, without contention; and two for each renewal, every third of the lease.", Period: "1", Source: redisson,
		})
}

// etcd is concurrency.Mutex of etcd's client, in a session.
func etcd() Lock {
	return Lock{
		Name: "etcd", Servers: []string{"etcd-1"},
		About: "concurrency.Mutex of etcd's client: the oldest key of a queue, on the lease of a session",
		Settings: []Setting{
			{"ttl", Duration, "60s", "of the session, in whole seconds"},
			delay("5ms"),
			{"work", Duration, "2s", "time from acquiring to the write, for the logs"},
			pauseSetting("90s"),
		},
		Derived: []Derived{
			{"scan", Duration, "500ms", "between two scans of the lessor"},
			{"poll", Duration, "500ms", "between two turns of the client's loop that sends keep-alives"},
			{"check", Duration, "1s", "between two turns of the loop that looks at the deadline"},
			{"first", Duration, "5s", "for which the client waits for the answer to its first keep-alive, whatever the TTL"},
			{"keepalive", Duration, "floor(ttl/3 + 2*delay, poll) + poll", "from one keep-alive to the next"},
		},
		Limits: []Limit{
			{"ttl", "ttl - 2s + 1ns", "must be at least 2s: etcd makes 2s of less (10 heartbeats of 100 ms, times 3/2)"},
			{"ttl", "1ns - (ttl - floor(ttl, 1s))", "must be whole seconds, as LeaseGrant takes them"},
			{"delay", "100ms - delay", "must be below the heartbeat of 100ms"},
		},
		Harm:     "two hold the lock at once",
		Rules:    etcdRules(),
		Tuned:    []Tune{{"ttl", "1s"}},
		Costs:    []Cost{{"the holder", "1s/keepalive"}},
		Watch:    Watch{"keepalive + poll", "answer to a keep-alive", "keep-alives go out a third of the TTL after the last answer"},
		Promises: etcdPromises(),
	}
}

// etcdRules are up to when what may happen does no harm. A server that crashes gives each lease its TTL anew.
func etcdRules() []Rule {
	const (
		period = "2*poll + scan + ttl/20 + 10*delay"
		paused = "ttl/fast - (ttl/3 + poll)*slow - pause - 2*delay"
		cut    = "ttl/fast - (ttl/3 + 2*poll)*slow - pause - outage - 3*delay"

		unheard = "first/fast - poll*slow - 2*delay - outage - pause"
		dying   = "The first keep-alive of the session gets no answer for 5 s, whatever the TTL; a pause counts. The client gives the session up, and then acquires the lock with it. Look at Session.Done before the work."
	)
	return []Rule{
		{Formula: paused, Period: period, Says: "The holder is paused just before a keep-alive."},
		{
			Kinds: lasting, Formula: cut, Period: period,
			Says: "The holder is paused just before a keep-alive, and gets no answer when it resumes. The server's lease ends before the client's, which begins with the answer.",
		},
		{Kinds: Kinds(), Formula: unheard, Period: period, Says: dying},
		{Keeps: true, Formula: paused, Period: period, Says: "The holder is paused just before a keep-alive, and its lease has ended when it resumes."},
		{Keeps: true, Kinds: lasting, Formula: cut, Period: period, Says: "The holder is paused just before a keep-alive, and gets no answer when it resumes."},
		{
			Keeps: true, Kinds: []string{Crash}, Formula: "(ttl - ttl/3 - 2*poll)/fast - pause - outage - 3*delay", Period: period,
			Says: "The server is back only when the TTL since its last answer is over for the holder.",
		},
	}
}

// etcdPromises are what the settings of etcd's mutex promise.
func etcdPromises() []Promise {
	pause := Promise{
		Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below,
		Formula: "ttl - ttl/3 - poll - 2*delay",
		Says:    "The holder is paused just before a keep-alive is sent, which is when the loop next looks after a third of the TTL.",
		Period:  "poll + scan + ttl/20 + 8*delay",
		Copied:  []Copied{{"ttl", "a pause below the TTL is safe: a third of it, and the loop's 500 ms, have passed when the pause begins"}},
		Source:  etcdClient,
	}
	promises := []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "ttl + scan + 6*delay",
			Says:   "The holder crashes as it sends a keep-alive; the lessor finds the lease at its next scan; then a watch event and two reads. A change of the leader gives the lease its TTL anew.",
			Period: "scan + 4*delay",
			Copied: []Copied{{"ttl", "the key is gone after the TTL: the scan comes later, and the waiter reads twice"}},
			Source: etcdClient,
		},
		{
			Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
			Formula: "ttl + scan/2 - keepalive/2 + 6*delay",
			Says:    "The holder crashes at any instant between two keep-alives, each as likely.",
			Period:  "keepalive", Source: etcdClient,
		},
	}
	promises = append(promises, told("6*delay", "The deletion is watched: delete, event, and two reads with their answers.", etcdClient)...)
	return append(promises,
		Promise{
			Name: "outage", Title: "harmless outage of the servers", Quantity: "outage", Relation: Below, Formula: "ttl - ttl/3 - 2*poll - 3*delay",
			Says:   "The keep-alive that is due is lost, and is sent again at the loop's first turn after the outage.",
			Period: "2*poll + scan + ttl/20 + 8*delay",
			Copied: []Copied{{"ttl", "a session survives an outage below its TTL: a third of it may have passed, and the loop turns every 500 ms"}},
			Source: etcdClient,
		},
		pause,
		checked(pause, "The client's deadline is a TTL after its latest answer: a check passes, and the pause comes after it."),
		Promise{
			Name: "clock-rate", Title: "leader's clock faster than the holder's, at most", Unit: Ratio, Quantity: "rate", Relation: Below,
			Formula: "(ttl - 3*delay)/(ttl/3 + poll)",
			Says:    "Keep-alives come in time. Two holders there are at any rate: the client's deadline begins with the answer, the server's before it.",
			Source:  etcdClient,
		},
		Promise{
			Name: "overlap", Title: "two holders at once, at most", Quantity: "overlap",
			Formula: "max(check + delay, pause + ttl/3 + poll + delay - ttl)",
			Says:    "Without any pause: the holder is cut off, counts its TTL from the latest answer, and looks at the deadline once a second.",
			Period:  "poll + scan + 8*delay + ttl/20",
			Copied:  []Copied{{"0s", "the client knows that its session is over before the server ends it: it is the other way round"}},
			Source:  etcdClient,
		},
		Promise{
			Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "4",
			Says: "A transaction and a deletion, without contention, in a session that is there; keep-alives besides.", Period: "1", Source: etcdClient,
		})
}

// zookeeper is Curator's InterProcessMutex.
func zookeeper() Lock {
	return Lock{
		Name: "zookeeper", Servers: []string{"zookeeper"}, Unchecked: true,
		About: "Curator's InterProcessMutex: the first of ephemeral sequential nodes",
		Settings: []Setting{
			{"session", Duration, "30s", "session timeout that the client asks for"},
			{"tick", Duration, "2s", "tickTime of the servers"},
			{"percent", Number, "100", "simulatedSessionExpirationPercent of Curator"},
			delay("5ms"),
			{"work", Duration, "2s", "time from acquiring to the write, for the logs"},
			pauseSetting("45s"),
		},
		Derived: []Derived{{"timeout", Duration, "min(max(session, 2*tick), 20*tick)", "session timeout that the server grants: from 2 to 20 ticks"}},
		Limits: []Limit{
			{"session", "session", "must be more than 0"},
			{"session", "1ns - (session - floor(session, 1ms))", "must be whole milliseconds, as ZooKeeper has them"},
			{"tick", "tick", "must be more than 0"},
			{"tick", "1ns - (tick - floor(tick, 1ms))", "must be whole milliseconds, as ZooKeeper has them"},
			{"percent", "percent", "must be 1 to 100"},
			{"percent", "101 - percent", "must be 1 to 100"},
			{"delay", "timeout/12 - delay", "four messages take longer than a third of the session timeout"},
		},
		Harm:     "two hold the lock at once",
		Rules:    zookeeperRules(),
		Tuned:    []Tune{{"tick", "1ms"}, {"session", "1ms"}},
		Costs:    []Cost{{"the holder", "3s/timeout"}},
		Watch:    Watch{"2*timeout/3", "answer of a server", "the client is SUSPENDED by then"},
		Promises: zookeeperPromises(),
	}
}

// zookeeperRules are up to when what may happen does no harm.
func zookeeperRules() []Rule {
	const (
		period    = "tick + timeout/20 + 10*delay"
		heard     = "The holder is paused just before the answer to a ping arrives. It reads it when it resumes, takes it for new, and waits for two thirds of the timeout."
		late      = "A ping is lost, and the holder is paused just before it is SUSPENDED for that."
		suspended = "The holder hears nothing, and is SUSPENDED after two thirds of the timeout on its clock; its session ends after all of it on the server's."
	)
	return []Rule{
		{
			Formula: "timeout/fast - timeout/3*slow - pause - delay", Period: period,
			Says: "The holder is paused just before a ping; what it does as it resumes is done without the lock.",
		},
		{
			Kinds: []string{Refused, Cut}, Period: period, Formula: "timeout/fast - 2*timeout/3*slow - 2*delay", Says: suspended,
		},
		{
			Kinds: []string{Hanging}, Period: period, Formula: "timeout/fast - timeout/3*slow - 2*delay - min(timeout/3*slow, outage)", Says: suspended,
		},
		{
			Needs: []string{Pause}, Kinds: []string{Refused, Cut}, Period: period, Formula: "timeout/fast - pause - min(2*timeout/3, outage + timeout/3)*slow - 2*delay", Says: heard,
		},
		{
			Needs: []string{Pause}, Kinds: []string{Hanging}, Period: period, Formula: "timeout/fast - pause - min(2*timeout/3*slow, outage) - 2*delay", Says: heard,
		},
		{
			Needs: []string{Pause}, Kinds: []string{Refused, Cut}, Period: period, Formula: "timeout/fast - 2*timeout/3*slow - pause - 2*delay", Says: late,
		},
		{
			Needs: []string{Pause}, Kinds: []string{Hanging}, Period: period, Formula: "timeout/fast - timeout/3*slow - min(timeout/3*slow + pause, outage) - 2*delay", Says: late,
		},
		{
			Keeps: true, Period: period, Formula: "timeout/3 - pause - 2*delay",
			Says: "The holder is paused just before a ping, and has heard nothing for two thirds of the timeout when it resumes.",
		},
		{
			Keeps: true, Kinds: []string{Hanging}, Period: period, Formula: "timeout/3/fast - pause - outage - 2*delay",
			Says: "The answer to a ping comes after two thirds of the timeout.",
		},
		{Keeps: true, Kinds: []string{Refused, Cut, Crash}, Period: period, Formula: "0s - outage", Says: "The connection breaks: the client is SUSPENDED."},
	}
}

// zookeeperPromises are what the settings of Curator's mutex promise.
func zookeeperPromises() []Promise {
	pause := Promise{
		Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below,
		Formula: "timeout - timeout/3 - delay",
		Says:    "The holder is paused just before a ping, which it sends every third of the timeout; the write leaves as it resumes.",
		Period:  "tick + timeout/20 + 8*delay",
		Copied:  []Copied{{"timeout", "a pause below the session timeout is safe: a third of it has passed when the pause begins"}},
		Source:  zkServer,
	}
	promises := []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover", Formula: "timeout + tick + 4*delay",
			Says:   "The holder crashes as it sends a ping; sessions expire in buckets of a tick; then a watch event and a list.",
			Period: "tick + timeout/20 + 4*delay",
			Copied: []Copied{{"timeout", "the session ends after its timeout: at the tick after it"}},
			Source: zkServer,
		},
		{
			Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
			Formula: "timeout + tick/2 - timeout/6 + 4*delay",
			Says:    "The holder crashes at any instant between two pings, each as likely.",
			Period:  "timeout/3", Source: zkServer,
		},
	}
	promises = append(promises, told("4*delay", "The waiter watches the node before its own: delete, event, and a list with its answer.", zkServer)...)
	return append(promises,
		Promise{
			Name: "outage", Title: "harmless outage of the servers", Quantity: "outage", Relation: Below, Formula: "timeout/3 - 2*delay",
			Says:   "The answer to a ping is held up by the outage, two thirds of the timeout after the one before: then the client is SUSPENDED and stops. Its session lives on.",
			Period: "timeout/20 + 6*delay",
			Copied: []Copied{{"timeout", "a client survives an outage below its session timeout: its session does, a holder that stops at SUSPENDED does not"}},
			Source: zkServer,
		},
		pause,
		checked(pause, "There is no deadline to check but the state of the connection, which is what it was before the pause."),
		Promise{
			Name: "pause-kept", Title: "pause that the leadership survives", Quantity: "pause", Relation: Below, Formula: "timeout/3 - 2*delay",
			Says:   "The holder is paused just before a ping, and hears the answer before it has heard nothing for two thirds of the timeout: else it is SUSPENDED as it resumes.",
			Period: "timeout/20 + 6*delay",
			Copied: []Copied{{"2*timeout/3", "the client is SUSPENDED after two thirds of the timeout: half of that has passed when the pause begins"}},
			Source: zkServer,
		},
		Promise{
			Name: "clock-rate", Title: "server's clock faster than the holder's, at most", Unit: Ratio, Quantity: "rate", Relation: Below,
			Formula: "(timeout - 2*delay)/(2*timeout/3)",
			Says:    "Cut off, the holder stops after two thirds of the timeout on its clock, the session ends after the timeout on the server's.",
			Period:  "(tick + timeout/20 + 8*delay)/(2*timeout/3)",
			Source:  zkServer,
		},
		Promise{
			Name: "overlap", Title: "two holders at once, at most", Quantity: "overlap", Formula: "max(0, pause - 2*timeout/3 + delay)",
			Says:   "The holder stops at SUSPENDED, and is paused just before a ping.",
			Period: "tick + timeout/20 + 8*delay",
			Copied: []Copied{{"0s", "an ephemeral node is there for as long as its holder is: for as long as its session"}},
			Source: zkServer,
		},
		Promise{
			Name: "overlap-lost", Title: "two holders at once, at most, if the holder stops only at LOST", Quantity: "overlap",
			Formula: "max(0, 2*timeout/3 + timeout*percent/100 + delay - timeout)",
			Says:    "Without any pause: the holder is cut off, SUSPENDED after two thirds of the timeout, and LOST a percentage of it later.",
			Period:  "tick + timeout/20 + 8*delay",
			Copied:  []Copied{{"0s", "LOST comes when the session has expired: with 100 percent it comes two thirds of the timeout later"}},
			Source:  zkServer,
		},
		Promise{
			Name: "messages", Title: "messages per acquisition and release", Unit: Number, Quantity: "messages", Relation: Always, Formula: "6",
			Says: "Create, list and delete, without contention, in a session that is there; pings besides.", Period: "1", Source: zkServer,
		})
}
