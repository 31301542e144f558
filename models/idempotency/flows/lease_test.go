package flows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
)

func TestTheReferenceAnswersByTheStateOfTheRow(t *testing.T) { // ID-15
	w := newWorld(t, "reference")
	a := w.request(1).until(flow.Work, "")
	w.now = at(4 * time.Second)
	assert.Equal(t, "409 6000000000", w.do(1), "in progress: 6 s of the lease are left")
	other := flow.Input{Tenant: 1, Key: 1, Fingerprint: 11, Amount: 300}
	assert.Equal(t, "422", w.start(flow.Request, other).end())
	assert.Equal(t, "201 1", a.end())
	assert.Equal(t, "201 1", w.do(1), "replay")
	assert.Equal(t, "422", w.start(flow.Request, other).end())
	other.Tenant = 2
	assert.Equal(t, "201 2", w.start(flow.Request, other).end(), "a key belongs to a tenant")
	other.Key = -9223372036854775808
	assert.Equal(t, "400", w.start(flow.Request, other).end(), "no key")
}

func TestAnAttemptWhoseLeaseIsOverIsFenced(t *testing.T) { // ID-18
	for _, name := range []string{"reference", "reference-wait"} {
		w := newWorld(t, name)
		a := w.request(1).until(flow.Work, "")
		w.now = at(11 * time.Second)
		assert.Equal(t, "201 1", w.do(1), "attempt 2")
		w.now = at(15 * time.Second)
		assert.Equal(t, "201 1", a.end(), "what the other attempt has stored")
		assert.Equal(t, 1, w.count("orders"))
	}
}

func TestARefusalIsStoredAndReplayedAndAnErrorReleasesTheLease(t *testing.T) { // ID-15
	w := newWorld(t, "reference-with-balance")
	ask := func(key sql.Value) *task {
		return w.start(flow.Request, flow.Input{Tenant: 1, Key: key, Fingerprint: 10, Amount: 80, Intent: key, Attempt: 1})
	}
	assert.Equal(t, "201 1", ask(1).end())
	assert.Equal(t, "402 null", ask(2).end(), "20 are left")
	again := ask(2)
	assert.Equal(t, "402 null", again.end(), "replay")
	assert.Len(t, again.statements, 4, "begin, insert, select, rollback: nothing is tried again")
	assert.Equal(t, "201 1", ask(1).end())
	assert.Equal(t, []int{20, 80}, []int{w.sum("account", "balance") - 100, w.sum("orders", "amount")}, "tenant 2 has 100")

	w = newWorld(t, "reference-with-balance")
	r := ask(1).until(flow.Query, "update account")
	r.advance(flow.Reply{Code: sql.DeadlockDetected})
	assert.Equal(t, "503", r.end())
	assert.Equal(t, "201 1", ask(1).end(), "a second attempt, before the lease would have ended")
}

func TestTheReaperRemovesWhatIsFinished(t *testing.T) {
	w := newWorld(t, "reference-with-reaper")
	a := w.request(2).until(flow.Work, "")
	assert.Equal(t, "201 1", w.do(1))
	w.now = at(25 * time.Hour)
	assert.Equal(t, "return", w.relay().end())
	assert.Equal(t, 1, w.count("idem"), "the one in progress stays")
	assert.Equal(t, "201 2", w.do(1), "after ttl it is a new request")
	assert.Equal(t, "201 3", a.end())
}

func TestADuplicateWaitsForTheRowOrForTheCommit(t *testing.T) {
	w := newWorld(t, "reference-wait")
	a, b := w.order(0, 1, ms(210)), w.order(ms(1), 1, 0)
	w.play()
	assert.Equal(t, heard{"201 1", ms(210)}, a.heard())
	assert.Equal(t, heard{"201 1", ms(251)}, b.heard())

	w = newWorld(t, "reference-one-transaction") // PG-07
	a, b = w.order(0, 1, ms(210)), w.order(ms(1), 1, 0)
	w.play()
	assert.Equal(t, heard{"201 1", ms(210)}, a.heard())
	assert.Equal(t, heard{"201 1", ms(210)}, b.heard())

	w = newWorld(t, "reference-one-transaction") // PG-20
	w.program.Params.LockTimeout = ms(300)
	a, b = w.order(0, 1, time.Second), w.order(0, 1, 0)
	w.play()
	assert.Equal(t, heard{"409", ms(300)}, b.heard())
	assert.Equal(t, heard{"201 1", ms(1000)}, a.heard())
}

func TestACrashBeforeTheCommitLeavesNothing(t *testing.T) { // PG-21
	w := newWorld(t, "reference-one-transaction")
	w.request(1).until(flow.Query, "commit").crash()
	assert.Equal(t, "201 2", w.do(1))
	assert.Equal(t, 1, w.count("orders"))
}

// receipts lets a server that was charged pause for 95 s while a retry finishes at 91 s.
func receipts(t *testing.T, name string) (string, int) {
	w := newWorld(t, name)
	w.program.Params.Lease = 90 * time.Second
	a := w.request(1).until(flow.Charge, "").until(flow.Work, "")
	w.now = at(91 * time.Second)
	assert.Equal(t, "201 1", w.do(1))
	w.now = at(95 * time.Second)
	said := a.end()
	assert.Equal(t, 1, w.made, "charges")
	return said, w.count("receipts")
}

func TestAServerThatWasPausedGoesOnAtItsRecoveryPoint(t *testing.T) { // ID-21
	said, n := receipts(t, "recovery-points")
	assert.Equal(t, "201 1", said)
	assert.Equal(t, 2, n)
	said, n = receipts(t, "recovery-points-fenced")
	assert.Equal(t, "409", said)
	assert.Equal(t, 1, n)
}

func TestAResumeAfterTheProviderHasForgottenTheKey(t *testing.T) { // ID-22
	for name, want := range map[string]int{"recovery-points-fenced": 2, "external-lookup-first": 1} {
		w := newWorld(t, name)
		w.request(1).until(flow.Charge, "").until(flow.Query, "begin").crash()
		w.now = at(30 * time.Hour)
		assert.Equal(t, "201 1", w.do(1), name)
		assert.Equal(t, want, w.made, name)
	}
}

func TestTheIncidentsOfPowertools(t *testing.T) {
	for name, want := range map[string]int{"powertools": 1, "delete-in-error-path": 2} {
		w := newWorld(t, name)
		a := w.request(1).until(flow.Work, "")
		assert.Equal(t, "409", w.do(1), name)
		w.do(1)
		a.end()
		assert.Equal(t, want, w.count("orders"), name)
	}
	for name, want := range map[string]string{"powertools": "201 1", "remaining-time-zero": "409"} {
		w := newWorld(t, name)
		w.request(1).until(flow.Work, "").crash()
		w.now = at(time.Hour)
		assert.Equal(t, want, w.do(1), name)
		w.now = at(25 * time.Hour)
		assert.Equal(t, "201 1", w.do(1), name)
	}
}

func TestAKeyThatOutlivesItsOrder(t *testing.T) {
	for name, want := range map[string]string{"key-kept-resource-deleted": "404", "key-and-resource-deleted": "201 2"} {
		w := newWorld(t, name)
		assert.Equal(t, "201 1", w.do(1), name)
		w.now = at(25 * time.Hour)
		assert.Equal(t, "return", w.relay().end())
		assert.Equal(t, want, w.do(1), name)
	}
}

func TestAnErrorIsStoredAsStripeDoes(t *testing.T) {
	w := newWorld(t, "stripe")
	r := w.request(1).until(flow.Query, "update idem set code = 200")
	r.db.Disconnect(w.now, r.session)
	r.advance(flow.Reply{Code: 1})
	assert.Equal(t, "500", r.end())
	assert.Equal(t, "500 null", w.do(1), "the first answer is kept")
	assert.Zero(t, w.count("orders"))
}
