package policy

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// theStore and theCounters are the first nodes; limiters and clients follow.
const (
	theStore sim.NodeID = iota + 1
	theCounters
	firstLimiter
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	s := description.System("policy", p.Problems())
	if s.Err != nil {
		return s
	}
	b, buckets, err := newBook(p)
	if err != nil {
		panic("policy: " + err.Error()) // Problems has found it
	}
	p.place(&s, b, buckets)
	admitted := tally{book: b, first: p.firstClient(), clients: p.Clients}
	inUse := usage{limiters: p.Limiters, versions: len(b.versions)}
	bounds := &bounds{book: b, params: p}
	wanted := wished{Wish: p.Wish, first: p.firstClient(), clients: p.Clients}
	s.Properties = []sim.Property[Msg]{
		model.NewProperty("one-rule-per-version", &oneRulePerVersion{b}, Decided).Needs("a request must be decided"),
		model.NewProperty("last-good-version", &lastGoodVersion{b}, Adopted).Needs("a limiter must start"),
		model.NewProperty("window-limit", &windowLimit{Tally: admitted, Bounds: bounds, AdoptAfter: p.AdoptAfter}, Published, Decided).
			Needs("a request must be admitted while every version in force limits all requests"),
		model.NewProperty("effective-limit", &effectiveLimit{Tally: admitted, Bounds: bounds, Use: inUse}, Adopted, Decided).
			Needs("a request must be admitted while every version in use limits all requests"),
		model.NewProperty("shadow-is-silent", &shadowIsSilent{}, Decided).Needs("a request must match rules with shadow_mode and no others"),
		model.NewProperty("soft-bound", &softBound{Tally: admitted, Nominal: b.versions[1].most, Hard: p.hard(b.versions[1].most), Grace: p.SoftFor, Judged: p.Soft > 0}, Decided).
			Needs("params.soft must be more than 0, and a request must be admitted"),
		model.NewProperty("no-late-start", &noLateStart{Deadline: p.Deadline}, Begun).Needs("params.algorithm must be queue, and a request must wait for its turn"),
		model.NewProperty("rejected-within-rule", &rejectedWithinRule{wanted}, Decided).Needs("params.wish must say what each client is to get, and a request must be decided"),
		model.NewProperty("admitted-over-rule", &admittedOverRule{wanted}, Decided).Needs("params.wish must say what each client is to get, and a request must be decided"),
	}
	model.AddMeter(&s, &meter{Tally: admitted, Use: inUse}, facts(b))
	d := model.Describe(kinds, facts(b))
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return once(d) }
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return d.Detail }
	return s
}

func (p *Params) firstClient() sim.NodeID { return firstLimiter + sim.NodeID(p.Limiters) }

// place adds the store, the counters, the limiters and the clients.
func (p *Params) place(s *sim.System[Msg], b *book, buckets []*ratelimit.TokenBucket) {
	store := Store{Limiters: firstLimiter, Count: p.Limiters, Push: p.Push}
	for _, f := range p.Rules {
		store.At = append(store.At, f.At)
	}
	counters := Counters{book: b, Tier: Tiers{Plans: buckets, How: changes[p.OnChange]}, Wall: p.Clock == "wall", slots: make([]slot, b.slots)}
	s.Nodes = []sim.Spec[Msg]{sim.Place[Msg]("rules-store", store), sim.Place[Msg]("counters", counters)}
	model.Place(s, "limiter", p.Limiters, func(i int) Limiter {
		phase := values.At(p.Phase, i, p.Poll*time.Duration(i)/time.Duration(p.Limiters))
		return Limiter{Store: theStore, Counters: theCounters, Poll: p.Poll, Phase: phase, AdoptAfter: p.AdoptAfter,
			DropOnBad: p.OnBadFile == "drop", Clients: p.firstClient(), book: b}
	})
	model.Place(s, "client", p.Clients, func(i int) Client {
		return Client{Index: int16(i), Limiters: firstLimiter, Count: p.Limiters,
			Start: values.At(p.Start, i, 0), Every: values.At(p.Every, i, sim.Constant(time.Second)), Burst: values.At(p.Burst, i, 1),
			Requests: int64(values.At(p.Requests, i, 0)), Flip: p.Flip, Tiers: max(1, len(p.Tiers))}
	})
}
