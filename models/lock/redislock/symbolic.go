package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (r *Redis) Unsupported() string { return "" }

// Forget implements [core.Symbolic].
func (r *Redis) Forget() {
	r.Polling.forget()
	if r.phase != asking {
		r.t1 = 0
	}
	if r.phase != holding {
		r.until, r.extension = 0, renewal{}
	}
	if r.extension.number == 0 {
		r.extension.t1 = 0
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
	case core.ExtReply:
		return !r.extends(m.Number())
	case core.Renew:
		return r.phase != holding
	case core.Timeout:
		switch m.About() {
		case everyone:
			return r.phase != asking
		case theRelease:
			return r.phase != comparing
		}
		return !r.extends(m.About() - theExtension)
	}
	return false
}

// Rename implements [sim.Renamer].
func (r *Redis) Rename(to sim.Renaming) { r.Renumber(to) }

// extends reports whether an extension is under way.
func (r *Redis) extends(number uint16) bool { return r.phase == holding && r.extension.is(number) }

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

// Rename implements [sim.Renamer].
func (n *Naive) Rename(to sim.Renaming) { n.Renumber(to) }
