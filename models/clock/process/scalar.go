package process

import "fencepost/models/clock"

// Clock is the clock of one process: it stamps each of its events once.
type Clock interface {
	// Tick stamps a local event or a send; pt is what the wall clock shows.
	Tick(pt clock.Reading) (Stamp, Refusal)
	// Receive stamps the receipt of a message with the stamp m.
	Receive(m Stamp, pt clock.Reading) (Stamp, Refusal)
	// Persist makes durable what a clock needs to have so from time to time, and returns
	// the bound, if it is one that has such a thing.
	Persist(pt clock.Reading) (bound clock.Reading, ok bool)
	// Recover takes over what the clock before a crash had made durable.
	Recover(before Clock)
	// Copy is an equal clock that shares no memory with this one; it may use that of old,
	// which is nil or a clock of the same kind that is needed no longer.
	Copy(old Clock) Clock
}

// wall takes what the wall clock shows for the order of events. It promises nothing: two
// wall clocks are never the same, and each is stepped.
//
// Source: S4 9.1 of docs/sources.md.
type wall struct{}

func (*wall) Tick(pt clock.Reading) (Stamp, Refusal) { return readingStamp(pt), 0 }

func (*wall) Receive(_ Stamp, pt clock.Reading) (Stamp, Refusal) { return readingStamp(pt), 0 }

func (*wall) Persist(clock.Reading) (clock.Reading, bool) { return 0, false }

func (*wall) Recover(Clock) {}

func (*wall) Copy(Clock) Clock { return &wall{} }

// lamport counts. Unless its count is durable it begins again after a crash.
//
// Source: Lamport 1978, IR1 and IR2.
type lamport struct {
	durable bool

	count clock.Lamport
}

func (c *lamport) Tick(clock.Reading) (Stamp, Refusal) { return counterStamp(c.count.Tick()), 0 }

func (c *lamport) Receive(m Stamp, _ clock.Reading) (Stamp, Refusal) {
	n, err := c.count.Receive(m.counter())
	if err != nil {
		return Stamp{}, outOfRange
	}
	return counterStamp(n), 0
}

func (*lamport) Persist(clock.Reading) (clock.Reading, bool) { return 0, false }

func (c *lamport) Recover(before Clock) {
	if c.durable {
		*c = *before.(*lamport)
	}
}

func (c *lamport) Copy(old Clock) Clock {
	n, ok := old.(*lamport)
	if !ok {
		n = &lamport{}
	}
	*n = *c
	return n
}

const outOfRange = Refusal(clock.OutOfRange) + 1
