package broadcast

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// bank is Tanenbaum's example: a deposit and interest, at two replicas of an account.
func bank(p *Params) { p.Processes, p.Operations = 2, []string{"add 100", "interest 1%"} }

// one lets only process-1 speak, three times, and process-2 answers once.
func one(p *Params) {
	p.Start, p.Messages, p.Gap = list(0, never), []int{3}, dists(10)
}

func TestBank(t *testing.T) {
	for _, order := range []string{"none", "fifo", "causal"} {
		r := play(t, params(order, bank))
		r.Violated("replicas-agree", at(5))
		r.Violated("same-order", at(5))
		r.Holds("fifo-order", "causal-order", "agreement", "validity", "no-duplicates")
		assert.EqualValues(t, []int64{1110_00, 1111_00}, []int64{r.Measure("least-balance"), r.Measure("greatest-balance")}, order)
	}
	r := play(t, params("total-lamport", bank))
	r.Holds(all...)
	r.Logs(
		"0.005s process-1 delivers message 1 of process-1: add 100 makes 1100",
		"0.005s process-1 delivers message 1 of process-2: interest 1% makes 1111")
	assert.EqualValues(t, 1, r.Measure("balances"))
}

// TestMessages is what a broadcast costs, and how long it takes: a delivery in total order
// waits for the acknowledgments.
func TestMessages(t *testing.T) {
	for _, v := range []struct {
		order     string
		processes int
		want      int64
		latency   int64 // ms
	}{
		{"none", 3, 2, 5}, {"fifo", 3, 2, 5}, {"causal", 3, 2, 5}, {"total-lamport", 3, 6, 10},
		{"none", 10, 9, 5}, {"fifo", 10, 9, 5}, {"causal", 10, 9, 5}, {"total-lamport", 10, 90, 10},
		{"total-lamport", 2, 2, 5}, {"total-lamport", 1, 0, 0},
	} {
		r := play(t, params(v.order, func(p *Params) { p.Processes, p.Start = v.processes, list(0, never)[:min(2, v.processes)] }))
		assert.Equal(t, v.want, r.Measure("messages"), "%s, %d", v.order, v.processes)
		assert.Equal(t, v.latency*int64(ms)*int64(v.processes-1), r.Measure("latency"), "%s, %d", v.order, v.processes)
		assert.EqualValues(t, v.processes, r.Measure("deliveries"))
	}
}

func TestSchedules(t *testing.T) {
	answer := func(p *Params) { one(p); p.Messages, p.Answers = []int{1}, []int{0, 1, 0} }
	for _, v := range []struct {
		name     string
		violated [4][]string // by order: none, fifo, causal, total-lamport
		set      func(*Params)
		schedule simtest.Change
	}{
		{"nothing goes wrong", [4][]string{{}, {}, {}, {}}, one, func(*sim.Config, *sim.Program) {}},
		{"the first overtaken by the second",
			[4][]string{{"fifo-order", "causal-order", "same-order"}, {}, {}, {"fifo-order", "causal-order", "same-order"}}, one, late("process-1", "process-2", 1, 18)},
		{"a question overtaken by its answer",
			[4][]string{{"causal-order", "same-order"}, {"causal-order", "same-order"}, {}, {}}, answer, late("process-1", "process-3", 1, 50)},
		{"one twice", [4][]string{{"no-duplicates", "replicas-agree"}, {}, {}, {"no-duplicates", "replicas-agree"}}, one, twice("process-1", "process-2", 2, 1)},
		{"one twice, while it waits", [4][]string{{"no-duplicates", "replicas-agree"}, {}, {}, {}},
			func(p *Params) { one(p); p.Messages = []int{1} }, twice("process-1", "process-2", 1, 4)},
		{"the first is lost", [4][]string{{"fifo-order", "causal-order", "agreement"}, {"agreement"}, {"agreement"}, {"fifo-order", "causal-order", "agreement"}},
			one, lose("process-1", "process-2", Cast, 1)},
		{"an acknowledgment is lost, and a later one comes", [4][]string{{}, {}, {}, {}}, one, lose("process-2", "process-3", Ack, 1)},
		{"an acknowledgment is lost, and nothing comes later", [4][]string{{}, {}, {}, {"agreement"}},
			func(p *Params) { one(p); p.Messages = []int{1} }, lose("process-2", "process-3", Ack, 1)},
		{"a crash", [4][]string{{}, {}, {}, {"validity"}}, one, crash("process-3", sim.When{At: at(8)}, 0)},
		{"a crash half way", [4][]string{{"agreement"}, {"agreement"}, {"agreement"}, {}}, one, crash("process-1", sim.When{Before: Cast, Nth: 2}, 0)},
		{"a pause", [4][]string{{}, {}, {}, {}}, one, simtest.Inject("process-2", sim.Fault{Do: sim.Pause, When: sim.When{At: at(3)}, For: sim.Constant(700 * ms)})},
	} {
		t.Run(v.name, func(t *testing.T) {
			for i, order := range orders {
				t.Run(order, func(t *testing.T) {
					r := play(t, params(order, v.set), v.schedule)
					r.OnlyViolates(v.violated[i]...)
				})
			}
		})
	}
}

// TestCausalOrderBuffers: which messages, and for how long.
func TestCausalOrderBuffers(t *testing.T) {
	r := play(t, params("causal", func(p *Params) { p.Start, p.Answers = list(0, never), []int{0, 1, 0} }), late("process-1", "process-3", 1, 50))
	r.Holds(all...)
	r.Logs(
		"0.005s process-2 broadcasts message 1: add 100",
		"0.010s process-3 buffers message 1 of process-2",
		"0.050s process-3 delivers message 1 of process-1: add 100 makes 1100",
		"0.050s process-3 delivers message 1 of process-2: add 100 makes 1200")
	assert.EqualValues(t, 1, r.Measure("buffered"))
}

// TestOneCrashStopsAll: with total order nobody delivers anything any more.
func TestOneCrashStopsAll(t *testing.T) {
	r := play(t, params("total-lamport", func(p *Params) { p.Processes, p.Messages, p.Gap = 5, []int{0}, dists(30) }), crash("process-5", sim.When{At: at(500)}, 0))
	r.OnlyViolates("validity")
	last := sim.Time(0)
	for _, m := range r.Moments {
		if assert.NotEmpty(t, m.Text); len(m.Text) > 18 && m.Text[10:18] == "delivers" {
			last = m.At
		}
	}
	assert.Less(t, last, at(520))
	assert.GreaterOrEqual(t, last, at(490))
}

// TestRestart is the scenario broadcast-restart: the clock forgotten, the order is lost.
func TestRestart(t *testing.T) {
	r := play(t, params("total-lamport", func(p *Params) {
		p.Operations, p.Messages, p.Gap = []string{"add 100", "interest 1%", "add 500"}, []int{1, 2, 2}, dists(100, 100, never)
	}), crash("process-3", sim.When{At: at(106)}, ms), delay("process-1", "process-2", 20))
	r.Violated("same-order", at(125))
	r.Violated("replicas-agree", at(125))
	r.OnlyViolates("same-order", "replicas-agree")
}

// TestTwoAnswersInOneStep: what a process says in the midst of a step comes, in its own
// past, before what it says after it.
func TestTwoAnswersInOneStep(t *testing.T) {
	for _, order := range []string{"fifo", "causal"} {
		r := play(t, params(order, func(p *Params) { one(p); p.Messages, p.Answers = []int{2}, []int{0, 2, 0} }), late("process-1", "process-2", 1, 40))
		r.Holds("fifo-order", "causal-order", "agreement", "validity", "no-duplicates")
		r.Logs(
			"0.015s process-2 buffers message 2 of process-1",
			"0.040s process-2 delivers message 1 of process-1: add 100 makes 1100",
			"0.040s process-2 broadcasts message 1: add 100")
		assert.EqualValues(t, 4*3, r.Measure("deliveries"), order)
	}
}
