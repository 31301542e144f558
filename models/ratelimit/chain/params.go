package chain

import (
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Clients    int             `yaml:"clients" range:"1..10000"`                                    // 1
	Start      []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..1000h"`          // by client, the last for the rest: 0s
	Stagger    time.Duration   `yaml:"stagger" range:"0s..1000h"`                                   // client i begins i times that later: 0s
	Rate       []traffic.Rate  `yaml:"rate,one-or-many" each:"clients"`                             // operations that each client begins, evenly: 100/s
	Gap        []sim.Dist      `yaml:"gap,one-or-many" each:"clients"`                              // or what is between two of them
	Operations []int           `yaml:"operations,one-or-many" each:"clients" range:"0..2147483647"` // by client: 1; 0, without end
	Operation  string          `yaml:"operation,oneof=idempotent|keyed|plain"`                      // what a second time does: idempotent, nothing; keyed, nothing, since the database answers a key that it has carried out from its record; plain, the same again: idempotent
	Class      []shed.Class    `yaml:"class,one-or-many" each:"clients"`                            // of the operations, by client, the last for the rest: critical, post, get or test: critical
	Timeout    *time.Duration  `yaml:"timeout" range:"0s..1000h"`                                   // of a call: 5s; 0s, it waits forever
	Retry      RetryParams     `yaml:"retry"`
	Source     *int            `yaml:"source" range:"0..2147483647"` // jitter of client i is of the splitmix64 that begins at source + i, in every run: drawn for each run

	Layers     int          `yaml:"layers" range:"0..16"` // services between clients and limiter, each of which calls again: 0
	LayerRetry *RetryParams `yaml:"layer-retry"`          // as the clients

	Limiter  LimiterParams  `yaml:"limiter"`
	Queue    QueueParams    `yaml:"queue"`
	Database DatabaseParams `yaml:"database"`
	Bounds   BoundParams    `yaml:"bounds"`
}

// RetryParams are when a client calls again.
type RetryParams struct {
	Attempts   int            `yaml:"attempts" range:"0..2147483647"`                                         // calls for one operation: 1; 0, without end
	Deadline   time.Duration  `yaml:"deadline" range:"0s..1000h"`                                             // for all of them: 0s, none
	Backoff    string         `yaml:"backoff,oneof=none|fixed|exponential|equal|full|decorrelated|oversleep"` // full
	Base       *time.Duration `yaml:"base" range:"0s..1000h"`                                                 // 100ms; oversleep 20ms
	Cap        *time.Duration `yaml:"cap" range:"0s..1000h"`                                                  // 10s
	Grain      *time.Duration `yaml:"grain" range:"0s..1000h"`                                                // of what is drawn: 1ms
	RetryAfter string         `yaml:"retry-after,oneof=obeyed|ignored"`                                       // obeyed
	Jitter     time.Duration  `yaml:"jitter" range:"0s..1000h"`                                               // on top of a Retry-After, drawn below that: 0s
	Budget     string         `yaml:"budget,oneof=none|quota|grpc|ratio"`                                     // of all operations of a client: none
	Adaptive   int            `yaml:"adaptive" range:"0..1000"`                                               // K of the adaptive throttle in tenths, 20 is the usual: 0, it refuses nothing itself
	Blind      bool           `yaml:"blind"`                                                                  // call again where it is not safe
}

// LimiterParams are what stands before everything else.
type LimiterParams struct {
	Kind       string       `yaml:"kind,oneof=none|bucket|credits|shed-fleet|shed-worker"`
	Capacity   int64        `yaml:"capacity" of:"limiter.kind=bucket"`                               // of the bucket: 10
	Refill     traffic.Rate `yaml:"refill" of:"limiter.kind=bucket"`                                 // 10/s
	Credits    int64        `yaml:"credits" range:"0..1000000" of:"limiter.kind=credits|shed-fleet"` // requests behind it at once, of credits and shed-fleet: as many as there are workers
	Shed       ShedParams   `yaml:"shed"`
	RetryAfter string       `yaml:"retry-after,oneof=seconds|exact|none"`
	Silent     bool         `yaml:"silent"` // a caller that is refused, here or by the queue, gets no answer
}

// ShedParams are whom a limiter that sheds by class refuses.
type ShedParams struct {
	Reserved *int64         `yaml:"reserved" range:"0..1000" of:"limiter.kind=shed-fleet"` // of shed-fleet: of the credits, for critical requests, in parts per thousand: 200
	Low      *int64         `yaml:"low" of:"limiter.kind=shed-worker"`                     // of shed-worker: with fewer free workers a class is shed: 1
	High     *int64         `yaml:"high" of:"limiter.kind=shed-worker"`                    // with this many one is let in again: half of the workers, or low
	Every    *time.Duration `yaml:"every" range:"0s..1000h" of:"limiter.kind=shed-worker"` // from one change to the next: 10s
}

// QueueParams are what waits before the database.
type QueueParams struct {
	Size  int    `yaml:"size" range:"0..1000000"` // 100
	Order string `yaml:"order,oneof=fifo|lifo"`
	Drop  string `yaml:"drop,oneof=none|expired|hopeless"`
}

// DatabaseParams are who does the work.
type DatabaseParams struct {
	None     bool           `yaml:"none"`                        // the limiter does it, in no time, and there is no queue
	Workers  int            `yaml:"workers" range:"1..10000"`    // 1
	Service  *sim.Dist      `yaml:"service"`                     // how long a worker takes: 10ms
	Expected *time.Duration `yaml:"expected" range:"1ns..1000h"` // what the queue takes that for: the median
	Fails    int            `yaml:"fails" range:"0..2147483647"` // this many of its first answers are errors: 0
}

// BoundParams are what the properties ask for.
type BoundParams struct {
	Calls       *int           `yaml:"calls" range:"1..2147483647"`    // that reach the limiter for one operation: 10
	Open        *time.Duration `yaml:"open" range:"1ns..1000h"`        // how long an operation may take: 30s
	Window      *time.Duration `yaml:"window" range:"1ms..1h"`         // over which goodput is checked: 5s
	GoodputFrom time.Duration  `yaml:"goodput-from" range:"0s..1000h"` // windows before are not: 0s
}

// maxAtOnce bounds the operations of a client between which no time need pass.
const maxAtOnce = 1000

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{
		Clients: 1, Operation: "idempotent",
		Retry:    RetryParams{Attempts: 1},
		Limiter:  LimiterParams{Kind: "none", Capacity: 10, Refill: traffic.Rate{Requests: 10, Per: time.Second}, RetryAfter: "seconds"},
		Queue:    QueueParams{Size: 100},
		Database: DatabaseParams{Workers: 1},
	}
}
