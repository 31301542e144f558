package permits

import (
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string         `yaml:"algorithm,oneof=as-coded|fixed|leases"` // as-coded
	Permits   int            `yaml:"permits"`                               // c: 1
	Queue     *int           `yaml:"queue"`                                 // q: 4; leases have none
	Timeout   *time.Duration `yaml:"timeout"`                               // the longest that a request waits: 60m; leases do not let it wait
	Order     string         `yaml:"order,oneof=fifo|lifo"`                 // of fixed: who is next: fifo
	Drain     *time.Duration `yaml:"drain"`                                 // the longest that requests go on after a shutdown: 30s

	DispatcherStart time.Duration `yaml:"dispatcher-start"`      // of as-coded: when the dispatcher first runs: 0s
	DispatcherLog   sim.Dist      `yaml:"dispatcher-log"`        // of as-coded: how long it writes a line after a grant: 0s
	Preempted       []sim.Dist    `yaml:"preempted,one-or-many"` // of as-coded, by client: how long a handler is kept from its select: 0s

	Limiters     int           `yaml:"limiters"`      // that share the permits: 1; of leases
	TTL          time.Duration `yaml:"ttl"`           // of a permit: 60s; of leases
	Heartbeat    time.Duration `yaml:"heartbeat"`     // how often a permit is renewed: 0s, never; of leases
	StoreTimeout time.Duration `yaml:"store-timeout"` // 50ms; of leases

	Clients  int             `yaml:"clients"`              // 2
	Start    []time.Duration `yaml:"start,one-or-many"`    // by client, the last for the rest: 0s
	Work     []sim.Dist      `yaml:"work,one-or-many"`     // how long the handler runs: 100ms
	Think    []sim.Dist      `yaml:"think,one-or-many"`    // from the end of a request to the next: 0s
	Requests []int           `yaml:"requests,one-or-many"` // by client: 1; 0, without end
	Patience []time.Duration `yaml:"patience,one-or-many"` // after which a client closes the connection: 0s, never
	Deadline []time.Duration `yaml:"deadline,one-or-many"` // that a client sends along: 0s, none; of fixed, as-coded does not look at it

	Shutdown []time.Duration `yaml:"shutdown,one-or-many"` // when the operator shuts the limiter down; each time: never
}

// Limits of the parameters.
const (
	maxPermits = 1024
	maxQueue   = 4096
	maxClients = 64
	maxAtOnce  = 1000 // requests of a client between which no time need pass
	maxLength  = 1000 * time.Hour
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "as-coded", Permits: 1, Limiters: 1, Clients: 2, TTL: time.Minute, StoreTimeout: 50 * time.Millisecond}
}

// Problem is a mistake in the parameters, at a path below params.
type Problem struct{ Path, Message string }

// problems collects them.
type problems = values.Problems[Problem]

// leastPermits is 1, but for the middleware as it is written, which is made with none as well.
func (p *Params) leastPermits() int {
	if p.Algorithm == "as-coded" || p.Algorithm == "" {
		return 0
	}
	return 1
}

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found problems
	found.Words(p)
	if least := p.leastPermits(); p.Permits < least || p.Permits > maxPermits {
		found.Bad("permits", "want %d to %d permits, got %d: with none everything waits forever, which as-coded lets happen", least, maxPermits, p.Permits)
	}
	found.Count("queue", values.Or(p.Queue, 0), 0, maxQueue, "places")
	found.Count("clients", p.Clients, 1, maxClients, "clients")
	found.Count("limiters", p.Limiters, 1, maxClients, "limiters")
	if p.Limiters > 1 && p.Algorithm != "leases" {
		found.Bad("limiters", "permits in the memory of a limiter are its own: several share leases")
	}
	p.lengthProblems(&found)
	p.listProblems(&found)
	p.ignoredProblems(&found)
	for i, at := range p.Shutdown {
		if at > maxLength || i > 0 && at < p.Shutdown[i-1] {
			found.Bad("shutdown", "want instants in order, at most %v, got %v", maxLength, at)
		}
	}
	return found
}

func (p *Params) lengthProblems(found *problems) {
	for _, l := range []struct {
		path  string
		d     time.Duration
		least time.Duration
	}{
		{"timeout", p.timeout(), 1}, {"drain", p.drain(), 0}, {"dispatcher-start", p.DispatcherStart, 0},
		{"ttl", p.TTL, 1}, {"heartbeat", p.Heartbeat, 0}, {"store-timeout", p.StoreTimeout, 1},
	} {
		found.Length(l.path, l.d, l.least, maxLength)
	}
	if p.Heartbeat >= p.TTL && p.Heartbeat > 0 {
		found.Bad("heartbeat", "must be shorter than the TTL of %v, got %v", p.TTL, p.Heartbeat)
	}
}

func (p *Params) listProblems(found *problems) {
	for _, l := range []struct {
		path string
		n    int
	}{
		{"preempted", len(p.Preempted)}, {"start", len(p.Start)}, {"work", len(p.Work)}, {"think", len(p.Think)},
		{"requests", len(p.Requests)}, {"patience", len(p.Patience)}, {"deadline", len(p.Deadline)},
	} {
		found.Each(l.path, l.n, p.Clients, "clients")
	}
	for _, l := range []struct {
		path string
		list []time.Duration
	}{{"start", p.Start}, {"patience", p.Patience}, {"deadline", p.Deadline}} {
		for _, d := range l.list {
			if d > maxLength {
				found.Bad(l.path, "want at most %v, got %v", maxLength, d)
			}
		}
	}
	for _, n := range p.Requests {
		if n < 0 || n > maxRequests {
			found.Bad("requests", "want 0 (without end) to %d, got %d", maxRequests, n)
		}
	}
	for i := range min(max(len(p.Requests), len(p.Think)), p.Clients) { // the longer list meets the last of the shorter
		think := values.At(p.Think, i, sim.Dist{})
		if n := values.At(p.Requests, i, 1); (n == 0 || n > maxAtOnce) && values.Brief(think) {
			found.Bad("requests", "client-%d goes on without end, or for more than %d requests, and needs at least 1us of think: it may be refused at once", i+1, maxAtOnce)
			return
		}
	}
}

// ignoredProblems are the parameters that were given to an algorithm that does not look
// at them. What is of as-coded may stay for fixed, so that a control is one line.
func (p *Params) ignoredProblems(found *problems) {
	usual, leases := DefaultParams(), p.Algorithm == "leases"
	for _, l := range []struct {
		path    string
		ignored bool
	}{
		{"queue", leases && p.Queue != nil},
		{"timeout", leases && p.Timeout != nil},
		{"deadline", leases && len(p.Deadline) > 0},
		{"dispatcher-start", leases && p.DispatcherStart != 0},
		{"dispatcher-log", leases && p.DispatcherLog.Most() > 0},
		{"preempted", leases && len(p.Preempted) > 0},
		{"order", p.Algorithm != "fixed" && p.Order == "lifo"},
		{"ttl", !leases && p.TTL != usual.TTL},
		{"heartbeat", !leases && p.Heartbeat != 0},
		{"store-timeout", !leases && p.StoreTimeout != usual.StoreTimeout},
	} {
		if l.ignored {
			found.Bad(l.path, "the algorithm is %s, which does not use it", p.Algorithm)
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
