package mutex

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestMessagesPerEntry is "messages per entry, N=3 and 10: Lamport 3(N-1); Ricart-Agrawala 2(N-1)",
// counted on the network: 6, 4; 27, 18. It is the same whether processes ask at the same
// time or alone.
func TestMessagesPerEntry(t *testing.T) { // C-06
	for _, v := range []struct {
		algorithm string
		processes int
		want      int64
	}{
		{"lamport", 3, 6}, {"ricart-agrawala", 3, 4},
		{"lamport", 10, 27}, {"ricart-agrawala", 10, 18},
		{"lamport", 1, 0}, {"ricart-agrawala", 1, 0},
		{"lamport", 2, 3}, {"ricart-agrawala", 2, 2},
	} {
		for name, start := range map[string][]int{"at once": {0}, "one by one": []int{0, 100, 200, 300, 400, 500, 600, 700, 800, 900}[:v.processes]} {
			t.Run("C-06 "+v.algorithm+" "+name, func(t *testing.T) {
				r := play(t, params(v.algorithm, func(p *Params) {
					p.Processes, p.Start, p.Work, p.Rounds = v.processes, list(start...), dists(20), []int{2}
					p.Think = dists(1000)
				}))
				entries := int64(2 * v.processes)
				assert.Equal(t, entries, r.Measure("entries"), r)
				assert.Equal(t, v.want*entries, r.Measure("messages"))
				assert.Equal(t, v.want*entries, r.Measure("messages-per-entry"), "before it is divided")
				r.Holds("mutual-exclusion", "in-request-order", "progress")
			})
		}
	}
}

// TestHandover is how long the critical section is empty while somebody waits: one
// message, in either algorithm; and how long one waits who is alone: there and back.
func TestHandover(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Start = list(0, 40, 80) }))
		r.Logs(
			"0.000s process-1 asks to enter, stamped 1",
			"0.010s process-1 enters, stamped 1, after 10ms",
			"0.110s process-1 leaves",
			"0.115s process-2 enters, stamped 4, after 75ms")
		assert.EqualValues(t, 2*5*ms, r.Measure("handover"), algorithm)
		assert.EqualValues(t, (10+75+140)*ms, r.Measure("wait"), algorithm)
		deferred := map[string]int64{"lamport": 0, "ricart-agrawala": 3} // 1 puts off 2 and 3, and 2 puts off 3
		assert.Equal(t, deferred[algorithm], r.Measure("deferred"), algorithm)
	}
}

// "Using a central scheduling process which grants requests in the order they are
// received will not work" (Lamport 1978): of two requests the one that was made first may
// arrive last. Here process-3 asks after it has heard that process-1 has asked, and to
// process-2 its request comes first.
func TestAskedBeforeIsGrantedBefore(t *testing.T) {
	for _, algorithm := range both {
		slow := simtest.Disturb("process-1", "process-2", sim.Fault{Do: sim.Delay, For: sim.Constant(200 * ms), Msg: sim.MsgChoice{Kind: Request, Nth: 1}})
		r := play(t, params(algorithm, func(p *Params) { p.Start = list(0, 2000, 6) }), slow)
		r.Holds("mutual-exclusion", "in-request-order")
		r.Logs("0.000s process-1 asks to enter, stamped 1", "0.006s process-3 asks to enter, stamped 4",
			"0.205s process-1 enters, stamped 1, after 205ms",
			"0.305s process-1 leaves",
			"0.310s process-3 enters, stamped 4, after 304ms")
	}
}
