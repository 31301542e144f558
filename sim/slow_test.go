package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// answers are when b has the answers of a, which answers each message of b at once. b sends one each second.
func answers(t *testing.T, c Config) (millis []int64, r *rig, res *Result) {
	r = newRig(t, c, func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == alpha {
			out.Send(2, tm{kind: beta, n: in.Msg.n})
		}
	}, ticking(func(n int64, out *Out[tm]) {
		out.Send(1, tm{kind: alpha, n: n})
		out.Note(tm{kind: mark, n: n})
	}))
	res = r.run(t, 1)
	for _, s := range r.steps {
		if s.in.Msg.kind == beta {
			millis = append(millis, int64(s.at)/int64(ms))
		}
	}
	return millis, r, res
}

// A slow spell replaces the cost of each step that begins while it lasts; of several the one that began last counts.
func TestSlow(t *testing.T) {
	slow := func(to, from, until int64) Fault {
		return Fault{Name: "slow", Do: Slow, Node: 1, By: time.Duration(to) * ms, When: When{At: at(from)}, For: forMillis(until - from)}
	}
	forever := slow(300, 1500, 1500)
	forever.Forever = true
	crash := Fault{Name: "crash", Do: Crash, Node: 1, When: When{At: at(2050)}, For: forMillis(500)}
	for _, c := range []struct {
		name    string
		faults  []Fault
		usual   int64   // the configured cost
		answers []int64 // to what is sent at 1000, 2000, ... 6000
		strikes []int
		story   []string
	}{
		{"none", nil, 20, []int64{1020, 2020, 3020, 4020, 5020, 6020}, nil, nil},
		{"during and after", []Fault{slow(300, 1500, 3500)}, 20, []int64{1020, 2300, 3300, 4020, 5020, 6020}, []int{1},
			[]string{"1.500s a takes 300ms per step for 2s", "3.500s a takes the usual time per step again"}},
		{"a node without a cost", []Fault{slow(300, 1500, 3500)}, 0, []int64{1000, 2300, 3300, 4000, 5000, 6000}, []int{1}, nil},
		{"for less than usual", []Fault{slow(5, 1500, 3500)}, 20, []int64{1020, 2005, 3005, 4020, 5020, 6020}, []int{1}, nil},
		{"for nothing", []Fault{slow(0, 1500, 3500)}, 20, []int64{1020, 2000, 3000, 4020, 5020, 6020}, []int{1}, nil},
		{"for no time", []Fault{slow(300, 1000, 1000)}, 20, []int64{1020, 2020, 3020, 4020, 5020, 6020}, []int{0}, nil},
		{"forever", []Fault{forever}, 20, []int64{1020, 2300, 3300, 4300, 5300, 6300}, []int{1}, []string{"1.500s a takes 300ms per step forever"}},
		// A step keeps the cost that it began with.
		{"begins within a step", []Fault{slow(300, 2010, 2500)}, 20, []int64{1020, 2020, 3020, 4020, 5020, 6020}, []int{1}, nil},
		{"ends within a step", []Fault{slow(300, 1500, 2100)}, 20, []int64{1020, 2300, 3020, 4020, 5020, 6020}, []int{1}, nil},
		{"longer than the gap", []Fault{slow(1200, 1500, 3500)}, 20, []int64{1020, 3200, 4400, 4420, 5020, 6020}, []int{1}, nil},

		{"one within another", []Fault{slow(300, 1500, 5500), slow(100, 2500, 3500)}, 20, []int64{1020, 2300, 3100, 4300, 5300, 6020}, []int{1, 1},
			[]string{"1.500s a takes 300ms per step for 4s", "2.500s a takes 100ms per step for 1s",
				"3.500s a takes 300ms per step again", "5.500s a takes the usual time per step again"}},
		{"one beyond another", []Fault{slow(300, 1500, 3500), slow(100, 2500, 4500)}, 20, []int64{1020, 2300, 3100, 4100, 5020, 6020}, []int{1, 1}, nil},
		{"listed in another order", []Fault{slow(100, 2500, 4500), slow(300, 1500, 3500)}, 20, []int64{1020, 2300, 3100, 4100, 5020, 6020}, []int{1, 1}, nil},
		{"three", []Fault{slow(300, 1500, 6800), slow(100, 2500, 5500), slow(500, 3500, 4500)}, 20, []int64{1020, 2300, 3100, 4500, 5100, 6300}, []int{1, 1, 1}, nil},
		{"begun again before its end", []Fault{{Name: "slow", Do: Slow, Node: 1, By: 300 * ms, When: When{Note: mark, By: 2}, For: forMillis(1500)}},
			20, []int64{1300, 2300, 3300, 4300, 5300, 6300}, []int{6}, nil},

		// The step that is under way is lost, and the start after the crash at 2.550s is as slow.
		{"a crash meanwhile", []Fault{slow(500, 1500, 3500), crash}, 20, []int64{1020, 3550, 4020, 5020, 6020}, []int{1, 1},
			[]string{"1.500s a takes 500ms per step for 2s", "2.050s a crashes", "2.550s a restarts", "3.500s a takes the usual time per step again"}},
		{"begins while the node is down", []Fault{slow(300, 2200, 3500), crash}, 20, []int64{1020, 2020, 3300, 4020, 5020, 6020}, []int{1, 1}, nil},
		{"ends while the node is down", []Fault{slow(300, 1500, 2200), crash}, 20, []int64{1020, 3020, 4020, 5020, 6020}, []int{1, 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r, res := answers(t, Config{Until: at(6900), Faults: c.faults, Costs: []Dist{forMillis(c.usual)}})
			assert.Equal(t, c.answers, got)
			var strikes []int
			for _, s := range res.Faults {
				strikes = append(strikes, s.Count)
			}
			assert.Equal(t, c.strikes, strikes)
			if c.story != nil {
				assert.Equal(t, c.story, r.story)
			}
		})
	}
}

// The next run begins with the configured cost.
func TestSlowIsOverInTheNextRun(t *testing.T) {
	forever := Fault{Name: "slow", Do: Slow, Node: 1, By: 300 * ms, When: When{At: at(1500)}, Forever: true}
	_, r, first := answers(t, Config{Until: at(6900), Faults: []Fault{forever}, Costs: []Dist{forMillis(20)}})
	assert.Equal(t, first.Digest, r.run(t, 1).Digest)
}

func TestSlowRefusesACostBelowZero(t *testing.T) {
	_, err := NewWorld(System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{Place[tm]("a", actor{})}}, Config{Faults: []Fault{{Name: "slow", Do: Slow, Node: 1, By: -ms, Forever: true}}})
	assert.ErrorContains(t, err, `fault "slow": the cost of a step must not be negative, got -1ms`)
}

// A step of a slow node, and the beginning and the end of its spells, allocate nothing.
func TestSlowAllocatesNothing(t *testing.T) {
	config := phold(t, 10).config
	config.Faults = []Fault{
		{Name: "each second", Do: Slow, Node: 1, By: ms, When: When{Every: forMillis(1000)}, For: forMillis(500)},
		{Name: "always", Do: Slow, Node: 2, By: ms, Forever: true},
	}
	w, err := NewWorld(phold(t, 10).system, config)
	assert.NoError(t, err)
	w.reset(1)
	w.forSteps(100_000)
	assert.Zero(t, testing.AllocsPerRun(100, func() { w.forSteps(1000) }))
	assert.Greater(t, w.plans[0].injection.Count, 1)
}
