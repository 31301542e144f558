package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (r *Redis) Unsupported() string {
	if r.Renew > 0 {
		return "the extension of a lease is not covered"
	}
	return ""
}

// Forget implements [core.Symbolic].
func (r *Redis) Forget() {
	r.Polling.forget()
	if r.phase != asking {
		r.t1 = 0
	}
	if r.phase != holding {
		r.until = 0
	}
}

// Ignores implements [core.Symbolic].
func (r *Redis) Ignores(e *sim.Arrival[core.Msg]) bool {
	if e.Msg.Try != r.Try {
		return true
	}
	switch m := &e.Msg; m.Kind {
	case core.SetReply:
		return r.phase != asking
	case core.GetReply:
		return r.phase != comparing
	case core.DelReply:
		return true
	case core.Timeout:
		return m.N == everyone && r.phase != asking || m.N == theRelease && r.phase != comparing
	}
	return false
}

// forget clears which attempt of an acquisition it is, where only notes say it.
func (p *Polling) forget() {
	if p.Tries == 0 {
		p.nth = 0
	}
}

// Unsupported implements [core.Symbolic].
func (n *Naive) Unsupported() string { return "" }

// Forget implements [core.Symbolic].
func (n *Naive) Forget() { n.Polling.forget() }

// Ignores implements [core.Symbolic].
func (n *Naive) Ignores(e *sim.Arrival[core.Msg]) bool {
	return e.Msg.Kind == core.DelReply || e.Msg.Try != n.Try || !n.waits
}

// Unsupported implements [core.Symbolic].
func (r *Redlock) Unsupported() string {
	switch {
	case r.Renew > 0:
		return "the extension of a lease is not covered"
	case r.KeepValue || r.Sequential || r.Cleanup == CleanNone:
		return "only Redlock that asks all instances at once, with a value for each attempt, and cleans up is covered"
	}
	return ""
}

// Forget implements [core.Symbolic].
func (r *Redlock) Forget() {
	r.Polling.forget()
	if r.phase != asking {
		r.acq = Acquisition{}
	}
	if r.phase != holding {
		r.until = 0
	}
}

// Ignores implements [core.Symbolic].
func (r *Redlock) Ignores(e *sim.Arrival[core.Msg]) bool {
	switch m := &e.Msg; {
	case m.Kind == core.DelReply || m.Try != r.Try:
		return true
	case m.Kind == core.SetReply:
		i := int(e.From - r.Servers)
		return r.phase != asking || r.acq.has(i)
	case m.Kind == core.Timeout:
		return r.phase != asking
	}
	return false
}

// has reports whether instance i has answered, or failed to in time.
func (a *Acquisition) has(i int) bool { return (a.granted|a.refused|a.silent)>>i&1 == 1 }
