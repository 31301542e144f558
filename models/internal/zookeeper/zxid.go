package zookeeper

import "fmt"

// Zxid numbers the changes of an ensemble: the epoch of the leader in the upper 32 bits,
// and in the lower ones a counter that begins again with each epoch. It increases with
// every write, whichever leader makes it.
//
// Source: ZooKeeper Internals, "Guarantees, Properties, and Definitions".
type Zxid uint64

// NewZxid makes a zxid of its two parts.
func NewZxid(epoch, counter uint32) Zxid { return Zxid(epoch)<<32 | Zxid(counter) }

// Epoch is the number of the leader's term.
func (z Zxid) Epoch() uint32 { return uint32(z >> 32) }

// Counter is the number of the change within the epoch.
func (z Zxid) Counter() uint32 { return uint32(z) }

// Next is the zxid of the next change. A leader whose counter is at its maximum gives up,
// and the next change is the first of another epoch (ZOOKEEPER-1277).
func (z Zxid) Next() Zxid {
	if z.Counter() == 1<<32-1 {
		z = z.NextEpoch()
	}
	return z + 1
}

// NextEpoch is the zxid with which a new leader begins.
func (z Zxid) NextEpoch() Zxid { return NewZxid(z.Epoch()+1, 0) }

// String is the zxid in hexadecimal, as ZooKeeper logs it.
func (z Zxid) String() string { return fmt.Sprintf("0x%x", uint64(z)) }
