package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Msg is every message of the lock protocols: see [core.Msg].
type Msg = core.Msg

// Hold is a lock that is held.
type Hold = core.Hold

// What observers look at, and the critical section says and hears: see the list of [core].
const (
	start   = core.Start
	begin   = core.Begin
	worked  = core.Worked
	done    = core.Unneeded
	timeout = core.Timeout
	pulse   = core.Pulse

	Incr          = core.Incr
	IncrReply     = core.IncrReply
	Register      = core.Register
	RegisterReply = core.RegisterReply
	Read          = core.Read
	ReadReply     = core.ReadReply
	Write         = core.Write
	WriteReply    = core.WriteReply

	Trying   = core.Trying
	Acquired = core.Acquired
	Refused  = core.Refused
	Failed   = core.Failed
	Extended = core.Extended
	Checked  = core.Checked
	Expired  = core.Expired
	Released = core.Released
	Stale    = core.Stale
	LockLost = core.LockLost
	Hung     = core.Hung
	Owned    = core.Owned
	Freed    = core.Freed
	Issued   = core.Issued
	Applied  = core.Applied
	Fenced   = core.Fenced
	Rejected = core.Rejected
	Skipped  = core.Skipped

	Promoted         = core.Promoted
	Following        = core.Following
	SubjectivelyDown = core.SubjectivelyDown
	ObjectivelyDown  = core.ObjectivelyDown
	Candidacy        = core.Candidacy
	Elected          = core.Elected
	SwitchedMaster   = core.SwitchedMaster
	Tilted           = core.Tilted
	WatchEnded       = core.WatchEnded
	WatchLeaked      = core.WatchLeaked
)

var kinds = core.Kinds

func grantOf(client sim.NodeID, try uint32) uint64 { return core.GrantOf(client, try) }

func client(grant uint64) sim.NodeID { return core.Client(grant) }

func reading(in sim.In[Msg], clock sim.ClockID) int64 { return core.Reading(in, clock) }

func before(in sim.In[Msg], clock sim.ClockID, until int64) bool {
	return core.Before(in, clock, until)
}
