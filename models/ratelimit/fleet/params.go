package fleet

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
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

// ChangeParams are another algorithm that the limiters take while they run. It starts with
// nothing counted.
type ChangeParams struct {
	At        time.Duration `yaml:"at"`                                                                                                                                 // after the start of a limiter: 0s, never
	Algorithm string        `yaml:"algorithm,oneof=token-bucket|interval-bucket|leaky-meter|gcra|fixed-window|anchored-window|sliding-log|sliding-counter|sub-windows"` // fixed-window
	Burst     *int64        `yaml:"burst"`                                                                                                                              // of the buckets: the limit
}

// later are the states of the other algorithm, nil if there is none.
func (p *Params) later(count int) (keys, error) {
	if p.Change.At == 0 {
		return nil, nil
	}
	a := p.Algorithm
	a.Algorithm, a.Burst = p.Change.Algorithm, p.Change.Burst
	return a.keys(p.share(), count)
}

func (p *Params) changeProblems(found *kit.Errors) {
	c := &p.Change
	switch {
	case c.At < 0 || c.At > maxLength:
		found.Add("change.at", "want 0s to %v, got %v", maxLength, c.At)
	case c.At == 0 && (c.Algorithm != "" || c.Burst != nil):
		found.Add("change.at", "0s is never: want when the limiters take the other algorithm")
	case c.At > 0 && p.Form != "local" && p.Form != "":
		found.Add("change.at", "limiters of the form %s do not change their algorithm: want form local", p.Form)
	}
	if _, err := p.later(1); err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if key, what, _ := strings.Cut(line, ": "); pathOf(key) == "burst" {
				found.Add("change.burst", "%s", what)
			}
		}
	}
}

// ClientParams are one client.
type ClientParams struct {
	Key     *int64        `yaml:"key"`                               // whose limit it counts against: 1
	Keys    *int64        `yaml:"keys"`                              // this many keys in turn, from that: 1
	Cost    *int64        `yaml:"cost"`                              // of each request: 1
	Route   string        `yaml:"route,oneof=round-robin|key|fixed"` // round-robin
	To      int           `yaml:"to"`                                // the limiter of a fixed route, and the first of round-robin: 1
	Phases  []Phase       `yaml:"phases"`                            // one request at 0s
	Timeout time.Duration `yaml:"timeout"`                           // how long it waits for an answer: 0s, forever
	Obey    bool          `yaml:"obey"`                              // ask again when the retry-after is over: false
}

// Limits of the parameters.
const (
	maxLimiters = 10_000
	maxClients  = 10_000
	maxKeys     = 1_000_000 // as many as the engine has nodes: with the properties some 2 KB of memory each
	maxTables   = 4_000_000 // keys times limiters: each has a state of each key
	maxPhases   = 1000
	maxBurst    = 1_000_000
	maxLength   = 10_000 * time.Hour
)

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

func between(found *kit.Errors, path string, v, least, most int64) {
	if v < least || v > most {
		found.Add(path, "want %d to %d, got %d", least, most, v)
	}
}

// length is of a timer or a lease: not so short that a run consists of nothing else.
func length(found *kit.Errors, path string, d time.Duration) {
	if d < time.Millisecond || d > maxLength {
		found.Add(path, "want 1ms to %v, got %v", maxLength, d)
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
	p.algorithmProblems(&found)
	p.changeProblems(&found)
	p.forwardProblems(&found)
	p.lineProblems(&found)
	p.balancerProblems(&found)
	p.shardProblems(&found)
	p.dimensionProblems(&found)
	p.storeProblems(&found)
	p.syncProblems(&found)
	p.leaseProblems(&found)
	p.regionProblems(&found)
	if len(p.Clients) > maxClients {
		found.Add("clients", "want at most %d, got %d", maxClients, len(p.Clients))
	}
	for i := range p.Clients {
		p.Clients[i].problems(fmt.Sprintf("clients.%d", i), p.Limiters, &found)
	}
	return found
}

// algorithmProblems are the mistakes in the limit, whoever keeps to it, and in the
// algorithm.
func (p *Params) algorithmProblems(found *kit.Errors) {
	refused := map[string]bool{}
	say := func(err error) {
		if err == nil {
			return
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			key, what, _ := strings.Cut(line, ": ")
			if path := pathOf(key); !refused[path] {
				refused[path] = true
				found.Add(path, "%s", what)
			}
		}
	}
	say(ratelimit.SlidingLogParams{Limit: p.Limit, Window: p.Window}.Validate())
	refused["burst"] = refused["limit"] && p.Burst == nil // it is the limit
	if p.Limit > 0 && p.share() == 0 {
		refused["limit"] = true
		found.Add("share", "%d divided by %d limiters leaves none for each", p.Limit, p.Limiters)
	}
	_, err := p.keys(p.share(), 1)
	say(err)
	if tokens := values.Or(p.Tokens, 0); tokens < 0 {
		found.Add("tokens", "want 0 or more, got %d", tokens)
	}
}

// pathOf is the parameter that stands for one of an algorithm.
func pathOf(key string) string {
	switch key {
	case "capacity":
		return "burst"
	case "interval":
		return "every"
	case "service":
		return "window"
	case "limit", "window", "burst", "places", "buckets":
		return key
	}
	if strings.HasSuffix(key, ".per") {
		return "window"
	}
	return "limit"
}

func (c *ClientParams) problems(path string, limiters int, found *kit.Errors) {
	first, keys := values.Or(c.Key, 1), values.Or(c.Keys, 1)
	between(found, path+".key", first, 1, maxKeys)
	if keys < 1 || keys > maxKeys {
		found.Add(path+".keys", "want 1 to %d, got %d", maxKeys, keys)
	} else if first >= 1 && first <= maxKeys && first+keys-1 > maxKeys {
		found.Add(path+".keys", "%d keys from %d on end at %d: want at most %d", keys, first, first+keys-1, maxKeys)
	} else if n := first + keys - 1; n*int64(max(1, limiters)) > maxTables {
		found.Add(path+".keys", "%d keys on each of %d limiters are %d states: want at most %d", n, limiters, n*int64(limiters), maxTables)
	}
	between(found, path+".cost", values.Or(c.Cost, 1), 1, 1<<31)
	if c.To != 0 {
		between(found, path+".to", int64(c.To), 1, int64(limiters))
	}
	if c.Timeout < 0 || c.Timeout > maxLength {
		found.Add(path+".timeout", "want 0s to %v, got %v", maxLength, c.Timeout)
	}
	if len(c.Phases) > maxPhases {
		found.Add(path+".phases", "want at most %d, got %d", maxPhases, len(c.Phases))
	}
	for i := range c.Phases {
		c.Phases[i].problems(fmt.Sprintf("%s.phases.%d", path, i), found)
	}
}

func (f *Phase) problems(path string, found *kit.Errors) {
	if f.At < 0 || f.At > maxLength {
		found.Add(path+".at", "want 0s to %v, got %v", maxLength, f.At)
	}
	if f.Count != nil && *f.Count < 0 {
		found.Add(path+".count", "want 0 (without end) or more, got %d", *f.Count)
	}
	if f.Burst != nil {
		between(found, path+".burst", int64(*f.Burst), 1, maxBurst)
	}
	if f.Every.Most() > 0 {
		return
	}
	if count := values.Or(f.Count, 1); count == 0 {
		found.Add(path+".every", "requests without end need time between them")
	} else if count > maxBurst {
		found.Add(path+".count", "want at most %d with no time between them, got %d", maxBurst, count)
	}
}

// share is the limit that each limiter has.
func (p *Params) share() int64 {
	if p.Share == "divided" {
		return p.Limit / int64(max(1, p.Limiters))
	}
	return p.Limit
}

// layout is who is who, and what is promised.
func (p *Params) layout() Layout {
	l := Layout{Clients: len(p.clients()), Limiters: p.Limiters, Limit: p.Limit, Share: p.share(), Window: p.Window, Bound: values.Or(p.Bound, p.Limit), Fair: p.FairFrom, Within: p.AnswerWithin, Aligned: p.Aligned}
	for _, c := range p.clients() {
		l.Keys = max(l.Keys, int(values.Or(c.Key, 1)+values.Or(c.Keys, 1)-1))
	}
	l.First = sim.NodeID(l.Clients + 1)
	l.Front, l.Fronts = l.First, l.Limiters
	l.Dimensions = p.dimensions()
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
		l.KeyBytes, l.RedisBytes = p.keyBytes(), redisKeyBytes[p.Algorithm.Algorithm]
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

// client is the node that the parameters describe.
func (c *ClientParams) client(l Layout) Client {
	n := Client{Limiters: l.Front, Count: l.Fronts, To: max(0, c.To-1), Key: uint64(values.Or(c.Key, 1)), Keys: uint64(values.Or(c.Keys, 1)), Cost: uint32(values.Or(c.Cost, 1)), Obey: c.Obey, Timeout: c.Timeout, Phases: c.Phases}
	n.Route = map[string]Route{"key": ByKey, "fixed": Fixed}[c.Route]
	if len(n.Phases) == 0 {
		n.Phases = []Phase{{}}
	}
	return n
}
