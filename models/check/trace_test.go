package check_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/sim"
	"fencepost/sim/model"
)

// trace is what somebody recorded of a lock: its names, the kinds of facts that the recorder knows, and the facts in the
// order of their instants. It is the world of the properties, without an engine.
type trace struct {
	names   []string
	knows   []fact.Kind
	facts   []fact.Fact
	now     sim.Time
	awaited sim.Time
}

func (t *trace) Now() sim.Time                                      { return t.now }
func (t *trace) Nodes() int                                         { return len(t.names) }
func (t *trace) Name(id sim.NodeID) string                          { return t.names[id-1] }
func (t *trace) PausedSince(sim.NodeID) (sim.Time, bool)            { return 0, false }
func (t *trace) Down(sim.NodeID) bool                               { return false }
func (t *trace) Connected(a, b sim.NodeID) bool                     { return true }
func (t *trace) When(_ sim.NodeID, _ sim.ClockID, r int64) sim.Time { return sim.Time(r) }
func (t *trace) Await(at sim.Time)                                  { t.awaited = min(t.awaited, at) }

// unknown are the facts that a property hears and the recorder does not know: without them the property says nothing.
func (t *trace) unknown(c fact.Checker) (missing []fact.Kind) {
	for _, k := range c.Hears() {
		if !slices.Contains(t.knows, k) {
			missing = append(missing, k)
		}
	}
	return missing
}

// check shows the facts to the ledger and then to the property. The trace ends a nanosecond after its last fact, so that an
// overlap at that instant shows.
func (t *trace) check(l *check.LockLedger, c fact.Checker) *fact.Evaluator {
	var hand fact.Fact
	listeners := []*fact.Evaluator{fact.NewLedger(&l.LockBooks, l, &hand), fact.NewEvaluator(fact.Property{Claim: model.Claim{Name: "p"}, Checker: c}, &hand)}
	t.now, t.awaited = 0, sim.Never
	for _, e := range listeners {
		e.Begin(t)
	}
	hear := func(f fact.Fact) {
		f.Nth = hand.Nth + 1
		hand, t.now = f, f.At
		for _, e := range listeners {
			e.Hear()
		}
	}
	for _, f := range t.facts {
		if f.At > t.awaited {
			t.awaited = sim.Never
			hear(fact.Fact{Kind: fact.Elapsed, At: f.At})
		}
		hear(f)
	}
	hear(fact.Fact{Kind: fact.Ended, At: t.now + 1})
	return listeners[1]
}

func ms(n int64) sim.Time { return sim.Time(n * 1e6) }

// handover is a lock that worker-b acquires at 120 ms, and worker-a leaves at another instant. Each has a lease of 100 ms.
func handover(left int64) *trace {
	list := []fact.Fact{
		{Kind: fact.Acquired, Node: 1, By: fact.Holder{Node: 1, Task: 7}, At: ms(10), Ends: true, Until: int64(ms(110))},
		{Kind: fact.Acquired, Node: 2, By: fact.Holder{Node: 2, Task: 3}, At: ms(120), Ends: true, Until: int64(ms(220))},
		{Kind: fact.Left, Node: 1, At: ms(left)},
		{Kind: fact.Left, Node: 2, At: ms(150)},
	}
	slices.SortStableFunc(list, func(a, b fact.Fact) int { return int(a.At - b.At) })
	return &trace{names: []string{"worker-a", "worker-b"}, facts: list,
		knows: []fact.Kind{fact.Acquired, fact.Left, fact.Crashed, fact.Elapsed}}
}

// A recorded trace is checked by the property of the lock model: two that overlap are found, with the words of a run. One that
// leaves at the instant at which the next acquires does not overlap.
func TestMutualExclusionOfATrace(t *testing.T) {
	for _, c := range []struct {
		left  int64
		want  sim.Verdict
		words string
	}{
		{100, sim.Holds, ""},
		{120, sim.Holds, ""},
		{121, sim.Violated, "worker-b acquired while worker-a still believed to hold the lock"},
		{150, sim.Violated, "worker-b acquired while worker-a still believed to hold the lock"},
	} {
		l := check.NewLockLedger(check.Lock{Clients: 2, Servers: 1})
		p := &check.MutualExclusion{Ledger: l}
		r := handover(c.left)
		assert.Empty(t, r.unknown(p))
		for range 2 { // each run begins anew
			e := r.check(l, p)
			assert.Equal(t, c.want, e.Finding().Verdict, c.left)
			if c.want == sim.Violated {
				assert.Equal(t, ms(120), e.Finding().First)
				assert.Equal(t, [2]sim.NodeID{2, 1}, e.Finding().Nodes)
				assert.Equal(t, c.words, e.Words())
			}
		}
	}
}

// An overlap at the last instant of a trace shows too.
func TestATraceEndsAfterItsLastFact(t *testing.T) {
	r := handover(1)
	r.facts = slices.DeleteFunc(r.facts, func(f fact.Fact) bool { return f.Kind == fact.Left })
	l := check.NewLockLedger(check.Lock{Clients: 2, Servers: 1})
	assert.Equal(t, sim.Violated, r.check(l, &check.MutualExclusion{Ledger: l}).Finding().Verdict)
}

// A property that needs facts which the recorder does not know is refused: it would pass silently.
func TestATraceRefusesAPropertyWhoseFactsItDoesNotKnow(t *testing.T) {
	l := check.NewLockLedger(check.Lock{Clients: 2, Servers: 1})
	for p, want := range map[fact.Checker][]fact.Kind{
		&check.EntitledExclusion{Ledger: l}: {fact.Extended, fact.ClockChanged},
		&check.FencedOrder{}:                {fact.Written, fact.Shown},
		&check.DeadlockFree{}: {fact.Attempt, fact.GaveUp, fact.Paused, fact.Resumed, fact.Restarted, fact.ClockChanged,
			fact.NetworkChanged},
	} {
		assert.Equal(t, want, handover(120).unknown(p), fmt.Sprintf("%T", p))
	}
}
