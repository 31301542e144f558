package traffic

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Params are the traffic block of a scenario: one class of clients, written there
// directly, or several under classes. An empty block is [Mix].
type Params struct {
	For      time.Duration `yaml:"for"`      // how long clients send: 10m
	Requests int64         `yaml:"requests"` // the stream ends after that many: 0, without end
	Class
	Classes []Class `yaml:"classes,one-or-many"`
}

// Class is a kind of clients that behave alike.
//
// Arrivals are when its clients, taken together, begin something:
//
//	constant          at equal distances, the first at the start
//	poisson           at random, independent of each other
//	on-off            as poisson at the rate while on, not at all while off
//	diurnal           as poisson, at a rate that follows curve and is the given one on average
//	boundary          each client sends limit requests just before a boundary of windows and limit
//	                  just after, at every second boundary: what doubles a fixed window
//	sliding-boundary  each client sends limit requests just before a boundary and then one whenever
//	                  a sliding counter has forgotten half a request, at every third boundary: what
//	                  doubles that
//
// Each arrival is a request, and repeats further ones by the same client, gap apart:
// bursts, or the retries of a client that gets no answer it likes. (Open-loop: they come
// whatever the limiter says.)
type Class struct {
	Name     string `yaml:"name"` // class-1 and up
	Arrivals string `yaml:"arrivals,oneof=constant|poisson|on-off|diurnal|boundary|sliding-boundary"`

	Rate  *Rate         `yaml:"rate"`  // of arrivals of the whole class
	On    *sim.Dist     `yaml:"on"`    // on-off: how long, 10s
	Off   *sim.Dist     `yaml:"off"`   // on-off: how long, 50s
	Day   time.Duration `yaml:"day"`   // diurnal: after which the curve begins again, 24h
	Curve []int64       `yaml:"curve"` // diurnal: relative rates in equal parts of the day, [DayCurve]

	Limit  int64         `yaml:"limit"`  // boundary: the limit that is attacked
	Window time.Duration `yaml:"window"` // and its window

	Repeats int64         `yaml:"repeats"` // 0
	Gap     time.Duration `yaml:"gap"`     // 0s: at the same instant

	Clients int64         `yaml:"clients"`                   // 1
	Pick    string        `yaml:"pick,oneof=random|in-turn"` // whose arrival it is: random; boundaries in turn
	Zipf    Exponent      `yaml:"zipf"`                      // client k with a probability as 1/k^zipf: 0, all alike
	Cost    int64         `yaml:"cost"`                      // of each request: 1
	Start   time.Duration `yaml:"start"`                     // the class is silent before: 0s
	Stop    time.Duration `yaml:"stop"`                      // and from then on: the end of the stream
}

// Limits of the parameters.
const (
	MaxClasses = 64
	MaxClients = 1 << 24 // of a class; Zipf keys take 16 bytes each
	MaxFor     = 366 * 24 * time.Hour
	maxTrains  = 1 << 20 // arrivals whose repeats are under way at once
	maxCurve   = 10_080  // the minutes of a week
	maxWeight  = 1000    // with maxPer, no gap overflows
	maxPer     = 24 * time.Hour
	maxRepeats = 1_000_000
)

// DayCurve is the load of a public web site by hour, from midnight, relative to each
// other: a trough before dawn, a plateau through the day, a peak in the evening. It is
// an illustration, not a measurement.
func DayCurve() []int64 {
	return []int64{50, 36, 27, 22, 20, 23, 34, 56, 82, 101, 112, 118, 121, 120, 119, 120, 123, 128, 136, 146, 152, 143, 114, 78}
}

// Mix is traffic of the five classes of clients that limiters are compared with. It is an
// illustration: 10,000 ordinary clients of unequal weight, and a few of each kind that
// make trouble.
func Mix() []Class {
	every := func(n int64, per time.Duration) *Rate { return &Rate{n, per} }
	dist := func(d sim.Dist) *sim.Dist { return &d }
	return []Class{
		{Name: "normal", Arrivals: "poisson", Rate: every(400, time.Second), Clients: 10_000, Zipf: 1000},
		{Name: "bursty", Arrivals: "poisson", Rate: every(1, time.Second), Clients: 50, Repeats: 39, Gap: 25 * time.Millisecond},
		{Name: "abuser", Arrivals: "constant", Rate: every(40, time.Second), Clients: 2},
		{Name: "crawler", Arrivals: "constant", Rate: every(2, time.Second)},
		{Name: "retry-storm", Arrivals: "on-off", Rate: every(20, time.Second), Clients: 100, Repeats: 4, Gap: time.Second,
			On: dist(sim.Constant(20 * time.Second)), Off: dist(sim.Constant(100 * time.Second))},
	}
}

// Problem is a mistake in the parameters, at a path below traffic.
type Problem struct{ Path, Message string }

type report func(path, format string, args ...any)

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found values.Problems[Problem]
	bad := found.Bad
	length(bad, "for", p.For, 0, MaxFor)
	if p.Requests < 0 {
		bad("requests", "want 0 (without end) or more, got %d", p.Requests)
	}
	if len(p.Classes) > MaxClasses {
		bad("classes", "want at most %d classes, got %d", MaxClasses, len(p.Classes))
		return found
	}
	if len(p.Classes) > 0 && p.Class.given() {
		bad("classes", "these are all there is: what stands beside them (arrivals, rate, clients and so on) belongs into one of them")
	}
	r := p.resolve()
	for i, c := range r.Classes {
		at := ""
		if len(p.Classes) > 0 {
			at = fmt.Sprintf("classes.%d.", i)
		}
		c.problems(func(path, format string, args ...any) { bad(at+path, format, args...) }, r.For)
		for _, other := range r.Classes[:i] {
			if other.Name == c.Name {
				bad(at+"name", "there is a class %q already", c.Name)
				break
			}
		}
	}
	return found
}

func length(bad report, path string, d, least, most time.Duration) {
	if d < least || d > most {
		bad(path, "want %v to %v, got %v", least, most, d)
	}
}

func count(bad report, path string, n, least, most int64) {
	if n < least || n > most {
		bad(path, "want %d to %d, got %d", least, most, n)
	}
}

// Against is the traffic with the limit and window that boundary classes attack, where
// they leave them out.
func (p Params) Against(limit int64, window time.Duration) Params {
	p = p.resolve()
	for i := range p.Classes {
		c := &p.Classes[i]
		if c.isBoundary() && c.Limit == 0 {
			c.Limit = limit
		}
		if c.isBoundary() && c.Window == 0 {
			c.Window = window
		}
	}
	return p
}

// Names are the classes by their numbers.
func (p *Params) Names() []string {
	r := p.resolve()
	names := make([]string, len(r.Classes))
	for i, c := range r.Classes {
		names[i] = c.Name
	}
	return names
}

// Keys is the number of different keys that requests can have.
func (p *Params) Keys() (n int64) {
	r := p.resolve()
	for _, c := range r.Classes {
		n += c.Clients
	}
	return n
}

// resolve fills in the defaults; the classes are all in Classes.
func (p *Params) resolve() Params {
	r := Params{For: p.For, Requests: p.Requests}
	switch {
	case len(p.Classes) > 0:
		r.Classes = append(r.Classes, p.Classes...)
	case p.Class.given():
		r.Classes = []Class{p.Class}
	default:
		r.Classes = Mix()
	}
	or(&r.For, 10*time.Minute)
	for i := range r.Classes {
		r.Classes[i].fill(i, r.For)
	}
	return r
}
