package promises

const (
	clientGo   = "client-go, tools/leaderelection/leaderelection.go, acquire, renew and tryAcquireOrRenew"
	kubeconfig = "client-go, tools/leaderelection/resourcelock/interface.go, NewFromKubeconfig"
)

// k8sLease is the leader election of client-go on a Lease.
func k8sLease() Lock {
	return Lock{
		Name: "k8s-lease", Servers: []string{"client-2"},
		About: "leader election of client-go on a Lease of Kubernetes",
		Settings: []Setting{
			{"lease", Duration, "15s", "LeaseDuration, in whole seconds"},
			{"renew", Duration, "10s", "RenewDeadline"},
			{"retry", Duration, "2s", "RetryPeriod"},
			{"timeout", Duration, "max(renew/2, 1s)", "of a request to the API server"},
			delay("0s"),
			{"work", Duration, "2s", "time from acquiring to the write, for the logs"},
			pauseSetting("20s"),
		},
		Derived: []Derived{
			{"jitter", Number, "1.2", "JitterFactor: a candidate waits up to retry + jitter*retry"},
			{"wait", Duration, "retry*((1 + jitter/2)*(1 + jitter/2) + jitter*jitter/12)/(2 + jitter)", "mean time from an instant to a candidate's next try"},
			{"blind", Duration, "min(1s, 2*floor(1s - 1ns, retry))", "a candidate compares renewTime in whole seconds: of renewals less than 1s apart it may not see the latest"},
			{"unseen", Duration, "(floor(1s, retry)*(floor(1s, retry) - retry)/2 + floor(1s, retry)*(1s - floor(1s, retry)))/1s", "mean age of the renewal that it sees when the latest comes"},
			{"cycle", Duration, "max(2*timeout, retry)", "from one try without an answer to the next: it is an update and a get"},
			{"ends", Duration, "renew - 1ns - 4*delay", "a request that is sent later is of no use"},
			{"last", Duration, "floor(ends, cycle) + min(timeout, floor(ends - floor(ends, cycle), timeout))", "from the first request without an answer to the last"},
			{"again", Duration, "max(timeout, cycle - timeout)", "from one request without an answer to the next, at most"},
		},
		Limits: []Limit{
			{"lease", "lease", "leaseDuration must be greater than zero"},
			{"renew", "renew", "renewDeadline must be greater than zero"},
			{"retry", "retry", "retryPeriod must be greater than zero"},
			{"lease", "lease - renew", "leaseDuration must be greater than renewDeadline"},
			{"renew", "renew - jitter*retry", "renewDeadline must be greater than retryPeriod*JitterFactor"},
			{"lease", "1ns - (lease - floor(lease, 1s))", "leaseDurationSeconds is in whole seconds"},
			{"retry", "retry - lease/100000", "is below a 100,000th of leaseDuration: a run takes too long"},
			{"lease", "18h + 1ns - lease", "must be at most 18h: a record has room for no more"},
			{"timeout", "timeout - 2*delay", "every request times out: two messages take up to 2*delay"},
		},
		Promises: append(k8sTakeovers(), k8sPromises()...),
		Harm:     "two lead at once",
		Terms: []Derived{{"hidden", Duration, "min(min(step + 1s, retry + jitter*retry), min(step, max(0s, step + 1s - retry))*1000000)",
			"a renewal that a step back hides from a candidate: its renewTime is the whole second of an earlier one"}},
		Rules:   k8sRules(),
		Assumes: "ReleaseOnCancel is false: with it a leader that is cut off leads on while it tries to release",
		Tuned:   []Tune{{"renew", "1s"}, {"lease", "1s"}},
		Costs:   []Cost{{"the leader", "1s/retry"}, {"each candidate", "1s/(retry*(1 + jitter/2))"}},
		Watch:   Watch{"retry + renew", "renewTime of the Lease", "a leader that runs has renewed by then, or has stopped"},
	}
}

// k8sRules are up to when what may happen does no harm.
func k8sRules() []Rule {
	const paused = "lease/fast - (blind + retry + hidden)*slow - pause - 2*delay"
	const near = "retry + jitter*retry + blind + 8*delay" // the wait of a candidate
	period := near + " + again"
	rules := []Rule{
		{Formula: paused, Period: near, Says: "The leader is paused just before a renewal, and a candidate has waited LeaseDuration before it arrives."},
		{Keeps: true, Formula: paused, Period: near, Says: "The leader is paused just before a renewal, and another has the lease when it resumes."},
	}
	for _, o := range []struct{ kinds, again, last string }{{Refused, "retry", "floor(ends, retry)"}, {"", "again", "last"}} {
		kinds := []string{o.kinds}
		if o.kinds == "" {
			kinds = []string{Hanging, Cut, Crash}
		}
		rules = append(rules, Rule{
			Kinds: kinds, Period: period,
			Formula: "lease/fast - (blind + retry + hidden)*slow - pause - delay - min(renew*slow, outage + " + o.again + "*slow + 2*delay)",
			Says:    "The leader is paused just before a renewal, and gets no answer when it resumes: it leads on until RenewDeadline, which begins afresh, or until a try after the outage. By then a candidate has waited LeaseDuration.",
		}, Rule{
			Keeps: true, Kinds: kinds, Period: period, Formula: o.last + "/fast - 2*delay - outage",
			Says: "The last request before RenewDeadline is sent while there is no answer yet.",
		}, Rule{
			Keeps: true, Kinds: kinds, Period: period,
			Formula: "lease/fast - (blind + retry + hidden + " + o.again + ")*slow - pause - outage - 3*delay",
			Says:    "The leader is paused just before a renewal, gets no answer when it resumes, and another has the lease when it does.",
		})
	}
	return rules
}

// k8sTakeovers are how long it takes until another leads.
func k8sTakeovers() []Promise {
	return []Promise{
		{
			Name: "takeover-crash", Title: "takeover after a crash, at most", Quantity: "takeover",
			Formula: "lease + 2*(retry + jitter*retry) + 10*delay",
			Says:    "A candidate sees the last renewal at its next try, counts the lease from there on its own clock, and tries again after that. Each wait is RetryPeriod with the jitter added.",
			Period:  "retry + jitter*retry + 10*delay",
			Copied: []Copied{
				{"lease", "takeover after LeaseDuration: neither the look at the renewal nor the next try is in it"},
				{"lease + retry", "LeaseDuration and a RetryPeriod: there are two waits, and each is up to 2.2 times as long"}},
			Source: clientGo,
		},
		{
			Name: "takeover-crash-mean", Title: "takeover after a crash, on average", Quantity: "takeover", Relation: Mean,
			Formula: "lease + 2*wait - retry/2 - unseen + 7*delay",
			Says:    "The leader crashes at any instant between two renewals, each as likely; each message takes the delay.",
			Period:  "retry + 2*blind", Source: clientGo,
		},
		{
			Name: "takeover-release", Title: "takeover after a release, at most", Quantity: "takeover", Formula: "retry + jitter*retry + 8*delay",
			Says:   "With ReleaseOnCancel the holder is removed from the record, and a candidate finds out at its next try. Without it, it is as after a crash.",
			Period: "retry + jitter*retry",
			Copied: []Copied{{"2*delay", "with ReleaseOnCancel the next leader is there at once: it is not told"}},
			Source: clientGo,
		},
		{
			Name: "takeover-release-mean", Title: "takeover after a release, on average", Quantity: "takeover", Relation: Mean,
			Formula: "wait + 7*delay",
			Says:    "The release comes at any instant between two tries; each message takes the delay.",
			Period:  "retry", Source: clientGo,
		},
	}
}

// k8sPromises are what the settings of the election promise besides.
func k8sPromises() []Promise {
	pause := Promise{
		Name: "pause", Title: "harmless pause, no check before the write", Quantity: "pause", Relation: Below, Formula: "lease - blind - retry - 2*delay",
		Says:   "The leader is paused just before a renewal, which then comes before a candidate has waited LeaseDuration.",
		Period: "retry + jitter*retry + blind + 8*delay",
		Copied: []Copied{
			{"lease", "a pause below LeaseDuration is safe: RetryPeriod has passed since the last renewal"},
			{"renew", "after RenewDeadline the leader stops: the deadline starts afresh after the pause, and it leads on"}},
		Source: clientGo,
	}
	return []Promise{
		{
			Name: "outage", Title: "harmless outage of the API server", Quantity: "outage", Relation: Below,
			Formula: "min(last - 2*delay, lease - blind - retry - again - 3*delay)",
			Says:    "Requests get no answer and time out, one after the other, until RenewDeadline. The last that is sent before it must get through.",
			Period:  "timeout + retry + 8*delay",
			Copied: []Copied{
				{"renew", "an outage of RenewDeadline is survived: the last request before it is sent earlier, by up to the timeout"},
				{"lease", "an outage of LeaseDuration is survived: no other takes over, but the leader stops"}},
			Source: clientGo + "; " + kubeconfig,
		},
		pause,
		checked(pause, "A check sees the deadline, which starts afresh after the pause, or passes before the pause: it changes nothing."),
		{
			Name: "clock-rate", Title: "candidate's clock faster than the leader's, at most", Unit: Ratio, Quantity: "rate", Relation: Below,
			Formula: "lease/(blind + retry + renew + delay)",
			Says:    "Cut off, the leader stops RenewDeadline after its first failed renewal, which is RetryPeriod after the last that succeeded.",
			Period:  "(retry + jitter*retry + blind + 8*delay)/(retry + renew)",
			Copied:  []Copied{{"lease/renew", "LeaseDuration/RenewDeadline, as the package comment has it: the deadline begins a RetryPeriod later"}},
			Source:  clientGo + ", and the package comment",
		},
		{
			Name: "overlap", Title: "two leaders at once, at most", Quantity: "overlap", Safe: true, Formula: "max(0, pause + retry + renew + blind + delay - lease)",
			Says:   "A leader is paused just before a renewal. When it resumes its deadline starts afresh: it leads on for RenewDeadline beside the new leader.",
			Period: "retry + jitter*retry + blind + 8*delay",
			Copied: []Copied{{"max(0, pause - lease)", "it stops as soon as it resumes: it tries for RenewDeadline first"}},
			Source: clientGo,
		},
		{
			Name: "overlap-release", Title: "two leaders at once, at most, with ReleaseOnCancel and no pause", Quantity: "overlap",
			Formula: "max(0, retry + renew + min(timeout, renew) + blind + delay - lease)",
			Says:    "A leader that is cut off stops trying after RenewDeadline, and then tries to release; its work is told to stop only after that.",
			Period:  "retry + jitter*retry + blind + 8*delay",
			Copied:  []Copied{{"0s", "RenewDeadline below LeaseDuration rules it out: the release comes on top"}},
			Source:  "client-go, tools/leaderelection/leaderelection.go, Run and renew: release comes before the context of OnStartedLeading is cancelled; " + kubeconfig,
		},
		{
			Name: "messages", Title: "messages per acquisition", Unit: Number, Quantity: "messages", Relation: Always, Formula: "5",
			Says: "A get and an update, or a create, with their replies, and the first renewal, which is sent at once; and two for each renewal, every RetryPeriod.", Period: "1", Source: clientGo,
		},
	}
}
