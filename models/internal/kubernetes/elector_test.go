package kubernetes

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

const (
	baz  = 1 // the client that is tested
	bing = 2 // another
)

// exchange is one request that is expected, and its reply.
type exchange struct {
	want   Action
	status Status
	lease  Lease
}

// play runs a try, a millisecond for each reply, and returns what came of it.
func play(t *testing.T, e *Elector, first Action, at sim.Mono, script []exchange) Action {
	t.Helper()
	got := first
	for i, x := range script {
		require.Equal(t, x.want, got, "request %d", i+1)
		at = at.Add(time.Millisecond)
		got = e.Reply(at, x.status, x.lease)
	}
	return got
}

func led(holder uint64, seconds uint16) Lease {
	return Lease{Record: Record{Holder: holder, Seconds: seconds}, Version: 7}
}

// written is the reply to an update or a create.
var written = Lease{Version: 8}

// Source: client-go v0.34.1, tools/leaderelection/leaderelection_test.go (Apache-2.0),
// testTryAcquireOrRenew: names and expectations, as a table of requests and replies.
func TestTryAcquireOrRenew(t *testing.T) {
	const now = sim.Mono(2000 * time.Hour)
	past, future := now.Add(-1000*time.Hour), now.Add(1000*time.Hour)
	for _, test := range []struct {
		name        string
		observed    Record
		since       sim.Mono
		retryAfter  time.Duration
		script      []exchange
		retry       []exchange
		want        Action
		transitions uint32
		holder      uint64
	}{
		{name: "acquire from no object",
			script: []exchange{{Get, NotFound, Lease{}}, {Create, OK, written}}, want: Held, holder: baz},
		{name: "acquire from object without annotations",
			script: []exchange{{Get, OK, led(0, 0)}, {Update, OK, written}}, want: Held, transitions: 1, holder: baz},
		{name: "acquire from led object with the lease duration seconds",
			script: []exchange{{Get, OK, led(bing, 3)}}, retryAfter: 3*time.Second + time.Millisecond,
			retry: []exchange{{Get, OK, led(bing, 3)}, {Update, OK, written}}, want: Held, transitions: 1, holder: baz},
		{name: "acquire from unled object",
			script: []exchange{{Get, OK, led(0, 0)}, {Update, OK, written}}, want: Held, transitions: 1, holder: baz},
		{name: "acquire from led, unacked object", observed: Record{Holder: bing}, since: past,
			script: []exchange{{Get, OK, led(bing, 0)}, {Update, OK, written}}, want: Held, transitions: 1, holder: baz},
		{name: "acquire from empty led, acked object", since: future,
			script: []exchange{{Get, OK, led(0, 0)}, {Update, OK, written}}, want: Held, transitions: 1, holder: baz},
		{name: "don't acquire from led, acked object", since: future,
			script: []exchange{{Get, OK, led(bing, 0)}}, want: Refused, holder: bing},
		{name: "renew already acquired object", observed: Record{Holder: baz}, since: future,
			script: []exchange{{Get, OK, led(baz, 0)}, {Update, OK, written}}, want: Held, holder: baz},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &Elector{Identity: baz, Lease: 10 * time.Second, observed: test.observed, fetched: test.observed, since: test.since}
			got := play(t, e, e.Try(now, 0), now, test.script)
			if test.retryAfter > 0 {
				require.Equal(t, Refused, got)
				later := now.Add(test.retryAfter)
				got = play(t, e, e.Try(later, 0), later, test.retry)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.holder, e.Observed().Holder)
			assert.Equal(t, test.transitions, e.Observed().Transitions)
		})
	}
}

// Source: the same, testReleaseLease, TestReleaseMethodCallsGet.
func TestReleaseLease(t *testing.T) {
	t.Run("release acquired lock from no object", func(t *testing.T) {
		e := &Elector{Identity: baz, Lease: 10 * time.Second}
		require.Equal(t, Held, play(t, e, e.Try(0, 0), 0, []exchange{{Get, OK, led(baz, 0)}, {Update, OK, written}}))
		got := play(t, e, e.Release(1, 0), 1, []exchange{{Get, OK, led(baz, 10)}, {Update, OK, written}})
		assert.Equal(t, Held, got)
		_, r := e.Proposal()
		assert.Equal(t, Record{Seconds: 1}, r)
		assert.False(t, e.Leader())
	})
	t.Run("release method calls get", func(t *testing.T) {
		e := &Elector{Identity: baz, observed: Record{Holder: baz}}
		assert.Equal(t, Get, e.Release(0, 0))
	})
	t.Run("release by another", func(t *testing.T) {
		e := &Elector{Identity: baz, observed: Record{Holder: bing}}
		assert.Equal(t, Held, play(t, e, e.Release(0, 0), 0, []exchange{{Get, OK, led(bing, 10)}}), "nothing is written")
	})
	t.Run("release of an object that is gone", func(t *testing.T) {
		e := &Elector{Identity: baz, observed: Record{Holder: baz}}
		assert.Equal(t, Refused, play(t, e, e.Release(0, 0), 0, []exchange{{Get, NotFound, Lease{}}}))
	})
}

// The record is read anew, and the client that acts on what it knew before takes the lease
// from the one that has it now.
func TestReleaseOfALeaseThatAnotherHoldsErasesIt(t *testing.T) {
	e := &Elector{Identity: baz, Lease: 15 * time.Second, observed: Record{Holder: baz, Seconds: 15}}
	var server Lease
	server.Create(Record{Holder: bing, Seconds: 15, Transitions: 1})
	require.Equal(t, Get, e.Release(0, 0))
	require.Equal(t, Update, e.Reply(1, OK, server))
	version, r := e.Proposal()
	require.True(t, server.Update(version, r))
	assert.Zero(t, server.Holder)
}

// Source: the same, TestFastPathLeaderElection.
func TestFastPathLeaderElection(t *testing.T) {
	const lease = 15 * time.Second
	acquire := []exchange{{Get, NotFound, Lease{}}, {Create, OK, Lease{Version: 1}}}
	t.Run("Exercise fast path after lock acquired", func(t *testing.T) {
		e := &Elector{Identity: baz, Lease: lease}
		play(t, e, e.Try(0, 0), 0, acquire)
		for at := sim.Mono(time.Second); at <= sim.Mono(2*time.Second); at = at.Add(time.Second) {
			assert.Equal(t, Held, play(t, e, e.Try(at, 0), at, []exchange{{Update, OK, written}}))
		}
	})
	t.Run("Fallback to slow path after fast path fails", func(t *testing.T) {
		e := &Elector{Identity: baz, Lease: lease}
		play(t, e, e.Try(0, 0), 0, acquire)
		require.Equal(t, Held, play(t, e, e.Try(1, 0), 1, []exchange{{Update, OK, written}}))
		assert.Equal(t, Held, play(t, e, e.Try(2, 0), 2, []exchange{{Update, Failed, Lease{}}, {Get, OK, led(baz, 15)}, {Update, OK, written}}))
		assert.Equal(t, Held, play(t, e, e.Try(3, 0), 3, []exchange{{Update, OK, written}}))
	})
	t.Run("no fast path once the lease has run out", func(t *testing.T) {
		e := &Elector{Identity: baz, Lease: lease}
		play(t, e, e.Try(0, 0), 0, acquire)
		assert.Equal(t, Get, e.Try(sim.Mono(lease+10*time.Millisecond), 0))
	})
}

// A follower counts from the instant at which it saw the record change, with the duration
// that the holder wrote.
func TestFollowerWaitsForTheHoldersDuration(t *testing.T) {
	for name, test := range map[string]struct {
		elector Elector
		free    time.Duration // first try at which it takes the lease, after it saw the record
	}{
		"client-go":                    {Elector{}, 30 * time.Second},
		"fabric8 before issue 7160":    {Elector{OwnLease: true}, 10 * time.Second},
		"an own clock that is 20s off": {Elector{Expiry: SinceRenewed}, 10*time.Second + 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := test.elector
			e.Identity, e.Lease = baz, 10*time.Second
			const ahead = sim.Wall(20 * time.Second)
			try := func(at time.Duration) Action {
				e.Try(sim.Mono(at), ahead+sim.Wall(at))
				return e.Reply(sim.Mono(at), OK, led(bing, 30))
			}
			require.Equal(t, Refused, try(0))
			assert.Equal(t, Refused, try(test.free-1))
			assert.Equal(t, Update, try(test.free))
		})
	}
}

// Two renewals within one second of the holder's wall clock are one for the others.
func TestRenewalWithinASecondIsNotSeen(t *testing.T) {
	e := &Elector{Identity: baz, Lease: 2 * time.Second}
	try := func(at, renewed time.Duration) Action {
		e.Try(sim.Mono(at), sim.Wall(at))
		return e.Reply(sim.Mono(at), OK, Lease{Record: Record{Holder: bing, Seconds: 2, Renewed: sim.Wall(renewed)}, Version: 1})
	}
	require.Equal(t, Refused, try(0, 0))
	require.Equal(t, Refused, try(time.Second, 999*time.Millisecond))
	assert.Equal(t, Update, try(2*time.Second, 999*time.Millisecond), "2s after the first")
	assert.Equal(t, Refused, try(2*time.Second, time.Second), "a new second is a change")
}

// A process that takes the identity of the one before it renews what that one held, and
// the count of transitions stays.
func TestSameIdentityRenewsWithoutATransition(t *testing.T) {
	again := &Elector{Identity: baz, Lease: 15 * time.Second}
	held := Lease{Record: Record{Holder: baz, Seconds: 15, Transitions: 4}, Version: 9}
	require.Equal(t, Held, play(t, again, again.Try(0, 0), 0, []exchange{{Get, OK, held}, {Update, OK, written}}))
	assert.EqualValues(t, 4, again.Observed().Transitions)
	fresh := &Elector{Identity: 3, Lease: 15 * time.Second}
	assert.Equal(t, Refused, play(t, fresh, fresh.Try(0, 0), 0, []exchange{{Get, OK, held}}))
}

func TestLeaseRefusesAVersionThatHasChanged(t *testing.T) {
	var l Lease
	require.False(t, l.Update(0, Record{}), "there is no object")
	require.True(t, l.Create(Record{Holder: baz}))
	assert.False(t, l.Create(Record{Holder: bing}))
	before := l.Version
	require.True(t, l.Update(before, Record{Holder: baz, Transitions: 1}))
	assert.False(t, l.Update(before, Record{Holder: bing}))
	require.True(t, l.Delete())
	assert.False(t, l.Delete())
	require.True(t, l.Create(Record{Holder: bing}))
	assert.EqualValues(t, 4, l.Version, "versions do not start again")
	assert.Zero(t, l.Transitions, "transitions do")
}
