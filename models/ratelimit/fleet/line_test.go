package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// inLine is a line of three places and a second each, and a client that waits 1.5 s.
func inLine(drop bool, phases []core.Phase) Params {
	p := alone("leaky-queue", 1, time.Second, phases)
	p.Form, p.DropExpired, p.Places, p.Bound = "line", drop, ptr(int64(3)), ptr(int64(4))
	p.Clients[0].Timeout = 1500 * ms
	return p
}

// RL-11 in a line: where nothing expires it is the leaky queue.
func TestLineIsQueue(t *testing.T) {
	p := inLine(true, once(0, 0, 0, 0, 0, 1000, 1500, 9000))
	p.Clients[0].Timeout = time.Minute
	line := play(t, p)
	p.Form, p.DropExpired = "local", false
	queue := play(t, p)
	for _, m := range []string{"admitted", "rejected", "wait-for-turn", "added-latency", "worst-window"} {
		assert.Equal(t, queue.Measure(m), line.Measure(m), m)
	}
	line.Holds("spacing", "fifo", "one-answer")
	queue.Holds("spacing", "fifo", "one-answer")
}

// A3, "stale head - N old requests are served after their clients left": and with step 3
// their turns go to those who still wait.
func TestStaleHead(t *testing.T) {
	arrivals := once(0, 0, 0, 0, 1600, 1600)
	r := play(t, inLine(false, arrivals))
	assert.EqualValues(t, 3, r.Measure("too-late"), "after 2 s and 3 s, and the one that comes at 1.6 s and starts at 4 s")
	assert.EqualValues(t, 1, r.Measure("rejected"), "one place is free at 1.6 s, as two wait in vain")
	r = play(t, inLine(true, arrivals))
	assert.EqualValues(t, 2, r.Measure("dropped"))
	assert.EqualValues(t, 0, r.Measure("too-late"))
	assert.EqualValues(t, 0, r.Measure("rejected"))
	r.Holds("spacing", "fifo", "one-answer")
	assert.Contains(t, r.Log(), "drops a request of client-1, which does not wait any more")
}

// stack is a queue in which the latest goes first: it answers in pairs, the second before
// the first.
type stack struct{}

func (stack) step(l *core.Limiter, in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch {
	case m.Kind == message.Request && uint32(m.ID)%2 == 1:
		out.Note(message.NewAdmitted(m, 2*time.Second))
		out.After(2*time.Second, message.NewServe(m, in.From, 0))
	case m.Kind == message.Request:
		core.Admit(out, m, in.From, 0)
	case m.Kind == message.Serve:
		l.Step(in, out)
	}
}

func TestFifoMutant(t *testing.T) {
	p := alone("leaky-queue", 1, time.Second, once(0, 1000))
	play(t, p).Holds("fifo")
	playSystem(t, mutate(&p, stack{})).Violated("fifo", at(2_000))
}

func TestLineProblems(t *testing.T) {
	p := DefaultParams()
	p.DropExpired = true
	p.Clients = []core.ClientParams{{Timeout: -1}}
	var got []string
	for _, found := range p.Problems() {
		got = append(got, found.Path+": "+found.Message)
	}
	assert.Equal(t, []string{"drop-expired: only a line has the requests that wait: want form line", "clients.0.timeout: want 0s to 10000h0m0s, got -1ns"}, got)
	p = DefaultParams()
	p.Form = "line"
	p.Clients = []core.ClientParams{{Cost: ptr(int64(2))}}
	require.Len(t, p.Problems(), 2)
}
