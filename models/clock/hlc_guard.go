package clock

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Overflow is what a [GuardedHLC] does when c is full.
type Overflow uint8

// What there is to do.
const (
	Carry Overflow = iota // l goes up by one and c begins again: l may run ahead by a nanosecond
	Wait                  // the event is refused until the wall clock has passed l
)

// HLCParams are the limits of a [GuardedHLC]. A zero length is no limit.
type HLCParams struct {
	MaxOffset    time.Duration // a message from further ahead than this is refused
	ForwardJump  time.Duration // a wall clock that has gone forward by this or more since the last event is fatal
	BackwardJump time.Duration // one that has gone back by more is counted
	MaxCounter   uint32        // largest c, 1 and up: 65 535 if it travels in 16 bits
	Overflow     Overflow      // what happens behind it
	Durable      bool          // no stamp is issued with an l above the bound made durable
}

// DefaultHLCParams are CockroachDB's: half a second, a half of that forwards, a tenth
// backwards.
//
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go; spec, locks, clocks and
// key-value store, section 10.3.
func DefaultHLCParams() HLCParams { return HLCParamsFor(500 * time.Millisecond) }

// HLCParamsFor are those for a largest offset.
func HLCParamsFor(maxOffset time.Duration) HLCParams {
	return HLCParams{MaxOffset: maxOffset, ForwardJump: maxOffset / 2, BackwardJump: maxOffset / 10, MaxCounter: math.MaxUint32}
}

// Validate returns all mistakes.
func (p HLCParams) Validate() error {
	var all []error
	for _, l := range []struct {
		name string
		d    time.Duration
	}{{"max_offset", p.MaxOffset}, {"forward_jump", p.ForwardJump}, {"backward_jump", p.BackwardJump}} {
		if l.d < 0 {
			all = append(all, fmt.Errorf("%s: must not be negative, got %v", l.name, l.d))
		}
	}
	if p.MaxCounter == 0 {
		all = append(all, errors.New("max_counter: must be 1 or more, got 0"))
	}
	if p.Overflow > Wait {
		all = append(all, fmt.Errorf("overflow: there is no kind %d", p.Overflow))
	}
	return errors.Join(all...)
}

// Refusal is why a [GuardedHLC] has not stamped an event.
type Refusal uint8

// The reasons.
const (
	TooFarAhead Refusal = iota // of the message: the sender's clock is wrong, or ours
	Jumped                     // our wall clock went forward: the node must stop
	NotDurable                 // l would be above the bound: make a higher one durable
	CounterFull                // wait until the wall clock has passed l
	OutOfRange                 // of the message: no stamp that a clock could have
)

// HLCError says why there is no stamp.
type HLCError struct {
	Why       Refusal
	Stamp     Timestamp // of the message, or the one not issued
	PT        Reading   // what the wall clock showed
	By, Limit time.Duration
}

func (e *HLCError) Error() string {
	switch e.Why {
	case TooFarAhead:
		return fmt.Sprintf("hybrid clock: message %v is %v ahead of the wall clock, at most %v are accepted", e.Stamp, e.By, e.Limit)
	case Jumped:
		return fmt.Sprintf("hybrid clock: the wall clock jumped %v forward to %d, less than %v is tolerated", e.By, e.PT, e.Limit)
	case NotDurable:
		return fmt.Sprintf("hybrid clock: stamp %v is %v above the durable bound", e.Stamp, e.By)
	case CounterFull:
		return fmt.Sprintf("hybrid clock: the counter is full at %v, wait %v", e.Stamp, e.By)
	}
	return fmt.Sprintf("hybrid clock: message %v is out of range", e.Stamp)
}

// GuardedHLC is a [HLC] with the protection that a real system needs. One message from
// a clock that is an hour ahead moves the bare clock by an hour, and all whom it talks
// to.
//
// A refused event leaves no stamp. The wall clock has been read all the same, and a
// refusal because of a jump is not repeated: the node that sees one stops.
//
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go; spec, locks, clocks and
// key-value store, section 10.3.
type GuardedHLC struct {
	HLCParams

	clock    HLC
	read     Reading // the last one
	begun    bool
	bound    Reading
	backward uint64
}

// NewGuardedHLC is the clock of a new node, or all mistakes in the parameters.
func NewGuardedHLC(p HLCParams) (*GuardedHLC, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &GuardedHLC{HLCParams: p, bound: math.MinInt64}, nil
}

// Restart is the clock of a node that comes back: see [RestartHLC]. With Durable, a
// higher bound must be made durable before the first stamp.
func (g *GuardedHLC) Restart(bound Reading) {
	*g = GuardedHLC{HLCParams: g.HLCParams, clock: RestartHLC(bound), bound: bound}
}

// Persisted tells the clock that a bound is durable now: stamps up to it may be
// issued. A bound never falls.
func (g *GuardedHLC) Persisted(bound Reading) { g.bound = max(g.bound, bound) }

// Last is the last stamp.
func (g *GuardedHLC) Last() Timestamp { return g.clock.Last }

// Backward is how often the wall clock has gone back by more than is tolerated. That
// is no error: l stands still until the wall clock has caught up.
func (g *GuardedHLC) Backward() uint64 { return g.backward }

// Tick is [HLC.Tick], or an [*HLCError].
func (g *GuardedHLC) Tick(pt Reading) (Timestamp, error) {
	if err := g.look(pt); err != nil {
		return g.clock.Last, err
	}
	next := g.clock
	next.Tick(pt)
	return g.issue(next, pt)
}

// Receive is [HLC.Receive], or an [*HLCError].
func (g *GuardedHLC) Receive(m Timestamp, pt Reading) (Timestamp, error) {
	if err := g.look(pt); err != nil {
		return g.clock.Last, err
	}
	if m.L > MaxReading || m.L < -MaxReading {
		return g.clock.Last, &HLCError{Why: OutOfRange, Stamp: m, PT: pt}
	}
	if by := time.Duration(m.L - pt); g.MaxOffset > 0 && by > g.MaxOffset {
		return g.clock.Last, &HLCError{TooFarAhead, m, pt, by, g.MaxOffset}
	}
	next := g.clock
	next.Receive(m, pt)
	return g.issue(next, pt)
}

// look compares a reading of the wall clock with the last one.
func (g *GuardedHLC) look(pt Reading) error {
	last, begun := g.read, g.begun
	g.read, g.begun = pt, true
	if !begun {
		return nil
	}
	if g.BackwardJump > 0 && last-pt > Reading(g.BackwardJump) {
		g.backward++
	}
	if by := time.Duration(pt - last); g.ForwardJump > 0 && by >= g.ForwardJump {
		return &HLCError{Jumped, g.clock.Last, pt, by, g.ForwardJump}
	}
	return nil
}

// issue makes the next state ours, unless a limit is in the way.
func (g *GuardedHLC) issue(next HLC, pt Reading) (Timestamp, error) {
	if next.Last.C > g.MaxCounter {
		if g.Overflow == Wait {
			return g.clock.Last, &HLCError{CounterFull, g.clock.Last, pt, next.Ahead(pt) + 1, 0}
		}
		next.Last = Timestamp{L: next.Last.L + 1}
	}
	if g.Durable && next.Last.L > g.bound {
		return g.clock.Last, &HLCError{NotDurable, next.Last, pt, time.Duration(next.Last.L - g.bound), 0}
	}
	g.clock = next
	return next.Last, nil
}

// TooManyFar reports whether a node must stop: its offset exceeds what is tolerated
// towards at least half of its peers. CockroachDB tolerates four fifths of the largest
// offset.
//
// Source: cockroachdb/cockroach, pkg/rpc/clock_offset.go, VerifyClockOffset.
func TooManyFar(offsets []time.Duration, tolerated time.Duration) bool {
	far := 0
	for _, o := range offsets {
		if o > tolerated || o < -tolerated {
			far++
		}
	}
	return far > 0 && 2*far >= len(offsets)
}
