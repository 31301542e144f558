package core

import (
	"encoding/binary"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Append adds the message to some bytes: a log keeps it so. It is no packet of Raft.
func (m *Msg) Append(b []byte) []byte {
	b = append(b, byte(m.Kind), byte(model.Bit(m.OK)))
	b = binary.LittleEndian.AppendUint16(b, m.n)
	b = binary.LittleEndian.AppendUint32(b, m.Try)
	b = binary.LittleEndian.AppendUint64(b, m.value)
	b = binary.LittleEndian.AppendUint64(b, m.token)
	return binary.LittleEndian.AppendUint64(b, uint64(m.x))
}

// CutMsg is the message that Append has written, and the bytes after it.
func CutMsg(b []byte) (m Msg, rest []byte) {
	m = Msg{
		head:  head{Kind: sim.Kind(b[0]), OK: b[1] == 1, n: binary.LittleEndian.Uint16(b[2:])},
		Try:   binary.LittleEndian.Uint32(b[4:]),
		value: binary.LittleEndian.Uint64(b[8:]),
		tail:  tail{token: binary.LittleEndian.Uint64(b[16:]), x: int64(binary.LittleEndian.Uint64(b[24:]))},
	}
	return m, b[32:]
}
