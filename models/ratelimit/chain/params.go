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
	Clients    int             `yaml:"clients"`                                // 1
	Start      []time.Duration `yaml:"start,one-or-many"`                      // by client, the last for the rest: 0s
	Stagger    time.Duration   `yaml:"stagger"`                                // client i begins i times that later: 0s
	Rate       []traffic.Rate  `yaml:"rate,one-or-many"`                       // operations that each client begins, evenly: 100/s
	Gap        []sim.Dist      `yaml:"gap,one-or-many"`                        // or what is between two of them
	Operations []int           `yaml:"operations,one-or-many"`                 // by client: 1; 0, without end
	Operation  string          `yaml:"operation,oneof=idempotent|keyed|plain"` // what a second time does: idempotent, nothing; keyed, nothing, since the database answers a key that it has carried out from its record; plain, the same again: idempotent
	Class      []shed.Class    `yaml:"class,one-or-many"`                      // of the operations, by client, the last for the rest: critical, post, get or test: critical
	Timeout    *time.Duration  `yaml:"timeout"`                                // of a call: 5s; 0s, it waits forever
	Retry      RetryParams     `yaml:"retry"`
	Source     *int            `yaml:"source"` // jitter of client i is of the splitmix64 that begins at source + i, in every run: drawn for each run

	Layers     int          `yaml:"layers"`      // services between clients and limiter, each of which calls again: 0
	LayerRetry *RetryParams `yaml:"layer-retry"` // as the clients

	Limiter  LimiterParams  `yaml:"limiter"`
	Queue    QueueParams    `yaml:"queue"`
	Database DatabaseParams `yaml:"database"`
	Bounds   BoundParams    `yaml:"bounds"`
}

// RetryParams are when a client calls again.
type RetryParams struct {
	Attempts   int            `yaml:"attempts"`                                                               // calls for one operation: 1; 0, without end
	Deadline   time.Duration  `yaml:"deadline"`                                                               // for all of them: 0s, none
	Backoff    string         `yaml:"backoff,oneof=none|fixed|exponential|equal|full|decorrelated|oversleep"` // full
	Base       *time.Duration `yaml:"base"`                                                                   // 100ms; oversleep 20ms
	Cap        *time.Duration `yaml:"cap"`                                                                    // 10s
	Grain      *time.Duration `yaml:"grain"`                                                                  // of what is drawn: 1ms
	RetryAfter string         `yaml:"retry-after,oneof=obeyed|ignored"`                                       // obeyed
	Jitter     time.Duration  `yaml:"jitter"`                                                                 // on top of a Retry-After, drawn below that: 0s
	Budget     string         `yaml:"budget,oneof=none|quota|grpc|ratio"`                                     // of all operations of a client: none
	Adaptive   int            `yaml:"adaptive"`                                                               // K of the adaptive throttle in tenths, 20 is the usual: 0, it refuses nothing itself
	Blind      bool           `yaml:"blind"`                                                                  // call again where it is not safe
}

// LimiterParams are what stands before everything else.
type LimiterParams struct {
	Kind       string       `yaml:"kind,oneof=none|bucket|credits|shed-fleet|shed-worker"`
	Capacity   int64        `yaml:"capacity"` // of the bucket: 10
	Refill     traffic.Rate `yaml:"refill"`   // 10/s
	Credits    int64        `yaml:"credits"`  // requests behind it at once, of credits and shed-fleet: as many as there are workers
	Shed       ShedParams   `yaml:"shed"`
	RetryAfter string       `yaml:"retry-after,oneof=seconds|exact|none"`
	Silent     bool         `yaml:"silent"` // a caller that is refused, here or by the queue, gets no answer
}

// ShedParams are whom a limiter that sheds by class refuses.
type ShedParams struct {
	Reserved *int64         `yaml:"reserved"` // of shed-fleet: of the credits, for critical requests, in parts per thousand: 200
	Low      *int64         `yaml:"low"`      // of shed-worker: with fewer free workers a class is shed: 1
	High     *int64         `yaml:"high"`     // with this many one is let in again: half of the workers, or low
	Every    *time.Duration `yaml:"every"`    // from one change to the next: 10s
}

// QueueParams are what waits before the database.
type QueueParams struct {
	Size  int    `yaml:"size"` // 100
	Order string `yaml:"order,oneof=fifo|lifo"`
	Drop  string `yaml:"drop,oneof=none|expired|hopeless"`
}

// DatabaseParams are who does the work.
type DatabaseParams struct {
	None     bool           `yaml:"none"`     // the limiter does it, in no time, and there is no queue
	Workers  int            `yaml:"workers"`  // 1
	Service  *sim.Dist      `yaml:"service"`  // how long a worker takes: 10ms
	Expected *time.Duration `yaml:"expected"` // what the queue takes that for: the median
	Fails    int            `yaml:"fails"`    // this many of its first answers are errors: 0
}

// BoundParams are what the properties ask for.
type BoundParams struct {
	Calls       *int           `yaml:"calls"`        // that reach the limiter for one operation: 10
	Open        *time.Duration `yaml:"open"`         // how long an operation may take: 30s
	Window      *time.Duration `yaml:"window"`       // over which goodput is checked: 5s
	GoodputFrom time.Duration  `yaml:"goodput-from"` // windows before are not: 0s
}

// Limits of the parameters.
const (
	maxClients = 10_000
	maxLayers  = 16
	maxWorkers = 10_000
	maxQueue   = 1_000_000
	maxLength  = 1000 * time.Hour
	maxAtOnce  = 1000 // operations of a client between which no time need pass
)

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
