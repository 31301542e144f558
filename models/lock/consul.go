package lock

import (
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Consul is a client of a lock on a session: it renews the session twice per TTL, and holds
// the lock until it releases it, or the session ends. Where the lock is free and refused all
// the same, a lock-delay is in effect, and it asks again after 5 s.
//
// Source: hashicorp/consul/api v1.35, lock.go, Lock and monitorLock; session.go,
// RenewPeriodic. The session is made by the request that acquires the lock.
type Consul struct {
	Server sim.NodeID
	TTL    time.Duration // of the session

	attempt
	phase   consulPhase
	nth     int      // request of this acquisition
	renewed sim.Mono // when it sent the latest renewal that was answered, or the request for the lock
	asked   sim.Mono // when it sent the latest renewal
	index   uint64   // LockIndex
}

type consulPhase uint8

const (
	consulIdle consulPhase = iota
	consulAcquiring
	consulHeld
	consulReleasing
)

// DefaultLockRetryTime, after which a request without a reply is sent again too, and
// DefaultLockWaitTime, after which a blocking query is.
const (
	consulRetry = 5 * time.Second
	consulWait  = 15 * time.Second
)

// Acquire implements [Algorithm].
func (c *Consul) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	c.begin(in, out, 1)
	c.phase, c.nth = consulAcquiring, 0
	return c.request(in, out)
}

// Hold implements [Algorithm]. The token is LockIndex, the sequencer's: how often the lock was
// acquired.
func (c *Consul) Hold() Hold {
	h := c.held()
	h.Token, h.Until, h.Ends = c.index, int64(c.renewed.Add(c.TTL)), true
	return h
}

// Receive implements [Algorithm].
func (c *Consul) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	if m.Kind == ConsulReply || m.Kind == ConsulChanged {
		c.count()
	}
	if m.Try != c.try {
		return Pending
	}
	switch m.Kind {
	case ConsulReply:
		return c.replied(in, out)
	case ConsulChanged:
		return c.changed(in, out)
	case consulAgain:
		if int(m.N) != c.nth {
			return Pending
		}
		if c.phase == consulAcquiring {
			c.note(out, c.nth)
		}
		return c.request(in, out)
	case consulRenew:
		return c.renew(in, out)
	}
	panic("lock: a client of Consul got " + m.String())
}

// request asks for the lock, or for its release.
func (c *Consul) request(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	c.nth++
	kind := ConsulRelease
	if c.phase == consulAcquiring {
		kind, c.renewed = ConsulAcquire, in.Mono
	}
	c.ask(out, c.Server, Msg{Kind: kind, Value: c.grant, X: int64(c.TTL), N: uint16(c.nth)})
	c.later(out, consulRetry, Msg{Kind: consulAgain, N: uint16(c.nth)})
	return Pending
}

// replied is the reply to the latest request, or to a renewal.
func (c *Consul) replied(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := &in.Msg
	switch {
	case m.N == 0 && c.phase == consulHeld: // of a renewal
		if !m.OK {
			return c.lost()
		}
		c.renewed = c.asked
		return Renewed
	case int(m.N) != c.nth:
	case c.phase == consulReleasing:
		c.phase = consulIdle
		return Done
	case c.phase == consulAcquiring && m.OK:
		c.phase, c.index = consulHeld, m.Token
		c.nth++
		c.later(out, c.TTL/2, Msg{Kind: consulRenew})
		return Granted
	case c.phase == consulAcquiring:
		out.Note(Msg{Kind: Refused, Try: c.try})
		pause := consulWait
		if m.X == 1 {
			pause = consulRetry
		}
		c.nth++ // what is sent after this pause takes the place of what was to be sent again
		c.later(out, pause, Msg{Kind: consulAgain, N: uint16(c.nth)})
	}
	return Pending
}

// changed is the end of a blocking query: the session that held the lock holds it no more.
func (c *Consul) changed(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch c.phase {
	case consulHeld:
		if in.Msg.Value == c.grant {
			return c.lost()
		}
	case consulAcquiring:
		c.note(out, c.nth)
		return c.request(in, out)
	}
	return Pending
}

// renew renews the session, until it has not been answered for a TTL.
func (c *Consul) renew(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if c.phase == consulHeld && in.Mono.Before(c.renewed.Add(c.TTL)) {
		c.asked = in.Mono
		c.ask(out, c.Server, Msg{Kind: ConsulRenew, Value: c.grant, X: int64(c.TTL)})
		c.later(out, c.TTL/2, Msg{Kind: consulRenew})
	}
	return Pending
}

func (c *Consul) lost() Outcome {
	c.phase = consulIdle
	return Lost
}

// Release implements [Algorithm].
func (c *Consul) Release(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	if c.phase != consulHeld {
		return Done
	}
	c.phase = consulReleasing
	return c.request(in, out)
}

// ConsulParams are the parameters of a lock on a session.
type ConsulParams struct {
	LockDelay *time.Duration `yaml:"lock-delay" range:"0s..60s"` // after the session of the holder has ended: 15s; Chubby has up to 60s
}

// consulTTL is DefaultLockSessionTTL.
const consulTTL = 15 * time.Second

// planConsul is the plan of the lock: a session outlives its last renewal for two TTLs.
func planConsul(p *Params, first sim.NodeID) plan {
	ttl, delay := values.Or(p.TTL, consulTTL), values.Or(values.Or(p.Consul, ConsulParams{}).LockDelay, 15*time.Second)
	return plan{quorum: 1, clock: sim.MonoClock, ttl: consulMultiplier*ttl + delay, poll: consulRetry,
		servers: []sim.Spec[Msg]{sim.Place[Msg]("consul", ConsulServer{LockDelay: delay, waiting: newClientSet(p.Clients), tries: make([]uint32, p.Clients)})},
		worker:  worker(Consul{Server: first, TTL: ttl})}
}

// checkConsul refuses the sessions that Consul refuses.
//
// Source: Consul documentation, HTTP API, Session: TTL from 10 s to 86400 s.
func checkConsul(p *Params, found *kit.Errors) {
	if ttl := p.TTL; ttl != nil && (*ttl < 10*time.Second || *ttl > 24*time.Hour) {
		found.Add("ttl", "a session of Consul has 10s to 24h, got %v", *ttl)
	}
}
