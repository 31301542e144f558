package fleet

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Form      string       `yaml:"form,oneof=local|line|balancer|shards|dimensions|central|sync|lease|regions"` // what the limiters share: local, nothing; central, a store that they ask each time; sync, a store that they tell every so often; lease, a coordinator; regions, their counts
	Limiters  int          `yaml:"limiters"`                                                                    // 1
	Algorithm              // of each limiter
	Share     string       `yaml:"share,oneof=whole|divided"` // of the limit, that each limiter has: whole
	Change    ChangeParams `yaml:"change"`                    // of local limiters: of their algorithm, while they run

	Store   StoreParams  `yaml:"store"`
	Sync    SyncParams   `yaml:"sync"`
	Lease   LeaseParams  `yaml:"lease"`
	Regions RegionParams `yaml:"regions"`

	Forward     time.Duration `yaml:"forward"`      // of a local limiter, from its decision to the start: 0s
	Recheck     time.Duration `yaml:"recheck"`      // a decision that is older at the start is made again: 0s, none is
	DropExpired bool          `yaml:"drop-expired"` // of a line: who has waited longer than its client does: false

	Balancer   BalancerParams  `yaml:"balancer"`
	Shards     ShardParams     `yaml:"shards"`
	Dimensions DimensionParams `yaml:"dimensions"`

	Clients []ClientParams `yaml:"clients"` // one, that asks once

	Exact    *bool  `yaml:"exact"` // equals-exact-log is checked: true for sliding-log
	Bound    *int64 `yaml:"bound"` // of window-limit, requests per window: the limit
	FairFrom int64  `yaml:"fair"`  // of fair: Jain's index of what the clients were admitted, in parts per thousand: 0, not checked

	AnswerWithin time.Duration `yaml:"answer-within"` // of useful-work: a client that is admitted hears of it at most this long after it asked: 0s, not checked
	Aligned      bool          `yaml:"aligned"`       // check aligned-window-limit, of the windows that begin at a multiple of their length in true time: false
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{
		Form: "local", Limiters: 1,
		Algorithm:  Algorithm{Algorithm: "fixed-window", Limit: 100, Window: time.Minute, Buckets: 60},
		Sync:       SyncParams{Every: sim.Constant(100 * time.Millisecond)},
		Lease:      LeaseParams{Batch: 10, For: time.Second, Timeout: 50 * time.Millisecond},
		Regions:    RegionParams{Every: time.Second},
		Balancer:   BalancerParams{Health: time.Second},
		Shards:     ShardParams{Count: 10},
		Dimensions: DimensionParams{TTL: 5 * time.Second},
	}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []kit.ValidationError {
	found := kit.Validate(p)
	between(&found, "limiters", int64(p.Limiters), 1, maxLimiters)
	between(&found, "fair", p.FairFrom, 0, 1000)
	if p.AnswerWithin < 0 || p.AnswerWithin > maxLength {
		found.Add("answer-within", "want 0s to %v, got %v", maxLength, p.AnswerWithin)
	}
	if p.Aligned && p.Form == "dimensions" {
		found.Add("aligned", "dimensions have limits and windows of their own: want another form")
	}
	if p.Bound != nil && *p.Bound < 1 {
		found.Add("bound", "want 1 or more, got %d", *p.Bound)
	}
	f := p.fleet()
	f.problems(&found)
	p.local().problems(f, cmp.Or(p.Form, "local"), &found)
	if p.DropExpired && p.Form != "line" {
		found.Add("drop-expired", "only a line has the requests that wait: want form line")
	}
	if form := p.form(); form != nil {
		form.problems(f, &found)
	}
	if len(p.Clients) > maxClients {
		found.Add("clients", "want at most %d, got %d", maxClients, len(p.Clients))
	}
	for i := range p.Clients {
		p.Clients[i].problems(fmt.Sprintf("clients.%d", i), p.Limiters, &found)
	}
	return found
}

// fleet is what every form is built from.
func (p *Params) fleet() *Fleet {
	f := &Fleet{Algorithm: p.Algorithm, Limiters: p.Limiters, Divided: p.Share == "divided", Clients: p.Clients}
	f.Layout = p.layout(f)
	return f
}

// layout is who is who, and what is promised.
func (p *Params) layout(f *Fleet) Layout {
	l := Layout{Clients: len(p.clients()), Limiters: p.Limiters, Limit: p.Limit, Share: f.share(), Window: p.Window, Bound: values.Or(p.Bound, p.Limit), Fair: p.FairFrom, Within: p.AnswerWithin, Aligned: p.Aligned}
	for _, c := range p.clients() {
		l.Keys = max(l.Keys, int(values.Or(c.Key, 1)+values.Or(c.Keys, 1)-1))
	}
	l.First = sim.NodeID(l.Clients + 1)
	l.Front, l.Fronts = l.First, l.Limiters
	if p.Form == "dimensions" {
		l.Dimensions = p.Dimensions.list(f)
	}
	if p.Form == "shards" {
		l.Shards, l.Even = p.Shards.Count, p.Shards.Even
	}
	if p.Form == "balancer" {
		l.Front, l.Fronts = l.First+sim.NodeID(l.Limiters), 1
	}
	l.Exact = values.Or(p.Exact, p.Algorithm.Algorithm == "sliding-log")
	l.Counts = (p.Form == "local" || p.Form == "") && p.Algorithm.Algorithm == "fixed-window" && p.Change.At == 0 && l.Limiters*(l.Keys+1) <= maxCounters
	l.Clock, l.Later = p.clock(), cmp.Or(p.Change.Algorithm, "fixed-window")
	if burst, ok := p.bucket(); ok {
		l.Burst = burst
	}
	l.Patience, l.Forward = patience, p.Forward
	if p.Form == "central" {
		l.KeyBytes, l.RedisBytes = p.Store.keyBytes(f), redisKeyBytes[p.Algorithm.Algorithm]
	}
	if p.Algorithm.Algorithm == "leaky-queue" {
		l.Service = p.service()
		l.Patience += time.Duration(values.Or(p.Places, p.Limit)) * l.Service
	}
	return l
}

// clients are those of the parameters, or else one.
func (p *Params) clients() []ClientParams {
	if len(p.Clients) == 0 {
		return []ClientParams{{}}
	}
	return p.Clients
}
