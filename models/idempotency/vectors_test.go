package idempotency

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// ID-02, ID-20: a double click, with a key for the intent, for each call, and for content and
// time.
func TestWhatAKeyIsMadeForDecidesADoubleClick(t *testing.T) {
	for keyPer, effects := range map[string]int64{"intent": 1, "call": 2, "content": 1, "content-and-time": 2} {
		r := play(t, reference, func(p *Params) { p.Clicks, p.KeyPer = []int{2}, keyPer })
		assert.Equal(t, effects, r.Measure("effects"), keyPer)
	}
}

// ID-05: two equal orders that are meant are one if the key is their content.
func TestAKeyOfContentMergesTwoIntents(t *testing.T) {
	r := play(t, reference, func(p *Params) { p.Intents, p.KeyPer = []int{2}, "content" })
	r.OnlyViolates("acknowledged-is-durable")
	assert.Equal(t, int64(1), r.Measure("effects"))
}

// ID-15: the reference answers a stored key from the record, another content with 422, and a
// claimed key with 409 and what is left of the lease.
func TestReferenceAnswersByTheStateOfTheKey(t *testing.T) {
	r := play(t, reference, func(p *Params) { p.Clicks = []int{2} })
	assert.Equal(t, int64(1), r.Measure("replays"))
	r = play(t, reference, func(p *Params) {
		p.Clients, p.Key, p.Amount, p.Start = 2, []int{1}, []int{100, 200}, []time.Duration{0, time.Second}
	})
	assert.Equal(t, int64(1), r.Measure("mismatches"))
	r = play(t, reference, func(p *Params) {
		p.Clients, p.Key, p.Start, p.Work = 2, []int{1}, []time.Duration{0, 4 * time.Second}, ptr(sim.Constant(5*time.Second))
		p.Timeout = []time.Duration{20 * time.Second}
	})
	assert.Equal(t, int64(1), r.Measure("conflicts"))
	assert.Equal(t, modeltest.At(10_050), r.Moment("client-2 sends intent 2 with key 1 and amount 100, attempt 2"), "the lease began at 20 ms; the answer takes 30 ms")
}

// ID-18: A has claimed the key and is paused beyond its lease; B takes it over and completes it;
// A finds that it is fenced off.
func TestAPausedHolderIsFencedOff(t *testing.T) {
	r := play(t, reference, func(p *Params) {
		p.Clients, p.Servers, p.Key, p.Intent, p.Start = 2, 2, []int{1}, []int{1}, []time.Duration{0, 11 * time.Second}
		p.Timeout, p.StatementTimeout = []time.Duration{30 * time.Second}, 20*time.Second
	}, simtest.Inject("api-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: Claimed, Nth: 1}, For: sim.Constant(15 * time.Second)}))
	r.OnlyViolates()
	assert.Equal(t, [3]int64{1, 1, 1}, [3]int64{r.Measure("effects"), r.Measure("takeovers"), r.Measure("fenced")})
}

// ID-19: a client that takes 409 for success holds an order for done that is not there.
func TestAConflictTakenForSuccess(t *testing.T) {
	r := play(t, reference, func(p *Params) {
		p.Clients, p.Key, p.Intent, p.Start, p.OnConflict = 2, []int{1}, []int{1}, []time.Duration{0, 15 * ms}, "success"
	})
	assert.Equal(t, sim.Violated, r.Finding("acknowledged-is-durable").Verdict)
	assert.Equal(t, int64(1), r.Measure("effects"))
}

// ID-22: a provider forgets a key after 24 h; a retry at 30 h with the same key charges again,
// and one that looks the charge up first does not.
func TestAProviderForgetsItsKeys(t *testing.T) {
	const charge = "on request { charge amount key key -> id, code; answer 201, id; }"
	const lookup = "on request { lookup key key -> id; if not found { charge amount key key -> id, code; } answer 201, id; }"
	late := func(p *Params) { p.Clicks, p.Between = []int{2}, []time.Duration{30 * time.Hour} }
	until := simtest.Until(sim.Time(31 * time.Hour))
	r := play(t, charge, late, until)
	r.OnlyViolates("at-most-once", "same-answer")
	assert.Equal(t, int64(2), r.Measure("charges"))
	r = play(t, lookup, late, until)
	assert.Equal(t, int64(1), r.Measure("charges"))
	r = play(t, charge, func(p *Params) { late(p); p.ProviderTTL = ptr(time.Duration(0)) }, until)
	assert.Equal(t, [2]int64{1, 1}, [2]int64{r.Measure("charges"), r.Measure("charges-answered-again")})
}

// An event that is not acknowledged in time is delivered again, to the next consumer.
func TestTheBrokerDeliversAgain(t *testing.T) {
	r := play(t, counter, func(p *Params) { p.Consumers = ptr(2) },
		simtest.Inject("consumer-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: Handling, Nth: 1}, For: sim.Constant(20 * time.Second)}))
	r.Holds("exactly-once-fold")
	assert.Equal(t, int64(1), r.Measure("events-twice"))
	r.Logs("the broker delivers event 1 for the 2. time", "what events are added to is 100", "event 1 is acknowledged")
}

// A server that is back ends the sessions that it had: what they had locked is free. Until then
// others wait.
func TestSessionsOfACrashedServerEndWhenItIsBack(t *testing.T) {
	const locking = `create table t (k int primary key, v int);
		insert into t values (1, 0);
		on request { begin; update t set v = v + 1 where k = 1; note locked; work; commit; answer 200; }`
	r := play(t, locking, func(p *Params) { p.Clients, p.Servers, p.Start = 2, 2, []time.Duration{0, 100 * ms} },
		simtest.Inject("api-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: Locked, Nth: 1}, For: sim.Constant(2 * time.Second)}))
	at := r.Moment("client-2 has the final answer 200")
	assert.Greater(t, at, modeltest.At(2000))
	assert.Less(t, at, modeltest.At(2100))
}
