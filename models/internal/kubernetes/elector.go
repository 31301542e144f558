package kubernetes

import (
	"time"

	"fencepost/sim"
)

// Action is what follows in a try: a request to the API server, or its result.
type Action uint8

// The actions. With Create and Update goes what [Elector.Proposal] is.
const (
	Get Action = iota
	Create
	Update
	Held    // the try has succeeded: the client is the leader
	Refused // it has failed
)

// Status is how a request ended.
type Status uint8

// The statuses. Failed is any error: a version that has changed, an object that is there
// already, no reply in time.
const (
	OK Status = iota
	NotFound
	Failed
)

// Expiry is how a client tells that the lease of another has run out.
type Expiry uint8

// The rules. That of client-go needs no clocks that agree; the other compares the holder's
// wall clock with its own.
const (
	SinceSeen    Expiry = iota // the lease's duration after the client has seen it change, on its monotonic clock
	SinceRenewed               // the lease's duration after its renewTime, on its wall clock
)

// Elector decides one client's tries to acquire the lease or to renew it, which are the
// same: a request is sent, and its reply says what is next.
//
// Source: client-go v0.34.1, tools/leaderelection/leaderelection.go, tryAcquireOrRenew and
// release; resourcelock/leaselock.go.
type Elector struct {
	Identity uint64
	Lease    time.Duration // written as whole seconds, rounded down
	Expiry   Expiry        // SinceRenewed: fabric8 kubernetes-client, LeaderElector.canBecomeLeader
	OwnLease bool          // it takes its own Lease for the holder's: fabric8 before issue 7160

	observed Record   // observedRecord
	since    sim.Mono // observedTime: when that changed
	fetched  Record   // observedRawRecord
	version  uint64   // of the object that it knows; 0: none

	now       sim.Mono // when the try began
	wall      sim.Wall
	asked     Action // what the last try was about to do, or its result
	optimist  bool   // the update under way is that of the fast path
	releasing bool
	proposal  Record
}

// Leader reports whether the client believes to be the leader, as of what it saw last.
func (e *Elector) Leader() bool { return e.observed.Holder == e.Identity }

// Observed is the record that the client saw last.
func (e *Elector) Observed() Record { return e.observed }

// Proposal is what is to be written, in place of the object that has the version.
func (e *Elector) Proposal() (version uint64, r Record) { return e.version, e.proposal }

// Try begins to acquire or to renew. The leader updates the object that it wrote last
// without reading it first.
func (e *Elector) Try(now sim.Mono, wall sim.Wall) Action {
	e.now, e.wall, e.releasing = now, wall, false
	e.proposal = Record{Holder: e.Identity, Seconds: uint16(e.Lease / time.Second), Renewed: wall}
	if e.optimist = e.version != 0 && e.Leader() && e.valid(); e.optimist {
		e.proposal.Transitions = e.observed.Transitions
		return e.ask(Update)
	}
	return e.ask(Get)
}

// Release begins to give the lease up. The object is read anew, but whether the client is
// the leader is not: it is what it was at the last try.
func (e *Elector) Release(now sim.Mono, wall sim.Wall) Action {
	e.now, e.wall, e.releasing, e.optimist = now, wall, true, false
	return e.ask(Get)
}

// Reply takes in how the request ended, and of a get or an update that succeeded what the
// object now is.
func (e *Elector) Reply(now sim.Mono, s Status, l Lease) Action {
	switch {
	case e.asked == Get && s == OK && e.releasing:
		return e.giveUp(l)
	case e.asked == Get && s == OK:
		return e.saw(now, l)
	case e.asked == Get && s == NotFound && !e.releasing:
		return e.ask(Create)
	case e.asked == Get:
		return e.ask(Refused)
	case s == OK:
		e.version = l.Version
		e.observe(now, e.proposal)
		return e.ask(Held)
	case e.optimist:
		e.optimist = false // a create that follows keeps the count of transitions
		return e.ask(Get)
	}
	return e.ask(Refused)
}

// Forget clears the readings that no later call compares or writes.
func (e *Elector) Forget() {
	over, seen := e.asked == Held || e.asked == Refused, e.Expiry == SinceSeen
	reads := !over && (e.asked == Get || e.optimist) // a lease may yet be read, and compared
	if !reads {
		e.now, e.wall = 0, 0
	}
	if seen {
		e.observed.Renewed = 0
	} else {
		e.since = 0
	}
	switch {
	case over:
		e.proposal = Record{}
	case seen && !reads:
		e.proposal.Renewed = 0
	}
}

func (e *Elector) ask(a Action) Action {
	e.asked = a
	return a
}

func (e *Elector) observe(now sim.Mono, r Record) { e.observed, e.since = r, now }

// saw is the object that a try has read.
func (e *Elector) saw(now sim.Mono, l Lease) Action {
	e.version = l.Version
	if !l.says(&e.fetched) {
		e.observe(now, l.Record)
	}
	e.fetched = l.Record
	if l.Holder != 0 && !e.Leader() && e.valid() {
		return e.ask(Refused)
	}
	e.proposal.Transitions = l.Transitions
	if !e.Leader() {
		e.proposal.Transitions++
	}
	return e.ask(Update)
}

// giveUp writes that there is no leader, with the least duration that the API allows.
func (e *Elector) giveUp(l Lease) Action {
	e.version = l.Version
	if !e.Leader() {
		return e.ask(Held)
	}
	e.proposal = Record{Seconds: 1, Renewed: e.wall, Transitions: l.Transitions}
	return e.ask(Update)
}

// valid reports whether the lease that was seen last had not run out when the try began.
func (e *Elector) valid() bool {
	lease := e.observed.Duration()
	if e.OwnLease {
		lease = e.Lease
	}
	if e.Expiry == SinceRenewed {
		return !e.observed.Renewed.Add(lease).Before(e.wall)
	}
	return e.now.Before(e.since.Add(lease))
}
