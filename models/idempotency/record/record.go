// Package record is the record that a server keeps of an idempotency key: what it answers to
// a request with the key, and what it keeps when the work for one is done.
//
// [Rules] decide, with [Rules.Begin] and [Rules.Finish], on a [Record], a plain value that
// the caller makes durable: each call reads and writes it in one atomic step. Presets
// are in presets.go. [Store] is the store in memory of a middleware, for many keys. Nothing
// here needs an engine; readings of the clock are compared by [sim.Wall.Before] only.
//
//fencepost:readings
package record

import (
	"time"

	"fencepost/models/idempotency/key"
	"fencepost/sim"
)

// Status is what a record says of the work.
type Status uint8

// The statuses.
const (
	Absent     Status = iota // there is no record
	InProgress               // an attempt is under way, or was
	Completed                // there is an answer
)

// Answer is what a request is answered with.
type Answer struct {
	Code int32 // of HTTP
	Body int64 // stands for the body
}

// Record is what is kept of one key. The zero Record is that of a key that was never seen.
//
// Invariants: an attempt is 1 or more once there was one, and never decreases; an answer is
// there only when completed.
type Record struct {
	Status      Status
	Leased      bool   // LeaseUntil counts
	Attempt     uint32 // of the last one that began: what fences those before
	Fingerprint uint64 // of the request that began it
	LeaseUntil  sim.Wall
	Expires     sim.Wall // when the record is as if it were absent
	Answer      Answer
}

// Request is a request with a key.
type Request struct {
	Fingerprint uint64
	Limited     bool          // Remaining is known
	Remaining   time.Duration // until the attempt that does the work is stopped, at most
}

// Action is what a server does with a request.
type Action uint8

// The actions.
const (
	Run      Action = iota + 1 // do the work, and finish the attempt
	Replay                     // answer what is stored, and say so in a header
	Conflict                   // 409: the work is in progress
	Mismatch                   // the key belongs to another request
	Refuse                     // 400: the key is missing or no key; 413: the body is too large
)

// Decision is what to do with a request.
type Decision struct {
	Do         Action
	Code       int32         // of HTTP, if not Run
	Attempt    uint32        // of Run, for Finish; 0: the request has no record
	Answer     Answer        // of Replay
	RetryAfter time.Duration // of Conflict, in whole seconds; 0: none is given
}

// Keep is which ends of an attempt leave an answer that is replayed.
type Keep uint8

// The choices. What leaves none removes the record, and the next request begins anew.
const (
	KeepAll     Keep = iota // every answer, an exception as one of 500
	KeepReturns             // what the work returned; not an exception
	KeepSuccess             // answers from 200 to 299
	KeepFinal               // what the work returned; after an exception the record is released: the next attempt is a takeover
)

// Rules are how a server treats keys.
type Rules struct {
	Header   key.Header
	Required bool     // a request without a key is refused; else it runs without a record
	MostBody int64    // bytes of a request's body; a larger one is refused before its key is looked up. 0: any number
	Methods  []string // that have records; nil: all

	TTL        time.Duration // of a record, from its first attempt
	Renew      bool          // and again from the answer
	Lease      time.Duration // of an attempt; 0: it lasts as long as the record
	Remaining  bool          // an attempt's lease is the remaining time of its request, if that is known
	After      bool          // a lease or record ends after its last instant, not at it
	TTLGrain   time.Duration // in which the end of a record is kept, cut off; 0: exactly
	LeaseGrain time.Duration // the same of a lease

	MismatchCode  int32         // of HTTP
	ProgressFirst bool          // what is in progress is a conflict, whatever the request
	AnyTakeover   bool          // an attempt whose lease is over is taken over by any request
	RetryAfter    time.Duration // 0: what is left of the lease
	Keep          Keep

	// What has gone wrong in use.
	ZeroIsUnlimited bool // a remaining time of 0 is read as none that is known
	Unfenced        bool // an attempt that has been taken over finishes like any other
	StoreLate       bool // nothing is stored when an attempt begins
}

// Begin decides what to do with a request with the key of a record.
func (r *Rules) Begin(rec *Record, now sim.Wall, q Request) Decision {
	if rec.Status == Absent || r.over(now, rec.Expires, r.TTLGrain) {
		return r.begin(&Record{Attempt: rec.Attempt}, rec, now, q)
	}
	free := rec.Status == InProgress && rec.Leased && r.over(now, rec.LeaseUntil, r.LeaseGrain)
	switch {
	case free && r.AnyTakeover:
		return r.begin(&Record{Attempt: rec.Attempt}, rec, now, q)
	case rec.Status == InProgress && !free && r.ProgressFirst:
		return r.conflict(rec, now)
	case rec.Fingerprint != q.Fingerprint:
		return Decision{Do: Mismatch, Code: r.MismatchCode}
	case rec.Status == Completed:
		return Decision{Do: Replay, Code: rec.Answer.Code, Answer: rec.Answer}
	case free:
		return r.begin(rec, rec, now, q)
	}
	return r.conflict(rec, now)
}

// begin is the next attempt: of a record that exists, or of a new one.
func (r *Rules) begin(from, rec *Record, now sim.Wall, q Request) Decision {
	next := *from
	next.Attempt++
	if next.Status == Absent {
		next.Fingerprint, next.Expires = q.Fingerprint, cut(now.Add(r.TTL), r.TTLGrain)
	}
	next.Status, next.Leased, next.LeaseUntil = InProgress, false, 0
	lease, leased := r.Lease, r.Lease > 0
	if r.Remaining && q.Limited {
		lease, leased = max(q.Remaining, 0), q.Remaining > 0 || !r.ZeroIsUnlimited
	}
	if leased {
		next.Leased, next.LeaseUntil = true, cut(now.Add(lease), r.LeaseGrain)
	}
	if !r.StoreLate {
		*rec = next
	}
	return Decision{Do: Run, Attempt: next.Attempt}
}

func (r *Rules) conflict(rec *Record, now sim.Wall) Decision {
	d := Decision{Do: Conflict, Code: 409, RetryAfter: r.RetryAfter}
	if r.RetryAfter == 0 && rec.Leased {
		left := rec.LeaseUntil.Sub(now)
		d.RetryAfter = max(time.Second, (left + time.Second - 1).Truncate(time.Second)) //fencepost:allow it is told and decides nothing
	}
	return d
}

// over reports whether a record or lease has ended.
func (r *Rules) over(now, end sim.Wall, grain time.Duration) bool {
	now = cut(now, grain)
	if r.After {
		return end.Before(now)
	}
	return !now.Before(end)
}

// cut is a reading in whole grains: the one place that divides a reading, for stores that
// keep whole seconds. Readings before the epoch are not expected.
func cut(w sim.Wall, grain time.Duration) sim.Wall {
	if grain == 0 {
		return w
	}
	return w - w%sim.Wall(grain) //fencepost:allow the ends that are kept are whole seconds
}

// End is how an attempt ended.
type End uint8

// The ends.
const (
	Returned End = iota + 1 // with an answer, of success or of failure
	Threw                   // with an exception: an answer of 500
	Invalid                 // the request was refused before anything was done: it leaves no record
	Unknown                 // whether an external call was made is not known: the record stays as it is
)

// Outcome is an end with its answer.
type Outcome struct {
	End    End
	Answer Answer // of Returned
}

// Finished is what became of the record when an attempt ended.
type Finished uint8

// What may become of it.
const (
	Stored   Finished = iota + 1 // the answer is replayed from now on
	Removed                      // the next request begins anew
	Released                     // the next request takes over
	Left                         // the record is in progress as before
	Fenced                       // the record is another attempt's: undo the work, and answer what Begin says
)

// Finish ends an attempt, the effects of which are committed with the record.
func (r *Rules) Finish(rec *Record, now sim.Wall, attempt uint32, q Request, o Outcome) Finished {
	if mine := rec.Status == InProgress && rec.Attempt == attempt; !mine && !r.Unfenced && !r.StoreLate {
		return Fenced
	}
	if o.End == Threw {
		o.Answer = Answer{Code: 500}
	}
	kept := o.End == Returned || o.End == Threw && r.Keep == KeepAll
	if r.Keep == KeepSuccess {
		kept = kept && o.Answer.Code/100 == 2
	}
	switch {
	case o.End == Unknown:
		return Left
	case kept:
		if rec.Status == Absent || r.Renew {
			rec.Expires = cut(now.Add(r.TTL), r.TTLGrain)
		}
		rec.Status, rec.Leased, rec.LeaseUntil = Completed, false, 0
		rec.Attempt, rec.Fingerprint, rec.Answer = max(rec.Attempt, attempt), q.Fingerprint, o.Answer
		return Stored
	case o.End == Threw && r.Keep == KeepFinal:
		rec.Leased, rec.LeaseUntil = true, now
		return Released
	}
	*rec = Record{Attempt: rec.Attempt}
	return Removed
}
