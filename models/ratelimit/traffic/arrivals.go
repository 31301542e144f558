package traffic

import (
	"math/bits"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// never is after the end of every stream.
const never = sim.Time(1 << 62)

// process is when a class's clients begin something.
type process interface {
	// next is the next instant, never before the last one; never, when there is no more.
	next() sim.Time
}

// newProcess is the arrivals of a class.
func newProcess(c *Class, seed uint64) process {
	start, stop := sim.Time(0).Add(c.Start), sim.Time(0).Add(c.Stop)
	switch c.Arrivals {
	case "boundary":
		return newBoundary(c, start, fixedAttack(c))
	case "sliding-boundary":
		return newBoundary(c, start, slidingAttack(c))
	case "constant":
		return &constant{rate: *c.Rate, at: start}
	}
	p := &poisson{n: c.Rate.Requests, draws: newDraws(seed, c.Name, "gaps"), at: start, end: start, stop: stop}
	switch c.Arrivals {
	case "on-off":
		p.phases = &onOff{draws: newDraws(seed, c.Name, "phases"), lengths: [2]sim.Dist{*c.Off, *c.On}, per: c.Rate.Per}
	case "diurnal":
		p.phases = newDiurnal(c)
	default:
		p.phases = steady(c.Rate.Per)
	}
	return p
}

// constant is arrival k at k*per/n, rounded down.
type constant struct {
	rate Rate
	at   sim.Time
	rest int64 // of the next arrival's instant, in 1/n ns
}

func (c *constant) next() sim.Time {
	at := c.at
	c.rest += int64(c.rate.Per)
	c.at += sim.Time(c.rest / c.rate.Requests)
	c.rest %= c.rate.Requests
	return at
}

// poisson is a Poisson process whose rate is constant by phases. A gap that would end
// after its phase is drawn again from the end of the phase on: an exponential gap does
// not remember how long it has lasted, so this is exact.
//
// Source: Lewis and Shedler, "Simulation of nonhomogeneous Poisson processes by
// thinning", 1979, section 1; Ross, "Introduction to Probability Models", section 5.2.2.
type poisson struct {
	phases phases
	draws  splitmix.Stream
	n      int64 // gaps are drawn in 1/n ns, so that no rate is rounded
	rest   int64 // of them

	at, stop sim.Time
	end      sim.Time // of the phase
	gap      sim.Dist // in it, in 1/n ns
}

// phases are how the rate changes over time.
type phases interface {
	// next is how long the next phase lasts and the mean gap in it, in 1/n ns; a gap
	// of 0 means that nothing comes.
	next() (length, gap time.Duration)
}

func (p *poisson) next() sim.Time {
	for p.at < p.stop {
		if !p.gap.IsZero() {
			p.rest += int64(p.gap.Sample(p.draws.Next()))
			at := p.at + sim.Time(p.rest/p.n)
			if p.rest %= p.n; at < p.end {
				p.at = at
				return at
			}
		}
		length, gap := p.phases.next()
		p.at, p.rest = p.end, 0
		p.end, p.gap = p.end.Add(length), sim.Dist{}
		if gap > 0 {
			p.gap = sim.Exponential(gap)
		}
	}
	return never
}

// steady has one rate forever.
type steady time.Duration

func (s steady) next() (length, gap time.Duration) { return time.Duration(never / 2), time.Duration(s) }

// onOff has two phases in turn, each at least 1 µs; on is first.
type onOff struct {
	draws   splitmix.Stream
	lengths [2]sim.Dist // off, on
	per     time.Duration
	on      int
}

func (o *onOff) next() (length, gap time.Duration) {
	o.on ^= 1
	length = max(o.lengths[o.on].Sample(o.draws.Next()), time.Microsecond)
	return min(length, MaxFor), o.per * time.Duration(o.on)
}

// diurnal goes through a day's phases again and again.
type diurnal struct {
	part time.Duration
	gaps []time.Duration
	i    int
}

// newDiurnal scales the curve to a mean of the class's rate: in a part of weight w of
// the sum the gap is per*sum/(parts*w).
func newDiurnal(c *Class) *diurnal {
	parts, sum := int64(len(c.Curve)), int64(0)
	for _, w := range c.Curve {
		sum += w
	}
	d := &diurnal{part: c.Day / time.Duration(parts), gaps: make([]time.Duration, parts)}
	for i, w := range c.Curve {
		if w > 0 {
			hi, lo := bits.Mul64(uint64(c.Rate.Per), uint64(sum))
			d.gaps[i] = time.Duration(max(1, div(hi, lo, uint64(parts*w))))
		}
	}
	return d
}

func (d *diurnal) next() (length, gap time.Duration) {
	gap = d.gaps[d.i]
	d.i = (d.i + 1) % len(d.gaps)
	return d.part, gap
}
