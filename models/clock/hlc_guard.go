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
	MaxCounter   uint32        // largest c, 1 and up: 65,535 if it travels in 16 bits
	Overflow     Overflow      // what happens behind it
	Durable      bool          // no stamp is issued with an l above the bound made durable
}

// DefaultHLCParams are CockroachDB's: half a second, a half of that forwards, a tenth
// backwards.
//
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go.
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
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go.
type GuardedHLC struct {
	params HLCParams

	clock     HLC
	read      Reading // the last one
	low, span uint64  // a reading from read-low to read-low+span is nothing to look into
	bound     Reading // no stamp has a higher l
	backward  uint64
}

// far is further than any two readings are apart, but for the very last.
const far = 1 << 62

// NewGuardedHLC is the clock of a new node, or all mistakes in the parameters. With
// Durable, a bound must be made durable before the first stamp.
func NewGuardedHLC(p HLCParams) (*GuardedHLC, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	g := &GuardedHLC{params: p}
	g.reset(HLC{}, math.MinInt64)
	return g, nil
}

// Restart is the clock of a node that comes back: see [RestartHLC]. With Durable, a
// higher bound must be made durable before the first stamp.
func (g *GuardedHLC) Restart(bound Reading) {
	g.reset(RestartHLC(bound), bound)
}

func (g *GuardedHLC) reset(clock HLC, bound Reading) {
	*g = GuardedHLC{params: g.params, clock: clock, low: 1 << 63, bound: bound} // no reading is near
	if !g.params.Durable {
		g.bound = math.MaxInt64
	}
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
	if uint64(pt-g.read)+g.low > g.span {
		if err := g.look(pt); err != nil {
			return g.clock.Last, err
		}
	}
	g.read = pt
	next := g.clock
	next.Tick(pt)
	if next.Last.C > g.params.MaxCounter || next.Last.L > g.bound {
		return g.limited(next, pt)
	}
	g.clock = next
	return next.Last, nil
}

// Receive is [HLC.Receive], or an [*HLCError].
func (g *GuardedHLC) Receive(m Timestamp, pt Reading) (Timestamp, error) {
	if uint64(pt-g.read)+g.low > g.span {
		if err := g.look(pt); err != nil {
			return g.clock.Last, err
		}
	}
	g.read = pt
	if err := g.check(m, pt); err != nil {
		return g.clock.Last, err
	}
	next := g.clock
	next.Receive(m, pt)
	if next.Last.C > g.params.MaxCounter || next.Last.L > g.bound {
		return g.limited(next, pt)
	}
	g.clock = next
	return next.Last, nil
}

// look is what there is to say about a reading that is not near the last one, or the
// first of all.
func (g *GuardedHLC) look(pt Reading) error {
	begun, by := g.span > 0, time.Duration(pt-g.read)
	g.read = pt
	jump, back := g.params.ForwardJump, g.params.BackwardJump
	if !begun {
		g.low, g.span = far, 2*far
		if back > 0 {
			g.low = uint64(back)
			g.span = far + g.low
		}
		if jump > 0 {
			g.span = g.low + uint64(jump) - 1
		}
		return nil
	}
	if back > 0 && by < -back {
		g.backward++
	}
	if jump > 0 && by >= jump {
		return &HLCError{Jumped, g.clock.Last, pt, by, jump}
	}
	return nil
}

// check is what is wrong with the stamp of a message.
func (g *GuardedHLC) check(m Timestamp, pt Reading) error {
	switch by := time.Duration(m.L - pt); {
	case m.L > MaxReading || m.L < -MaxReading:
		return &HLCError{Why: OutOfRange, Stamp: m, PT: pt}
	case by > g.params.MaxOffset && g.params.MaxOffset > 0:
		return &HLCError{TooFarAhead, m, pt, by, g.params.MaxOffset}
	}
	return nil
}

// limited is an event whose stamp would be above a limit.
func (g *GuardedHLC) limited(next HLC, pt Reading) (Timestamp, error) {
	if next.Last.C > g.params.MaxCounter {
		if g.params.Overflow == Wait {
			return g.clock.Last, &HLCError{CounterFull, next.Last, pt, next.Ahead(pt) + 1, 0}
		}
		next.Last = Timestamp{L: next.Last.L + 1}
	}
	if next.Last.L > g.bound {
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
