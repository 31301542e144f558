package version

import (
	"fmt"

	"fencepost/sim"
)

// Op is what a write does.
type Op uint8

// The operations. Add and Remove are of a cart or a set: of the elements whose bits are set; of
// a counter: of an amount.
const (
	Set Op = iota
	Delete
	Add
	Remove
)

// String is the operation in a word.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return fmt.Sprintf("operation %d", uint8(o))
}

var opNames = [...]string{"set", "delete", "add", "remove"}

// Write is what a client asks for.
type Write struct {
	ID    uint32 // names the write in the whole run, see [NewID]
	Op    Op
	Data  uint64   // the value; of a cart or a set, a bit per element; of a counter, the amount
	Stamp sim.Wall // the client's wall clock, where the policy takes stamps from the client
}

// Limits of the ids of writes.
const (
	MaxClients = 1<<12 - 1 // in a run
	MaxWrites  = 1<<20 - 1 // of a client
)

// NewID is the nth write of a client; both count from 1, up to [MaxClients] and [MaxWrites].
func NewID(client, nth uint32) uint32 {
	if client == 0 || client > MaxClients || nth == 0 || nth > MaxWrites {
		panic(fmt.Sprintf("version: write %d of client %d has no id", nth, client))
	}
	return client<<20 | nth
}

// Client is the client of a write, from 1.
func Client(id uint32) uint32 { return id >> 20 }

// Nth is which of its client's writes a write is, from 1.
func Nth(id uint32) uint32 { return id & MaxWrites }
