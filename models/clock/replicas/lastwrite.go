package replicas

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// lastWrite is one value, that with the latest stamp. There are no siblings: of two
// concurrent writes one is lost. With the stamps of wall clocks a write is lost as well to
// one that it replaces, if the clock there was ahead; a hybrid clock counts on from what
// the writer had read.
//
// Source: "Dynamo", 2007, section 4.4, last write wins.
type lastWrite struct {
	rules   *Rules
	written bool
	value   Value
	stamp   clock.HybridStamp[ID]
}

// Put implements [Versions]. A stamp that is not earlier than the one at hand wins. It is
// no version: two writes may share it.
func (s lastWrite) Put(w *Write, at Place) (Versions, clock.VersionVector[ID]) {
	stamp := clock.Timestamp{L: at.Wall}
	if s.rules.Hybrid {
		h := clock.HLC{Last: s.stamp.Timestamp}
		if w.Read != nil {
			stamp = h.Receive(w.Read.versions.(lastWrite).stamp.Timestamp, at.Wall)
		} else {
			stamp = h.Tick(at.Wall)
		}
	}
	return lastWrite{s.rules, true, w.Value, clock.HybridStamp[ID]{Timestamp: stamp, Node: at.Replica}}.over(s), nil
}

// Sync implements [Versions].
func (s lastWrite) Sync(other Versions) Versions { return s.over(other.(lastWrite)) }

// over is the later of both, and of equal ones the first.
func (s lastWrite) over(t lastWrite) lastWrite {
	if t.written && (!s.written || t.stamp.Compare(s.stamp) > 0) {
		return t
	}
	return s
}

// Values implements [Versions].
func (s lastWrite) Values() []Value {
	if !s.written {
		return nil
	}
	return []Value{s.value}
}

// Metadata implements [Versions]: a stamp of 12 bytes and an id of 8.
func (s lastWrite) Metadata() int { return 20 }

// Text implements [Versions]: y @3.000s, and for a hybrid stamp y @3.000s,1.
func (s lastWrite) Text(n names) string {
	switch {
	case !s.written:
		return ""
	case s.rules.Hybrid:
		return fmt.Sprintf("%s @%s,%d", n.value(s.value), sim.Seconds(int64(s.stamp.L)), s.stamp.C)
	}
	return fmt.Sprintf("%s @%s", n.value(s.value), sim.Seconds(int64(s.stamp.L)))
}

// Fold implements [Versions].
func (s lastWrite) Fold(d sim.Digest) sim.Digest {
	return foldValue(d, s.value).Fold(uint64(s.stamp.L), uint64(s.stamp.C)).Fold(uint64(s.stamp.Node), 0)
}
