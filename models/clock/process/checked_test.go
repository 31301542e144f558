package process

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/sim"
)

// The claims as the papers write them, of a run that is over: for all pairs of events. Each
// returns the first event that violates it, together with one before it.

// firstOf is the first event of which something is wrong, by itself or with one that was
// recorded before it.
func (l *ledger) firstOf(wrong func(a, b clock.Event) bool) clock.Event {
	for b := range clock.Event(len(l.events)) {
		for a := range b + 1 {
			if wrong(a, b) {
				return b
			}
		}
	}
	return none
}

// literally are the claims, each true of two events of which it is violated; a may be b.
func literally(l *ledger, p *Params) map[string]func(a, b clock.Event) bool {
	before := l.history.Before
	return map[string]func(a, b clock.Event) bool{
		"orders-causally": func(a, b clock.Event) bool { return before(a, b) && l.relation(a, b) != clock.Before },
		"detects-concurrency": func(a, b clock.Event) bool {
			says := l.relation(a, b)
			if a != b && says == clock.Equal && l.scalar() {
				says = clock.Concurrent
			}
			return l.history.Relation(a, b) != says
		},
		"total-order": func(a, b clock.Event) bool {
			c := compare(l.events[a].Stamp, l.events[b].Stamp)
			if c == 0 {
				c = int(l.node(a)) - int(l.node(b))
			}
			return a != b && (c == 0 || c > 0 && before(a, b))
		},
		"close-to-physical": func(a, b clock.Event) bool {
			ahead := l.events[b].L - int64(l.events[b].pt)
			return a == b && l.kind == "hlc" && (ahead < 0 || ahead > int64(*p.Epsilon))
		},
		// HL3: if l > pt, an event before it had that pt. HL5: c is at most the number of the
		// events before it with the same l.
		"counter-bound": func(a, b clock.Event) bool {
			if a != b {
				return false
			}
			e, had, same := &l.events[b], false, uint32(0)
			for g := range b {
				if before(g, b) {
					had = had || int64(l.events[g].pt) == e.L
					if l.events[g].L == e.L {
						same++
					}
				}
			}
			return e.L > int64(e.pt) && e.L > 0 && !had || e.C > same+1 || e.C > same && e.L > 0
		},
	}
}

// TestCheckedAsWritten compares what is checked of each event as it happens with the claims
// as they are written, of all pairs: whether they are violated, and at which event first.
// Messages are lost, doubled and overtaken, processes stop and crash, and clocks are stepped.
func TestCheckedAsWritten(t *testing.T) {
	found := map[string]int{}
	for kind := range promises {
		for _, pattern := range []string{"ring", "random", "client-server", "gossip"} {
			p := busy(kind, pattern, func(p *Params) {
				p.Processes, p.Epsilon = 4, ptr(5*ms)
				p.Claims = []string{"orders-causally", "detects-concurrency", "total-order", "close-to-physical", "counter-bound"}
			})
			var system sim.System[Msg]
			program := sim.NewProgram(func() sim.System[Msg] {
				system = p.System()
				return system
			})
			for schedule := range 4 {
				var c sim.Config
				storm(&c, &program)
				if schedule&1 > 0 {
					crashes(&c, &program)
				}
				if schedule&2 > 0 {
					clockSteps(&c, &program)
				}
				c.Until = at(1500)
				w, err := program.NewWorld(c)
				require.NoError(t, err)
				l := ledgerOf(&system)
				for seed := range uint64(whole.Of(1, 3)) {
					r := w.Run(seed)
					require.Nil(t, r.Panic)
					for name, wrong := range literally(l, &p) {
						if !p.held(name) || name == "close-to-physical" && kind != "hlc" {
							continue
						}
						first, f := l.firstOf(wrong), r.Properties[slices.Index(program.Properties, name)]
						about := fmt.Sprintf("%s of %s, %s, schedule %d, seed %d, %d events", name, kind, pattern, schedule, seed, len(l.events))
						require.Equal(t, first != none, f.Verdict == sim.Violated, about)
						if first != none {
							assert.Equal(t, l.events[first].at, f.First, about)
							assert.Equal(t, l.node(first), f.Nodes[0], about)
						}
						if first != none {
							found[name+" of "+kind]++
						}
					}
				}
			}
		}
	}
	for _, want := range []string{"orders-causally of wall", "orders-causally of vector", "orders-causally of pruned", "detects-concurrency of lamport",
		"detects-concurrency of vector", "detects-concurrency of pruned", "total-order of lamport", "total-order of hlc", "close-to-physical of hlc"} {
		assert.NotZero(t, found[want], "%s: %v", want, found)
	}
	assert.Zero(t, found["counter-bound of hlc"])
}

// Events with one stamp are in the order of their processes; of one process they are in
// none.
func TestEqualStamps(t *testing.T) {
	for script, want := range map[string]string{
		"A: a\nB: b\na -> b": "",
		"A: a\nB: b\nb -> a": "b of B (0s) happened before a of A (0s), and comes after it in the order",
		"A: a b":             "a of A (0s) and b of A (0s) have one place in the order",
	} {
		p := scripted("wall", script, "")
		p.Granule, p.Claims = time.Second, []string{"total-order"}
		r := play(t, p)
		assert.Equal(t, want, r.Why[2], script)
		assert.Equal(t, want == "", r.Finding("total-order").Verdict == sim.Holds, script)
	}
}
