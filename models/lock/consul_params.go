package lock

import (
	"time"

	"fencepost/models/lock/consullock"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ConsulParams are the parameters of a lock on a session.
type ConsulParams struct {
	LockDelay *time.Duration `yaml:"lock-delay" range:"0s..60s"` // after the session of the holder has ended: 15s; Chubby has up to 60s
}

// consulTTL is DefaultLockSessionTTL.
const consulTTL = 15 * time.Second

// planConsul is the plan of the lock: a session outlives its last renewal for two TTLs.
func planConsul(p *Params, first sim.NodeID) plan {
	ttl, delay := values.Or(p.TTL, consulTTL), values.Or(values.Or(p.Consul, ConsulParams{}).LockDelay, 15*time.Second)
	return plan{quorum: 1, clock: sim.MonoClock, ttl: consullock.Multiplier*ttl + delay, poll: consullock.RetryTime,
		servers: []sim.Spec[core.Msg]{sim.Place[core.Msg]("consul", consullock.NewServer(p.Clients, delay))},
		worker:  worker(consullock.Client{Server: first, TTL: ttl})}
}

// checkConsul refuses the sessions that Consul refuses.
//
// Source: Consul documentation, HTTP API, Session: TTL from 10 s to 86400 s.
func checkConsul(p *Params, found *model.Errors) {
	if ttl := p.TTL; ttl != nil && (*ttl < 10*time.Second || *ttl > 24*time.Hour) {
		found.Add("ttl", "a session of Consul has 10s to 24h, got %v", *ttl)
	}
}
