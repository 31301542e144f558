package lock

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// service is a lock as a whole: what its parameters may say, and what they describe.
type service struct {
	name  string
	keys  string // the parameters, besides those that all have, that this one has: their names, with blanks between
	token bool   // it has a fencing token of its own
	plan  func(p *Params, first sim.NodeID) plan
	check func(p *Params, found *model.Errors) // what the tags cannot say; nil: nothing
}

// plan is what places the nodes of a service, and what the properties need to know of them.
type plan struct {
	servers []sim.Spec[Msg] // the first is the node first
	alike   bool            // each may stand in another's place
	renames bool            // and each client in another's, and clients' attempts may have other numbers: see [sim.Renamer]
	worker  func(name string, c Critical) sim.Spec[Msg]

	quorum     int         // servers that have to hold a client's key; 1 of a replicated service
	clock      sim.ClockID // that clients measure their lease with
	replicated bool        // see [check.Lock]
	needed     int         // servers that have to be up, and of replicas connected with each other; 0: quorum

	ttl  time.Duration // for which the lock outlives its holder; 0: forever
	late time.Duration // for which a renewal may be under way after its holder has left without a release
	poll time.Duration // the longest pause between two attempts of a client

	endless bool                   // clients have no deadline of their own, they are told that the lock is lost
	extend  func(*sim.System[Msg]) // adds what only this service has, measures for instance; nil: nothing
}

// services lists the locks.
var services = []service{
	{name: "none", plan: planNone},
	{name: "naive", keys: pollingKeys + serverKeys, plan: planNaive, check: (*Params).checkRedis},
	{name: "redis", keys: pollingKeys + serverKeys + leaseKeys + " extend-by release value", plan: planSingle, check: checkSingle},
	{name: "redlock", keys: pollingKeys + serverKeys + leaseKeys + " extend-by preset instances even-instances requests validity cleanup", plan: planRedlock, check: checkRedlock},
	{name: "zookeeper", keys: "ttl zookeeper", token: true, plan: planZooKeeper, check: checkZooKeeper},
	{name: "k8s-lease", keys: "kubernetes", token: true, plan: planKubernetes, check: checkKubernetes},
	{name: "consul", keys: "ttl consul", token: true, plan: planConsul, check: checkConsul},
	{name: "etcd", keys: "ttl etcd", token: true, plan: planEtcd, check: checkEtcd},
	{name: "sentinel", keys: sentinelKeys, plan: planSentinel, check: checkSentinel},
	{name: "watchdog", keys: watchdogKeys, plan: planWatchdog, check: checkWatchdog},
}

// Parameters that several services have.
const (
	pollingKeys = " per-node-timeout tries retry" // of clients that ask again and again
	serverKeys  = " persistence rejoin-after rejoin-clock"
	leaseKeys   = " ttl clock drift-min extend"
)

func planNone(*Params, sim.NodeID) plan { return plan{worker: worker(None{})} }

// service is the service that the parameters name, nil if there is none.
func (p *Params) service() *service {
	for i := range services {
		if services[i].name == p.Service {
			return &services[i]
		}
	}
	return nil
}

// System is the system that the parameters describe: clients, servers, the store
// and, if there are tokens, the counter that issues them.
func (p *Params) System() sim.System[Msg] {
	if err := model.Errors(p.Problems()).Err("lock"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	return p.build(p.plan())
}

// plan is the plan of the service.
func (p *Params) plan() *plan {
	s := p.service().plan(p, p.firstServer())
	return &s
}

// firstServer is the node after the clients.
func (p *Params) firstServer() sim.NodeID { return sim.NodeID(p.Clients + 1) }

// layout is where the nodes of a plan are.
func (p *Params) layout(s *plan) check.Lock {
	return check.Lock{Clients: p.Clients, FirstServer: p.firstServer(), Servers: len(s.servers), Quorum: s.quorum, Needed: cmp.Or(s.needed, s.quorum), Clock: s.clock, Replicated: s.replicated, Uncounted: p.workload() == cron}
}

// build is the system of a plan.
func (p *Params) build(s *plan) sim.System[Msg] {
	layout := p.layout(s)
	system := sim.System[Msg]{Kinds: core.Kinds.Names(), Notes: core.Kinds.Notes()}
	job := p.critical(s, layout.FirstServer+sim.NodeID(layout.Servers))
	for i := range p.Clients {
		job.Start, job.Work, job.Jitter = values.At(p.Start, i, 0), values.At(p.Work, i, usualWork), p.Jitter
		job.Linger, job.Think = values.At(p.Hold, i, 0), values.At(p.Think, i, 0)
		job.Rounds = p.rounds(i)
		system.Nodes = append(system.Nodes, s.worker(fmt.Sprintf("client-%d", i+1), job))
	}
	if s.alike {
		system.Alike = append(system.Alike, layout.ServerNodes())
	}
	if s.renames {
		system.Alike, system.Serials = append(system.Alike, layout.ClientNodes()), layout.ClientNodes()
	}
	system.Nodes = append(system.Nodes, s.servers...)
	system.Nodes = append(system.Nodes, sim.Place[Msg]("store", Store{Policy: p.policy(), VolatileFence: p.VolatileFence}))
	if job.Counter != sim.None {
		system.Nodes = append(system.Nodes, sim.Place[Msg]("counter", Counter{last: uint64(values.Or(p.FirstToken, 1)) - 1}))
	}
	hearing, ledger := fact.Hear(&system, facts), check.NewLockLedger(layout)
	hearing.Ledger(&ledger.LockBooks, ledger)
	for _, q := range properties(ledger, p.workload(), p.bounds(s)) {
		system.Properties = append(system.Properties, hearing.Property(q))
	}
	addMeter(&system, ledger)
	p.addWorkloadMeter(&system, ledger)
	system.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDescriber(ledger).describe }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detailer{ledger}.detail }
	system.States, system.Marks = states(layout, s.ttl > 0 && !s.endless), marks
	if s.extend != nil {
		s.extend(&system)
	}
	return system
}

// marks are what a timeline shows of the store.
var marks = []sim.Mark[Msg]{
	{Name: "write applied", On: []sim.Kind{core.Applied}, By: func(m *Msg) sim.NodeID { return core.Client(m.Grant()) }},
	{Name: "write rejected", On: []sim.Kind{core.Rejected}, By: func(m *Msg) sim.NodeID { return core.Client(m.Grant()) }},
}

// states are what a timeline shows of clients: that a client believes to hold the lock,
// and, if its lease ends, whether its own clock still says so.
func states(l check.Lock, ends bool) []sim.State[Msg] {
	leave := []sim.Kind{core.Released, core.Expired, core.Stale, core.LockLost}
	has := "believes it holds the lock"
	if l.Lockless() {
		has = "is at work"
	}
	list := []sim.State[Msg]{{Name: has, Enter: []sim.Kind{core.Acquired}, Leave: leave, Exclusive: true}}
	if !ends {
		return list
	}
	return append(list, sim.State[Msg]{Name: "its lease is valid", Enter: []sim.Kind{core.Acquired, core.Extended}, Leave: leave,
		Until: func(m *Msg) (sim.ClockID, int64) { return l.Clock, m.Until() }})
}
