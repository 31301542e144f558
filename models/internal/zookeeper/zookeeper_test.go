package zookeeper

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"fencepost/sim"
)

// locks is the path of the directory that the tests use.
var locks = Directory(1)

// ensemble is one with the directory, a container.
func ensemble() *Ensemble {
	e := &Ensemble{Tick: 2000 * ms}
	e.Create(0, Root, 1, Container, 0)
	return e
}

func drained(e *Ensemble) (events []Event) {
	e.Drain(func(event Event) { events = append(events, event) })
	return events
}

func TestAnEphemeralNodeGoesWhenItsSessionExpiresNotWhenItsConnectionIsLost(t *testing.T) {
	e := ensemble()
	s, granted := e.Open(6000*ms, at(0))
	z, _ := e.Create(s, locks, 0, EphemeralSequential, 7)
	assert.Equal(t, 6000*ms, granted)
	assert.Equal(t, s, z.Stat().EphemeralOwner)
	e.Detach(s)
	assert.Zero(t, e.Expire(at(7999*ms)))
	_, code := e.Get(z.Path, 0)
	assert.Equal(t, OK, code)
	assert.Equal(t, s, e.Expire(at(8000*ms)))
	_, code = e.Get(z.Path, 0)
	assert.Equal(t, NoNode, code)
	assert.False(t, e.Touch(s, at(8000*ms)), "the session is no more")
}

func TestATouchMovesASessionToALaterBucketAndNeverToAnEarlierOne(t *testing.T) {
	e := ensemble()
	s, _ := e.Open(4000*ms, at(0))
	for _, c := range []struct{ touched, expires time.Duration }{{1999, 6000}, {2000, 8000}, {0, 8000}} {
		assert.True(t, e.Touch(s, at(c.touched*ms)))
		expires, _ := e.Expires(s)
		assert.Equal(t, at(c.expires*ms), expires)
	}
}

func TestTheEarliestBucketExpiresFirst(t *testing.T) {
	e := ensemble()
	late, _ := e.Open(8000*ms, at(0))
	early, _ := e.Open(4000*ms, at(0))
	assert.Equal(t, []SessionID{early, late, 0}, []SessionID{e.Expire(at(20000 * ms)), e.Expire(at(20000 * ms)), e.Expire(at(20000 * ms))})
}

func TestAWatchFiresOnceAndInTheOrderInWhichWatchesWereSet(t *testing.T) {
	e := ensemble()
	z, _ := e.Create(0, locks, 5, Persistent, 0)
	drained(e)
	e.Get(z.Path, 2)
	e.Get(z.Path, 1)
	e.Get(z.Path, 2)
	e.SetData(z.Path, 8, AnyVersion)
	e.SetData(z.Path, 9, AnyVersion)
	assert.Equal(t, []Event{{NodeDataChanged, z.Path, 2}, {NodeDataChanged, z.Path, 1}}, drained(e))
}

func TestADeletionIsToldOnceToASessionThatWatchesDataAndChildren(t *testing.T) {
	e := ensemble()
	e.Get(locks, 1)
	e.Children(locks, 1, nil)
	e.Children(locks, 2, nil)
	e.Children(Root, 2, nil)
	e.Delete(locks, AnyVersion)
	assert.Equal(t, []Event{{NodeDeleted, locks, 1}, {NodeDeleted, locks, 2}, {NodeChildrenChanged, Root, 2}}, drained(e))
}

func TestExistsWatchesANodeThatIsStillToComeAndGetDoesNot(t *testing.T) {
	e := ensemble()
	path := locks.Join(Name{Label: 5})
	_, code := e.Get(path, 1)
	assert.Equal(t, NoNode, code)
	_, code = e.Exists(path, 2)
	assert.Equal(t, NoNode, code)
	e.Create(0, locks, 5, Persistent, 0)
	assert.Equal(t, []Event{{NodeCreated, path, 2}}, drained(e))
}

func TestAConnectionThatIsLostTakesItsWatchesAlong(t *testing.T) {
	e := ensemble()
	e.Get(locks, 1)
	e.Children(locks, 1, nil)
	e.Detach(1)
	e.Create(0, locks, 5, Persistent, 0)
	assert.Empty(t, drained(e))
}

func TestAContainerIsDeletedOnceItsLastChildIsGoneAndItsSuffixesBeginAgain(t *testing.T) {
	e := ensemble()
	assert.Zero(t, e.CheckContainers(), "it has had no children")
	z, _ := e.Create(0, locks, 0, PersistentSequential, 0)
	e.Create(0, locks, 0, PersistentSequential, 0)
	assert.Zero(t, e.CheckContainers(), "it has children")
	e.Delete(z.Path, AnyVersion)
	e.Delete(locks.Join(Name{Sequence: 1, Sequential: true}), AnyVersion)
	assert.Equal(t, 1, e.CheckContainers())
	e.Create(0, Root, 1, Container, 0)
	again, _ := e.Create(0, locks, 0, PersistentSequential, 0)
	assert.Equal(t, z.Path, again.Path, "the same name")
	assert.Greater(t, again.Stat().Czxid, z.Stat().Czxid, "and a later czxid")
}

func TestErrorsOfOperations(t *testing.T) {
	e := ensemble()
	ephemeral, _ := e.Create(1, Root, 2, Ephemeral, 0)
	node, _ := e.Create(1, locks, 3, Persistent, 0)
	code := func(_ any, c Code) Code { return c }
	for name, c := range map[string]struct{ want, got Code }{
		"no parent":             {NoNode, code(e.Create(1, Directory(9), 1, Persistent, 0))},
		"exists":                {NodeExists, code(e.Create(1, locks, 3, Persistent, 0))},
		"child of an ephemeral": {NoChildrenForEphemerals, code(e.Create(1, ephemeral.Path, 1, Persistent, 0))},
		"delete nothing":        {NoNode, e.Delete(Directory(9), AnyVersion)},
		"delete a parent":       {NotEmpty, e.Delete(locks, AnyVersion)},
		"delete a version":      {BadVersion, e.Delete(node.Path, 1)},
		"set a version":         {BadVersion, code(e.SetData(node.Path, 1, 1))},
		"set nothing":           {NoNode, code(e.SetData(Directory(9), 1, AnyVersion))},
		"list nothing":          {NoNode, code(e.Children(Directory(9), 1, nil))},
	} {
		assert.Equal(t, c.want, c.got, name)
	}
}

func TestAWriteThatIsRefusedUsesAZxid(t *testing.T) {
	e := ensemble()
	before := e.Zxid()
	e.Delete(Directory(9), AnyVersion)
	z, _ := e.Create(0, locks, 0, PersistentSequential, 0)
	assert.Equal(t, before+2, z.Stat().Czxid)
}

func TestASessionThatEndsDeletesItsNodesInOneChange(t *testing.T) {
	e := ensemble()
	s, _ := e.Open(4000*ms, at(0))
	e.Create(s, locks, 0, EphemeralSequential, 0)
	e.Create(s, locks, 0, EphemeralSequential, 0)
	before := e.Zxid()
	assert.True(t, e.Close(s))
	assert.Equal(t, before+1, e.Zxid())
	dir, _ := e.Get(locks, 0)
	assert.Equal(t, before+1, dir.Stat().Pzxid)
	assert.Zero(t, dir.Stat().NumChildren)
	assert.False(t, e.Close(s), "it is closed")
}

func TestANewLeaderBeginsAnEpochAndGivesEverySessionItsWholeTimeout(t *testing.T) {
	e := ensemble()
	s, _ := e.Open(4000*ms, at(0))
	e.Elect(at(5999 * ms))
	expires, _ := e.Expires(s)
	assert.Equal(t, at(10000*ms), expires)
	z, _ := e.Create(s, locks, 0, EphemeralSequential, 0)
	assert.Equal(t, NewZxid(1, 1), z.Stat().Czxid)
}

// Whatever is done, the counts of a directory agree with its children, ephemeral nodes have
// a session, and a copy is equal and separate.
func TestInvariantsHoldUnderRandomOperations(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		e := ensemble()
		for range rapid.IntRange(1, 60).Draw(r, "operations") {
			operate(r, e)
		}
		names, code := e.Children(locks, 0, nil)
		if dir, _ := e.Get(locks, 0); code == OK {
			s := dir.Stat()
			assert.Len(r, names, int(s.NumChildren))
			assert.Equal(r, 2*dir.Creates()-s.NumChildren, s.Cversion)
		}
		for _, z := range e.tree.nodes {
			_, lives := e.Expires(z.stat.EphemeralOwner)
			assert.Equal(r, z.ephemeral(), lives, z.Path.String())
			assert.LessOrEqual(r, z.stat.Mzxid, e.zxid)
		}
		var twin Ensemble
		twin.Reset(e)
		assert.Equal(r, e.tree.nodes, append(e.tree.nodes[:0:0], twin.tree.nodes...))
		twin.Create(0, locks, 77, Persistent, 0)
		_, code = e.Get(locks.Join(Name{Label: 77}), 0)
		assert.Equal(r, NoNode, code)
	})
}

// operate does one drawn operation.
func operate(r *rapid.T, e *Ensemble) {
	s := SessionID(rapid.IntRange(1, 4).Draw(r, "session"))
	if _, lives := e.Expires(s); !lives {
		s, _ = e.Open(4000*ms, at(0))
	}
	child := locks.Join(Name{Label: 5, Sequence: int32(rapid.IntRange(0, 6).Draw(r, "child")), Sequential: true})
	switch rapid.IntRange(0, 7).Draw(r, "operation") {
	case 0, 1, 2:
		e.Create(s, locks, 5, EphemeralSequential, 1)
	case 3:
		e.Delete(child, AnyVersion)
	case 4:
		e.Close(s)
	case 5:
		e.CheckContainers()
	case 6:
		e.Get(child, s)
	case 7:
		e.Create(0, Root, 1, Container, 0)
	}
}

// A server counts buckets from the present one. That is the bucket that ZooKeeper finds by dividing the reading, whenever the server
// has looked last, on time or late.
func TestABucketIsThatOfADivision(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	for range 2000 {
		e := &Ensemble{Tick: time.Duration(1+r.IntN(5)) * ms}
		now := at(time.Duration(r.Int64N(int64(20 * ms))))
		e.Begin(now)
		timeout := Clamp(time.Duration(r.IntN(30))*ms, e.Tick)
		s, _ := e.Open(timeout, now)
		touched := now
		for range 20 {
			switch r.IntN(4) {
			case 0:
				now = at(time.Duration(now).Truncate(ms) + time.Duration(1+r.IntN(4))*ms) // a tick may end there
			case 1:
				now = now.Add(time.Duration(r.Int64N(int64(5 * ms))))
			case 2:
				e.Touch(s, now)
				touched = max(touched, now)
			}
			want := sim.Mono((int64(touched.Add(timeout))/int64(e.Tick) + 1) * int64(e.Tick))
			got, _ := e.Expires(s)
			require.Equal(t, want, got, "touched at %v", touched)
			if r.IntN(3) == 0 {
				e.advance(now)
				require.True(t, now.Before(e.End()), "looked at %v: %v", now, e.End())
				require.Equal(t, now >= want, e.sessions.due() == s)
			}
		}
	}
}
