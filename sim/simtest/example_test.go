package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// printer is a test that prints its log; in your tests t is a *testing.T.
type printer struct{ testing.TB }

func (printer) Helper()                        {}
func (printer) Name() string                   { return "TestHandOver" }
func (printer) Logf(format string, a ...any)   { fmt.Printf(format+"\n", a...) }
func (printer) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }

// A primary hands over to its standby, in a network that loses a message in ten.
func ExampleRun() {
	t := printer{}
	simtest.Run(t, simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{
			Until:   sim.Time(20 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Constant(time.Millisecond), Loss: sim.Certain / 10}},
		},
		Runs: 500,
	})
	// Output:
	// holds in 500 runs: p < 3/500 at 95%
}

// Every schedule within the budget: each message lost or not, and a pause of three
// seconds anywhere.
func ExampleExplore() {
	t := printer{}
	simtest.Explore(t, simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{Until: sim.Time(10 * time.Second)},
		Mode:   explore.Exhaustive,
		Budget: explore.Budget{Lost: 2, Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{3 * time.Second}}},
	})
	// Output:
	// holds: exhausted, 164 schedules, 89 states
}

// One schedule, written down: the answer of the standby is lost, and the primary asks
// again.
func ExamplePlay() {
	t := printer{}
	r := simtest.Play(t, handOver, sim.Config{Until: sim.Time(20 * time.Second)},
		simtest.Delay(time.Millisecond),
		simtest.Disturb("standby", "primary", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Taken, Nth: 1}}))
	r.Holds("one-in-charge")
	fmt.Print(r)
	// Output:
	// 0.000s primary notes in-charge
	// 5.000s primary notes relieved
	// 5.001s standby notes in-charge
	// 5.001s standby sends primary taken, which is lost
	//
	// one-in-charge            holds
}
