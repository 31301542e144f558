package verdict

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func violated(name string, w Want) Property {
	return Property{Name: name, Said: name + " at 1s", Checked: 1, Violated: 1, Want: w, Met: w == WantViolated}
}

func holds(name string, w Want) Property {
	return Property{Name: name, Said: name, Checked: 1, Want: w, Met: w == WantHolds}
}

func idle(name string, w Want) Property {
	return Property{Name: name, Said: name, Want: w, Met: w == WantIdle, Needs: "a client must ask while another holds it"}
}

func asked(p Property) Property {
	p.Asked = true
	return p
}

func one(list ...Property) Evidence { return Evidence{Properties: list} }

func after(change string, e Evidence) Evidence {
	e.Changed = []string{change}
	return e
}

func sampled(e Evidence) Evidence {
	e.Sampled = true
	return e
}

func TestDecide(t *testing.T) {
	lost := Property{Name: "no-lost-write", Said: "no-lost-write in 20 of 20 runs", Checked: 20, Violated: 20}
	predicted := lost
	predicted.Want, predicted.Met = WantViolated, true
	elsewhere := violated("mutual-exclusion", WantViolated)
	elsewhere.Met, elsewhere.Expected = false, "violated at 5s"
	rare := Property{Name: "mutual-exclusion", Said: "mutual-exclusion", Checked: 1000, Want: WantViolated, Met: true} // 0 to 1%
	number := func(met bool) []Number { return []Number{{Name: "overlap", Want: "5s", Got: "4s", Met: met}} }

	for name, c := range map[string]struct {
		e    Evidence
		want string
	}{
		// A search for a goal.
		"reached": {Evidence{Properties: []Property{lost}, Interrupted: "after 7 runs", Goal: &Goal{Reached: "overlap >= 9s: overlap is 9.1s"}},
			"REACHED: overlap >= 9s: overlap is 9.1s; also violated, not part of your query: no-lost-write"},
		"not reached": {Evidence{Properties: []Property{holds("fenced-order", WantHolds)}, Goal: &Goal{Missed: "overlap >= 9s in 100 runs"}},
			"NOT REACHED: overlap >= 9s in 100 runs"},
		"not reached yet":              {Evidence{Interrupted: "after 7 runs", Goal: &Goal{}}, "INTERRUPTED: after 7 runs: not reached so far"},
		"a limit before the goal":      {Evidence{Limit: "stopped by --for 1m", Goal: &Goal{}}, "UNKNOWN: stopped by --for 1m"},
		"no fault on the way to it":    {Evidence{Idle: "no fault was injected", Goal: &Goal{}}, "NOT EXERCISED: no fault was injected"},
		"a panic on the way to a goal": {Evidence{Panic: "client-1 at 1s", Goal: &Goal{}}, "PANIC: client-1 at 1s"},

		// Without a change by the command.
		"a violation that the file only shows": {one(lost, holds("read-your-writes", WantNothing)), "VIOLATED: no-lost-write in 20 of 20 runs"},
		"a violation that the file predicts":   {one(predicted), "REPRODUCED: no-lost-write in 20 of 20 runs, as the scenario predicts"},
		"a fix that keeps the first property of its file": {one(holds("no-lost-update", WantHolds), violated("mutual-exclusion", WantViolated)),
			"REPRODUCED: no-lost-update held; mutual-exclusion at 1s, as the scenario predicts"},
		"a fix that keeps the data": {one(violated("mutual-exclusion", WantViolated), holds("fenced-order", WantHolds), Property{Name: "no-lost-update", Checked: 1, Want: WantHolds, Met: true, Data: true}),
			"REPRODUCED: no-lost-update held; mutual-exclusion at 1s, as the scenario predicts"},
		"data are lost, and other data kept": {one(Property{Name: "a", Said: "a at 1s", Checked: 1, Violated: 1, Want: WantViolated, Met: true, Data: true}, Property{Name: "b", Checked: 1, Want: WantHolds, Met: true, Data: true}),
			"REPRODUCED: a at 1s, as the scenario predicts"},
		"one predicted, one not":             {one(violated("a", WantViolated), violated("b", WantNothing)), "VIOLATED: b at 1s"},
		"predicted to hold":                  {one(violated("a", WantHolds)), "VIOLATED: a at 1s"},
		"it did not come":                    {one(holds("mutual-exclusion", WantViolated)), "NOT REPRODUCED: mutual-exclusion is not violated"},
		"it came at another instant":         {one(elsewhere), "NOT REPRODUCED: mutual-exclusion at 1s, expected violated at 5s"},
		"elsewhere, and another unpredicted": {one(elsewhere, violated("b", WantNothing)), "VIOLATED: b at 1s"},
		"a share of 0 to 1%, and none came":  {Evidence{Sample: "in 1,000 runs (each p < 0.3% at 95%)", Properties: []Property{rare}}, "HELD: no violation in 1,000 runs (each p < 0.3% at 95%): mutual-exclusion"},
		"a number is off":                    {Evidence{Properties: []Property{violated("a", WantViolated)}, Numbers: number(false)}, "NOT REPRODUCED: overlap is 4s, not 5s"},
		"a number is met":                    {Evidence{Properties: []Property{holds("a", WantNothing)}, Numbers: number(true)}, "HELD: a"},
		"numbers alone":                      {Evidence{Numbers: number(true)}, "REPRODUCED: overlap is 4s, as the scenario predicts"},
		"nothing had anything to check":      {one(idle("a", WantNothing)), "NOT EXERCISED: no property had anything to check"},
		"no property, no number":             {Evidence{}, "NOT EXERCISED: no property had anything to check"},
		"wanted, and not exercised":          {one(idle("a", WantHolds), holds("b", WantNothing)), "NOT EXERCISED: a had nothing to check: a client must ask while another holds it"},
		"not exercised, as predicted":        {one(idle("a", WantIdle), holds("b", WantNothing)), "HELD: b"},
		"only idle, as predicted":            {Evidence{Properties: []Property{idle("a", WantIdle)}, Numbers: number(true)}, "REPRODUCED: overlap is 4s, as the scenario predicts"},
		"nothing exercised, as predicted":    {Evidence{Properties: []Property{idle("a", WantIdle)}}, "REPRODUCED: a had nothing to check: a client must ask while another holds it, as the scenario predicts"},
		"exercised against the prediction":   {one(holds("a", WantIdle)), "NOT REPRODUCED: a had something to check, which the scenario does not predict"},
		"a scripted fault is not injected":   {Evidence{Unfired: []string{"pause client-1"}, Properties: []Property{holds("a", WantHolds)}}, "NOT EXERCISED: the fault was never injected: pause client-1"},
		"more than three": {one(violated("a", WantNothing), violated("b", WantNothing), violated("c", WantNothing), violated("d", WantNothing), violated("e", WantNothing)),
			"VIOLATED: a at 1s, b at 1s, c at 1s, and 2 more"},

		// After a change by the command.
		"the fix":               {after("ttl=30s", Evidence{Properties: []Property{holds("a", WantViolated), holds("b", WantHolds)}, Numbers: number(false)}), "HELD: with ttl=30s the violation no longer occurs: a"},
		"no fix":                {after("ttl=30s", one(violated("a", WantViolated))), "VIOLATED: still violated with ttl=30s: a at 1s"},
		"what held is violated": {after("ttl=1s", one(violated("a", WantHolds))), "VIOLATED: with ttl=1s: a at 1s"},
		"a number moves":        {after("ttl=30s", Evidence{Properties: []Property{holds("a", WantHolds)}, Numbers: number(false)}), "HELD: with ttl=30s: a"},
		"numbers alone move":    {after("limit=7", Evidence{Numbers: number(false)}), "HELD: with limit=7: overlap is 4s"},
		"a change that leaves nothing to exclude": {after("clients=1", one(idle("mutual-exclusion", WantViolated), holds("owner-release", WantNothing))),
			"NOT EXERCISED: mutual-exclusion had nothing to check: a client must ask while another holds it"},
		"the pause never strikes": {after("check=false", Evidence{Unfired: []string{"pause client-1"}, Properties: []Property{holds("a", WantViolated)}}),
			"NOT EXERCISED: the fault was never injected: pause client-1"},
		"a fault never strikes, and no violation was predicted": {after("until=1s", Evidence{Unfired: []string{"pause client-1"}, Properties: []Property{holds("a", WantNothing)}}), "NOT EXERCISED: the fault was never injected: pause client-1"},
		"the same seed elsewhere":                               {after("seed 7", one(predicted)), "VIOLATED: still violated with seed 7: no-lost-write in 20 of 20 runs"},
		"no faults, and violated":                               {after("no faults", one(violated("a", WantViolated))), "VIOLATED: still violated with no faults: a at 1s"},

		"what the command expects counts": {after("ttl=30s", Evidence{Properties: []Property{holds("a", WantHolds)}, Numbers: []Number{{Name: "overlap", Want: "5s", Got: "4s", Commanded: true}}}),
			"NOT REPRODUCED: overlap is 4s, not 5s"},
		"the violation that the command expects": {after("ttl=1s", one(Property{Name: "a", Said: "a at 1s", Checked: 1, Violated: 1, Want: WantViolated, Met: true, Commanded: true})),
			"REPRODUCED: a at 1s, as the scenario predicts"},

		"a fix that is taken away": {after("fencing=none", one(violated("mutual-exclusion", WantViolated), violated("no-lost-update", WantHolds))),
			"VIOLATED: newly violated with fencing=none: no-lost-update at 1s; still violated: mutual-exclusion at 1s"},
		"another violation than the predicted one": {after("no faults", one(holds("a", WantViolated), violated("b", WantHolds))), "VIOLATED: newly violated with no faults: b at 1s; no longer violated: a"},
		"nothing exercised, as before":             {after("trials=10", one(idle("a", WantIdle))), "NOT EXERCISED: a had nothing to check: a client must ask while another holds it"},
		"the cause is gone, and with it what one property checks": {after("its control", one(holds("deadlock-free", WantViolated), idle("takeover-bound", WantHolds))),
			"HELD: with its control the violation no longer occurs: deadlock-free; not exercised: takeover-bound"},
		"a change that repairs one of two": {after("fencing=ge", one(violated("mutual-exclusion", WantViolated), holds("no-lost-update", WantViolated))),
			"VIOLATED: still violated with fencing=ge: mutual-exclusion at 1s; no longer violated: no-lost-update"},
		"another seed may have missed it": {sampled(after("seed 7", one(violated("mutual-exclusion", WantViolated), holds("no-lost-update", WantViolated)))),
			"VIOLATED: still violated with seed 7: mutual-exclusion at 1s"},
		"nobody is seen to get the lock any more": {after("ttl=1h", one(holds("no-orphan", WantViolated), Property{Name: "deadlock-free", Want: WantViolated, Liveness: true})),
			"NOT EXERCISED: deadlock-free had nothing to check"},
		"the cause is gone, and nothing is written any more": {after("writes=0", one(holds("mutual-exclusion", WantViolated), Property{Name: "no-lost-update", Want: WantHolds, Data: true})),
			"NOT EXERCISED: no-lost-update had nothing to check"},
		"fewer runs are no fix": {Evidence{Changed: []string{"5 runs"}, Sampled: true, Sample: "in 5 runs (each p < 60% at 95%)", Properties: []Property{holds("a", WantViolated)}},
			"HELD: with 5 runs no violation was seen in 5 runs (each p < 60% at 95%): a"},

		// Searches and proofs.
		"a search that found nothing": {Evidence{Scope: "no violation in 10,000 runs: ", Properties: []Property{holds("a", WantNothing), holds("b", WantNothing)}}, "HELD: no violation in 10,000 runs: a, b"},
		"the faults never met":        {Evidence{Idle: "no run had the allowed faults", Properties: []Property{holds("a", WantNothing)}}, "NOT EXERCISED: no run had the allowed faults"},
		"a query":                     {Evidence{Scope: "no violation in 300 runs: ", Properties: []Property{asked(holds("a", WantNothing)), lost}}, "HELD: no violation in 300 runs: a; also violated, not part of your query: no-lost-write"},
		"a query that is idle":        {one(asked(idle("a", WantNothing)), holds("b", WantNothing)), "NOT EXERCISED: a had nothing to check: a client must ask while another holds it"},
		"exhausted":                   {Evidence{All: Exhausted, Scope: "9 schedules: ", Properties: []Property{holds("a", WantNothing)}}, "EXHAUSTED: 9 schedules: a"},
		"certified":                   {Evidence{All: Certified, Properties: []Property{asked(holds("a", WantNothing))}}, "CERTIFIED: a"},
		"a limit":                     {Evidence{Limit: "stopped by --states 1,000", Properties: []Property{asked(holds("a", WantNothing))}}, "UNKNOWN: stopped by --states 1,000"},
		"not covered":                 {Evidence{Refusal: "loss by chance is not covered"}, "REFUSED: loss by chance is not covered"},
		"a panic":                     {Evidence{Panic: "client-1 at 1s", Properties: []Property{violated("a", WantViolated)}}, "PANIC: client-1 at 1s"},
		"interrupted":                 {Evidence{Interrupted: "after 3 of 9 runs", Properties: []Property{holds("a", WantViolated)}}, "INTERRUPTED: after 3 of 9 runs: no violation so far"},
		"interrupted after one":       {Evidence{Interrupted: "after 3 of 9 runs", Properties: []Property{violated("a", WantNothing)}}, "VIOLATED: a at 1s; interrupted after 3 of 9 runs"},
	} {
		assert.Equal(t, c.want, Decide(&c.e).String(), name)
	}
}

// TestExits: the exit code follows from the word alone.
func TestExits(t *testing.T) {
	for w, code := range map[Word]int{Held: 0, Exhausted: 0, Certified: 0, Reproduced: 0, Reached: 0, Unknown: 1, Refused: 2, NotExercised: 3, NotReached: 3, NotReproduced: 3, Violated: 3, Panicked: 3, Interrupted: 130} {
		assert.Equal(t, code, Of(w, "").Exit, w)
		assert.Equal(t, code == 0, w.Good(), w)
		assert.Equal(t, code == 3, w.Bad(), w)
	}
	assert.Len(t, order, 13)
	assert.False(t, Word("").Good() || Word("").Bad(), "an answer that was not decided is no good news")
}

func TestWorst(t *testing.T) {
	names := []string{"ttl=1s", "ttl=2s", "ttl=3s"}
	held, reproduced, bad := Of(Held, "a"), Of(Reproduced, "b"), Of(Violated, "c")
	assert.Equal(t, "VIOLATED: at 1 of 3 points, first at ttl=3s: c", Worst("points", []Verdict{held, reproduced, bad}, names).String())
	assert.Equal(t, "REPRODUCED: at 2 of 3 points, first at ttl=1s: b", Worst("points", []Verdict{reproduced, held, reproduced}, names).String())
	assert.Equal(t, "HELD: at all 2 points: a", Worst("points", []Verdict{held, held}, names).String())
	assert.Equal(t, "NOT EXERCISED: there are no points", Worst("points", nil, nil).String())
	for i, w := range order {
		for _, better := range order[:i] {
			assert.Equal(t, w, Worst("points", []Verdict{Of(better, ""), Of(w, "")}, names).Word)
		}
	}
}

func TestWordInDocuments(t *testing.T) {
	for _, w := range order {
		text, err := json.Marshal(Of(w, "s"))
		require.NoError(t, err)
		var back Verdict
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, Of(w, "s"), back)
	}
	text, err := json.Marshal(Of(NotExercised, ""))
	require.NoError(t, err)
	assert.JSONEq(t, `{"verdict": "not-exercised", "exit": 3}`, string(text))
	assert.Error(t, json.Unmarshal([]byte(`{"verdict": "fine"}`), &Verdict{}))
}
