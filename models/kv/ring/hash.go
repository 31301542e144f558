package ring

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/binary"
	"hash/crc32"
)

// Hash names a function from labels to positions.
type Hash string

// The hashes. All but CRC32 fill 64 bits; CRC32 has its 32 bits in front, so that its
// positions spread over the whole circle too.
const (
	MD5   Hash = "md5"    // the first 8 bytes, big endian
	SHA1  Hash = "sha-1"  // the first 8 bytes, big endian
	FNV1a Hash = "fnv-1a" // labels that differ in the last byte only are close: see Sum
	FNV1  Hash = "fnv-1"
	CRC32 Hash = "crc32" // IEEE

	Number Hash = "number" // of a key its number; tokens need another hash
)

// Known reports whether h is one of the hashes.
func (h Hash) Known() bool {
	switch h {
	case MD5, SHA1, FNV1a, FNV1, CRC32, Number:
		return true
	}
	return false
}

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// Sum is the position of a label, 0 for an unknown hash. It does not keep the label.
//
// FNV-1a multiplies once after the last byte: labels that differ in their last byte differ
// by less than 256·2^40 of 2^64. The tokens node-0#0 to node-0#9 are therefore adjacent, and
// ten of them divide the circle as one does.
func (h Hash) Sum(label []byte) uint64 {
	switch h {
	case MD5:
		s := md5.Sum(label)
		return binary.BigEndian.Uint64(s[:8])
	case SHA1:
		s := sha1.Sum(label)
		return binary.BigEndian.Uint64(s[:8])
	case FNV1a:
		s := uint64(fnvOffset)
		for _, c := range label {
			s = (s ^ uint64(c)) * fnvPrime
		}
		return s
	case FNV1:
		s := uint64(fnvOffset)
		for _, c := range label {
			s = s*fnvPrime ^ uint64(c)
		}
		return s
	case CRC32:
		return uint64(crc32.ChecksumIEEE(label)) << 32
	}
	return 0
}
