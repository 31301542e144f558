package adaptive

import "time"

// Gradient2 compares each round trip with their long average: if they are alike there is
// room, if one takes longer the limit shrinks in proportion, to half at most.
//
// Numbers are in thousandths of a request and rounded down, where the original has
// floating point.
//
// Source: Netflix/concurrency-limits, Gradient2Limit.java and ExpAvgMeasurement.java.
type Gradient2 struct {
	Bounds
	Queue     int64 // requests that may wait, which is how much the limit grows
	Tolerance int64 // how much longer a round trip may take, per mille of the average
	Smoothing int64 // what a sample weighs, per mille
	Window    int64 // samples that the average is over, at least 1
	WarmUp    int64 // samples of which it is the plain mean

	limit int64 // thousandths
	mean  mean
}

// DefaultGradient2 is Netflix's.
func DefaultGradient2() Gradient2 {
	return Gradient2{Bounds: Bounds{Min: 20, Max: 200}, Queue: 4, Tolerance: 1500, Smoothing: 200, Window: 600, WarmUp: 10}
}

// Start sets the limit.
func (g *Gradient2) Start(limit int64) { g.limit, g.mean = 1000*g.clamp(limit), mean{} }

// Limit is the limit in force.
func (g *Gradient2) Limit() int64 { return g.limit / 1000 }

// Update takes in a sample.
func (g *Gradient2) Update(s Sample) {
	long := g.mean.add(s.RTT, g.Window, g.WarmUp)
	if long > 2*s.RTT {
		g.mean.value = long * 95 / 100 // it comes down faster after a time of trouble
	}
	if !g.Unguarded && 2000*s.Inflight < g.limit {
		return
	}
	gradient := min(max(g.Tolerance*int64(long/time.Microsecond)/max(1, int64(s.RTT/time.Microsecond)), 500), 1000)
	next := g.limit*gradient/1000 + 1000*g.Queue
	next = ((1000-g.Smoothing)*g.limit + g.Smoothing*next) / 1000
	g.limit = min(max(next, 1000*g.Min), 1000*g.Max)
}

// mean is an exponential average that begins as a plain one.
type mean struct {
	value time.Duration
	sum   time.Duration
	count int64
}

func (m *mean) add(x time.Duration, window, warmUp int64) time.Duration {
	if m.count < warmUp {
		m.count++
		m.sum += x
		m.value = m.sum / time.Duration(m.count)
	} else {
		m.value += (x - m.value) * 2 / time.Duration(window+1)
	}
	return m.value
}
