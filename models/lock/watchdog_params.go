package lock

import (
	"time"

	"fencepost/models/lock/redislock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// WatchdogParams are what differs between versions of Redisson, and what can be configured.
type WatchdogParams struct {
	Entries   int            `yaml:"entries" range:"0..250"`             // how often the holder enters the lock, and leaves it again: 1
	OnError   string         `yaml:"on-error,oneof=stop|retry"`          // after a renewal without an answer: stop, as up to 2022; later versions retry
	Cancel    string         `yaml:"cancel,oneof=answer|freed"`          // an unlock ends the renewal with its answer, or none: answer; freed, as up to 3.10: only if it says that the lock is free
	Callback  *time.Duration `yaml:"callback-delay" range:"0s..1000h"`   // from the answer of lock to the callback that starts the renewal: 0s
	Late      sim.Dist       `yaml:"timer-delay" range:"0s..1000h"`      // how late the thread of the timer starts a renewal: 0s
	Resend    bool           `yaml:"resend"`                             // a lock script without an answer in time is sent again: false
	Tells     bool           `yaml:"tell-holder"`                        // the holder learns that its lock is gone, and leaves: false
	Most      int            `yaml:"max-renewals" range:"0..1000000000"` // of a lock: 0, without end
	Interrupt *time.Duration `yaml:"interrupt-after" range:"1ns..1000h"` // a thread that waits for the lock is interrupted: never
	Abandoned string         `yaml:"interrupted,oneof=renewed|unlocked"` // a lock that is granted after that: renewed
}

const watchdogKeys = "per-node-timeout tries retry persistence ttl sentinel watchdog"

// watchdogLease is lockWatchdogTimeout, watchdogTimeout the timeout of a command.
const (
	watchdogLease   = 30 * time.Second
	watchdogTimeout = 3 * time.Second
)

// planWatchdog is the plan of Redisson's lock, on one Redis or on a master with replicas.
func planWatchdog(p *Params, first sim.NodeID) plan {
	b, polling := values.Or(p.Watchdog, WatchdogParams{}), p.polling(usualPolling)
	lock := redislock.Watchdog{
		Connection: redislock.ConnectedTo(first),
		Lease:      values.Or(p.TTL, watchdogLease), PerNode: values.Or(p.PerNode, watchdogTimeout),
		Tries: polling.Tries, Retry: polling.Retry, Entries: max(b.Entries, 1),
		Resend: b.Resend, Callback: values.Or(b.Callback, 0), Late: b.Late, KeepsOn: b.OnError == "retry",
		OnlyFreed: b.Cancel == "freed", TellsHolder: b.Tells, Most: b.Most,
		Interrupt: values.Or(b.Interrupt, 0), Unlocks: b.Abandoned == "unlocked",
	}
	built := plan{quorum: 1, renames: p.Sentinel == nil, endless: true, ttl: lock.Lease, poll: polling.Longest()}
	if p.Sentinel == nil {
		built.servers = p.redisServers(1, false)
	} else {
		built.servers, lock.Connection = p.Sentinel.place(first, p.Clients, p.redisServer())
		built.replicated, built.needed, built.extend = true, len(built.servers), addFailoverMeter
	}
	built.worker = worker(lock)
	return built
}

// checkWatchdog is what the tags do not say of Redisson's lock.
func checkWatchdog(p *Params, found *model.Errors) {
	p.checkRedis(found)
	if p.Sentinel != nil {
		p.checkReplicas(found)
		found.If(p.Sentinel.Wait > 0, "sentinel.wait", "Redisson has settings of its own for that: WAIT is of service sentinel")
	}
	if p.TTL != nil && *p.TTL < 3*time.Millisecond {
		found.Add("ttl", "want at least 3ms, of which the third is a millisecond, got %v", *p.TTL)
	}
	found.If(p.PerNode != nil && *p.PerNode == 0, "per-node-timeout", "a renewal that waits forever is the last: want more than 0s")
	if b := p.Watchdog; b != nil && b.Abandoned != "" && b.Interrupt == nil {
		found.Add("watchdog.interrupted", "nothing is interrupted: add interrupt-after")
	}
}
