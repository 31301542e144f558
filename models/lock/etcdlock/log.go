package etcdlock

import (
	"encoding/binary"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// encode is a request as an entry of the log.
func (q *request) encode() []byte {
	b := q.msg.Append(make([]byte, 0, 44))
	b = binary.LittleEndian.AppendUint32(b, uint32(q.server))
	b = binary.LittleEndian.AppendUint32(b, q.life)
	return binary.LittleEndian.AppendUint32(b, uint32(q.client))
}

// decode is the request of an entry.
func decode(b []byte) (q request) {
	q.msg, b = core.CutMsg(b)
	q.server = sim.NodeID(binary.LittleEndian.Uint32(b))
	q.life = binary.LittleEndian.Uint32(b[4:])
	q.client = sim.NodeID(binary.LittleEndian.Uint32(b[8:]))
	return q
}

// command is what a request does to the store. The deleter is the grant whose client deletes a
// key, 0 if none does.
func (q *request) command() (c etcd.Command, deleter uint64) {
	m := &q.msg
	if m.Kind == core.EtcdCheckpoint {
		return etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: m.LeaseID(), TTL: m.Seconds()}, 0
	}
	c, ok := command(q.client, m)
	if !ok {
		panic("lock: etcd got " + m.String())
	}
	if q.client != sim.None && (m.Kind == core.EtcdUnlock || m.Kind == core.EtcdRevoke) {
		deleter = core.GrantOf(q.client, m.Try)
	}
	return c, deleter
}
