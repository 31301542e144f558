package pbs

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// A fit is what the paper has fitted to the latencies of a production store.
type fit struct {
	name       string
	write, ask sim.Dist // W, and A = R = S
	remote     time.Duration
}

// The fits. A rate of the paper, per millisecond, is a mean here, to the nanosecond. WAN is
// the disks of LinkedIn with replicas in as many data centers, 75 ms apart; the paper adds
// that operations originate in a random one.
//
// Source: table 3 and section 5.5 of the paper. Its program draws the writes of Yammer with
// an alpha of 3.5, not 3.35 as printed.
var (
	ssd        = mixture(912_200_000, tail("235us", 10_000_000), "602410ns")   // rate 1.66
	disk       = mixture(380_000_000, tail("1050us", 1_510_000), "5464481ns")  // rate 0.183
	ymmrWrite  = mixture(939_000_000, tail("3ms", 3_350_000), "357142857ns")   // rate 0.0028
	ymmrOthers = mixture(982_000_000, tail("1500us", 3_800_000), "46082949ns") // rate 0.0217

	fits = []fit{
		{"none", sim.Dist{}, sim.Dist{}, 0},
		{"lnkd-ssd", ssd, ssd, 0},
		{"lnkd-disk", disk, ssd, 0},
		{"ymmr", ymmrWrite, ymmrOthers, 0},
		{"wan", disk, ssd, 75 * time.Millisecond},
	}
)

// Fit is the delays of a fit by its name: lnkd-ssd, lnkd-disk, ymmr or wan; of none, all
// messages take no time.
func Fit(name string) (Delays, error) {
	for _, f := range fits {
		if f.name == name {
			return Delays{f.write, f.ask, f.ask, f.ask, f.remote}, nil
		}
	}
	return Delays{}, fmt.Errorf("there is no fit %q", name)
}

// mixture is a share of a Pareto distribution and, for the rest, an exponential one.
func mixture(share sim.Chance, body sim.Dist, mean string) sim.Dist {
	return must(sim.Mix(sim.Part{Share: share, Of: body}, sim.Part{Share: sim.Certain - share, Of: sim.Exponential(length(mean))}))
}

func tail(least string, alpha int64) sim.Dist { return must(sim.Pareto(length(least), alpha)) }

func length(text string) time.Duration { return must(time.ParseDuration(text)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
