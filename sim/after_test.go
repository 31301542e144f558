package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fault comes after each start or end of another one, and after that of a third one.
func TestAfterAnotherFault(t *testing.T) {
	gc := Fault{Name: "gc", Do: Pause, Node: 1, When: When{Note: mark, By: 2, Nth: 2}, For: forMillis(500)}
	step := Fault{Name: "step", Do: StepClock, Node: 1, By: ms}
	for _, c := range []struct {
		name         string
		gc           Fault
		after        When
		first, third Time // of the step, and of a step 100 ms after it
		count        int
	}{
		{"its start", gc, When{After: "gc", At: at(100)}, at(2100), at(2200), 1},
		{"its end", gc, When{After: "gc", Ends: true, At: at(100)}, at(2600), at(2700), 1},
		{"its end, at once", gc, When{After: "gc", Ends: true}, at(2500), at(2600), 1},
		{"each end", Fault{Name: "gc", Do: Pause, Node: 1, When: When{Every: forMillis(3000)}, For: forMillis(1000)},
			When{After: "gc", Ends: true}, at(4000), at(4100), 2},
		{"a crash without an end", Fault{Name: "gc", Do: Crash, Node: 1, When: When{At: at(1)}, Forever: true}, When{After: "gc", Ends: true}, Never, Never, 0},
		{"one beyond the end of the run", gc, When{After: "gc", At: at(60_000)}, Never, Never, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			step.When = c.after
			last := Fault{Name: "last", Do: StepClock, Node: 1, By: ms, When: When{After: "step", At: at(100)}}
			r := newRig(t, Config{Until: at(10_000), Faults: []Fault{c.gc, step, last}}, idle, sender)
			res := r.run(t, 1)
			assert.Equal(t, []Injection{{c.count, c.first}, {c.count, c.third}}, res.Faults[1:])
			digest := res.Digest
			assert.Equal(t, digest, r.run(t, 1).Digest)
		})
	}
}

// A search may leave the first of two faults out: the second is then never injected. A configuration may not.
func TestAfterAFaultThatIsNotThere(t *testing.T) {
	alone := []Fault{{Name: "step", Do: StepClock, Node: 1, By: ms, When: When{After: "gc"}}}
	r := newRig(t, Config{Until: at(1000)}, idle)
	require.NoError(t, r.w.Vary(Variation{Faults: alone}))
	assert.Equal(t, []Injection{{0, Never}}, r.run(t, 1).Faults)
	_, err := NewWorld(r.w.system, Config{Until: at(1000), Faults: alone})
	require.EqualError(t, err, `fault "step": after: there is no fault "gc"`)
	log := Fault{Name: "log", Do: FollowLog, Node: 1, When: When{After: "step"}, Changes: []ClockChange{{Step: ms}}}
	require.EqualError(t, log.check(2, len(kindNames)), `fault "log": a log begins once, at an instant`)
}
