package kv

import (
	"fmt"
	"time"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[core.Msg] {
	if err := model.Errors(p.Problems()).Err("kv"); err != nil {
		return sim.System[core.Msg]{Err: err}
	}
	l := p.layout()
	s := sim.System[core.Msg]{Kinds: core.Kinds.Names(), Notes: core.Kinds.Notes()}
	if p.Leader != nil {
		s.Nodes = p.servers(l)
	}
	for i := len(s.Nodes); i < p.all(); i++ {
		s.Nodes = append(s.Nodes, sim.Place[core.Msg](fmt.Sprintf("node-%d", i+1), replica.Node{Settings: l.Settings, Ring: l.Ring}))
	}
	for _, c := range p.clients(l) {
		s.Nodes = append(s.Nodes, sim.Place[core.Msg](p.clientName(c.Number), c))
	}
	if c := p.controller(l); c != nil {
		s.Nodes = append(s.Nodes, sim.Place[core.Msg]("controller", *c))
	}
	oracle := shared{histories: &histories{Layout: l}}
	s.Properties = p.claimed(properties(l, p.converge(), oracle))
	model.AddMeter(&s, &meter{Layout: l})
	model.AddMeter(&s, &staleMeter{Layout: l})
	model.AddMeter(&s, &repairMeter{})
	model.AddMeter(&s, &writeMeter{Writes: oracle})
	addClientMeter(&s, l)
	model.AddMeter(&s, &moveMeter{Layout: l})
	s.Describe = func() func(*sim.View[core.Msg], *sim.Observation[core.Msg]) string {
		return (&describer{Layout: l}).describe
	}
	s.States = []sim.State[core.Msg]{{Name: "asking", Enter: []sim.Kind{core.Asked}, Leave: []sim.Kind{core.Answered, core.Failed}}}
	s.Marks = []sim.Mark[core.Msg]{{Name: "stored", On: []sim.Kind{core.Stored}}, {Name: "failed", On: []sim.Kind{core.Failed}}}
	return s
}

// Layout is the system as its observers know it.
type Layout struct {
	*core.Settings
	names
	Clients  int
	Within   time.Duration // of available
	Writes   int           // that clients ask for at most in a run
	Compares bool          // clients compare and set
}

// Immutable implements [sim.Immutable].
func (*Layout) Immutable() {}

func (p *Params) layout() *Layout {
	l := &Layout{Settings: &core.Settings{
		Ring: p.firstRing(), Policy: p.policy(), N: p.n(), R: p.r(), W: p.w(), Nodes: p.all(), Led: p.Leader != nil,
		Sloppy: p.Quorum == "sloppy", AnyNode: p.Coordinator == "any",
		Timeout: p.Timeout, Replica: p.ReplicaTimeout, SuspectFor: p.Suspect,
		Repair: readRepairs[p.ReadRepair], HandoffEvery: p.Handoff, HintLimit: values.Or(p.HintLimit, hintLimit), HintsDurable: p.HintsDurable,
		Stream: p.Streaming != "none", StreamRate: p.StreamRate, Managed: len(p.Changes) > 0 || p.Scale != nil, Count: p.Scale != nil,
		Ordered:     p.Ring.Strategy == "" || p.Ring.Strategy == "ordered",
		AntiEntropy: p.AntiEntropy, MerkleLeaves: values.Or(p.MerkleLeaves, 0), GossipEvery: p.Gossip,
		Grace: p.Grace, LosesDisk: p.Disk == "lost",
	}, names: names{amounts: p.Conflict.Conflict == "counter"}}
	if !p.Latency.IsZero() {
		delays := p.Latency.Delays()
		l.Latency = &delays
	}
	p.placeRings(l)
	l.Clients, l.Within = p.clientCount(), values.Or(p.AnswerWithin, p.Patience)
	l.Writes, l.Compares = p.writes()
	return l
}

var readRepairs = map[string]core.ReadRepair{"": core.AsyncRepair, "async": core.AsyncRepair, "blocking": core.BlockingRepair, "none": core.NoRepair}

var routes = map[string]Route{"": First, "first": First, "sticky": Sticky, "in-turn": InTurn}

// clients are those with a script, then those of the workload.
func (p *Params) clients(l *Layout) (all []Client) {
	for _, c := range p.Clients {
		client := Client{Start: c.Start, Repeat: values.Or(c.Repeat, 1), Think: c.Think, Every: c.Every, SkipsRound: c.Failed == "next-round"}
		for i := range c.Steps {
			client.Script = append(client.Script, l.action(&c.Steps[i], p.node))
		}
		all = append(all, client)
	}
	if w := p.Workload; w != nil {
		shared := &Workload{Operations: w.Operations, Gap: w.Gap, Reads: w.Reads, Keys: values.Or(w.Keys, 1), Updates: w.Writes == "update"}
		for i := range w.Clients {
			all = append(all, Client{Workload: shared, Start: time.Duration(i) * w.Stagger})
		}
	}
	session := p.session()
	for i := range all {
		c := &all[i]
		c.Settings, c.Ring, c.Number, c.Patience, c.Route = l.Settings, l.Ring, uint32(i+1), p.Patience, routes[p.Route]
		c.Session = session
	}
	return all
}

// clientName is the name of a client, by its number from 1.
func (p *Params) clientName(n uint32) string {
	number := int(n)
	if number <= len(p.Clients) && p.Clients[number-1].Name != "" {
		return p.Clients[number-1].Name
	}
	return fmt.Sprintf("client-%d", number)
}

// properties are what is checked of every store.
func properties(l *Layout, converge time.Duration, oracle shared) []sim.Property[core.Msg] {
	return []sim.Property[core.Msg]{
		model.NewProperty("quorum-read", &quorumRead{Layout: l}, core.Asked, core.Answered, core.Collected).
			Needs("a client reads a key after a write of it was acknowledged"),
		model.NewProperty("convergence", &convergence{Layout: l, Within: converge}, core.Asked, core.Stored, core.Collected, core.Discarded, core.Adopted, core.ChangeDone).Also(sim.Crashed, sim.Restarted, sim.Paused, sim.Resumed).
			Loses(sim.Liveness).Needs("a key is not written, and no node crashes or is paused, for `converge-within` before the end"),
		model.NewProperty("no-lost-write", &noLostWrite{Writes: oracle}, historyKinds...).
			Loses(sim.Data).Needs("a write is acknowledged"),
		model.NewProperty("concurrent-siblings", &concurrentSiblings{Writes: oracle}, historyKinds...).
			Needs("a node stores a write"),
		(&available{Layout: l, Within: l.Within}).property(),
		model.NewProperty("no-resurrection", &noResurrection{Writes: oracle}, historyKinds...).
			Loses(sim.Data).Needs("a client reads a key or an item after it was deleted"),
		(&linearizable{Layout: l}).property(),
		(&readYourWrites{Layout: l}).property(),
		(&monotonicReads{Layout: l}).property(),
		(&monotonicWrites{Layout: l}).property(),
		(&writesFollowReads{Layout: l}).property(),
		(&noWriteInDoubt{Layout: l}).property(),
	}
}
