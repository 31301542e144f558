package idempotency

import (
	"fmt"
	"strings"
	"time"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if err := model.Errors(p.Problems()).Err("idempotency"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	program := p.compile(&model.Errors{})
	program.Params = p.timed(program.Params)
	b := &builder{params: p, program: program, system: sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}}
	b.place()
	layout := p.layout(program, b)
	s := &b.system
	within := p.within(program.Params)
	s.Properties = properties(fact.Hear(s, facts), layout, within, values.Or(p.Bounds.Told, within))
	model.AddMeter(s, &meter{Layout: layout})
	first := &answers{}
	first.declare(s)
	model.AddMeter(s, first)
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string {
		return (&describer{layout: layout}).describe
	}
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detailer{layout}.detail }
	s.States = []sim.State[Msg]{
		{Name: "asking", Enter: []sim.Kind{Asked}, Leave: []sim.Kind{Answered, GaveUp}},
		{Name: "handling", Enter: []sim.Kind{Began, Handling}, Leave: []sim.Kind{Replied}},
	}
	s.Marks = []sim.Mark[Msg]{
		{Name: "effect", On: []sim.Kind{Effect}}, {Name: "charge", On: []sim.Kind{ChargeMade}}, {Name: "takeover", On: []sim.Kind{TookOver}},
		{Name: "replayed", On: []sim.Kind{Replayed}}, {Name: "answered", On: []sim.Kind{Answered}},
	}
	return *s
}

// properties are what is checked of every flow.
func properties(h *fact.Hearing[Msg], l *Layout, within, toldWithin time.Duration) []sim.Property[Msg] {
	return []sim.Property[Msg]{
		h.Property(fact.Property{Claim: model.Claim{Name: "at-most-once", Loses: sim.Data, Needs: "a request takes effect: a row of an `effect` table, or a charge"},
			Checker: &check.AtMostOnce{Names: l}}),
		(&sameAnswer{}).property(),
		(&acknowledgedIsDurable{Layout: l}).property(),
		(&isolated{}).property(),
		(&progress{Within: within, Downtime: downtime{Layout: l}}).property(),
		(&conserved{}).property(),
		(&noPhantom{Layout: l}).property(),
		(&exactlyOnceFold{Layout: l, Within: within}).property(),
		(&monotoneRecovery{}).property(),
		(&told{Layout: l, Within: toldWithin, Downtime: downtime{Layout: l}}).property(),
		(&eventsInOrder{Layout: l}).property(),
	}
}

// builder places the nodes: clients, API servers if there are requests, relays, consumers, the database, and those
// of cache, provider and broker that the flow uses.
type builder struct {
	params  *Params
	program *flow.Program
	system  sim.System[Msg]

	apis, relays, consumers           int
	first                             sim.NodeID // server
	database, cache, provider, broker sim.NodeID
}

func (b *builder) place() {
	p, program := b.params, b.program
	b.apis, b.relays, b.consumers = p.Servers, values.Or(p.Relays, 1), values.Or(p.Consumers, 1)
	if !program.Has(flow.Request) {
		b.apis = 0
	}
	if !program.Has(flow.Every) {
		b.relays = 0
	}
	if !program.Has(flow.Event) {
		b.consumers = 0
	}
	b.first = sim.NodeID(p.Clients + 1)
	b.database = b.first + sim.NodeID(b.apis+b.relays+b.consumers)
	last := b.database
	for _, n := range []struct {
		id    *sim.NodeID
		there bool
	}{{&b.cache, program.Uses(flow.CacheGet) || program.Uses(flow.CacheSet) || program.Uses(flow.CacheDel) || program.Uses(flow.CacheDelIf)},
		{&b.provider, program.Uses(flow.Charge) || program.Uses(flow.Lookup)},
		{&b.broker, program.Uses(flow.Publish) || program.Has(flow.Event)}} {
		if n.there {
			last++
			*n.id = last
		}
	}
	b.clients()
	b.servers("api", b.apis, flow.Request, p.Tasks)
	b.servers("relay", b.relays, flow.Every, 1)
	b.servers("consumer", b.consumers, flow.Event, p.Tasks)
	b.stores()
}

func (b *builder) clients() {
	for i := range b.params.Clients {
		c := b.params.client(i)
		c.Servers = [2]sim.NodeID{b.first, b.first + sim.NodeID(b.apis-1)}
		if b.apis == 0 {
			c.Servers = [2]sim.NodeID{b.broker, b.broker}
		}
		b.system.Nodes = append(b.system.Nodes, sim.Place[Msg](fmt.Sprintf("client-%d", i+1), c))
	}
}

// servers are some that run a handler.
func (b *builder) servers(name string, count int, role flow.Handler, slots int) {
	p := b.params
	for i := range count {
		b.system.Nodes = append(b.system.Nodes, sim.Place[Msg](fmt.Sprintf("%s-%d", name, i+1), Server{
			Role: role, Slots: slots, Database: b.database, Cache: b.cache, Provider: b.provider, Broker: b.broker,
			Work: values.Or(p.Work, usualWork), Statement: p.StatementTimeout, Other: p.CallTimeout, Program: b.program,
		}))
	}
}

func (b *builder) stores() {
	p, links := b.params, connections{First: b.first, Slots: b.params.Tasks}
	servers := int(b.database - b.first)
	d := Database{Connections: links, Program: b.program, Watch: watch(b.program)}
	d.db = postgres.NewDB(b.program.Schema, postgres.Options{Sessions: servers * p.Tasks, DeadlockTimeout: p.DeadlockTimeout, Isolation: isolations[p.Isolation]})
	d.totals = d.Watch.initial(&d.db)
	nodes := &b.system.Nodes
	*nodes = append(*nodes, sim.Place[Msg]("db", d))
	if b.cache != sim.None {
		*nodes = append(*nodes, sim.Place[Msg]("cache", Cache{Durable: p.CacheDurable, Connections: links}))
	}
	if b.provider != sim.None {
		*nodes = append(*nodes, sim.Place[Msg]("provider", Provider{TTL: b.program.Params.ProviderTTL, Connections: links}))
	}
	if b.broker != sim.None {
		n := Broker{Redelivery: p.Redelivery, Connections: links}
		if b.consumers > 0 {
			n.Consumers = [2]sim.NodeID{b.database - sim.NodeID(b.consumers), b.database - 1}
		}
		*nodes = append(*nodes, sim.Place[Msg]("broker", n))
	}
}

// roles are the nodes that stand in for each other: each client and store alone, the servers of a kind together.
func (b *builder) roles() (roles [][2]sim.NodeID) {
	for i := range b.params.Clients {
		roles = append(roles, [2]sim.NodeID{sim.NodeID(i + 1), sim.NodeID(i + 1)})
	}
	next := b.first
	for _, count := range [...]int{b.apis, b.relays, b.consumers} {
		if count > 0 {
			roles = append(roles, [2]sim.NodeID{next, next + sim.NodeID(count-1)})
			next += sim.NodeID(count)
		}
	}
	for _, id := range [...]sim.NodeID{b.database, b.cache, b.provider, b.broker} {
		if id != sim.None {
			roles = append(roles, [2]sim.NodeID{id, id})
		}
	}
	return roles
}

// client is the i-th client, from 0, but for the servers.
func (p *Params) client(i int) Client {
	intent := Value(values.At(p.Intent, i, i+1))
	return Client{
		Number: i, Of: p.Clients,
		Tenant: Value(values.At(p.Tenant, i, 1)), Intent: intent, Key: Value(values.At(p.Key, i, int(intent))), Amount: Value(values.At(p.Amount, i, 100)),
		Intents: values.At(p.Intents, i, 1), Start: values.At(p.Start, i, 0), Gap: values.At(p.Gap, i, usualGap),
		Clicks: values.At(p.Clicks, i, 1), Between: values.At(p.Between, i, usualBetween), KeyPer: keyPers[p.KeyPer],
		Attempts: values.At(p.Attempts, i, usualAttempts), Timeout: values.At(p.Timeout, i, usualTimeout), Backoff: values.At(p.Backoff, i, usualBackoff),
		ConflictIsSuccess: p.OnConflict == "success",
	}
}

func (p *Params) layout(program *flow.Program, b *builder) *Layout {
	return &Layout{
		Clients: p.Clients, Roles: b.roles(),
		Watched: columnNames(program.Watched), Ordered: columnNames(program.Ordered), Events: program.Has(flow.Event),
		Database: b.database, Effects: program.Effects, Charges: program.Uses(flow.Charge),
		Publishes: program.Uses(flow.Publish), Folds: len(program.Folds) > 0, ConflictIsSuccess: p.OnConflict == "success",
	}
}

// columnNames names some columns, for words.
func columnNames(columns []flow.Column) string {
	var names []string
	for _, c := range columns {
		if c.Column != "" {
			names = append(names, c.Table+"."+c.Column)
		}
	}
	return strings.Join(names, ", ")
}
