package broadcast

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// What a crash does to a process, and to what is checked.

// delay lets what one process sends to another take so long, each time.
func delay(from, to string, length int64) simtest.Change {
	return simtest.Link(from, to, sim.Link{Delay: sim.Constant(time.Duration(length) * ms)})
}

// A process that crashes when it has counted a message, and has not yet sent it, never
// sends one of that number: the next one has the next, and nothing waits for what never
// was, but FIFO order, which cannot know.
func TestCrashBeforeABroadcast(t *testing.T) {
	for _, order := range orders {
		r := play(t, params(order, one), crash("process-1", sim.When{Before: Sent, Nth: 2}, 10*ms))
		assert.EqualValues(t, 2, r.Measure("broadcasts"), order)
		r.Holds("fifo-order", "causal-order", "same-order", "no-duplicates")
		if order == "none" {
			r.Logs("0.000s process-1 broadcasts message 1: add 100", "0.020s process-1 broadcasts message 3: add 100")
			assert.EqualValues(t, 2*3, r.Measure("deliveries"))
		}
	}
}

// The same, and an answer that comes too early: what is missing is the message that was
// sent.
func TestAnswerAfterACrash(t *testing.T) {
	r := play(t, params("none", func(p *Params) { one(p); p.Messages, p.Answers = []int{2}, []int{0, 1, 0} }),
		crash("process-1", sim.When{Before: Sent, Nth: 1}, 10*ms), delay("process-1", "process-3", 50))
	r.Violated("causal-order", at(20))
	assert.Contains(t, r.Why[1], "had not delivered message 2 of process-1, which happened before it")
	r.Logs("0.010s process-1 broadcasts message 2: add 100", "0.015s process-2 broadcasts message 1: add 100",
		"0.020s process-3 delivers message 1 of process-2: add 100 makes 1100")
}

// How much a process has said and answered is never forgotten.
func TestRestartSaysNothingAgain(t *testing.T) {
	r := play(t, params("none", func(p *Params) { one(p); p.Answers = []int{0, 2, 0} }),
		crash("process-1", sim.When{At: at(15)}, ms), crash("process-2", sim.When{At: at(16)}, ms))
	assert.EqualValues(t, 3+2, r.Measure("broadcasts"))
}

// A process answers what others say, and not what it says itself.
func TestNoAnswerToOneself(t *testing.T) {
	r := play(t, params("none", func(p *Params) { one(p); p.Answers = []int{3, 0, 0} }))
	assert.EqualValues(t, 3, r.Measure("broadcasts"))
	endless := Process[None, *None]{Replica: Replica{spoken: maxMessages}}
	assert.False(t, endless.more(), "without end is not more than anybody remembers")
}

// Process-2 forgets in a crash that it has heard process-1. What it says then happened
// after that for nobody.
func TestForgottenPast(t *testing.T) {
	p := params("none", func(p *Params) { p.Start, p.Messages = list(0, 10, never), []int{1, 1, 1} })
	r := play(t, p, delay("process-1", "process-3", 100))
	r.Violated("causal-order", at(15))
	r = play(t, p, delay("process-1", "process-3", 100), crash("process-2", sim.When{At: at(7)}, ms))
	r.Holds("causal-order")
	r.Logs("0.018s process-2 broadcasts message 1: add 100", "0.023s process-3 delivers message 1 of process-2: add 100 makes 1100", "0.100s process-3 delivers message 1 of process-1: add 100 makes 1200")
}

// A process that has crashed is checked no more: not the order in which it had delivered,
// and not its balance.
func TestCrashedIsNotChecked(t *testing.T) {
	p := params("none", func(p *Params) {
		p.Start, p.Operations = list(0, 0, never), []string{"add 100", "interest 1%"}
	})
	slow := []simtest.Change{delay("process-2", "process-1", 50), delay("process-2", "process-3", 50)}
	play(t, p, slow...).OnlyViolates("same-order", "replicas-agree")
	r := play(t, p, append(slow, crash("process-2", sim.When{At: at(7)}, 0))...)
	r.OnlyViolates()
	assert.EqualValues(t, []int64{0, 1, 1111_00}, []int64{r.Measure("undelivered"), r.Measure("balances"), r.Measure("least-balance")})
}

// What only processes that have crashed have delivered nobody has to deliver.
func TestAgreementOfTheCrashed(t *testing.T) {
	p := params("none", func(p *Params) { one(p); p.Messages = []int{1} })
	r := play(t, p, crash("process-1", sim.When{Before: Cast, Nth: 1}, 0))
	assert.Equal(t, sim.NotExercised, r.Finding("agreement").Verdict, "it had it alone")
	r = play(t, p, delay("process-1", "process-3", 50), lose("process-1", "process-3", Cast, 1), crash("process-2", sim.When{At: at(10)}, 0), crash("process-1", sim.When{At: at(20)}, 0))
	assert.Equal(t, sim.NotExercised, r.Finding("agreement").Verdict, "so had the other")
	assert.EqualValues(t, 1, r.Measure("undelivered"))
}

// What there is no time left for is not checked.
func TestEndOfARun(t *testing.T) {
	lost := lose("process-1", "process-2", Cast, 1)
	short := func(order string, until int64) *simtest.Played {
		return play(t, params(order, func(p *Params) { one(p); p.Messages = []int{1} }), lost, simtest.Until(at(until)))
	}
	assert.Equal(t, sim.NotExercised, short("none", 999).Finding("agreement").Verdict)
	short("none", 1000).Violated("agreement", at(1000))
	assert.Equal(t, sim.NotExercised, short("total-lamport", 999).Finding("validity").Verdict)
	short("total-lamport", 1000).Violated("validity", at(1000))
}

// A copy is not kept.
func TestCopiesAreDropped(t *testing.T) {
	fifo, causal := NewFIFO(2), NewCausal(2, 2)
	from := NewCausal(1, 2)
	m := from.Broadcast(Msg{Kind: Cast, Sender: 1, Seq: 1})
	for _, a := range []Algorithm{&fifo, &causal} {
		a.Receive(1, m)
		_, ok := a.Next()
		require.True(t, ok)
		a.Receive(1, m)
		_, ok = a.Next()
		assert.False(t, ok)
		assert.Zero(t, a.Waiting())
	}
}

// Total order buffers everything, so that it is not worth a line of the log.
func TestTotalOrderDoesNotLogWhatItBuffers(t *testing.T) {
	r := play(t, params("total-lamport", one))
	assert.NotZero(t, r.Measure("buffered"))
	assert.NotContains(t, r.Log(), "buffers")
}
