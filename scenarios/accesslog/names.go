package accesslog

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// Hash is the key that a text stands for. Two of a million texts have the same with a
// probability of about 3 in 10^8; then they are one.
//
// Source: Wang Yi, wyhash, 2019: each eight bytes are multiplied to 128 bits, whose
// halves are joined.
func Hash(text []byte) uint64 {
	const a, b = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(text)) ^ b
	for len(text) >= 8 {
		h = mum(h^binary.LittleEndian.Uint64(text), a)
		text = text[8:]
	}
	var last uint64
	for i, c := range text {
		last |= uint64(c) << (8 * i)
	}
	return mum(mum(h^last, a)^b, b)
}

func mum(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// names keeps the texts of the keys that come most often: of those that share a place,
// the one that has the majority, and so each that comes in more than half of the lines
// of its place.
//
// Source: Boyer and Moore, "MJRTY: a fast majority vote algorithm", 1991.
type names struct{ places []name }

type name struct {
	key    uint64
	weight int64
	length uint8
	text   [47]byte
}

const places = 1 << 16 // 4 MiB

func (n *names) count(key uint64, text []byte) {
	if n.places == nil {
		n.places = make([]name, places)
	}
	p := &n.places[key%places]
	switch {
	case p.key == key && p.weight > 0:
		p.weight++
	case p.weight > 0:
		p.weight--
	default:
		p.key, p.weight = key, 1
		p.length = uint8(copy(p.text[:], text))
	}
}

func (n *names) of(key uint64) (string, bool) {
	if n.places == nil {
		return "", false
	}
	p := &n.places[key%places]
	return excerpt(p.text[:p.length]), p.key == key && p.length > 0
}

// network is the network of an IPv6 client, or its address if the prefix is 0, and any other
// client itself. An address is the same however it is written.
func network(client []byte, prefix int) []byte {
	if bytes.IndexByte(client, ':') < 0 {
		return client
	}
	addr, err := netip.ParseAddr(string(bytes.Trim(client, "[]")))
	if err != nil {
		return client
	}
	if addr = addr.Unmap(); addr.Is4() || prefix == 0 {
		return []byte(addr.String())
	}
	p, err := addr.WithZone("").Prefix(prefix)
	if err != nil {
		return client
	}
	return []byte(p.String())
}
