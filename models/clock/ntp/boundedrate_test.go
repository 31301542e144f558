package ntp

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// "RATE: |dM/dt - 1| <= rho where the scenario declares rho": what clients take for the most.
// It is exact to the part per billion, whatever fraction of a nanosecond has passed.
func TestBoundedRate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, most := range []sim.PPB{1, 15_000, 100_000, 500_000, 83_333_333, sim.MaxPPB - 1, 1 + sim.PPB(r.IntN(1000)), 1 + sim.PPB(r.Int64N(int64(sim.MaxPPB)-1))} {
		for _, sign := range []sim.PPB{1, -1} {
			t.Run(fmt.Sprint(sign*most), func(t *testing.T) {
				p := params(func(p *Params) { p.Drift, p.Discipline, p.Epsilon = most, "none", time.Hour })
				since := sim.Time(1 + r.Int64N(1e12))
				from := func(rate sim.PPB) []simtest.Change {
					return []simtest.Change{simtest.Clock("client-1", sim.Clock{Rate: -sign * most}),
						simtest.Inject("client-1", sim.Fault{Do: sim.SetRate, Rate: rate, When: sim.When{At: since}, Forever: true})}
				}
				play(t, p, from(sign*most)...).Holds("bounded-rate")
				play(t, p, from(sign*(most+1))...).Violated("bounded-rate", since)
				play(t, p, simtest.Clock("client-1", sim.Clock{Rate: sign * (most + 1)})).Violated("bounded-rate", 0)
			})
		}
	}
}

// Only the clocks of clients are assumed to be good, and only while they are up.
func TestWhichRatesAreChecked(t *testing.T) {
	p := params(func(p *Params) { p.Clients, p.Discipline, p.Epsilon = 2, "none", time.Hour })
	strike := func(who string, do sim.Action, from, length int64, rate sim.PPB) simtest.Change {
		return simtest.Inject(who, sim.Fault{Do: do, When: sim.When{At: at(from)}, For: sim.Constant(time.Duration(length) * ms), Rate: rate})
	}
	play(t, p, simtest.Clock("server-1", sim.Clock{Rate: 200_000})).Holds("bounded-rate")
	down := strike("client-2", sim.Crash, 100, 100, 0)
	play(t, p, down, strike("client-2", sim.SetRate, 110, 80, 200_000)).Holds("bounded-rate")
	r := play(t, p, down, strike("client-2", sim.SetRate, 110, 100, 200_500))
	r.Violated("bounded-rate", at(200))
	assert.Contains(t, r.String(), "bounded-rate             violated  the clock of client-2 runs at +200500ppb, and +100ppm is taken for the most")
	r = play(t, p, strike("client-2", sim.Suspend, 300, 1, 0))
	r.Violated("bounded-rate", at(300))
	assert.Contains(t, r.String(), "the clock of client-2 stands still, and +100ppm is taken for the most")
}
