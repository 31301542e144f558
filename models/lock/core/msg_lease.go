package core

import (
	"fmt"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
)

// SetLease writes a lease into a message.
func (m *Msg) SetLease(l kubernetes.Lease) {
	m.Value, m.N, m.X = l.Holder, l.Seconds, int64(l.Renewed)
	m.Token = l.Version<<32 | uint64(l.Transitions)
}

// Lease is what SetLease has written.
func (m *Msg) Lease() kubernetes.Lease {
	return kubernetes.Lease{Version: m.Token >> 32,
		Record: kubernetes.Record{Holder: m.Value, Seconds: m.N, Renewed: sim.Wall(m.X), Transitions: uint32(m.Token)}}
}

// objectName is the lease in a message, in words.
func objectName(m *Msg) string {
	l := m.Lease()
	switch {
	case m.Kind == ObjectReply && !m.OK:
		return " no"
	case l.Holder == 0:
		return fmt.Sprintf(" version %d, no holder", l.Version)
	}
	return fmt.Sprintf(" version %d, holder %s, %ds, %d transitions", l.Version, valueName(l.Holder), l.Seconds, l.Transitions)
}
