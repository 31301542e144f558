package zookeeper

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

const ms = time.Millisecond

func at(d time.Duration) sim.Mono { return sim.Mono(d) }

// expires is when a session expires that is opened at a reading, at an ensemble with ticks of 2 s.
func expires(opened sim.Mono, timeout time.Duration) sim.Mono {
	e := ensemble()
	e.Begin(at(0))
	e.advance(opened)
	s, _ := e.Open(timeout, opened)
	expires, _ := e.Expires(s)
	return expires
}

// Z-01
func TestASessionExpiresAtTheEndOfABucket(t *testing.T) {
	for _, c := range []struct{ touched, expires time.Duration }{
		{0, 6000}, {1, 6000}, {1000, 6000}, {1999, 6000}, {2000, 8000}, {3999, 8000},
	} {
		assert.Equal(t, at(c.expires*ms), expires(at(c.touched*ms), 4000*ms), "touched at %d", c.touched)
	}
}

// Z-02
func TestTimeoutsAreClampedToTwoAndTwentyTicks(t *testing.T) {
	for _, c := range []struct{ requested, tick, granted time.Duration }{
		{3000, 2000, 4000}, {30000, 2000, 30000}, {60000, 2000, 40000}, {100, 500, 1000},
	} {
		assert.Equal(t, c.granted*ms, Clamp(c.requested*ms, c.tick*ms))
	}
}

// Z-03: the server's part of it.
func TestASessionOfSixSecondsExpiresAfterMoreThanSixAndAtMostEight(t *testing.T) {
	for touched := time.Duration(0); touched < 4*time.Second; touched += ms {
		lag := expires(at(touched), 6000*ms).Sub(at(touched))
		assert.True(t, 6000*ms < lag && lag <= 8000*ms, "touched at %v: %v", touched, lag)
	}
}

// Z-04
func TestTheVisibleCversionIsTwiceTheCreatesLessTheChildren(t *testing.T) {
	e := ensemble()
	for range 3 {
		e.Create(1, locks, 0, PersistentSequential, 0)
	}
	e.Delete(locks.Join(Name{Sequence: 1, Sequential: true}), AnyVersion)
	dir, _ := e.Get(locks, 0)
	assert.Equal(t, int32(4), dir.Stat().Cversion)
	assert.Equal(t, int32(2), dir.Stat().NumChildren)
	z, _ := e.Create(1, locks, 0, PersistentSequential, 0)
	assert.Equal(t, "/node-1/lock-0000000003", z.Path.String())
}

// Z-05
func TestWakeUpsOfAQueueThatDrains(t *testing.T) {
	for _, c := range []struct{ waiters, herd, predecessor int }{{2, 1, 1}, {10, 45, 9}, {100, 4950, 99}, {300, 44850, 299}} {
		assert.Equal(t, c.predecessor, drain(c.waiters, false), "%d waiters", c.waiters)
		assert.Equal(t, c.herd, drain(c.waiters, true), "%d waiters", c.waiters)
	}
}

// drain counts the events until that many waiters have had the lock one after the other. All
// of them watch the directory, or each its predecessor.
func drain(waiters int, herd bool) (events int) {
	e := ensemble()
	for i := range waiters {
		e.Create(SessionID(i+1), locks, 0, EphemeralSequential, 0)
	}
	wait := func(i int) {
		if herd {
			e.children.set(locks, SessionID(i+1))
		} else {
			e.Get(locks.Join(Name{Sequence: int32(i - 1), Sequential: true}), SessionID(i+1))
		}
	}
	for i := 1; i < waiters; i++ {
		wait(i)
	}
	e.events = e.events[:0]
	for released := range waiters {
		e.Delete(locks.Join(Name{Sequence: int32(released), Sequential: true}), AnyVersion)
		e.Drain(func(event Event) {
			events++
			if holder := SessionID(released + 2); herd && event.Session != holder {
				wait(int(event.Session) - 1)
			}
		})
	}
	return events
}

// Z-06
func TestZxidsIncreaseAcrossEpochs(t *testing.T) {
	last := NewZxid(5, math.MaxUint32)
	assert.EqualValues(t, int64(25769803775), last)
	assert.EqualValues(t, int64(25769803777), NewZxid(6, 1))
	assert.Equal(t, NewZxid(6, 1), last.Next(), "the counter is at its maximum: the next epoch begins")
	assert.Equal(t, NewZxid(6, 0), NewZxid(5, 7).NextEpoch())
	assert.Equal(t, "0x600000001", last.Next().String())
}

// Z-07
func TestAQueueIsSortedByItsSuffixesNotByItsNames(t *testing.T) {
	names := []Name{{0x9f, 2, true}, {0x1a, 3, true}, {0xff, 1, true}}
	assert.Equal(t, int32(1), slices.MinFunc(names, CompareSuffix).Sequence)
	assert.Equal(t, int32(3), slices.MinFunc(names, CompareName).Sequence, "wrong")
	assert.Equal(t, "_c_00000000000000ff-lock-0000000001", names[2].String())
}

func TestSuffixesOverflowToNegativeNumbersAndSortFirst(t *testing.T) {
	e := ensemble()
	e.Age(locks, math.MaxInt32)
	last, _ := e.Create(1, locks, 0, PersistentSequential, 0)
	next, _ := e.Create(1, locks, 0, PersistentSequential, 0)
	assert.Equal(t, "/node-1/lock-2147483647", last.Path.String())
	assert.Equal(t, "/node-1/lock--2147483648", next.Path.String())
	assert.Negative(t, CompareSuffix(next.Path.Base(), last.Path.Base()), "the later one is before the earlier one")
}

func TestACounterThatSticksLetsNoSecondNodeBeMade(t *testing.T) {
	e := ensemble()
	e.Stick()
	e.Age(locks, math.MaxInt32)
	last, _ := e.Create(1, locks, 0, PersistentSequential, 0)
	_, code := e.Create(1, locks, 0, PersistentSequential, 0)
	assert.Equal(t, NodeExists, code)
	e.Delete(last.Path, AnyVersion)
	again, _ := e.Create(1, locks, 0, PersistentSequential, 0)
	assert.Equal(t, last.Path, again.Path)
}

func TestASuffixIsTenCharactersWideWithItsSign(t *testing.T) {
	for n, want := range map[int32]string{0: "0000000000", 41: "0000000041", -1: "-000000001", math.MinInt32: "-2147483648"} {
		assert.Equal(t, want, string(appendSuffix(nil, n)))
	}
}
