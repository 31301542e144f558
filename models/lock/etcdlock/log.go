package etcdlock

import (
	"encoding/binary"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// encode is a request as an entry of the log.
func (q *request) encode() []byte {
	m := &q.msg
	b := make([]byte, 0, 44)
	b = append(b, byte(m.Kind), 0)
	if m.OK {
		b[1] = 1
	}
	b = binary.LittleEndian.AppendUint16(b, m.N)
	b = binary.LittleEndian.AppendUint32(b, m.Try)
	b = binary.LittleEndian.AppendUint64(b, m.Value)
	b = binary.LittleEndian.AppendUint64(b, m.Token)
	b = binary.LittleEndian.AppendUint64(b, uint64(m.X))
	b = binary.LittleEndian.AppendUint32(b, uint32(q.server))
	b = binary.LittleEndian.AppendUint32(b, q.life)
	return binary.LittleEndian.AppendUint32(b, uint32(q.client))
}

// decode is the request of an entry.
func decode(b []byte) (q request) {
	q.msg = core.Msg{
		Kind: sim.Kind(b[0]), OK: b[1] == 1,
		N: binary.LittleEndian.Uint16(b[2:]), Try: binary.LittleEndian.Uint32(b[4:]),
		Value: binary.LittleEndian.Uint64(b[8:]), Token: binary.LittleEndian.Uint64(b[16:]),
		X: int64(binary.LittleEndian.Uint64(b[24:])),
	}
	q.server = sim.NodeID(binary.LittleEndian.Uint32(b[32:]))
	q.life = binary.LittleEndian.Uint32(b[36:])
	q.client = sim.NodeID(binary.LittleEndian.Uint32(b[40:]))
	return q
}

// command is what a request does to the store. The deleter is the grant whose client deletes a
// key, 0 if none does.
func (q *request) command() (c etcd.Command, deleter uint64) {
	m := &q.msg
	if m.Kind == core.EtcdCheckpoint {
		return etcd.Command{Kind: etcd.LeaseCheckpoint, Lease: etcd.LeaseID(m.Value), TTL: m.X}, 0
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
