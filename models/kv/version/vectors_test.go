package version_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/models/kv/version"
)

// letters names actors as the vectors do: a, b, ... of nodes, and a prime for each disk lost.
func letters(a clock.Actor) string {
	id, client, disk, epoch := version.Actor(a)
	s := string(rune('a' + id - 1))
	if client {
		s = "S" + string(rune('w'+id))
	}
	for range disk + epoch {
		s += "'"
	}
	return s
}

// D-13: a has taken five writes, loses its disk and takes v6 under its old id: the dot (a,1) is
// taken for the first of the five, and v6 is lost.
// D-14: under a new id both survive.
func TestAWipedDiskThatKeepsItsIDLosesItsNextWrite(t *testing.T) {
	for actor, want := range map[string]string{"node": "{a,5,[5]}", "epoch": "{a,5,[5]}{a',1,[6]}"} {
		p := policy(func(p *version.PolicyParams) { p.Conflict, p.Actor = "dvvset", actor })
		a := version.NewReplica(1)
		var survives *version.Object
		for n := range uint32(5) {
			survives = p.Put(&a, 0, survives, survives, write(1, n+1, uint64(n+1)))
		}
		assert.Equal(t, "{a,5,[5]}", survives.Text(letters))
		a = p.Wiped(a)
		v6 := p.Put(&a, 0, nil, nil, write(2, 1, 6))
		assert.Equal(t, want, p.Merge(v6, survives).Text(letters), actor)
		assert.Equal(t, want, p.Merge(survives, v6).Text(letters), actor)
	}
}

// riak_kv, kv679: the same without a lost disk. A node that stands in for another hands the key
// on and forgets it; its next write of the key would have the dot of the one before.
func TestANodeThatHasHandedAKeyOnTakesANewID(t *testing.T) {
	for actor, want := range map[string]string{"node": "{a,1,[1]}", "epoch": "{a,1,[1]}{a',1,[2]}"} {
		p := policy(func(p *version.PolicyParams) { p.Conflict, p.Actor = "dvvset", actor })
		a := version.NewReplica(1)
		handedOn := p.Put(&a, 0, nil, nil, write(1, 1, 1))
		again := p.Put(&a, 0, nil, nil, write(2, 1, 2))
		assert.Equal(t, want, p.Merge(handedOn, again).Text(letters), actor)
	}
}

// D-15: a vector truncated to three entries has forgotten n1: its predecessor turns concurrent
// with it. Dynamo truncates at ten.
func TestATruncatedVectorIsConcurrentWithItsPredecessor(t *testing.T) {
	for truncate, want := range map[int]string{0: "4 {a:1,b:1,c:1,d:1}", 3: "3 {a:1,b:1,c:1} || 4 {b:1,c:1,d:1}"} {
		p := policy(func(p *version.PolicyParams) { p.Conflict, p.Truncate = "server-vectors", truncate })
		var objects []*version.Object
		var read *version.Object
		for n := range uint32(4) {
			r := version.NewReplica(n + 1)
			read = p.Put(&r, ms(int(n)), nil, read, write(1, n+1, uint64(n+1)))
			objects = append(objects, read)
		}
		assert.Equal(t, want, p.Merge(objects[2], objects[3]).Text(letters), "truncated to %d", truncate)
	}
}

// D-10, "Dynamo", figure 3, with clients' ids in the place of nodes'.
func TestDynamosExample(t *testing.T) {
	for _, c := range []struct{ policy, want string }{{"client-vectors", "5 {Sx:3,Sy:1,Sz:1}"}, {"server-vectors", "5 {a:3,b:1,c:1}"}} {
		p := named(c.policy)
		x, y, z := version.NewReplica(1), version.NewReplica(2), version.NewReplica(3)
		d1 := p.Put(&x, 0, nil, nil, write(1, 1, 1))
		d2 := p.Put(&x, 0, d1, d1, write(1, 2, 2))
		d3 := p.Put(&y, 0, d2, d2, write(2, 1, 3))
		d4 := p.Put(&z, 0, d2, d2, write(3, 1, 4))
		assert.Same(t, d2, p.Merge(d1, d2))
		assert.Same(t, d3, p.Merge(d2, d3))
		both := p.Merge(d3, d4)
		assert.Len(t, both.Values(), 2)
		d5 := p.Put(&x, 0, d2, both, write(1, 3, 5))
		assert.Equal(t, c.want, d5.Text(letters))
		assert.Same(t, d5, p.Merge(both, d5))
	}
}

// D-09: A blind, B blind, C by a writer that has read A.
func TestAWriteReplacesTheSiblingThatItsWriterHasRead(t *testing.T) {
	for policy, want := range map[string]string{"vnode-vectors": "{a:3} [1 2 3]", "dvvset": "{a,3,[3 2]}", "register": "{a,3,[3]}",
		"server-vectors": "3 {a:3}"} {
		p := named(policy)
		a := version.NewReplica(1)
		first := p.Put(&a, 0, nil, nil, write(1, 1, 1))
		second := p.Put(&a, 0, first, nil, write(2, 1, 2))
		assert.Equal(t, want, p.Put(&a, 0, second, first, write(3, 1, 3)).Text(letters), policy)
	}
}

// W-03: a partition, 50 writes on each side, each by a client that reads what it replaces. Last
// write wins loses one side's 50; the others keep two siblings, and the CRDTs one value of all.
func TestAPartitionWithFiftyWritesOnEachSide(t *testing.T) {
	for policy, siblings := range map[string]int{"last-write-wins": 1, "last-write-wins-hlc": 1, "client-vectors": 2, "server-vectors": 2,
		"vnode-vectors": 2, "dvvset": 2, "register": 2, "counter": 1, "or-set": 1} {
		p := named(policy)
		var sides [2]*version.Object
		for side := range sides {
			r := version.NewReplica(uint32(side + 1))
			for n := range uint32(50) {
				w := write(uint32(side+1), n+1, 1)
				w.Op = version.Add
				sides[side] = p.Put(&r, ms(100*int(n)), sides[side], sides[side], w)
			}
		}
		healed := p.Merge(sides[0], sides[1])
		assert.Len(t, healed.Values(), siblings, policy)
		if policy == "counter" {
			assert.EqualValues(t, 100, p.Read(healed))
		}
	}
}

// G-04: from {A,B} one replica makes {A,C}, the other {A,B,D}. By union B is back; tombstones and
// an OR-set keep it away.
func TestAnItemThatWasRemovedFromACart(t *testing.T) {
	const a, b, c, d = 1, 2, 4, 8
	for _, x := range []struct {
		policy, cart string
		want         uint64
	}{{"dvvset", "union", a | b | c | d}, {"dvvset", "tombstones", a | c | d}, {"or-set", "union", a | c | d}} {
		p := policy(func(p *version.PolicyParams) { p.Conflict, p.Cart = x.policy, x.cart })
		n1, n2 := version.NewReplica(1), version.NewReplica(2)
		put := func(r *version.Replica, on *version.Object, nth uint32, op version.Op, items uint64) *version.Object {
			return p.Put(r, 0, on, on, version.Write{ID: version.NewID(uint32(r.ID.Node()), nth), Op: op, Data: items})
		}
		both := put(&n1, nil, 1, version.Add, a|b)
		left := put(&n1, put(&n1, both, 2, version.Remove, b), 3, version.Add, c)
		right := put(&n2, both, 1, version.Add, d)
		assert.EqualValues(t, a|c, p.Read(left))
		assert.EqualValues(t, a|b|d, p.Read(right))
		assert.Equal(t, x.want, p.Read(p.Merge(left, right)), fmt.Sprint(x))
	}
}

// An element that is added on one side and removed on the other stays: the removal has not read
// the new dot.
func TestAnAdditionWins(t *testing.T) {
	p := named("or-set")
	n1, n2 := version.NewReplica(1), version.NewReplica(2)
	op := func(r *version.Replica, on *version.Object, nth uint32, op version.Op) *version.Object {
		return p.Put(r, 0, on, on, version.Write{ID: version.NewID(uint32(r.ID.Node()), nth), Op: op, Data: 1 << 5})
	}
	first := op(&n1, nil, 1, version.Add)
	assert.Equal(t, "{5} of {a:1}", first.Text(letters))
	healed := p.Merge(op(&n1, first, 2, version.Remove), op(&n2, first, 1, version.Add))
	assert.Equal(t, "{5} of {a:2,b:1}", healed.Text(letters))
	assert.Equal(t, "{} of {a:3,b:1}", op(&n1, healed, 3, version.Delete).Text(letters))
}

// Sizes on the wire: an id of 8 bytes, counters as varints, values of 100 bytes.
func TestSizes(t *testing.T) {
	for policy, want := range map[string][2]int{"last-write-wins": {108, 8}, "last-write-wins-hlc": {112, 12}, "client-vectors": {220, 20},
		"server-vectors": {220, 20}, "vnode-vectors": {219, 19}, "dvvset": {221, 21}, "register": {221, 21}, "counter": {21, 21}, "or-set": {137, 37}} {
		p := named(policy)
		n1, n2 := version.NewReplica(1), version.NewReplica(2)
		w := write(1, 1, 1)
		w.Op = version.Add
		x := p.Put(&n1, 0, nil, nil, w)
		w.ID = version.NewID(2, 1)
		both := p.Merge(x, p.Put(&n2, 0, nil, nil, w))
		assert.Equal(t, want, [2]int{both.Bytes(), both.Metadata()}, policy)
	}
}

func TestWhatAPolicyTakes(t *testing.T) {
	a := version.NewReplica(1)
	assert.PanicsWithValue(t, "version: counter takes no set", func() { named("counter").Put(&a, 0, nil, nil, write(1, 1, 1)) })
	assert.PanicsWithValue(t, "version: or-set takes no set", func() { named("or-set").Put(&a, 0, nil, nil, write(1, 1, 1)) })
	assert.PanicsWithValue(t, `version: there is no policy "paxos"`, func() { named("paxos") })
	assert.Equal(t, "operation 9", version.Op(9).String())
}
