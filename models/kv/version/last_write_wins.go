package version

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// lastWriteWins keeps one value, the one with the latest stamp. Of two concurrent writes one is
// lost. A stamp is the coordinator's wall clock, or the client's: then a write is also lost to
// the one that it replaces, if the clock there was ahead. Or it is of a hybrid clock, which
// counts on from what the writer has read.
//
// A write whose stamp is that of the value stored here is dropped. Replicas that meet two values
// of one stamp keep a tombstone rather than a value, then the larger value, so that all keep
// the same.
//
// Source: "Dynamo", 2007, section 4.4; Kulkarni et al. 2014; apache/cassandra,
// db/rows/Cells.java for equal stamps; S4 11.3 of docs/sources.md.
type lastWriteWins struct {
	clientStamps bool
	resolution   clock.Reading // stamps are multiples of it
	hybrid       bool
	messages     bool          // the hybrid clock is moved by all that its node receives
	maxOffset    time.Duration // 0: no stamp is refused
}

// stamped is a value with its stamp, in one piece.
type stamped struct {
	Object
	value  [1]Value
	stamp  clock.Timestamp
	hybrid bool
}

func stampedOf(o *Object) *stamped { return o.state.(*stamped) }

// put implements rules.
func (l *lastWriteWins) put(t taking) *Object {
	stamp, ok := l.stamp(&t)
	switch {
	case !ok:
		return nil
	case t.local != nil && stamp.Compare(stampedOf(t.local).stamp) <= 0:
		return t.local
	}
	s := &stamped{value: [1]Value{t.value()}, stamp: stamp, hybrid: l.hybrid}
	d := foldValue(0, s.value[0]).Fold(uint64(stamp.L), uint64(stamp.C))
	metadata := 8
	if l.hybrid {
		metadata = 12
	}
	s.Object = newObject(s, s.value[:], d, t.ValueBytes, metadata)
	return &s.Object
}

// stamp is the stamp of a write, if the clock accepts what its writer has read.
func (l *lastWriteWins) stamp(t *taking) (clock.Timestamp, bool) {
	switch {
	case l.clientStamps:
		return clock.Timestamp{L: l.round(reading(t.Stamp))}, true
	case !l.hybrid:
		return clock.Timestamp{L: l.round(reading(t.wall))}, true
	case t.context == nil:
		return t.replica.hybrid.Tick(reading(t.wall)), true
	case l.tooFar(stampedOf(t.context).stamp, t.wall):
		return clock.Timestamp{}, false
	}
	return t.replica.hybrid.Receive(stampedOf(t.context).stamp, reading(t.wall)), true
}

// round is a reading as a stamp has it: a clock that is read in milliseconds gives many writes the
// same one.
func (l *lastWriteWins) round(r clock.Reading) clock.Reading {
	if l.resolution > 1 {
		return r - (r%l.resolution+l.resolution)%l.resolution
	}
	return r
}

// tooFar reports whether a stamp is further ahead of a wall clock than is accepted.
func (l *lastWriteWins) tooFar(s clock.Timestamp, wall sim.Wall) bool {
	return l.maxOffset > 0 && wall.Add(l.maxOffset).Before(sim.Wall(s.L))
}

// learn reports whether the node accepts a stamp that it receives, and moves its hybrid clock up
// to it if messages do.
func (l *lastWriteWins) learn(r *Replica, wall sim.Wall, o *Object) bool {
	s := stampedOf(o)
	if l.hybrid && l.tooFar(s.stamp, wall) {
		return false
	}
	if l.hybrid && l.messages {
		r.hybrid.Update(s.stamp)
	}
	return true
}

// covers implements rules.
func (l *lastWriteWins) covers(a, b *Object) bool { return stampedOf(a).compare(stampedOf(b)) >= 0 }

// compare is negative, zero or positive: by stamp, and of equal ones a tombstone, then the
// larger value, then the larger id is later.
func (s *stamped) compare(t *stamped) int {
	v, w := &s.value[0], &t.value[0]
	dead := 0
	if v.Tombstone != w.Tombstone {
		if dead = -1; v.Tombstone {
			dead = 1
		}
	}
	return cmp.Or(s.stamp.Compare(t.stamp), dead, cmp.Compare(v.Data, w.Data), cmp.Compare(v.Write, w.Write))
}

// merge implements rules: of two stamped values one covers the other.
func (l *lastWriteWins) merge(a, b *Object) *Object { return a }

// heads implements state.
func (s *stamped) heads(into []uint32) []uint32 { return append(into, s.value[0].Write) }

// text is 7 @3.000s, and with a hybrid stamp 7 @3.000s,1.
func (s *stamped) text(func(clock.Actor) string) string {
	if s.hybrid {
		return fmt.Sprintf("%s @%s,%d", s.value[0], sim.Seconds(int64(s.stamp.L)), s.stamp.C)
	}
	return fmt.Sprintf("%s @%s", s.value[0], sim.Seconds(int64(s.stamp.L)))
}
