package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
)

// steps runs a request of four actions.
func steps(p *flow.Program, task *flow.Task) int {
	p.Start(task, flow.Request, input)
	r, n := flow.Reply{}, 0
	for {
		a := p.Next(task, r, now)
		n++
		if a.Do.Ends() {
			return n
		}
		r = flow.Reply{Number: a.Number, Rows: 1, Found: true}
	}
}

const benchBody = `let i = 0;
	loop {
		begin;
		update t set v = :amount where k = :key;
		if not found { rollback; continue; }
		commit;
		i = i + 1;
		if i >= 10 { break; }
	}
	answer 200, i;`

func BenchmarkNext(b *testing.B) {
	p, err := flow.Parse("bench", tables+"on request {"+benchBody+"}")
	require.NoError(b, err)
	var task flow.Task
	b.ReportAllocs()
	actions := 0
	for b.Loop() {
		actions += steps(p, &task)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(actions), "ns/action")
}

func TestNextDoesNotAllocate(t *testing.T) {
	p := request(t, benchBody)
	var task flow.Task
	require.Zero(t, testing.AllocsPerRun(100, func() { steps(p, &task) }))
}
