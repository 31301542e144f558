package consullock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Client is a client of a lock on a session: it renews the session twice per TTL, and holds
// the lock until it releases it, or the session ends. Where the lock is free and refused all
// the same, a lock-delay is in effect, and it asks again after 5 s.
//
// Source: hashicorp/consul/api v1.35, lock.go, Lock and monitorLock; session.go,
// RenewPeriodic. The session is made by the request that acquires the lock.
type Client struct {
	Server sim.NodeID
	TTL    time.Duration // of the session

	core.Attempt
	phase   phase
	nth     int      // request of this acquisition
	renewed sim.Mono // when it sent the latest renewal that was answered, or the request for the lock
	asked   sim.Mono // when it sent the latest renewal
	index   uint64   // LockIndex
}

type phase uint8

const (
	idle phase = iota
	acquiring
	holding
	releasing
)

// DefaultLockRetryTime, after which a request without a reply is sent again too, and
// DefaultLockWaitTime, after which a blocking query is.
const (
	RetryTime = 5 * time.Second
	waitTime  = 15 * time.Second
)

// Acquire implements [core.Algorithm].
func (c *Client) Acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	c.Begin(in.Self, out, 1)
	c.phase, c.nth = acquiring, 0
	return c.request(in, out)
}

// Hold implements [core.Algorithm]. The token is LockIndex, the sequencer's: how often the lock was
// acquired.
func (c *Client) Hold() core.Hold {
	h := c.Held()
	h.Token, h.Until, h.Ends = c.index, int64(c.renewed.Add(c.TTL)), true
	return h
}

// Receive implements [core.Algorithm].
func (c *Client) Receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	if m.Kind == core.ConsulReply || m.Kind == core.ConsulChanged {
		c.Count()
	}
	if m.Try != c.Try {
		return core.Pending
	}
	switch m.Kind {
	case core.ConsulReply:
		return c.replied(in, out)
	case core.ConsulChanged:
		return c.changed(in, out)
	case core.ConsulAgain:
		if int(m.Number()) != c.nth {
			return core.Pending
		}
		if c.phase == acquiring {
			c.Note(out, c.nth)
		}
		return c.request(in, out)
	case core.ConsulRenewDue:
		return c.renew(in, out)
	}
	panic("lock: a client of Consul got " + m.String())
}

// request asks for the lock, or for its release.
func (c *Client) request(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	c.nth++
	kind := core.ConsulRelease
	if c.phase == acquiring {
		kind, c.renewed = core.ConsulAcquire, in.Mono
	}
	c.Ask(out, c.Server, core.NewConsulRequest(kind, c.Grant, c.TTL, uint16(c.nth)))
	c.Later(out, RetryTime, core.NewConsulAgain(uint16(c.nth)))
	return core.Pending
}

// replied is the reply to the latest request, or to a renewal.
func (c *Client) replied(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch {
	case m.Number() == 0 && c.phase == holding: // of a renewal
		if !m.OK {
			return c.lost()
		}
		c.renewed = c.asked
		return core.Renewed
	case int(m.Number()) != c.nth:
	case c.phase == releasing:
		c.phase = idle
		return core.Done
	case c.phase == acquiring && m.OK:
		c.phase, c.index = holding, m.LockIndex()
		c.nth++
		c.Later(out, c.TTL/2, core.New(core.ConsulRenewDue))
		return core.Granted
	case c.phase == acquiring:
		out.Note(core.NewRefused(c.Try, 0, 0))
		pause := waitTime
		if m.Delayed() {
			pause = RetryTime
		}
		c.nth++ // what is sent after this pause takes the place of what was to be sent again
		c.Later(out, pause, core.NewConsulAgain(uint16(c.nth)))
	}
	return core.Pending
}

// changed is the end of a blocking query: the session that held the lock holds it no more.
func (c *Client) changed(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	switch c.phase {
	case holding:
		if in.Msg.Grant() == c.Grant {
			return c.lost()
		}
	case acquiring:
		c.Note(out, c.nth)
		return c.request(in, out)
	}
	return core.Pending
}

// renew renews the session, until it has not been answered for a TTL.
func (c *Client) renew(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if c.phase == holding && in.Mono.Before(c.renewed.Add(c.TTL)) {
		c.asked = in.Mono
		c.Ask(out, c.Server, core.NewConsulRequest(core.ConsulRenew, c.Grant, c.TTL, 0))
		c.Later(out, c.TTL/2, core.New(core.ConsulRenewDue))
	}
	return core.Pending
}

func (c *Client) lost() core.Outcome {
	c.phase = idle
	return core.Lost
}

// Release implements [core.Algorithm].
func (c *Client) Release(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	if c.phase != holding {
		return core.Done
	}
	c.phase = releasing
	return c.request(in, out)
}
