package idempotency

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/idempotency/flows"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// all are the properties that the reference flow exercises.
var all = []string{"at-most-once", "same-answer", "acknowledged-is-durable", "isolated", "progress", "no-phantom"}

func TestReferenceKeepsEveryPropertyInStorms(t *testing.T) {
	modeltest.Storms(t, system(t, reference, busy), 60, all, nil)
}

func TestLookupProcessStoreRepeatsEffectsInStorms(t *testing.T) {
	modeltest.Storms(t, system(t, lookup, busy), 60, nil, []string{"at-most-once"})
}

func TestOneRequestIsOneEffectAndOneAnswer(t *testing.T) {
	r := play(t, reference, usual)
	r.Holds(all...)
	assert.Equal(t, int64(1), r.Measure("effects"))
	r.Logs("0.000s client-1 sends intent 1 with key 1 and amount 100", "row 1 in orders is durable, of intent 1",
		"client-1 has the final answer 201, 1 for intent 1")
}

// A crash between effect and record makes the client ask again, and the effect happens twice.
func TestACrashBetweenEffectAndRecord(t *testing.T) {
	crash := simtest.Inject("api-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: Processed, Nth: 1}, For: sim.Constant(100 * ms)})
	r := play(t, lookup, usual, crash)
	r.OnlyViolates("at-most-once")
	r = play(t, reference, usual, crash)
	r.Holds(all...)
	assert.Equal(t, int64(1), r.Measure("effects"))
}

// Every flow that ships runs without faults, and answers its client.
func TestEveryShippedFlowAnswers(t *testing.T) {
	for _, name := range flows.Names() {
		t.Run(name, func(t *testing.T) {
			r := play(t, "", func(p *Params) { p.Flow = name; p.Attempts = []int{3} })
			assert.Equal(t, int64(1), r.Measure("answers")+r.Measure("gave-up"), "%s", r)
		})
	}
}

// A statement that PostgreSQL refuses goes to the database as any other, and its transaction fails.
func TestARefusedStatementIsARoundTrip(t *testing.T) { // PG-01
	r := play(t, "", func(p *Params) { p.Flow, p.Attempts = "strategy-2-as-written", []int{1} })
	assert.Equal(t, []int64{1, 1, 0}, []int64{r.Measure("sql-errors"), r.Measure("requests"), r.Measure("effects")})
	r.Logs("a statement fails with 42702", "api-1 answers 500 for key 1")
}

// The answer to each of the first requests has its measures: a retry is a request of its own.
func TestTheFirstRequestsHaveMeasures(t *testing.T) {
	crash := simtest.Inject("api-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: Processed, Nth: 1}, For: sim.Constant(100 * ms)})
	r := play(t, lookup, func(p *Params) { p.Timeout = []time.Duration{time.Second} }, crash)
	assert.EqualValues(t, 0, r.Measure("answer-1"))
	assert.EqualValues(t, time.Second, r.Measure("answered-at-1"))
	assert.EqualValues(t, 201, r.Measure("answer-2"))
	assert.EqualValues(t, 2, r.Measure("body-2"))
	assert.EqualValues(t, 1250*ms, r.Measure("answered-at-2"))
}

// Latency is of each call, from its first attempt; the time to an answer is of the intent.
func TestLatencyIsOfACall(t *testing.T) {
	r := play(t, reference, func(p *Params) { p.Clicks, p.Between = []int{2}, []time.Duration{time.Minute / 2} })
	assert.EqualValues(t, 2, r.Measure("answers"))
	assert.Less(t, r.Measure("latency"), int64(2*100*ms))
	r = play(t, reference, func(p *Params) { p.Timeout = []time.Duration{time.Second} },
		simtest.Inject("api-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: Processed, Nth: 1}, For: sim.Constant(100 * ms)}))
	assert.Greater(t, r.Measure("latency"), int64(time.Second))
}

// A client that crashes when it has its final answer and has not noted it has an answer; one
// that asks again and has none has not.
func TestProgressOfAClientThatCrashes(t *testing.T) {
	crash := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{Before: Answered, Nth: 1}, For: sim.Constant(100 * ms)})
	soon := func(p *Params) { p.Attempts, p.Bounds.Within = []int{0}, ptr(10*time.Second) }
	r := play(t, reference, soon, crash)
	assert.Equal(t, sim.NotExercised, r.Finding("progress").Verdict)
	r = play(t, "create table orders (id int); on request { answer 409, 1s; }", soon,
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{Note: Retrying, Nth: 1}, For: sim.Constant(100 * ms)}))
	r.OnlyViolates("progress")
}

// A cache forgets all in a crash, unless it is durable.
func TestACacheThatCrashes(t *testing.T) {
	const program = orders + "on request { cache get seen:key; if found { answer 200; } insert into orders (intent) values (:intent); cache set seen:key 1; answer 200; }"
	crash := simtest.Inject("cache", sim.Fault{Do: sim.Crash, When: sim.When{At: modeltest.At(500)}, For: sim.Constant(100 * ms)})
	for durable, effects := range map[bool]int64{false: 2, true: 1} {
		r := play(t, program, func(p *Params) { p.CacheDurable, p.Clicks, p.Between = durable, []int{2}, []time.Duration{time.Second} }, crash)
		assert.Equal(t, effects, r.Measure("effects"), "durable: %v", durable)
	}
}
