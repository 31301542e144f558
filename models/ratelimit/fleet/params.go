package fleet

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/ratelimit/fleet/balancer"
	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/dimensions"
	"fencepost/models/ratelimit/fleet/lease"
	"fencepost/models/ratelimit/fleet/local"
	"fencepost/models/ratelimit/fleet/properties"
	"fencepost/models/ratelimit/fleet/regions"
	"fencepost/models/ratelimit/fleet/shards"
	"fencepost/models/ratelimit/fleet/sync"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Form           string             `yaml:"form,oneof=local|line|balancer|shards|dimensions|central|sync|lease|regions"` // what the limiters share: local, nothing; central, a store that they ask each time; sync, a store that they tell every so often; lease, a coordinator; regions, their counts
	Limiters       int                `yaml:"limiters"`                                                                    // 1
	core.Algorithm                    // of each limiter
	Share          string             `yaml:"share,oneof=whole|divided"` // of the limit, that each limiter has: whole
	Change         local.ChangeParams `yaml:"change"`                    // of local limiters: of their algorithm, while they run

	Store   central.StoreParams  `yaml:"store"`
	Sync    sync.Params          `yaml:"sync"`
	Lease   lease.Params         `yaml:"lease"`
	Regions regions.RegionParams `yaml:"regions"`

	Forward     time.Duration `yaml:"forward"`      // of a local limiter, from its decision to the start: 0s
	Recheck     time.Duration `yaml:"recheck"`      // a decision that is older at the start is made again: 0s, none is
	DropExpired bool          `yaml:"drop-expired"` // of a line: who has waited longer than its client does: false

	Balancer   balancer.Params            `yaml:"balancer"`
	Shards     shards.ShardParams         `yaml:"shards"`
	Dimensions dimensions.DimensionParams `yaml:"dimensions"`

	Clients []core.ClientParams `yaml:"clients"` // one, that asks once
	Wish    core.Wish           `yaml:"wish"`    // what each user is to get, whatever the limits say: none

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
		Algorithm:  core.Algorithm{Algorithm: "fixed-window", Limit: 100, Window: time.Minute, Buckets: 60},
		Sync:       sync.Params{Every: sim.Constant(100 * time.Millisecond)},
		Lease:      lease.Params{Batch: 10, For: time.Second, Timeout: 50 * time.Millisecond},
		Regions:    regions.RegionParams{Every: time.Second},
		Balancer:   balancer.Params{Health: time.Second},
		Shards:     shards.ShardParams{Count: 10},
		Dimensions: dimensions.DimensionParams{TTL: 5 * time.Second},
	}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	core.Between(&found, "limiters", int64(p.Limiters), 1, core.MaxLimiters)
	core.Between(&found, "fair", p.FairFrom, 0, 1000)
	found.If(p.AnswerWithin < 0 || p.AnswerWithin > core.MaxLength, "answer-within", "want 0s to %v, got %v", core.MaxLength, p.AnswerWithin)
	found.If(p.Aligned && p.Form == "dimensions", "aligned", "dimensions have limits and windows of their own: want another form")
	if p.Bound != nil && *p.Bound < 1 {
		found.Add("bound", "want 1 or more, got %d", *p.Bound)
	}
	f := p.fleet()
	f.Problems(&found)
	p.local().Problems(f, cmp.Or(p.Form, "local"), &found)
	found.If(p.DropExpired && p.Form != "line", "drop-expired", "only a line has the requests that wait: want form line")
	if form := p.form(); form != nil {
		form.Problems(f, &found)
	}
	found.If(p.Clients != nil && len(p.Clients) == 0, "clients", "want at least one client; without the list there is one that asks once")
	found.If(len(p.Clients) > core.MaxClients, "clients", "want at most %d, got %d", core.MaxClients, len(p.Clients))
	for i := range p.Clients {
		p.Clients[i].Problems(fmt.Sprintf("clients.%d", i), p.Limiters, &found)
	}
	p.Wish.Problems(p.Clients, &found)
	return found
}

// fleet is what every form is built from.
func (p *Params) fleet() *core.Fleet {
	f := &core.Fleet{Algorithm: p.Algorithm, Limiters: p.Limiters, Divided: p.Share == "divided", Clients: p.Clients}
	f.Layout = p.layout(f)
	return f
}

// layout is who is who, and what is promised.
func (p *Params) layout(f *core.Fleet) core.Layout {
	l := core.Layout{Clients: len(p.clients()), Limiters: p.Limiters, Limit: p.Limit, Share: f.Share(), Window: p.Window, Bound: values.Or(p.Bound, p.Limit), Fair: p.FairFrom, Within: p.AnswerWithin, Aligned: p.Aligned}
	l.Wish, l.Users = p.Wish, core.Users(p.clients())
	for _, c := range p.clients() {
		l.Keys = max(l.Keys, int(values.Or(c.Key, 1)+values.Or(c.Keys, 1)-1))
	}
	l.First = sim.NodeID(l.Clients + 1)
	l.Front, l.Fronts = l.First, l.Limiters
	if p.Form == "dimensions" {
		l.Dimensions = p.Dimensions.List(f)
	}
	if p.Form == "shards" {
		l.Shards, l.Even = p.Shards.Count, p.Shards.Even
	}
	if p.Form == "balancer" {
		l.Front, l.Fronts = l.First+sim.NodeID(l.Limiters), 1
	}
	l.Exact = values.Or(p.Exact, p.Algorithm.Algorithm == "sliding-log")
	l.Counts = (p.Form == "local" || p.Form == "") && p.Algorithm.Algorithm == "fixed-window" && p.Change.At == 0 && l.Limiters*(l.Keys+1) <= local.MaxCounters
	l.Clock, l.Later = p.ClockID(), cmp.Or(p.Change.Algorithm, "fixed-window")
	if burst, ok := p.Bucket(); ok {
		l.Burst = burst
	}
	l.Patience, l.Forward = properties.Patience, p.Forward
	if p.Form == "central" {
		l.KeyBytes, l.RedisBytes = p.Store.Kept(f).KeyBytes(f), redisKeyBytes[p.Algorithm.Algorithm]
	}
	if p.Algorithm.Algorithm == "leaky-queue" {
		l.Service = p.Service()
	}
	l.Patience += p.LongestWait()
	return l
}

// clients are those of the parameters, or else one.
func (p *Params) clients() []core.ClientParams {
	if len(p.Clients) == 0 {
		return []core.ClientParams{{}}
	}
	return p.Clients
}
