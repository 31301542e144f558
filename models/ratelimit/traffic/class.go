package traffic

import (
	"fmt"
	"math/bits"
	"reflect"
	"time"

	"fencepost/sim"
)

// given reports whether anything is said about the class.
func (c *Class) given() bool { return !reflect.ValueOf(*c).IsZero() }

func (c *Class) isBoundary() bool {
	return c.Arrivals == "boundary" || c.Arrivals == "sliding-boundary"
}

// fill fills in the defaults of the i-th class of a stream of that length.
func (c *Class) fill(i int, end time.Duration) {
	or(&c.Name, fmt.Sprintf("class-%d", i+1))
	or(&c.Arrivals, "poisson")
	or(&c.Clients, 1)
	or(&c.Cost, 1)
	or(&c.Stop, end)
	switch c.Arrivals {
	case "on-off":
		on, off := sim.Constant(10*time.Second), sim.Constant(50*time.Second)
		or(&c.On, &on)
		or(&c.Off, &off)
	case "diurnal":
		or(&c.Day, 24*time.Hour)
		if c.Curve == nil {
			c.Curve = DayCurve()
		}
	case "boundary", "sliding-boundary":
		or(&c.Pick, "in-turn")
	}
	or(&c.Pick, "random")
}

// or sets a field that is left out.
func or[T comparable](field *T, value T) {
	if *field == *new(T) {
		*field = value
	}
}

// problems are the mistakes in a class whose defaults are filled in.
func (c *Class) problems(bad report, end time.Duration) {
	count(bad, "clients", c.Clients, 1, MaxClients)
	count(bad, "cost", c.Cost, 1, 1<<40)
	length(bad, "start", c.Start, 0, MaxFor)
	length(bad, "stop", c.Stop, 0, MaxFor)
	if c.Start >= min(c.Stop, end) {
		bad("start", "the class starts at %v and stops at %v: it would send nothing", c.Start, min(c.Stop, end))
	}
	if c.Zipf > MaxExponent || c.Zipf < 0 {
		bad("zipf", "want 0 to %v, got %v", Exponent(MaxExponent), c.Zipf)
	}
	if c.Zipf != 0 && c.Pick == "in-turn" {
		bad("zipf", "clients that come in turn send equally often")
	}
	if c.isBoundary() {
		c.boundaryProblems(bad)
	} else {
		c.rateProblems(bad)
	}
	c.misplaced(bad)
}

func (c *Class) boundaryProblems(bad report) {
	count(bad, "limit", c.Limit, 1, 1<<20)
	length(bad, "window", c.Window, time.Microsecond, MaxFor)
	if c.Limit > 0 && c.Window > 0 && c.Window/time.Duration(c.Limit) < time.Microsecond {
		bad("window", "want at least 1µs for each of the %d requests, got %v", c.Limit, c.Window)
	}
	if c.Pick == "random" {
		bad("pick", "clients at a boundary come in turn: each sends the whole limit")
	}
	if c.Rate != nil {
		bad("rate", "what %s sends follows from limit and window", c.Arrivals)
	}
	if c.Repeats != 0 || c.Gap != 0 {
		bad("repeats", "what %s sends follows from limit and window", c.Arrivals)
	}
}

func (c *Class) rateProblems(bad report) {
	if c.Limit != 0 || c.Window != 0 {
		bad("limit", "%s arrivals have a rate: limit and window are of boundaries", c.Arrivals)
	}
	r := c.Rate
	if r == nil {
		bad("rate", "%s arrivals need one, such as 100/s", c.Arrivals)
		return
	}
	if err := r.check(); err != nil {
		bad("rate", "%v", err)
	} else {
		c.repeatProblems(bad)
	}
	switch c.Arrivals {
	case "on-off":
		if c.On.Sample(1<<63)+c.Off.Sample(1<<63) < time.Millisecond {
			bad("on", "a typical on and off together last less than 1ms")
		}
	case "diurnal":
		c.curveProblems(bad)
	}
}

func (c *Class) repeatProblems(bad report) {
	count(bad, "repeats", c.Repeats, 0, maxRepeats)
	switch {
	case c.Repeats < 0 || c.Repeats > maxRepeats:
	case c.Repeats == 0 && c.Gap != 0:
		bad("gap", "there are no repeats that it could be between")
	case c.Gap < 0 || c.Repeats > 0 && c.Gap > MaxFor/time.Duration(c.Repeats):
		bad("gap", "want 0s or more, and all %d repeats within %v, got %v", c.Repeats, MaxFor, c.Gap)
	default: // arrivals come while the repeats of one are sent
		hi, lo := bits.Mul64(uint64(c.Repeats)*uint64(c.Gap), uint64(c.Rate.Requests))
		if per := uint64(c.Rate.Per); hi >= per || div(hi, lo, per) > maxTrains {
			bad("gap", "at %v more than %d clients would repeat at the same time", c.Rate, maxTrains)
		}
	}
}

func (c *Class) curveProblems(bad report) {
	if n := len(c.Curve); n == 0 || n > maxCurve {
		bad("curve", "want 1 to %d values, got %d", maxCurve, n)
		return
	}
	sum := int64(0)
	for i, w := range c.Curve {
		count(bad, fmt.Sprintf("curve.%d", i), w, 0, maxWeight)
		sum += w
	}
	parts := time.Duration(len(c.Curve))
	switch {
	case sum == 0:
		bad("curve", "all values are 0: nothing would be sent")
	case c.Day < time.Millisecond*parts || c.Day > MaxFor || c.Day%parts != 0:
		bad("day", "want %d equal parts of 1ms or more in at most %v, got %v", parts, MaxFor, c.Day)
	}
}

// misplaced reports what the kind of arrivals does not read.
func (c *Class) misplaced(bad report) {
	if c.Arrivals != "on-off" && (c.On != nil || c.Off != nil) {
		bad("on", "on and off are of on-off arrivals, these are %s", c.Arrivals)
	}
	if c.Arrivals != "diurnal" && (c.Day != 0 || c.Curve != nil) {
		bad("day", "day and curve are of diurnal arrivals, these are %s", c.Arrivals)
	}
}

// div is (hi*2^64 + lo) / by, rounded down; hi is less than by.
func div(hi, lo, by uint64) uint64 {
	q, _ := bits.Div64(hi, lo, by)
	return q
}
