package core

import (
	"fmt"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
)

// SetLease writes a lease into a message.
func (m *Msg) SetLease(l kubernetes.Lease) {
	m.value, m.n, m.x = l.Holder, l.Seconds, int64(l.Renewed)
	m.token = l.Version<<32 | uint64(l.Transitions)
}

// Lease is what SetLease has written.
func (m *Msg) Lease() kubernetes.Lease {
	return kubernetes.Lease{Version: m.token >> 32,
		Record: kubernetes.Record{Holder: m.value, Seconds: m.n, Renewed: sim.Wall(m.x), Transitions: uint32(m.token)}}
}

// NewConflict answers a numbered request that the lease as it is does not allow.
func NewConflict(request uint32, l kubernetes.Lease) Msg {
	m := Msg{head: head{Kind: ObjectReply}, Try: request}
	m.SetLease(l)
	m.token = 1 // not 0, which is no object
	return m
}

// NotFound reports whether there is no object: only a get is answered so.
func (m *Msg) NotFound() bool { return !m.OK && m.token == 0 }

// leaseText is the lease that a message carries, in a sentence.
func (m *Msg) leaseText() string {
	l := m.Lease()
	switch {
	case m.Kind == ObjectReply && !m.OK:
		return " no"
	case l.Holder == 0:
		return fmt.Sprintf(" version %d, no holder", l.Version)
	}
	return fmt.Sprintf(" version %d, holder %s, %ds, %d transitions", l.Version, valueName(l.Holder), l.Seconds, l.Transitions)
}
