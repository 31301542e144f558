package compare

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model/values"
)

// The properties. They hold for any traffic: what a limiter does not promise is no
// violation, and is in the measures.
const (
	promisedWindow = "promised-window"  // no algorithm admits more in a window than it promises
	equalsExactLog = "equals-exact-log" // the sliding log decides as the exact log
	boundedWait    = "bounded-wait"     // no request waits longer in the queue than for its places
)

// aspects are what is measured of each algorithm; a table shows as many as it has room for.
var aspects = []struct {
	name  string
	unit  sim.Unit
	per   string
	value func(*Column) int64
}{
	{"admitted", sim.Count, "", func(c *Column) int64 { return c.Admitted }},
	{"factor", sim.Count, "limit", func(c *Column) int64 { return c.Worst }}, // of overshoot
	{"false-admits", sim.Count, "", func(c *Column) int64 { return c.FalseAdmits }},
	{"false-rejects", sim.Count, "", func(c *Column) int64 { return c.FalseRejects }},
	{"clients-hit", sim.Count, "", func(c *Column) int64 { return c.Hit }},
	{"jain-permille", sim.Count, "", func(c *Column) int64 { return c.Fairness }},
	{"wait-p99", sim.Duration, "", func(c *Column) int64 { return int64(c.WaitP99) }},
	{"key-bytes", sim.Count, "clients", func(c *Column) int64 { return c.Bytes }},
	{"bytes", sim.Count, "", func(c *Column) int64 { return c.Bytes }},
	{"store-ops", sim.Count, "requests", func(c *Column) int64 { return c.Commands }},
	{"rejected", sim.Count, "", func(c *Column) int64 { return c.Refused }},
	{"worst", sim.Count, "", func(c *Column) int64 { return c.Worst }},
	{"wrong-ppm", sim.Count, "", nil}, // false decisions per million requests
	{"wait-p50", sim.Duration, "", func(c *Column) int64 { return int64(c.WaitP50) }},
	{"wait-max", sim.Duration, "", func(c *Column) int64 { return int64(c.WaitMax) }},
	{"promise", sim.Count, "", func(c *Column) int64 { return c.promise }}, // most that worst may be
}

// measures are those of the traffic, and of each algorithm "gcra/admitted" and so on.
func measures(names []string) []sim.Measure {
	list := []sim.Measure{
		{Name: "requests", Total: true}, {Name: "clients", Total: true}, {Name: "limit", Total: true},
		{Name: "window", Unit: sim.Duration, Total: true},
		{Name: "rejected-for-ever", Total: true}, // cost more than the limit: whatever else comes, an exact log never admits them
	}
	for _, name := range names {
		for _, a := range aspects {
			list = append(list, sim.Measure{Name: name + "/" + a.name, Unit: a.unit, Total: true, Per: a.per})
		}
	}
	return list
}

// result is the result of a run.
func (c *Comparison) result(seed uint64) *sim.Result {
	d := c.digest
	for _, col := range c.Columns { // what the verdicts do not show
		d = d.Fold(uint64(col.Worst), uint64(col.WaitMax))
	}
	r := &sim.Result{Seed: seed, Steps: uint64(c.requests), Digest: d.Sum(), End: c.last}
	for _, v := range []int64{c.requests, c.Clients(), c.Rules.Limit, int64(c.Rules.Window), c.impossible} {
		r.Samples = append(r.Samples, sim.Sample{Measure: len(r.Samples), Value: v})
	}
	for _, col := range c.Columns {
		for _, a := range aspects {
			v := int64(0)
			if a.value != nil {
				v = a.value(col)
			} else if c.requests > 0 {
				v = ((col.FalseAdmits+col.FalseRejects)*1_000_000 + c.requests/2) / c.requests
			}
			r.Samples = append(r.Samples, sim.Sample{Measure: len(r.Samples), Value: v})
		}
	}
	for i := range 3 {
		r.Properties = append(r.Properties, c.finding(i))
	}
	return r
}

// finding checks a property.
func (c *Comparison) finding(property int) sim.Finding {
	f := sim.Finding{First: sim.Never}
	for _, col := range c.Columns {
		checked, bad, at := c.check(property, col)
		if checked && f.Verdict == sim.NotExercised {
			f.Verdict = sim.Holds
		}
		if bad > 0 {
			f.Verdict = sim.Violated
			f.Violations += bad
			f.First = min(f.First, sim.Time(at.Sub(c.first)))
		}
	}
	return f
}

// check says whether a property checks an algorithm, how often it is violated and when
// first.
func (c *Comparison) check(property int, col *Column) (checked bool, bad int, at sim.Time) {
	switch {
	case c.requests == 0:
	case property == 0:
		return true, btoi(col.Worst > col.promise), col.WorstAt
	case property == 1 && col.Name == "sliding-log":
		return true, int(col.FalseAdmits + col.FalseRejects), col.FirstFalse
	case property == 2 && col.Name == "leaky-queue":
		return true, btoi(col.WaitMax > c.longest()), col.WorstAt
	}
	return false, 0, 0
}

// longest is the longest wait for the places of the queue.
func (c *Comparison) longest() time.Duration {
	return time.Duration(c.Rules.Burst-1) * c.Rules.service()
}

func (c *Comparison) why(property int) string {
	for _, col := range c.Columns {
		_, bad, _ := c.check(property, col)
		if bad == 0 {
			continue
		}
		switch property {
		case 0:
			return fmt.Sprintf("%s admits %d in a window of %s, and promises at most %d", col.Name, col.Worst, values.Length(c.Rules.Window), col.promise)
		case 1:
			return fmt.Sprintf("%s decides %d times otherwise than the exact log", col.Name, bad)
		default:
			return fmt.Sprintf("%s lets a request wait %v, and there are places for %v", col.Name, col.WaitMax, c.longest())
		}
	}
	return ""
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
