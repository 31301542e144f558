package redis

import "fencepost/sim"

// Candidate is a replica as a Sentinel sees it that looks for one to promote.
type Candidate struct {
	Usable   bool   // it answers
	Priority int    // replica-priority; 0: never
	Offset   uint64 // that it last reported
}

// Select is the index of the replica to promote: of those that can be, the one with the lowest
// priority, among equals the one with the largest offset, and then the first. It is -1 if there
// is none.
//
// Source: Redis documentation, "High availability with Redis Sentinel", "Replica selection and
// priority"; src/sentinel.c, sentinelSelectSlave. The last tie is broken there by the run ID, a
// random number, and here by the place in the list.
func Select(list []Candidate) int {
	best := -1
	for i, c := range list {
		if !c.Usable || c.Priority == 0 {
			continue
		}
		if best < 0 || c.Priority < list[best].Priority || c.Priority == list[best].Priority && c.Offset > list[best].Offset {
			best = i
		}
	}
	return best
}

// Vote is for whom a Sentinel voted, and in which epoch. The zero Vote is none.
type Vote struct {
	Leader sim.NodeID
	Epoch  uint64
}

// Ballot is what a Sentinel remembers of elections. It is written to its disk.
type Ballot struct {
	Epoch uint64 // current: the largest that it has heard of
	Last  Vote
}

// Cast asks for a vote in an epoch. A Sentinel votes once in an epoch, for the candidate that
// asks first, and not in one that is over. It returns the vote that counts, and whether it was
// cast just now.
//
// Source: src/sentinel.c, sentinelVoteLeader.
func (b *Ballot) Cast(epoch uint64, candidate sim.NodeID) (v Vote, now bool) {
	b.Epoch = max(b.Epoch, epoch)
	if now = b.Last.Epoch < epoch && b.Epoch <= epoch; now {
		b.Last = Vote{candidate, epoch}
	}
	return b.Last, now
}

// Elected reports whether a candidate leads in an epoch: it needs the votes of a majority of
// all Sentinels, and those of a quorum, if that is more.
//
// Source: src/sentinel.c, sentinelGetLeader.
func Elected(candidate sim.NodeID, epoch uint64, votes []Vote, sentinels, quorum int) bool {
	n := 0
	for _, v := range votes {
		if v == (Vote{candidate, epoch}) {
			n++
		}
	}
	return n >= max(sentinels/2+1, quorum)
}
