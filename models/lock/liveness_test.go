package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// down crashes nodes for good at an instant.
func down(when int64, who ...string) (list []simtest.Change) {
	for _, name := range who {
		list = append(list, gone(name, when))
	}
	return list
}

// What a client waits for while too few servers can serve it shows nothing, and never that a lock is free of deadlocks.
func TestNoClientIsOwedALockThatNoServerCanGive(t *testing.T) {
	redlock := Params{Service: "redlock", Clients: 2, AvailableWithin: ptr(20 * time.Second)}
	pause := func(who string) simtest.Change {
		return simtest.Inject(who, sim.Fault{Do: sim.Pause, Forever: true})
	}
	for name, faults := range map[string][]simtest.Change{
		"three of five are down":         down(0, "redis-1", "redis-2", "redis-3"),
		"three of five are paused":       {pause("redis-1"), pause("redis-2"), pause("redis-3")},
		"three of five are cut off":      {apart("client-1", "redis-1", "redis-2", "redis-3"), apart("client-2", "redis-3", "redis-4", "redis-5")},
		"one is down, and two cut off":   append(down(0, "redis-1"), apart("client-1", "redis-2", "redis-3"), apart("client-2", "redis-3", "redis-4")),
		"answers of three are held back": {simtest.Part(sim.Fault{Do: sim.Hold, Forever: true, OneWay: true}, []string{"redis-1", "redis-2", "redis-3"}, []string{"client-1", "client-2"})},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, redlock, faults...)
			assert.EqualValues(t, 0, r.Measure("acquisitions"))
			assert.Equal(t, sim.NotExercised, r.Finding("deadlock-free").Verdict)
			r.Violated("available-within", at(20_000))
		})
	}
}

// A run that ends in an outage has not shown progress, though clients had the lock before.
func TestAnOutageThatDoesNotEndLeavesLivenessOpen(t *testing.T) {
	for name, p := range map[string]Params{
		"etcd":      {Service: "etcd", Clients: 2},
		"zookeeper": {Service: "zookeeper", Clients: 2},
		"consul":    {Service: "consul", Clients: 2, TTL: ptr(10 * time.Second)},
		"k8s-lease": {Service: "k8s-lease", Clients: 2},
		"redis":     {Service: "redis", Clients: 2},
		"sentinel":  {Service: "sentinel", Clients: 2},
		"watchdog":  {Service: "watchdog", Clients: 2},
	} {
		servers := []string{p.System().Nodes[p.Clients].Name}
		if name == "sentinel" { // a replica would be promoted
			servers = append(servers, "redis-2")
		}
		for workload, property := range map[string]string{"increment": "deadlock-free", "leader": "failover-bound"} {
			if name == "watchdog" && workload == "leader" {
				continue // it never learns that it does not lead any more
			}
			p.WorkAs, p.Rounds = workload, []int{0}
			end := append(down(20_000, servers...), simtest.Until(at(600_000)))
			before := play(t, p, simtest.Until(at(20_000))).Finding(property).Verdict
			assert.Equal(t, sim.Holds, before, "%s %s", name, property)
			r := play(t, p, end...)
			assert.Equal(t, sim.NotExercised, r.Finding(property).Verdict, "%s %s\n%v", name, property, r)
		}
	}
}

// A minority of the members of etcd gives no lock, wherever the clients are.
func TestAMinorityServesNoClient(t *testing.T) {
	p := Params{Service: "etcd", Clients: 2, Etcd: &EtcdParams{Raft: true}}
	cut := simtest.Part(sim.Fault{Do: sim.Cut, Forever: true}, []string{"etcd-1"}, []string{"etcd-2"}, []string{"etcd-3"})
	assert.Equal(t, sim.NotExercised, play(t, p, cut).Finding("deadlock-free").Verdict)
	play(t, p, gone("etcd-1", 0)).Holds("deadlock-free")
}

// A crash of the holder is followed by an outage: the takeover is not owed before that is over.
func TestATakeoverIsNotOwedDuringAnOutage(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, Start: []time.Duration{0, 100 * ms}}
	for length, want := range map[int64]sim.Verdict{30_000: sim.Holds, 100_000: sim.NotExercised} {
		r := play(t, p, gone("client-1", 500), crash("redis-1", 1_000, length))
		assert.Equal(t, want, r.Finding("takeover-bound").Verdict, r)
	}
}

// A holder that renews, and is not done, keeps the lock by right.
func TestALongHoldIsNoDeadlock(t *testing.T) {
	for name, set := range map[string]func(*Params){
		"redis":          func(p *Params) { p.Service, p.Extend = "redis", 3*time.Second },
		"redlock":        func(p *Params) { p.Service, p.Extend = "redlock", 3*time.Second },
		"sentinel":       func(p *Params) { p.Service, p.Extend = "sentinel", 3*time.Second },
		"watchdog":       func(p *Params) { p.Service = "watchdog" },
		"etcd":           func(p *Params) { p.Service = "etcd" },
		"etcd on raft":   func(p *Params) { p.Service, p.Etcd = "etcd", &EtcdParams{Raft: true} },
		"zookeeper":      func(p *Params) { p.Service = "zookeeper" },
		"consul":         func(p *Params) { p.Service = "consul" },
		"k8s-lease":      func(p *Params) { p.Service = "k8s-lease" },
		"held after":     func(p *Params) { p.Service, p.Work, p.Hold = "watchdog", nil, []time.Duration{5 * time.Minute} },
		"only the first": func(p *Params) { p.Service, p.Work = "watchdog", []time.Duration{5 * time.Minute, time.Second} },
	} {
		t.Run(name, func(t *testing.T) {
			p := Params{Clients: 2, Start: []time.Duration{0, time.Second}, Work: []time.Duration{5 * time.Minute}}
			set(&p)
			r := play(t, p, simtest.Until(at(660_000)))
			assert.EqualValues(t, 2, r.Measure("acquisitions"))
			r.Holds("deadlock-free")
		})
	}
}

// A bound that is longer than the run shows nothing where a client waits in vain for most of the run. (A naive lock whose holder
// has crashed held its bound of 3 h in a run of 60 s.)
func TestABoundLongerThanTheRunIsNotHeld(t *testing.T) {
	p := Params{Service: "redis", Clients: 2, TTL: ptr(time.Hour)}
	r := play(t, p, gone("client-1", 500))
	for _, name := range []string{"deadlock-free", "takeover-bound", "no-orphan"} {
		assert.Equal(t, sim.NotExercised, r.Finding(name).Verdict, name)
	}
	p.Clients, p.Start = 2, []time.Duration{0, 100 * ms}
	play(t, p).Holds("deadlock-free", "no-orphan") // each has its turn
}

// A lock that deadlocks is caught while a server is down without which it could do, and after a cut.
func TestADeadlockIsSeenBesideAnOutage(t *testing.T) {
	p := two()
	keeps := mutate(&p, "redis-", func(name string) sim.Spec[Msg] { return sim.Place[Msg](name, hoarder{}) })
	playSystem(t, &p, keeps, gone("redis-5", 0)).Violated("deadlock-free", at(30_200))
	cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(5_000)}, For: sim.Constant(5 * time.Second)}, []string{"client-1", "client-2"}, []string{"redis-1", "redis-2", "redis-3"})
	playSystem(t, &p, keeps, cut).Violated("deadlock-free", at(40_000))
}

// The cut of one client excuses no lock that another client waits for.
func TestTheCutOfOneClientExcusesNothing(t *testing.T) {
	p := two()
	p.Rounds = []int{1, 2}
	keeps := mutate(&p, "redis-", func(name string) sim.Spec[Msg] { return sim.Place[Msg](name, hoarder{}) })
	far := apart("client-1", "redis-1", "redis-2", "redis-3")
	playSystem(t, &p, keeps, far).Violated("deadlock-free", at(1_220+30_000)) // client-2 wants it again
}

// A failover of a Sentinel takes as long as its time-outs say, and available-within counts all of it.
func TestAvailableWithinCountsAFailover(t *testing.T) {
	p := Params{Service: "sentinel", Clients: 1, Start: []time.Duration{time.Second}, Sentinel: prompt(SentinelParams{}), AvailableWithin: ptr(4 * time.Second)}
	r := play(t, p, append(near(2), kill("redis-1", 0))...)
	r.Violated("available-within", at(5_000))
	assert.EqualValues(t, 1, r.Measure("failovers-tried"))
	assert.EqualValues(t, 1, r.Measure("promotions"))
	p.AvailableWithin = ptr(5 * time.Second)
	play(t, p, append(near(2), kill("redis-1", 0))...).Holds("available-within")
}

// The job of a night that is not over when the run ends is not missed.
func TestANightThatIsNotOverIsNotMissed(t *testing.T) {
	var p Params
	nightly(&p)
	assert.Equal(t, sim.NotExercised, play(t, p, simtest.Until(at(19_000))).Finding("no-missed-run").Verdict)
	play(t, p, simtest.Until(at(20_000))).Holds("no-missed-run", "run-once")
	play(t, p, append(down(11_000, "client-1", "client-2"), simtest.Until(at(25_000)))...).Violated("no-missed-run", at(20_000))
}
