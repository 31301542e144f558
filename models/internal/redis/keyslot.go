package redis

import "strings"

// Slots is how many slots a cluster has.
const Slots = 16384

// KeySlot is the slot of a key in a cluster: CRC16 of what is between the first { and
// the next }, if that is not empty, else of the whole key.
//
// Source: Redis Cluster specification, "Key distribution model" and "Hash tags".
func KeySlot(key string) int {
	if _, rest, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(rest, "}"); ok && tag != "" {
			key = tag
		}
	}
	return int(crc16(key)) % Slots
}

// SameSlot is an error unless all keys of a command or script lie in one slot.
func SameSlot(keys ...string) error {
	for _, k := range keys {
		if KeySlot(k) != KeySlot(keys[0]) {
			return CrossSlot
		}
	}
	return nil
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, from 0.
func crc16(s string) uint16 {
	crc := uint16(0)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			crc <<= 1
			if carry {
				crc ^= 0x1021
			}
		}
	}
	return crc
}
