package redis

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"fencepost/sim"
)

func TestWaitCountsReplicasThatHaveAcknowledgedTheOffset(t *testing.T) {
	var r Replicas
	r.Begin(Position{History: 1})
	r.Wrote()
	assert.Equal(t, 0, r.Acked(1))
	assert.True(t, r.Ack(0, Position{1, 0}, 0))
	assert.Equal(t, 0, r.Acked(1), "it has acknowledged only what was before")
	assert.True(t, r.Ack(1, Position{1, 1}, 0))
	assert.Equal(t, 1, r.Acked(1))
	assert.Equal(t, 2, r.Acked(0))
}

func TestAReplicaOfAnotherHistoryIsNotLinked(t *testing.T) {
	var r Replicas
	r.Begin(Position{History: 2, Offset: 5})
	assert.False(t, r.Ack(0, Position{1, 5}, 0), "the history of a master that is gone")
	assert.False(t, r.Ack(0, Position{2, 6}, 0), "more than there is: what a master lost in a crash")
	assert.False(t, r.Linked(0))
	assert.Equal(t, 0, r.Acked(0))
	assert.True(t, r.Ack(0, Position{2, 5}, 0))
	assert.True(t, r.Linked(0))
	r.Begin(Position{History: 3})
	assert.False(t, r.Linked(0), "a new history has no replicas yet")
}

// Source: Redis 7.0, refreshGoodSlavesCount: lag = unixtime - repl_ack_time, good if lag <= max.
func TestMinReplicasCountsWholeSeconds(t *testing.T) {
	var r Replicas
	r.Begin(Position{History: 1})
	r.Ack(0, Position{1, 0}, wall(1_999))
	for _, c := range []struct {
		now  int64
		good int
	}{{1_999, 1}, {11_000, 1}, {11_999, 1}, {12_000, 0}} {
		assert.Equal(t, c.good, r.Good(wall(c.now), 10*time.Second), "at %d ms", c.now)
	}
	assert.Equal(t, wall(-1_000), second(wall(-1)), "before the epoch too")
}

func TestSelectTakesPriorityThenOffsetThenTheFirst(t *testing.T) {
	for _, c := range []struct {
		name string
		list []Candidate
		want int
	}{
		{"none", nil, -1},
		{"none that answers", []Candidate{{false, 100, 9}}, -1},
		{"priority 0 is never promoted", []Candidate{{true, 0, 9}, {true, 100, 1}}, 1},
		{"the lowest priority", []Candidate{{true, 100, 9}, {true, 50, 1}}, 1},
		{"the largest offset", []Candidate{{true, 100, 3}, {true, 100, 4}, {true, 100, 2}}, 1},
		{"the first", []Candidate{{true, 100, 3}, {true, 100, 3}}, 0},
	} {
		assert.Equal(t, c.want, Select(c.list), c.name)
	}
}

func TestASentinelVotesOnceInAnEpoch(t *testing.T) {
	var b Ballot
	v, now := b.Cast(1, 7)
	assert.True(t, now)
	assert.Equal(t, Vote{7, 1}, v)
	v, now = b.Cast(1, 8)
	assert.False(t, now, "it has voted")
	assert.Equal(t, Vote{7, 1}, v)
	v, now = b.Cast(3, 8)
	assert.True(t, now)
	assert.Equal(t, Vote{8, 3}, v)
	v, now = b.Cast(2, 9)
	assert.False(t, now, "that epoch is over")
	assert.Equal(t, Vote{8, 3}, v)
	assert.Equal(t, uint64(3), b.Epoch)
}

func TestALeaderNeedsAMajorityAndTheQuorum(t *testing.T) {
	two := []Vote{{7, 1}, {7, 1}, {8, 1}, {7, 2}}
	assert.True(t, Elected(7, 1, two, 3, 2))
	assert.False(t, Elected(8, 1, two, 3, 1), "one vote of three")
	assert.False(t, Elected(7, 1, two, 3, 3), "a quorum of three")
	assert.False(t, Elected(7, 1, two, 5, 2), "two votes of five")
	assert.False(t, Elected(7, 2, two, 3, 2), "another epoch")
}

func TestNoEpochHasTwoLeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "sentinels")
		ballots, leaders := make([]Ballot, n), map[uint64]sim.NodeID{}
		votes := make(map[sim.NodeID][]Vote) // by candidate: the answers that it got
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			epoch, c := rapid.Uint64Range(1, 3).Draw(t, "epoch"), sim.NodeID(rapid.IntRange(1, n).Draw(t, "candidate"))
			i := rapid.IntRange(0, n-1).Draw(t, "voter")
			if v, now := ballots[i].Cast(epoch, c); now {
				votes[v.Leader] = append(votes[v.Leader], v)
			}
			if !Elected(c, epoch, votes[c], n, 1) {
				continue
			}
			if before, ok := leaders[epoch]; ok && before != c {
				t.Fatalf("%d and %d both lead in epoch %d", before, c, epoch)
			}
			leaders[epoch] = c
		}
	})
}
