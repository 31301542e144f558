package promises

import "strings"

// Proof is what a proof over all schedules says of a promise: a law, or where the promise is at its edge with some settings.
type Proof struct {
	Lock, Promise string
	Command       string // that derives it
	Law           string // of when there is harm, in the words of the scenario
	Words         string // of the settings, for those of the law: pairs
	At, Edge      string // or the settings, and the least of what is promised that does harm with them
}

// Proofs are those that there are. What has none is held to runs alone.
func Proofs() []Proof {
	return []Proof{
		{Lock: "redis", Promise: "pause", Command: "simctl advise redis/pause-certified --property no-lost-update",
			Law: "pause + work + 2*delay.max > ttl + 2*delay.min"},
		{Lock: "watchdog", Promise: "pause", Command: "simctl advise redis/watchdog-certified --set params.ttl=10s",
			Law: "pause + 2*delay.max > 2*ttl/3", Words: "ttl lease"},
		{Lock: "etcd", Promise: "pause", Command: "simctl certify etcd/pause-certified --over faults.0.for=0..1500ms",
			At: "ttl=3s delay=5ms", Edge: "1.49s"},
		{Lock: "k8s-lease", Promise: "pause", Command: "simctl certify election/k8s-clock-rate-certified --no-faults --over network.delay=0..5ms --budget pauses=1,pause-for=20s,nodes=client-1",
			At: "delay=5ms", Edge: "12.99s"},
	}
}

// Says is what is proven, and by what.
func (p *Proof) Says() string {
	if p.At != "" {
		return "proven with " + p.At + " by " + p.Command
	}
	return "proven by " + p.Command
}

// Formula is the law in the words of the settings, with delays from none on: it is above 0 where there is harm.
func (p *Proof) Formula() string {
	pairs := append(strings.Fields(p.Words), "delay.max", "delay", "delay.min", "0s")
	left, right, _ := strings.Cut(strings.NewReplacer(pairs...).Replace(p.Law), " > ")
	return left + " - (" + right + ")"
}

// ProofOf is the proof of a promise, nil if there is none.
func (l *Lock) ProofOf(promise string) *Proof {
	for _, p := range Proofs() {
		if p.Lock == l.Name && p.Promise == promise {
			return &p
		}
	}
	return nil
}
