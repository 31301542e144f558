package etcd

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// machine applies commands at reading 0.
type machine struct{ Store }

func (m *machine) do(c Command) Result { return m.Apply(0, &c) }

// granted is a fresh store with leases 1 to n.
func granted(t *testing.T, n int) *machine {
	m := &machine{}
	for id := range n {
		require.Zero(t, m.do(Command{Kind: LeaseGrant, Lease: LeaseID(id + 1), TTL: 60}).Err)
	}
	return m
}

func put(k Key, value uint64) Command {
	return Command{Then: [MaxOps]Op{{Kind: Put, Key: k, Value: value}}}
}

var (
	k1 = Key{Dir: 7, Name: 1}
	k2 = Key{Dir: 7, Name: 2}
	k3 = Key{Dir: 7, Name: 3}
)

// E-01
func TestThreeSessionsQueueByCreateRevision(t *testing.T) {
	m := granted(t, 3)
	assert.Equal(t, int64(1), m.Rev(), "granting a lease writes no key")
	for i, k := range []Key{k1, k2, k3} {
		r := m.do(Enqueue(k, LeaseID(i+1), 0))
		assert.True(t, r.Succeeded)
		assert.Equal(t, int64(i+2), r.Rev)
		assert.Equal(t, int64(2), r.Responses[1].KV.CreateRev, "the owner is the oldest key")
	}
	assert.Equal(t, k1, m.do(Predecessor(k2, 3)).Responses[0].KV.Key)
	assert.Equal(t, k2, m.do(Predecessor(k3, 4)).Responses[0].KV.Key, "each waits for the one before it")
	assert.Equal(t, int64(5), m.do(DeleteKey(k1)).Rev)
	assert.Equal(t, KV{}, m.do(Predecessor(k2, 3)).Responses[0].KV)
	assert.Equal(t, int64(5), m.do(Get(k2)).Rev, "header revision at the grant to B")
	assert.Equal(t, int64(6), m.do(DeleteKey(k2)).Rev)
	assert.Equal(t, int64(6), m.do(Get(k3)).Rev, "and to C")
}

// E-03
func TestTheShortestLeaseOutlivesAnElection(t *testing.T) {
	assert.Equal(t, int64(2), MinTTL(10, 100*time.Millisecond))
	assert.Equal(t, int64(8), MinTTL(50, 100*time.Millisecond))
	assert.Equal(t, int64(1), MinTTL(3, 250*time.Millisecond), "three halves of the ticks are rounded down")
}

// E-06
func TestADeletionByNameTakesTheKeyOfTheNextGrant(t *testing.T) {
	for _, guarded := range []bool{false, true} {
		m := granted(t, 1)
		first := m.do(Enqueue(k1, 1, 0)).Rev
		m.do(DeleteKey(k1))
		second := m.do(Enqueue(k1, 1, 0)).Rev
		retried := DeleteKey(k1)
		if guarded {
			retried = DeleteOwn(k1, first)
		}
		m.do(retried)
		kv, ok := m.Get(k1)
		assert.Equal(t, guarded, ok)
		assert.Equal(t, guarded, kv.CreateRev == second)
	}
}

func TestASessionThatAsksTwiceHasOneKey(t *testing.T) {
	m := granted(t, 1)
	first := m.do(Enqueue(k1, 1, 0))
	again := m.do(Enqueue(k1, 1, 0))
	assert.False(t, again.Succeeded)
	assert.Equal(t, first.Rev, again.Rev)
	assert.Equal(t, first.Rev, again.Responses[0].KV.CreateRev)
	assert.Equal(t, first.Rev, again.Responses[1].KV.CreateRev)
}

func TestATransactionRaisesTheRevisionOnce(t *testing.T) {
	m := granted(t, 0)
	r := m.do(Command{Then: [MaxOps]Op{{Kind: Put, Key: k1, Value: 10}, {Kind: Put, Key: k2, Value: 20}, {Kind: Range, Key: k2}}})
	assert.Equal(t, int64(2), r.Rev)
	want := KV{Key: k2, Value: 20, CreateRev: 2, ModRev: 2, Version: 1}
	assert.Equal(t, want, r.Responses[2].KV, "a transaction sees what it wrote")
	r = m.do(put(k2, 21))
	assert.Equal(t, want, r.Responses[0].KV, "what was there before")
	kv, _ := m.Get(k2)
	assert.Equal(t, KV{Key: k2, Value: 21, CreateRev: 2, ModRev: 3, Version: 2}, kv)
	assert.Equal(t, int64(3), m.do(DeleteKey(k3)).Rev, "nothing deleted, nothing written")
	assert.Equal(t, int64(4), m.do(DeleteKey(k2)).Rev)
	m.do(put(k2, 22))
	kv, _ = m.Get(k2)
	assert.Equal(t, KV{Key: k2, Value: 22, CreateRev: 5, ModRev: 5, Version: 1}, kv, "a key made anew")
}

func TestARefusedTransactionDoesNothing(t *testing.T) {
	m := granted(t, 1)
	for _, c := range []struct {
		ops [MaxOps]Op
		err Error
	}{
		{[MaxOps]Op{{Kind: Put, Key: k1}, {Kind: Put, Key: k2, Lease: 9}}, LeaseNotFound},
		{[MaxOps]Op{{Kind: Put, Key: k1}, {Kind: Put, Key: k1}}, DuplicateKey},
		{[MaxOps]Op{{Kind: Put, Key: k1}, {Kind: Delete, Prefix: true, Key: k2}}, DuplicateKey},
	} {
		r := m.do(Command{Then: c.ops})
		assert.Equal(t, c.err, r.Err)
		assert.Equal(t, int64(1), r.Rev)
		assert.Zero(t, m.Len())
	}
	r := m.do(Command{Else: [MaxOps]Op{{Kind: Put, Key: k2, Lease: 9}}})
	assert.Zero(t, r.Err, "the branch that is not taken is not looked at")
}

func TestComparisons(t *testing.T) {
	m := granted(t, 1)
	m.do(Enqueue(k1, 1, 5))
	m.do(PutOwn(k1, 2, 6, 1))
	for _, c := range []struct {
		compare Compare
		holds   bool
	}{
		{Compare{Target: CreateRev, Key: k1, Operand: 2}, true},
		{Compare{Target: ModRev, Key: k1, Operand: 3}, true},
		{Compare{Target: Version, Key: k1, Operand: 1, Relation: Greater}, true},
		{Compare{Target: Version, Key: k1, Operand: 2, Relation: Less}, false},
		{Compare{Target: Value, Key: k1, Operand: 6}, true},
		{Compare{Target: Value, Key: k1, Operand: 6, Relation: NotEqual}, false},
		{Compare{Target: LeaseOf, Key: k1, Operand: 1}, true},
		{Compare{Target: CreateRev, Key: k2}, true},
		{Compare{Target: Value, Key: k2, Operand: 7, Relation: NotEqual}, false}, // no value to compare with
	} {
		r := m.do(Command{Compare: [MaxCompares]Compare{c.compare}})
		assert.Equal(t, c.holds, r.Succeeded, "%+v", c.compare)
	}
}

func TestARevokedLeaseTakesItsKeysInOneTransaction(t *testing.T) {
	m := granted(t, 2)
	m.do(Enqueue(k2, 1, 0))
	m.do(Enqueue(k1, 1, 0))
	m.do(Enqueue(k3, 2, 0))
	m.do(PutOwn(k3, 4, 0, 1)) // moves from lease 2 to lease 1
	m.do(PutOwn(k1, 3, 0, 2)) // and k1 the other way
	r := m.do(Command{Kind: LeaseRevoke, Lease: 1})
	assert.Equal(t, 2, r.Count)
	assert.Equal(t, int64(7), r.Rev)
	events, err := m.Events(7)
	require.NoError(t, err)
	assert.Equal(t, []Event{{KV: KV{Key: k2, ModRev: 7}, Delete: true}, {KV: KV{Key: k3, ModRev: 7}, Delete: true}}, events)
	assert.Equal(t, 1, m.Len())
	assert.Equal(t, LeaseNotFound, m.do(Command{Kind: LeaseRevoke, Lease: 1}).Err)
}

func TestAWatchGetsEveryChangeFromItsRevisionOn(t *testing.T) {
	m := granted(t, 0)
	m.do(put(k1, 1))
	m.do(put(k2, 2))
	w := Watch{Key: k1, Next: 2}
	take := func() (revs []int64) {
		events, err := w.Take(&m.Store)
		require.NoError(t, err)
		for _, e := range events {
			if w.Wants(e.KV.Key) {
				revs = append(revs, e.KV.ModRev)
			}
		}
		return revs
	}
	assert.Equal(t, []int64{2}, take())
	m.do(put(k1, 3))
	m.do(put(k2, 3))
	m.do(DeleteKey(k1))
	assert.Equal(t, []int64{4, 6}, take())
	assert.Empty(t, take())
	w = Watch{Key: Key{Dir: 7}, Prefix: true, Next: 8} // from the revision after the next
	m.do(put(k1, 4))
	assert.Empty(t, take())
	m.do(put(k3, 4))
	assert.Equal(t, []int64{8}, take())
}

func TestACompactedHistoryCannotBeWatched(t *testing.T) {
	m := granted(t, 0)
	for v := range 5 {
		m.do(put(k1, uint64(v)))
	}
	assert.Equal(t, FutureRev, m.do(Command{Kind: Compact, Rev: 7}).Err)
	require.Zero(t, m.do(Command{Kind: Compact, Rev: 5}).Err)
	assert.Equal(t, Compacted, m.do(Command{Kind: Compact, Rev: 5}).Err)
	_, err := (&Watch{Key: k1, Next: 4}).Take(&m.Store)
	assert.Equal(t, Compacted, err)
	events, err := (&Watch{Key: k1, Next: 5}).Take(&m.Store)
	require.NoError(t, err)
	assert.Len(t, events, 2)
	m.Retain = 3
	for v := range 100 {
		m.do(put(k1, uint64(v)))
	}
	events, err = m.Events(m.Rev() - 2)
	require.NoError(t, err)
	assert.Len(t, events, 3)
	_, err = m.Events(m.Rev() - 6)
	assert.Equal(t, Compacted, err)
}

// E-02
func TestEveryNewLeaderExtendsALease(t *testing.T) {
	at := func(s int) sim.Mono { return sim.Mono(0).Add(time.Duration(s) * time.Second) }
	for _, c := range []struct {
		changes []int // seconds
		want    int
		every   time.Duration // checkpoints
	}{
		{nil, 60, 0},
		{[]int{50}, 111, 0},
		{[]int{50, 100, 150}, 211, 0},
		{[]int{50, 100, 150}, 61, 10 * time.Second}, // the seconds left are checkpointed
	} {
		l := Lessor{CheckpointInterval: c.every}
		l.Promote(0, 0)
		_, err := l.Grant(0, 1, 60)
		require.Zero(t, err)
		changes := c.changes
		second := 0
		for ; len(l.Expired(at(second), nil)) == 0; second++ {
			for _, cp := range l.Checkpoints(at(second), nil) {
				l.Checkpoint(at(second), cp.Lease, cp.TTL)
			}
			if len(changes) > 0 && changes[0] == second {
				changes = changes[1:]
				l.Demote()
				l.Promote(at(second), time.Second)
			}
		}
		assert.InDelta(t, c.want, second, 3, "%v", c)
		if c.every == 0 {
			assert.Equal(t, c.want, second)
		}
	}
}

func TestAnExpiredLeaseIsOfferedAgainUntilItIsRevoked(t *testing.T) {
	l := Lessor{}
	l.Promote(0, 0)
	for id := range 3 {
		l.Grant(0, LeaseID(id+1), int64(3-id))
	}
	at := func(d time.Duration) sim.Mono { return sim.Mono(0).Add(d) }
	assert.Empty(t, l.Expired(at(time.Second-1), nil))
	assert.Equal(t, []LeaseID{3}, l.Expired(at(time.Second), nil))
	assert.Equal(t, []LeaseID{2, 1}, l.Expired(at(3*time.Second), nil), "the longest expired first")
	assert.Equal(t, []LeaseID{3}, l.Expired(at(4*time.Second), nil))
	l.Revoke(3)
	assert.Empty(t, l.Expired(at(5*time.Second), nil))
	l.Demote()
	assert.Empty(t, l.Expired(at(time.Hour), nil))
}

func TestRevocationsAreLimitedToHalfTheRateEachTime(t *testing.T) {
	l := Lessor{RevokeRate: 10}
	l.Promote(0, 0)
	for id := range 12 {
		l.Grant(0, LeaseID(id+1), 1)
	}
	now := sim.Mono(0).Add(time.Second)
	assert.Len(t, l.Expired(now, nil), 5)
	assert.Len(t, l.Expired(now, nil), 5)
	assert.Len(t, l.Expired(now, nil), 2)
}
