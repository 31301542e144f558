package flows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
)

// Strategy 3 of S1: a lock of 5 s in the cache, waits of 3 s. Requests come at an
// instant and work for a time; what they hear and when is stated.

// heard is what a request has heard, and when.
type heard struct {
	said string
	at   time.Duration
}

func (r *task) heard() heard { return heard{r.said, time.Duration(r.ended)} }

func TestALockThatExpiresDuringTheWork(t *testing.T) { // ID-08
	for name, want := range map[string]struct {
		a      string
		orders int
	}{"strategy-3-as-written": {"500", 1}, "strategy-3-no-unique": {"201 2", 2}} {
		w := newWorld(t, name)
		a, b, c := w.order(0, 1, ms(7000)), w.order(ms(100), 1, ms(20)), w.order(ms(5100), 1, ms(20))
		w.play()
		assert.Equal(t, heard{want.a, ms(7000)}, a.heard(), name)
		assert.Equal(t, heard{"500", ms(3100)}, b.heard(), name)
		assert.Equal(t, heard{"201 1", ms(5120)}, c.heard(), name)
		assert.Equal(t, want.orders, w.count("orders"), name)
	}
}

func TestDeletingTheLockOfAnotherHolder(t *testing.T) { // ID-09
	w := newWorld(t, "strategy-3-no-unique")
	w.later(0, flow.Request, flow.Input{Tenant: 1, Key: 1, Amount: 300}).fail(ms(7000))
	c, d := w.order(ms(5100), 1, ms(3000)), w.order(ms(7001), 1, ms(20))
	w.play()
	assert.Equal(t, heard{"201 1", ms(7021)}, d.heard(), "it gets the lock that the first one has deleted")
	assert.Equal(t, heard{"201 2", ms(8100)}, c.heard())
	assert.Equal(t, 2, w.count("orders"))

	w = newWorld(t, "strategy-3-repaired")
	w.later(0, flow.Request, flow.Input{Tenant: 1, Key: 1, Fingerprint: 10, Amount: 300}).fail(ms(7000))
	c, d = w.order(ms(5100), 1, ms(3000)), w.order(ms(7001), 1, ms(20))
	w.play()
	assert.Equal(t, heard{"201 1", ms(8100)}, c.heard())
	assert.Equal(t, heard{"201 1", ms(8101)}, d.heard(), "it waits for the row")
	assert.Equal(t, 1, w.count("orders"))
}

func TestAHolderThatDiesKeepsItsLock(t *testing.T) { // ID-10
	w := newWorld(t, "strategy-3-as-written")
	w.request(1).until(flow.Work, "").crash()
	b, c := w.order(ms(100), 1, 0), w.order(ms(5001), 1, 0)
	w.play()
	assert.Equal(t, heard{"500", ms(3100)}, b.heard())
	assert.Equal(t, heard{"201 1", ms(5001)}, c.heard())

	w = newWorld(t, "strategy-3-repaired")
	w.program.Params.MaxWait = 6 * time.Second
	w.request(1).until(flow.Work, "").crash()
	b = w.order(ms(100), 1, 0)
	w.play()
	assert.Equal(t, heard{"201 1", ms(5000)}, b.heard(), "it takes the lock over")
}

func TestAnOrderThatIsOnlyInTheDatabaseIsNotFoundByWhoWaits(t *testing.T) { // ID-11
	w := newWorld(t, "strategy-3-as-written")
	w.request(1).until(flow.CacheSet, "").until(flow.NoteMade, "").until(flow.Work, "").until(flow.CacheSet, "").crash()
	b, c := w.order(ms(100), 1, 0), w.order(ms(5001), 1, 0)
	w.play()
	assert.Equal(t, 1, w.count("orders"))
	assert.Equal(t, heard{"500", ms(3100)}, b.heard())
	assert.Equal(t, heard{"200 1", ms(5001)}, c.heard())
}

func TestAWaiterLooksSixtyTimes(t *testing.T) { // ID-12
	w := newWorld(t, "strategy-3-as-written")
	w.request(1).until(flow.Work, "").crash()
	w.gets = 0
	b := w.order(0, 1, 0)
	w.play()
	assert.Equal(t, heard{"500", ms(3000)}, b.heard())
	assert.Equal(t, 1+60, w.gets, "one before it asks for the lock")
}

func TestAHolderThatIsSlow(t *testing.T) { // ID-13
	w := newWorld(t, "strategy-3-as-written")
	a, b, c := w.order(0, 1, ms(4010)), w.order(0, 1, 0), w.order(ms(1500), 1, 0)
	w.play()
	assert.Equal(t, heard{"201 1", ms(4010)}, a.heard())
	assert.Equal(t, heard{"500", ms(3000)}, b.heard())
	assert.Equal(t, heard{"200 1", ms(4050)}, c.heard())
}

func TestARetryAfterTheTTLIsANewRequest(t *testing.T) { // ID-14
	for at, want := range map[time.Duration]string{3599 * time.Second: "201 1", 3601 * time.Second: "201 2"} {
		w := newWorld(t, "ttl-cache-only")
		w.program.Params.TTL = time.Hour
		assert.Equal(t, "201 1", w.do(1))
		r := w.order(at, 1, 0)
		w.play()
		assert.Equal(t, want, r.said)
	}
}
