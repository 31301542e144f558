package flows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
)

// order is a request of tenant 1 that comes at an instant and whose processing takes a time.
func (w *world) order(d time.Duration, key sql.Value, work time.Duration) *task {
	r := w.later(d, flow.Request, flow.Input{Tenant: 1, Key: key, Fingerprint: 10, Amount: 300, Intent: key, Attempt: 1})
	r.work = work
	return r
}

func TestDeductingBeforeTheClaimIsSavedByTheException(t *testing.T) { // PG-23
	w := newWorld(t, "partial-failure-as-written")
	assert.Equal(t, "201 1", w.do(1))
	assert.Equal(t, "500", w.do(1))
	assert.Equal(t, 700, w.sum("balances", "available")-3000)
}

func TestIgnoringTheMissingRowDeductsAgain(t *testing.T) { // PG-22
	w := newWorld(t, "partial-failure-row-ignored")
	for _, want := range []int{700, 400, 100} {
		w.do(1)
		assert.Equal(t, want, w.sum("balances", "available")-3000)
	}
	assert.Equal(t, 1, w.count("orders"))
}

func TestClaimingFirstDeductsOnce(t *testing.T) { // PG-24
	w := newWorld(t, "partial-failure-repaired")
	assert.Equal(t, "201 1", w.do(1))
	assert.Equal(t, "201 1", w.do(1))
	assert.Equal(t, 700, w.sum("balances", "available")-3000)
	assert.Equal(t, "201 3", w.do(2))
	assert.Equal(t, "201 4", w.do(3))
	assert.Equal(t, "402", w.do(4), "100 are left")
	assert.Equal(t, 100, w.sum("balances", "available")-3000)
}

func TestTheBackoffOfTheSourceSleepsAfterTheLastTryToo(t *testing.T) { // ID-17
	w := newWorld(t, "retry-loop-as-written")
	r := w.request(1)
	var slept []time.Duration
	for !r.done {
		if r.next.Do == flow.Sleep && !r.asleep {
			slept = append(slept, r.next.Least)
		}
		if r.is(flow.Query, "insert") {
			r.advance(flow.Reply{Code: sql.SerializationFailure})
			continue
		}
		r.step()
	}
	assert.Equal(t, []time.Duration{ms(20), ms(40), ms(80)}, slept)
	assert.Equal(t, "500", r.said)
}

func TestTwoSpendsOfOneBalance(t *testing.T) { // PG-25
	for name, want := range map[string]int{"spend-plain": -60, "spend-for-update": 20} {
		w := newWorld(t, name)
		in := flow.Input{Tenant: 1, Amount: 80, Intent: 1}
		a := w.start(flow.Request, in).until(flow.Work, "")
		b := w.start(flow.Request, in)
		b.end()
		a.end()
		b.end()
		assert.Equal(t, want, w.sum("balances", "available")-300, name)
	}
}

func TestAnotherWritersUpdateIsTakenForOnesOwn(t *testing.T) { // PG-26
	w := newWorld(t, "versioned-update-as-written")
	a := w.request(1).until(flow.Work, "")
	assert.Equal(t, "200", w.do(2))
	assert.Equal(t, "200", a.end(), "its client hears that it is done")
	assert.Equal(t, []int{1, 340}, []int{w.count("changes"), w.sum("account", "x")})

	w = newWorld(t, "versioned-update-repaired")
	a = w.request(1).until(flow.Work, "")
	assert.Equal(t, "200", w.do(2))
	assert.Equal(t, "200", a.end())
	assert.Equal(t, "200", w.do(1), "a retry")
	assert.Equal(t, []int{2, 640}, []int{w.count("changes"), w.sum("account", "x")})
}

func TestSelectForUpdateOfAMissingRowLocksNothing(t *testing.T) { // PG-05
	w := newWorld(t, "lookup-for-update")
	a, b := w.request(1).until(flow.Work, ""), w.request(1).until(flow.Work, "")
	assert.Equal(t, []string{"201 1", "201 2"}, []string{a.end(), b.end()})
	assert.Equal(t, 2, w.count("orders"))
}

func TestConsumers(t *testing.T) {
	for _, c := range []struct {
		id, name, crash string // before the second statement that begins so
		want            int
	}{
		{"PG-28", "consumer-effect-then-mark", "insert into seen", 20},
		{"PG-29", "consumer-mark-then-effect", "update total", 0},
		{"PG-30", "consumer-atomic", "with c", 10},
		{"inbox", "inbox-two-transactions", "update total", 0},
	} {
		w := newWorld(t, c.name)
		w.event(7, 10).until(flow.Query, c.crash).crash()
		for range 2 {
			assert.Equal(t, "ack", w.event(7, 10).end(), c.id)
		}
		assert.Equal(t, c.want, w.sum("total", "n"), c.id)
	}
}

func TestTwoConsumersOfOneEventCarryItOutOnce(t *testing.T) { // PG-31
	w := newWorld(t, "consumer-atomic")
	a, b := w.event(7, 10), w.event(7, 10)
	assert.Equal(t, []string{"ack", "ack"}, []string{a.end(), b.end()})
	assert.Equal(t, 10, w.sum("total", "n"))
}

// outbox lets a slow writer begin, a fast one commit, and the relay read; then the slow one
// commits, the relay ends, and runs once more. It is what was sent, and what is left.
func outbox(t *testing.T, name string) (sent []sql.Value, left int) {
	t.Helper()
	w := newWorld(t, name)
	slow := w.request(1).until(flow.Query, "commit")
	fast := w.request(2)
	fast.end()
	relay := w.relay()
	relay.until(flow.Publish, "")
	relay.step()
	if !relay.done {
		relay.until(flow.Fetch, "")
	}
	slow.end()
	fast.end()
	relay.end()
	w.relay().end()
	for _, a := range w.sent {
		sent = append(sent, a.Key)
	}
	return sent, w.count("outbox")
}

func TestDeletingToTheLastIdLosesARowThatIsCommittedLate(t *testing.T) { // PG-32
	sent, left := outbox(t, "outbox-delete-to-last")
	assert.Equal(t, []sql.Value{2}, sent)
	assert.Zero(t, left, "event 1 is deleted unsent")
}

func TestAtRepeatableReadOnlyWhatWasReadIsDeleted(t *testing.T) { // PG-33
	sent, left := outbox(t, "outbox-delete-to-last-repeatable-read")
	assert.Equal(t, []sql.Value{2, 1}, sent)
	assert.Zero(t, left)
}

func TestAWatermarkPassesARowThatIsCommittedLate(t *testing.T) { // PG-34
	sent, left := outbox(t, "outbox-watermark")
	assert.Equal(t, []sql.Value{2}, sent)
	assert.Equal(t, 2, left, "event 1 is there and is never read")
}

func TestSkipLockedGivesEachRelayItsOwnRows(t *testing.T) { // PG-34
	w := newWorld(t, "outbox-skip-locked")
	w.do(1)
	w.do(2)
	a := w.relay().until(flow.Publish, "")
	assert.Equal(t, "return", w.relay().end())
	assert.Equal(t, "return", a.end())
	assert.Equal(t, []sql.Value{2, 1}, []sql.Value{w.sent[0].Key, w.sent[1].Key})
	assert.Zero(t, w.count("outbox"))
}

func TestPositionsInTheOrderOfCommitsLoseNothing(t *testing.T) {
	w := newWorld(t, "outbox-commit-order")
	slow := w.request(1).until(flow.Query, "commit")
	fast := w.request(2)
	assert.Equal(t, "waits", fast.end(), "for the row that gives positions")
	slow.end()
	fast.end()
	w.relay().end()
	w.relay().end()
	assert.Equal(t, []sql.Value{1, 2}, []sql.Value{w.sent[0].Key, w.sent[1].Key})
	assert.Len(t, w.sent, 2)
}

func TestARelayThatCrashesSendsAgainOrLosesTheEvent(t *testing.T) {
	for name, want := range map[string]int{"outbox-by-ids": 2, "outbox-skip-locked": 2, "outbox-watermark": 2, "outbox-delete-then-send": 0} {
		w := newWorld(t, name)
		w.do(1)
		r := w.relay().until(flow.Publish, "")
		if want > 0 {
			r.step() // sent, and not yet removed
		}
		r.crash()
		w.relay().end()
		assert.Len(t, w.sent, want, name)
		for _, a := range w.sent {
			w.event(a.Key, a.Amount).end()
		}
		assert.Equal(t, 300*min(want, 1), w.sum("total", "n"), "%s: the inbox keeps a second one out", name)
	}
}

func TestSetIsIdempotentOnlyWithoutReordering(t *testing.T) { // ID-16
	play := func(name string, amounts ...sql.Value) int {
		w := newWorld(t, name)
		keys := map[sql.Value]sql.Value{}
		for _, amount := range amounts {
			if keys[amount] == 0 {
				keys[amount] = sql.Value(len(keys) + 1)
			}
			assert.Equal(t, "200", w.start(flow.Request, flow.Input{Tenant: 1, Key: keys[amount], Amount: amount}).end())
		}
		return w.sum("account", "balance")
	}
	assert.Equal(t, 100, play("set", 100, 100))
	assert.Equal(t, 100, play("set", 100, 50, 100), "a stale write wins")
	assert.Equal(t, 50, play("set-versioned", 100, 50, 100))
	assert.Equal(t, 200, play("add", 100, 100))

	w := newWorld(t, "set-after-read")
	in := flow.Input{Tenant: 1, Amount: 50}
	a, b := w.start(flow.Request, in).until(flow.Work, ""), w.start(flow.Request, in).until(flow.Work, "")
	a.end()
	b.end()
	assert.Equal(t, 50, w.sum("account", "balance"), "one add is lost")
}
