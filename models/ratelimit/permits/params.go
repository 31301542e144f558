package permits

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string         `yaml:"algorithm,oneof=as-written|fixed|leases"`                    // as-written
	Permits   int            `yaml:"permits" range:"0..1024"`                                    // c: 1
	Queue     *int           `yaml:"queue" range:"0..4096" of:"algorithm=as-written|fixed"`      // q: 4; leases have none
	Timeout   *time.Duration `yaml:"timeout" range:"1ns..1000h" of:"algorithm=as-written|fixed"` // the longest that a request waits: 60m; leases do not let it wait
	Order     string         `yaml:"order,oneof=fifo|lifo"`                                      // of fixed: who is next: fifo
	Drain     *time.Duration `yaml:"drain" range:"0s..1000h"`                                    // the longest that requests continue after a shutdown: 30s

	DispatcherStart time.Duration `yaml:"dispatcher-start" range:"0s..1000h" of:"algorithm=as-written|fixed"`                     // of as-written: when the dispatcher first runs: 0s
	DispatcherLog   sim.Dist      `yaml:"dispatcher-log" range:"0s..1000h" of:"algorithm=as-written|fixed"`                       // of as-written: how long it writes a line after a grant: 0s
	Preempted       []sim.Dist    `yaml:"preempted,one-or-many" each:"clients" range:"0s..1000h" of:"algorithm=as-written|fixed"` // of as-written, by client: how long a handler is kept from its select: 0s

	Limiters     int           `yaml:"limiters" range:"1..64"`                                 // that share the permits: 1; of leases
	TTL          time.Duration `yaml:"ttl" range:"1ns..1000h" of:"algorithm=leases"`           // of a permit: 60s; of leases
	Heartbeat    time.Duration `yaml:"heartbeat" range:"0s..1000h" of:"algorithm=leases"`      // how often a permit is renewed: 0s, never; of leases
	StoreTimeout time.Duration `yaml:"store-timeout" range:"1ns..1000h" of:"algorithm=leases"` // 50ms; of leases

	Clients  int             `yaml:"clients" range:"1..64"`                                                                 // 2
	Start    []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..1000h"`                                    // by client, the last for the rest: 0s
	Work     []sim.Dist      `yaml:"work,one-or-many" each:"clients" range:"0s..1000h"`                                     // how long the handler runs: 100ms
	Think    []sim.Dist      `yaml:"think,one-or-many" each:"clients" range:"0s..1000h"`                                    // from the end of a request to the next: 0s
	Requests []int           `yaml:"requests,one-or-many" each:"clients" range:"0..16777215"`                               // by client: 1; 0, without end
	Patience []time.Duration `yaml:"patience,one-or-many" each:"clients" range:"0s..1000h"`                                 // after which a client closes the connection: 0s, never
	Deadline []time.Duration `yaml:"deadline,one-or-many" each:"clients" range:"0s..1000h" of:"algorithm=as-written|fixed"` // that a client sends along: 0s, none; of fixed, as-written does not look at it

	Shutdown []time.Duration `yaml:"shutdown,one-or-many" range:"0s..1000h"` // when the operator shuts the limiter down; each time: never
}

// maxAtOnce is how many requests a client may send without time passing.
const maxAtOnce = 1000

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "as-written", Permits: 1, Limiters: 1, Clients: 2, TTL: time.Minute, StoreTimeout: 50 * time.Millisecond}
}

// leastPermits is 1, but for the middleware as it is written, which is made with none as well.
func (p *Params) leastPermits() int {
	if p.Algorithm == "as-written" || p.Algorithm == "" {
		return 0
	}
	return 1
}

// Problems is what is wrong with the parameters. What is of as-written may stay for fixed, so that a control
// is one line.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	if least := p.leastPermits(); p.Permits < least {
		found.Add("permits", "want at least %d, got %d: with none everything waits forever, which as-written lets happen", least, p.Permits)
	}
	found.If(p.Limiters > 1 && p.Algorithm != "leases", "limiters", "permits in the memory of a limiter are its own: several share leases")
	found.If(p.Heartbeat >= p.TTL && p.Heartbeat > 0, "heartbeat", "must be shorter than the TTL of %v, got %v", p.TTL, p.Heartbeat)
	for i, at := range p.Shutdown {
		if i > 0 && at < p.Shutdown[i-1] {
			found.Add("shutdown", "want instants in order, got %v after %v", at, p.Shutdown[i-1])
		}
	}
	p.endless(&found)
	found.If(p.Algorithm != "fixed" && p.Order == "lifo", "order", "algorithm is %s, which does not use it: want fixed", p.Algorithm)
	return found.OnePerPath()
}

// endless are clients that send requests without end in no time.
func (p *Params) endless(found *model.Errors) {
	for i := range min(max(len(p.Requests), len(p.Think)), p.Clients) { // the longer list meets the last of the shorter
		think := values.At(p.Think, i, sim.Dist{})
		if n := values.At(p.Requests, i, 1); (n == 0 || n > maxAtOnce) && values.Brief(think) {
			found.Add("requests", "client-%d continues without end, or for more than %d requests, and needs at least 1us of think: it may be refused at once", i+1, maxAtOnce)
			return
		}
	}
}

func (p *Params) timeout() time.Duration { return values.Or(p.Timeout, time.Hour) }

func (p *Params) drain() time.Duration { return values.Or(p.Drain, 30*time.Second) }

// queue is how many may wait.
func (p *Params) queue() int {
	if p.Algorithm == "leases" {
		return 0
	}
	return values.Or(p.Queue, 4)
}

// forEach is a list with a value for each client.
func forEach[T any](clients int, list []T, otherwise T) []T {
	all := make([]T, clients)
	for i := range all {
		all[i] = values.At(list, i, otherwise)
	}
	return all
}
