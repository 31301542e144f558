package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (r *Redlock) Unsupported() string { return "" }

// Forget implements [core.Symbolic].
func (r *Redlock) Forget() {
	r.Polling.forget()
	if r.phase != asking {
		r.acq = Acquisition{}
	}
	if r.phase != holding {
		r.until, r.extension = 0, renewal{}
	}
	if r.extension.number == 0 {
		r.extension.t1, r.ext = 0, Acquisition{}
	}
}

// Ignores implements [core.Symbolic]: an instance counts once in an attempt.
func (r *Redlock) Ignores(e *sim.Arrival[core.Msg]) bool {
	if e.Msg.Try != r.Try {
		return true
	}
	i := int(e.From - r.Servers)
	switch m := &e.Msg; m.Kind {
	case core.SetReply:
		return r.phase != asking || r.acq.knows(i)
	case core.DelReply:
		return true
	case core.ExtReply:
		return !r.extends(m.Number()) || r.ext.knows(i)
	case core.Renew:
		return r.phase != holding
	case core.Timeout:
		switch {
		case m.About() == everyone:
			return r.phase != asking
		case m.About() < theExtension:
			return r.phase != asking || r.acq.knows(int(m.About()-1))
		}
		return !r.extends(m.About() - theExtension)
	}
	return false
}

// extends reports whether an extension is under way.
func (r *Redlock) extends(number uint16) bool { return r.phase == holding && r.extension.is(number) }

// knows reports whether instance i has answered, or failed to in time.
func (a *Acquisition) knows(i int) bool { return (a.granted|a.refused|a.silent)>>i&1 != 0 }

// Rename implements [sim.Renamer]: instances may change places, too.
func (r *Redlock) Rename(to sim.Renaming) {
	r.Renumber(to)
	r.acq.rename(r.Servers, r.Rules.Instances, to.Node)
	r.ext.rename(r.Servers, r.Rules.Instances, to.Node)
}

func (a *Acquisition) rename(first sim.NodeID, instances int, to func(sim.NodeID) sim.NodeID) {
	for _, set := range []*uint32{&a.granted, &a.refused, &a.silent} {
		var renamed uint32
		for i := range instances {
			renamed |= *set >> i & 1 << (to(first+sim.NodeID(i)) - first)
		}
		*set = renamed
	}
}
