// Package kubernetes is a Lease object as the API server keeps it, and what the leader
// election of client-go decides about it: arithmetic without an engine.
//
// Source: the API of coordination.k8s.io/v1, Lease, and client-go v0.34.1,
// tools/leaderelection.
package kubernetes

import (
	"time"

	"fencepost/sim"
)

// Record is what a Lease says. Its times are those of the wall clock of the client that
// wrote them, and no other clock is to be compared with them.
//
// Source: client-go v0.34.1, tools/leaderelection/resourcelock/interface.go,
// LeaderElectionRecord.
type Record struct {
	Holder      uint64 // holderIdentity; 0 is the empty string: no client holds it
	Seconds     uint16 // leaseDurationSeconds
	Renewed     sim.Wall
	Transitions uint32 // leaderTransitions: how often the holder has changed
}

// Duration is how long the lease lasts from the instant at which a client has seen it change.
func (r *Record) Duration() time.Duration { return time.Duration(r.Seconds) * time.Second }

// says reports whether two records are the same as a client compares them: their times in JSON are
// those of metav1.Time, whole seconds. Two renewals within a second are one.
func (r *Record) says(other *Record) bool {
	return r.Holder == other.Holder && r.Seconds == other.Seconds && r.Transitions == other.Transitions && sameSecond(r.Renewed, other.Renewed)
}

// sameSecond reports whether two readings are of the same second. The same reading is, without a look at the second.
func sameSecond(a, b sim.Wall) bool {
	same := func(a, b sim.Wall) bool { return !a.Before(b) && !b.Before(a) }
	return same(a, b) || same(a.Truncate(time.Second), b.Truncate(time.Second))
}

// Lease is the object with its resourceVersion, which every write changes.
type Lease struct {
	Record
	Version uint64 // resourceVersion, 1 and up; 0: there is no object

	last uint64 // version given out: a deleted object's does not come again
}

// Create makes the object, if there is none.
func (l *Lease) Create(r Record) bool {
	if l.Version != 0 {
		return false
	}
	l.write(r)
	return true
}

// Update replaces the object, if its version is still that which the client has read.
func (l *Lease) Update(version uint64, r Record) bool {
	if l.Version == 0 || l.Version != version {
		return false
	}
	l.write(r)
	return true
}

// Delete removes the object, if there is one, and its count of transitions with it.
func (l *Lease) Delete() bool {
	if l.Version == 0 {
		return false
	}
	l.last++
	l.Record, l.Version = Record{}, 0
	return true
}

func (l *Lease) write(r Record) {
	l.last++
	l.Record, l.Version = r, l.last
}

// Last is the version of the latest write, a deletion included.
func (l *Lease) Last() uint64 { return l.last }
