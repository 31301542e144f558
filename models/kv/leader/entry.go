package leader

import (
	"encoding/binary"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// entry is a write as the log has it: with the node that is to answer it, and what that
// calls it.
type entry struct {
	server   sim.NodeID
	life     uint32 // of the server: its clients have no connection to a later one
	number   uint32
	key      uint32
	compares bool
	expects  uint64
	write    *version.Write
}

func (s *Node) entry(self sim.NodeID, q *request) *entry {
	m := &q.msg
	return &entry{self, s.life, q.number, m.Key(), m.Kind == core.CompareAndSet, m.Expects(), m.Write}
}

func (e *entry) encode() []byte {
	b := make([]byte, 0, 40)
	b = append(b, byte(e.write.Op), byte(core.One(e.compares)))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.server))
	for _, x := range []uint32{e.life, e.number, e.key, e.write.ID} {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	b = binary.LittleEndian.AppendUint64(b, e.write.Data)
	return binary.LittleEndian.AppendUint64(b, e.expects)
}

func decodeEntry(b []byte) entry {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4+4*i:]) }
	return entry{
		server: sim.NodeID(binary.LittleEndian.Uint16(b[2:])), life: word(0), number: word(1), key: word(2),
		compares: b[1] == 1, expects: binary.LittleEndian.Uint64(b[28:]),
		write: &version.Write{Op: version.Op(b[0]), ID: word(3), Data: binary.LittleEndian.Uint64(b[20:])},
	}
}
