package version_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

func policy(change func(*version.PolicyParams)) *version.Policy {
	p := version.DefaultPolicyParams()
	p.Conflict = "last-write-wins"
	change(&p)
	return version.New(p)
}

func named(name string) *version.Policy {
	return policy(func(p *version.PolicyParams) { p.Conflict = name })
}

func ms(n int) sim.Wall { return sim.Wall(0).Add(time.Duration(n) * time.Millisecond) }

func write(client, nth uint32, data uint64) version.Write {
	return version.Write{ID: version.NewID(client, nth), Data: data}
}

// W-01: n1's clock is 5,000 ms ahead and takes a write at 0; of the writes that n2 acknowledges
// every 100 ms from 100 to 6,000 the first 50 are lost, the tie at 5,000 among them.
func TestAWallClockAheadLosesWhatIsWrittenElsewhere(t *testing.T) {
	p := named("last-write-wins")
	n1, n2 := version.NewReplica(1), version.NewReplica(2)
	stored := p.Put(&n1, ms(5000), nil, nil, write(1, 1, 1))
	lost, first := 0, 0
	for at, nth := 100, uint32(1); at <= 6000; at, nth = at+100, nth+1 {
		w := write(2, nth, uint64(at))
		after := p.Put(&n2, ms(at), stored, stored, w)
		if after == stored {
			lost++
		} else if first == 0 {
			first = at
		}
		stored = after
	}
	assert.Equal(t, 50, lost)
	assert.Equal(t, 5100, first)
}

// W-02: the hybrid clock counts on from what the writer has read, (5000,1) > (5000,0); a blind
// write by a node that has not received the other one is still lost.
func TestAHybridStampIsAboveWhatItsWriterHasRead(t *testing.T) {
	p := named("last-write-wins-hlc")
	n1, n2, n3 := version.NewReplica(1), version.NewReplica(2), version.NewReplica(3)
	a := p.Put(&n1, ms(5000), nil, nil, write(1, 1, 7))
	assert.Equal(t, "7 @5.000s,0", a.Text(nil))
	b := p.Put(&n2, ms(100), nil, a, write(2, 1, 8))
	assert.Equal(t, "8 @5.000s,1", b.Text(nil))
	assert.Same(t, b, p.Merge(a, b))

	blind := p.Put(&n3, ms(200), nil, nil, write(3, 1, 9))
	assert.Same(t, b, p.Merge(blind, b))

	p.Learn(&n3, ms(300), b)
	blind = p.Put(&n3, ms(300), b, nil, write(3, 2, 9))
	assert.Same(t, b, blind, "only what a writer has read moves the clock")

	p = policy(func(p *version.PolicyParams) { p.Conflict, p.Moved = "last-write-wins-hlc", "messages" })
	p.Learn(&n3, ms(300), b)
	blind = p.Put(&n3, ms(300), b, nil, write(3, 3, 9))
	assert.Equal(t, "9 @5.000s,2", blind.Text(nil))
}

// A guarded clock refuses a write by a client that has read a stamp from too far ahead, and a
// message that carries one; the limit itself is accepted.
func TestAGuardedHybridClockRefusesAStampFromTooFarAhead(t *testing.T) {
	p := policy(func(p *version.PolicyParams) {
		p.Conflict, p.MaxOffset = "last-write-wins-hlc", 500*time.Millisecond
	})
	n1, n2 := version.NewReplica(1), version.NewReplica(2)
	ahead := p.Put(&n1, ms(600), nil, nil, write(1, 1, 7))
	assert.False(t, p.Learn(&n2, ms(99), ahead))
	assert.Nil(t, p.Put(&n2, ms(99), nil, ahead, write(2, 1, 8)))
	assert.True(t, p.Learn(&n2, ms(100), ahead))
	require.NotNil(t, p.Put(&n2, ms(100), nil, ahead, write(2, 2, 8)))
}

// apache/cassandra, Cells.java: of equal stamps a tombstone wins, then the larger value.
func TestOfEqualStampsATombstoneThenTheLargerValueWins(t *testing.T) {
	p := policy(func(p *version.PolicyParams) { p.Stamps = "client" })
	var r version.Replica
	put := func(w version.Write) *version.Object { w.Stamp = ms(1); return p.Put(&r, ms(0), nil, nil, w) }
	small, large := put(write(1, 1, 3)), put(write(1, 2, 4))
	tomb := put(version.Write{ID: version.NewID(1, 3), Op: version.Delete})
	for _, c := range [][2]*version.Object{{small, large}, {small, tomb}, {large, tomb}} {
		assert.Same(t, c[1], p.Merge(c[0], c[1]))
		assert.Same(t, c[1], p.Merge(c[1], c[0]))
		assert.False(t, p.Covers(c[0], c[1]))
	}
}

func TestAKeyThatWasNeverWritten(t *testing.T) {
	p := named("last-write-wins")
	var none *version.Object
	assert.Zero(t, none.Digest())
	assert.Empty(t, none.Values())
	assert.Zero(t, none.Bytes()+none.Metadata())
	assert.Equal(t, "nothing", none.Text(func(clock.Actor) string { return "" }))
	_, deleted := none.Deleted()
	assert.False(t, deleted)
	assert.True(t, p.Covers(nil, nil))
	assert.Nil(t, p.Merge(nil, nil))
}

func TestATombstoneSaysWhenItWasWritten(t *testing.T) {
	p := named("last-write-wins")
	r := version.NewReplica(1)
	a := p.Put(&r, ms(1), nil, nil, write(1, 1, 7))
	assert.Equal(t, 108, a.Bytes())
	gone := p.Put(&r, ms(2), a, a, version.Write{ID: version.NewID(1, 2), Op: version.Delete})
	at, deleted := gone.Deleted()
	assert.True(t, deleted)
	assert.Equal(t, ms(2), at)
	assert.Equal(t, "deleted @0.002s", gone.Text(nil))
	assert.Equal(t, 8, gone.Bytes())
}

func TestWriteIDs(t *testing.T) {
	id := version.NewID(version.MaxClients, version.MaxWrites)
	assert.Equal(t, uint32(version.MaxClients), version.Client(id))
	assert.Equal(t, uint32(version.MaxWrites), version.Nth(id))
	assert.Panics(t, func() { version.NewID(0, 1) })
	assert.Panics(t, func() { version.NewID(1, version.MaxWrites+1) })
}

// Two writes in one millisecond have one stamp, if stamps are milliseconds: the second is dropped.
func TestStampsAreRounded(t *testing.T) {
	p := policy(func(p *version.PolicyParams) { p.Resolution = time.Millisecond })
	var r version.Replica
	at := sim.Wall(0).Add(-1500 * time.Microsecond) // before the epoch, too
	first := p.Put(&r, at, nil, nil, write(1, 1, 1))
	assert.Equal(t, "1 @-0.002s", first.Text(nil))
	assert.Same(t, first, p.Put(&r, at.Add(400*time.Microsecond), first, first, write(1, 2, 2)))
	assert.Equal(t, "3 @-0.001s", p.Put(&r, at.Add(500*time.Microsecond), first, first, write(1, 3, 3)).Text(nil))
}
