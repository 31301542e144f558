package clock

import (
	"cmp"
	"fmt"
)

// Lamport is a logical clock: the number of the longest chain of events that leads to
// the last one here. Its zero value has seen nothing.
//
// It promises LC1: a -> b implies C(a) < C(b). The converse is false, of two stamps
// alone order cannot be told from concurrency.
//
// Exactly one rule applies to an event. S4, section 9.3, lets Rule 1 and Rule
// 2 both count a send; read so, a local event and a send end at 3 in place of 2.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System",
// 1978, IR1 and IR2.
type Lamport uint64

// Tick is a local event or a send, whose message carries the result.
func (c *Lamport) Tick() uint64 {
	*c++
	return uint64(*c)
}

// Receive is the receipt of a message that carries t. A t above [MaxCount] is an error
// and no event.
func (c *Lamport) Receive(t uint64) (uint64, error) {
	if t > MaxCount {
		return uint64(*c), &CountError{Count: t}
	}
	*c = max(*c, Lamport(t)) + 1
	return uint64(*c), nil
}

// Witness is what hashicorp/serf does at a receipt: it moves the clock above t, but
// leaves it where it is if it is there already. A receipt that counts as an event
// shares a stamp with the one before it then, and LC1 is lost.
//
// Source: serf/lamport.go, Witness.
func (c *Lamport) Witness(t uint64) error {
	if t > MaxCount {
		return &CountError{Count: t}
	}
	if t >= uint64(*c) {
		*c = Lamport(t) + 1
	}
	return nil
}

// CountError is a counter above [MaxCount] that came from elsewhere.
type CountError struct{ Count uint64 }

func (e *CountError) Error() string {
	return fmt.Sprintf("clock: counter %d is above the limit of %d", e.Count, MaxCount)
}

// Stamp is an event of a process in the total order: by C, then by process. The order
// agrees with what happened before what, and decides the rest by name.
//
// Source: Lamport 1978, the relation =>.
type Stamp[I ID] struct {
	C uint64
	P I
}

// Compare is negative, zero or positive. Zero means the same event, if process ids are
// unique.
func (s Stamp[I]) Compare(t Stamp[I]) int {
	return cmp.Or(cmp.Compare(s.C, t.C), cmp.Compare(s.P, t.P))
}
