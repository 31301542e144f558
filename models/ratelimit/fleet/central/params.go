// Package central is limiters that ask a store for each request: the parameters of the form, the
// system that they describe and what happens in it in words. The limiter and the store are packages
// of their own.
package central

import (
	"fmt"
	"time"

	"fencepost/internal/lazyregexp"
	"fencepost/models/ratelimit/fleet/central/limiter"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// StoreParams are how limiters of the form central use their store, and what it is.
// The algorithm says what is kept there: counters of a fixed or anchored window, a
// sorted set for the sliding log, or else the algorithm's own state. In place of a
// script, the limiters may send single commands; then they name the window and stamp
// the log by their own clocks.
type StoreParams struct {
	Script  string         `yaml:"script,oneof=atomic|multi|source|record|incr-expire|incr-expire-always|incr-expire-nx|get-set|get-incr|zcard-zadd|zadd-zcard"` // atomic
	Clock   string         `yaml:"clock,oneof=store|limiter"`                                                                                                    // of windows, scores and buckets: store; limiter without a script
	TTL     *string        `yaml:"ttl"`                                                                                                                          // argument of the source's script, in seconds as it is written: the window
	Member  string         `yaml:"member,oneof=request|timestamp"`                                                                                               // of the log: request
	Dedup   bool           `yaml:"dedup"`                                                                                                                        // a call that arrives twice is counted once: false
	Timeout *time.Duration `yaml:"timeout"`                                                                                                                      // for an answer: 50ms
	Retries int            `yaml:"retries"`                                                                                                                      // of a script without answer: 0

	Fallback string         `yaml:"fallback,oneof=open|closed|local"` // without the store: open; local is the algorithm, with the limiter's share of the limit
	Errors   *int           `yaml:"errors"`                           // in a row that open the breaker: 5; 0 is never
	Rest     *time.Duration `yaml:"rest"`                             // until the open breaker lets one call try: 1s

	Memory int         `yaml:"memory"`                  // keys that fit: 0, without limit
	Full   string      `yaml:"full,oneof=refuse|evict"` // what becomes of a write then: refuse (noeviction), evict (allkeys-lru)
	Others *core.Phase `yaml:"others"`                  // keys that others write to the same store: none

	Replica bool           `yaml:"replica"`                     // there is one: false
	Reads   string         `yaml:"reads,oneof=primary|replica"` // where GET goes: primary
	Promote *time.Duration `yaml:"promote"`                     // when the replica becomes the store: never

	Pipeline    int            `yaml:"pipeline"`     // commands that a limiter sends in one flush: 0, there is no pipeline. With one the store takes flush-cost and command-cost; leave costs.store out
	Flush       *time.Duration `yaml:"flush"`        // how long a command waits at most for others of its flush: 1ms
	FlushCost   time.Duration  `yaml:"flush-cost"`   // of the store, for all that one limiter sent and that arrives at one instant, which is a flush if the delay is constant: 0s
	CommandCost time.Duration  `yaml:"command-cost"` // of the store, for each command in it: 0s
}

// Bounds of the store.
const (
	maxMemory  = 1_000_000
	maxRetries = 10
	maxFlush   = 10_000 // commands
)

var scripts = map[string]limiter.Script{
	"incr-expire": limiter.IncrExpire, "incr-expire-always": limiter.IncrExpireAlways, "incr-expire-nx": limiter.IncrExpireNX,
	"get-set": limiter.GetSet, "get-incr": limiter.GetIncr, "zcard-zadd": limiter.CountAdd, "zadd-zcard": limiter.AddCount,
}

// Kept is what the store keeps for an algorithm.
func (p *StoreParams) Kept(f *core.Fleet) store.Kept {
	switch {
	case p.Script == "record":
		return store.Records
	case f.Algorithm.Algorithm == "fixed-window" || f.Algorithm.Algorithm == "anchored-window":
		return store.Counters
	case f.Algorithm.Algorithm == "sliding-log":
		return store.Logs
	}
	return store.States
}

// Problems adds what is wrong with the store block for a fleet.
func (p *StoreParams) Problems(f *core.Fleet, found *model.Errors) {
	p.scriptProblems(f, found)
	p.pipelineProblems(found)
	core.Between(found, "store.retries", int64(p.Retries), 0, maxRetries)
	core.Between(found, "store.memory", int64(p.Memory), 0, maxMemory)
	core.Between(found, "store.errors", int64(values.Or(p.Errors, 5)), 0, 1000)
	if d := values.Or(p.Timeout, 1); d < 1 || d > core.MaxLength {
		found.Add("store.timeout", "want more than 0s, and at most %v, got %v", core.MaxLength, d)
	}
	if d := values.Or(p.Rest, 1); d < 1 || d > core.MaxLength {
		found.Add("store.rest", "want more than 0s, and at most %v, got %v", core.MaxLength, d)
	}
	if d := values.Or(p.Promote, 0); d < 0 || d > core.MaxLength {
		found.Add("store.promote", "want 0s to %v, got %v", core.MaxLength, d)
	}
	found.If((p.Reads == "replica" || p.Promote != nil) && !p.Replica, "store.replica", "want true where it is read from or promoted")
	if way := scripts[p.Script]; p.Reads == "replica" && way != limiter.GetSet && way != limiter.GetIncr {
		found.Add("store.reads", "a replica answers GET alone: want script: get-set or get-incr")
	}
	found.If(f.Divided && p.Fallback != "local", "share", "limiters of a store share the whole limit, but for store.fallback: local")
	if p.Kept(f) == store.States && f.Share() != f.Limit {
		if _, err := f.Keys(f.Limit, 1); err != nil {
			found.Add("limit", "%v", err)
		}
	}
	found.If(p.Replica && p.Kept(f) != store.Counters, "store.replica", "want counters: a fixed-window or an anchored-window")
	found.If(p.Memory == 0 && (p.Others != nil || p.Full == "evict"), "store.memory", "want a number of keys: with no end to the memory, others and full make no difference")
	if p.Others != nil {
		p.Others.Problems("store.others", found)
		found.If(values.Or(p.Others.Count, 1) == 0, "store.others.count", "want 1 or more, got 0")
	}
}

// pipelineProblems adds what is wrong with the pipeline.
func (p *StoreParams) pipelineProblems(found *model.Errors) {
	core.Between(found, "store.pipeline", int64(p.Pipeline), 0, maxFlush)
	found.If(p.Pipeline == 0 && (p.Flush != nil || p.FlushCost != 0 || p.CommandCost != 0), "store.pipeline", "want 1 or more: flush, flush-cost and command-cost are of a pipeline")
	found.If(p.Pipeline > 0 && p.Reads == "replica", "store.pipeline", "a pipeline goes to one store: want reads: primary")
	if d := values.Or(p.Flush, 1); d < 1 || d > core.MaxLength {
		found.Add("store.flush", "want more than 0s, and at most %v, got %v", core.MaxLength, d)
	}
	found.If(p.FlushCost < 0 || p.FlushCost > time.Second, "store.flush-cost", "want 0s to 1s, got %v", p.FlushCost)
	found.If(p.CommandCost < 0 || p.CommandCost > time.Second, "store.command-cost", "want 0s to 1s, got %v", p.CommandCost)
}

// scriptProblems is whether script and algorithm belong together.
func (p *StoreParams) scriptProblems(f *core.Fleet, found *model.Errors) {
	algorithm := f.Algorithm.Algorithm
	counter := algorithm == "fixed-window" || algorithm == "anchored-window"
	way, several := scripts[p.Script]
	switch {
	case (way == limiter.CountAdd || way == limiter.AddCount) && algorithm != "sliding-log":
		found.Add("store.script", "%s is a way to a sliding-log, not to a %s", p.Script, algorithm)
	case several && way < limiter.CountAdd && !counter, (p.Script == "source" || p.Script == "multi") && !counter:
		found.Add("store.script", "%s is a way to a fixed-window or an anchored-window, not to a %s", p.Script, algorithm)
	case p.Script == "record" && algorithm != "anchored-window":
		found.Add("store.script", "record is a way to an anchored-window, not to a %s", algorithm)
	}
	found.If(several && p.Clock == "store" && algorithm != "anchored-window", "store.clock", "single commands cannot use the store's clock: want limiter, or a script")
	found.If(f.Algorithm.Clock != "" && p.Fallback != "local", "clock", "it is that of the fallback, and there is none: want store.fallback: local, or leave it out. The store and who asks it use their wall clocks")
	p.keptProblems(f, found)
	found.If(p.TTL != nil && p.Script != "source", "store.ttl", "want script: source, which has such an argument")
	found.If(p.Dedup && (p.Script != "" && p.Script != "atomic" || !counter), "store.dedup", "want the atomic script of a fixed-window or an anchored-window")
	found.If(p.Member == "timestamp" && algorithm != "sliding-log", "store.member", "want a sliding-log, which has members")
	if p.TTL != nil && !argument().MatchString(*p.TTL) {
		found.Add("store.ttl", "want a number of seconds such as 60, 0.5 or -5, or \"\" for none, got %q", *p.TTL)
	}
}

// keptProblems are of what Redis does not do with a window.
func (p *StoreParams) keptProblems(f *core.Fleet, found *model.Errors) {
	a := &f.Algorithm
	switch kept := p.Kept(f); {
	case kept == store.Counters && a.Algorithm == "anchored-window":
		found.If(p.Clock == "limiter", "store.clock", "an anchored-window is the expiry of its key, by the clock of the store")
		found.If(f.Window < time.Millisecond || f.Window%time.Millisecond != 0, "window", "an anchored-window is the expiry of its key, in whole milliseconds, got %v", f.Window)
	case kept == store.Logs && (f.Retain || f.Closed):
		found.Add("algorithm", "the log of the store has what was admitted, in a half-open window: retain and closed are of a limiter alone")
	}
	if p.Script == "source" && p.TTL == nil && f.Window%time.Second != 0 {
		found.Add("store.ttl", "want the argument: the window is %v, and EXPIRE takes whole seconds", f.Window)
	}
	for i, c := range f.Clients {
		if values.Or(c.Cost, 1) != 1 && (p.Kept(f) == store.Logs || p.Script == "source") {
			found.Add(fmt.Sprintf("clients.%d.cost", i), "a log has one member for each request, and the script of the source counts one: want 1, got %d", *c.Cost)
		}
	}
	found.If(p.Dedup && f.Window < time.Millisecond, "store.dedup", "a call is remembered for the window, which is less than a millisecond: %v", f.Window)
}

// argument is what tonumber makes something of, or nothing.
var argument = lazyregexp.New(`^(-?[0-9]{1,9}(\.[0-9]{1,9})?|)$`)
