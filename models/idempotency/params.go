package idempotency

import (
	"time"

	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the comment
// gives. Lists are by client: the last value is for the rest.
type Params struct {
	Flow    string `yaml:"flow"`    // a flow that ships with the program, by its name: reference
	Program string `yaml:"program"` // or the text of one, in the language of docs/flows.md

	Servers   int  `yaml:"api-servers" range:"1..16"` // that run `on request`: 1
	Tasks     int  `yaml:"tasks" range:"1..64"`       // that each server runs at once: 8
	Relays    *int `yaml:"relays" range:"0..8"`       // that run `every`: 1 if the flow has it
	Consumers *int `yaml:"consumers" range:"0..8"`    // that run `on event`: 1 if the flow has it

	Work        *sim.Dist      `yaml:"work" range:"0s..1h"`                                         // how long `work` takes: 10ms
	Lease       *time.Duration `yaml:"lease" range:"1ms..720h"`                                     // of a claimed key: 10s
	LockTTL     *time.Duration `yaml:"lock-ttl" range:"1ms..720h"`                                  // of a lock in the cache: 5s
	MaxWait     *time.Duration `yaml:"max-wait" range:"0s..720h"`                                   // of a duplicate for the first: 3s
	Poll        *time.Duration `yaml:"poll" range:"1ms..1h"`                                        // between two looks of one that waits: 50ms
	TTL         *time.Duration `yaml:"ttl" range:"1ms..8760h"`                                      // of a stored answer: 24h
	LockTimeout *time.Duration `yaml:"lock-timeout" range:"0s..1h"`                                 // that the flow sets: 3s
	ProviderTTL *time.Duration `yaml:"provider-ttl" range:"0s..8760h"`                              // of the provider's keys: 24h; 0s, they are kept forever
	Isolation   string         `yaml:"isolation,oneof=read-committed|repeatable-read|serializable"` // of transactions that do not say: read-committed

	StatementTimeout time.Duration `yaml:"statement-timeout" range:"1ms..1h"` // of a server for the database: 5s
	CallTimeout      time.Duration `yaml:"call-timeout" range:"1ms..1h"`      // of a server for cache, provider and broker: 1s
	DeadlockTimeout  time.Duration `yaml:"deadlock-timeout" range:"1ms..1h"`  // of the database: 1s
	Redelivery       time.Duration `yaml:"redelivery" range:"1ms..24h"`       // of the broker: 5s
	CacheDurable     bool          `yaml:"cache-durable"`                     // the cache keeps its keys over a crash: false

	Clients    int             `yaml:"clients" range:"1..64"`                                   // that send requests, or events if the flow has no `on request`: 1
	Tenant     []int           `yaml:"tenant,one-or-many" each:"clients" range:"0..1000000"`    // whom a client asks for: 1
	Intent     []int           `yaml:"intent,one-or-many" each:"clients" range:"1..1000000"`    // what a client wants first; the next is as many more as there are clients: the client's number
	Key        []int           `yaml:"key,one-or-many" each:"clients" range:"1..1000000"`       // of the first intent, likewise: as the intent
	KeyPer     string          `yaml:"key-per,oneof=intent|call|content|content-and-time"`      // what a client makes a key for: intent
	Amount     []int           `yaml:"amount,one-or-many" each:"clients" range:"0..1000000000"` // the content of a request: 100
	Start      []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..1000h"`      // when a client sends its first: 0s
	Intents    []int           `yaml:"intents,one-or-many" each:"clients" range:"0..1000000"`   // how many a client has: 1; 0, without end
	Gap        []sim.Dist      `yaml:"gap,one-or-many" each:"clients" range:"0s..1000h"`        // from one intent to the next: 1s
	Clicks     []int           `yaml:"clicks,one-or-many" each:"clients" range:"1..1000"`       // calls of one intent: 1
	Between    []time.Duration `yaml:"between,one-or-many" each:"clients" range:"0s..1000h"`    // two of them: 100ms
	Attempts   []int           `yaml:"attempts,one-or-many" each:"clients" range:"0..1000000"`  // of a call: 10; 0, without end
	Timeout    []time.Duration `yaml:"timeout,one-or-many" each:"clients" range:"0s..1000h"`    // of an attempt: 5s; 0s, the client waits forever
	Backoff    []sim.Dist      `yaml:"backoff,one-or-many" each:"clients" range:"0s..1000h"`    // before the next: 200ms
	OnConflict string          `yaml:"on-409,oneof=retry|success"`                              // what a client does: retry, after Retry-After

	Bounds BoundParams `yaml:"bounds"`
}

// BoundParams are what the properties ask for.
type BoundParams struct {
	Within *time.Duration `yaml:"within" range:"1ms..1000h"` // an answer: lease, max-wait, and for each of at most ten attempts timeout and backoff
	Told   *time.Duration `yaml:"told" range:"1ms..1000h"`   // a success, once an intent has its effect: as within
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{
		Servers: 1, Tasks: 8, Clients: 1,
		StatementTimeout: 5 * time.Second, CallTimeout: time.Second, DeadlockTimeout: time.Second, Redelivery: 5 * time.Second,
	}
}
