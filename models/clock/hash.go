package clock

import (
	"math/bits"
	"reflect"
)

// hashOf is the hash for ids of a type; its upper bits are the best. It is the same in
// every run and on every machine, so a client could choose ids that share one: a lookup
// is then a scan.
//
// A type of one's own takes the slower way, as its value must be asked for.
func hashOf[I ID]() func(I) uint64 {
	for _, known := range []any{
		hashString, hashNumber[Actor], hashNumber[int], hashNumber[int8], hashNumber[int16], hashNumber[int32], hashNumber[int64],
		hashNumber[uint], hashNumber[uint8], hashNumber[uint16], hashNumber[uint32], hashNumber[uint64],
	} {
		if hash, ok := known.(func(I) uint64); ok {
			return hash
		}
	}
	return func(id I) uint64 {
		switch v := reflect.ValueOf(id); {
		case v.Kind() == reflect.String:
			return hashString(v.String())
		case v.CanInt():
			return hashNumber(v.Int())
		default:
			return hashNumber(v.Uint())
		}
	}
}

// hashNumber spreads numbers that follow each other.
//
// Source: Knuth, The Art of Computer Programming, volume 3, section 6.4, Fibonacci hashing.
func hashNumber[N int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | Actor](n N) uint64 {
	return uint64(n) * 0x9E3779B97F4A7C15 // 2^64 / 1.618...
}

// hashString takes words from the front and from the back, where they may overlap, so
// that few lengths have a loop or a branch of their own.
//
// Source: Wang Yi, wyhash, 2019, one lane of it.
func hashString(s string) uint64 {
	n, h := len(s), uint64(len(s))
	switch {
	case n >= 8:
		for rest := s; len(rest) > 16; rest = rest[16:] {
			h = fold(word(rest)^h, word(rest[8:]))
		}
		return fold(word(s[max(n-16, 0):])^h, word(s[n-8:]))
	case n >= 4:
		return fold(half(s)^h, half(s[n-4:]))
	case n > 0:
		return fold(h, uint64(s[0])<<16|uint64(s[n/2])<<8|uint64(s[n-1]))
	}
	return 0
}

// fold mixes two words into one.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0xA0761D6478BD642F, b^0xE7037ED1A0B428DB)
	return high ^ low
}

// half and word are the first 4 and 8 bytes as a number; each is one load.
func half(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
