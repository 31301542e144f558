package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// taker takes from a sequence of limiters, again and again without a pause.
type taker struct {
	now      Reading
	sequence []int
	next     int // in the sequence
	left     int // takes, -1 without end
}

// uberRun is the instants at which sequences were finished before until.
func uberRun(limiters []*Uber, takers []*taker, until Reading) (finished []Reading) {
	states := make([]UberState, len(limiters))
	for {
		var first *taker
		for _, k := range takers {
			if k.left != 0 && k.now < until && (first == nil || k.now < first.now) {
				first = k
			}
		}
		if first == nil {
			return finished
		}
		l := first.sequence[first.next]
		first.now += Reading(limiters[l].Take(&states[l], first.now))
		first.next++
		if first.next == len(first.sequence) {
			first.next = 0
			first.left--
			finished = append(finished, first.now)
		}
	}
}

func runUber(t *testing.T, c object) {
	config := c.at("config")
	var limiters []*Uber
	for _, l := range config.list("limiters") {
		l := object(l.(map[string]any))
		u, err := NewUber(l.num("rate"), time.Duration(l.ms("per_ms")), l.num("slack"))
		require.NoError(t, err)
		limiters = append(limiters, u)
	}
	var takers []*taker
	switch c.text("id") {
	case "initial_takes":
		for range 3 {
			takers = append(takers, &taker{sequence: []int{0}, left: 1})
		}
	case "max_slack":
		for _, at := range []Reading{1, 2_000_000_001, 2_000_000_002, 2_000_000_003, 2_000_000_004} {
			takers = append(takers, &taker{now: at, sequence: []int{0}, left: 1})
		}
	default:
		for _, k := range config.list("takers") {
			k := object(k.(map[string]any))
			for range k.num("count") {
				tk := &taker{now: Reading(k.ms("start_ms")), left: -1}
				for _, i := range k.list("sequence") {
					tk.sequence = append(tk.sequence, int(i.(float64)))
				}
				takers = append(takers, tk)
			}
		}
	}
	finished := uberRun(limiters, takers, 121*second)
	for _, step := range c.steps() {
		if step.text("op") == "gaps_between_takes_ms" {
			last := Reading(0)
			for i, gap := range step.at("expect").list("gaps") {
				assert.EqualValues(t, gap.(float64)*1e6, finished[i]-last)
				last = finished[i]
			}
			continue
		}
		count := 0
		for _, at := range finished {
			if at < Reading(step.ms("t")) {
				count++
			}
		}
		assert.EqualValues(t, step.at("expect").num("count"), count, "before %d ms", step.ms("t")/1e6)
	}
}
