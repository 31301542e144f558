package ring

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Bounded gives partitions to nodes so that none has more than Limit: a partition whose
// first node is full goes to the next node on the circle that is not.
//
// Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA
// 2018; that partitions are bounded rather than keys is buraksezer/consistent.
type Bounded struct {
	Limit  int
	Owners []NodeIndex // of each partition
}

// BoundedLimit is the greatest number of partitions of a node: load times the mean, rounded
// up. The load is in thousandths: 1250 allows 25% over the mean. 0 without nodes.
func BoundedLimit(partitions, nodes, load int) int {
	if nodes <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(partitions), uint64(load))
	whole, rest := bits.Div64(hi, lo, uint64(nodes)*1000)
	if rest > 0 {
		whole++
	}
	return int(whole)
}

// NewBounded gives partitions to the nodes of a circle. Partition p starts at the hash of p
// as 8 bytes, little endian. It fails where the limit leaves no room.
func NewBounded(c Circle, h Hash, partitions, nodes, load int) (*Bounded, error) {
	b := &Bounded{Limit: BoundedLimit(partitions, nodes, load), Owners: make([]NodeIndex, 0, partitions)}
	var count [MaxNodes]int
	var number [8]byte
	for p := range partitions {
		binary.LittleEndian.PutUint64(number[:], uint64(p))
		first := c.First(h.Sum(number[:]))
		walk := c.Walk(max(first, 0))
		node, found := walk.Next()
		for found && count[node] >= b.Limit {
			node, found = walk.Next()
		}
		if !found {
			return nil, fmt.Errorf("ring: not enough room: %d nodes with at most %d partitions each, want room for %d; raise the load",
				nodes, b.Limit, partitions)
		}
		count[node]++
		b.Owners = append(b.Owners, node)
	}
	return b, nil
}

// Locate is the partition of a key, and its owner.
func (b *Bounded) Locate(h Hash, key []byte) (partition int, owner NodeIndex) {
	partition = int(h.Sum(key) % uint64(len(b.Owners)))
	return partition, b.Owners[partition]
}
