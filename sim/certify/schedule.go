package certify

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// schedule is the path as a run: how long each message and each drawn timer takes, and the faults. It
// reports whether each drawn timer may take that long.
func (r *recorder) schedule(at []int64, faults []Fault, names []string, seed uint64) (*explore.Schedule, bool) {
	s := &explore.Schedule{Seed: seed}
	for k := range r.faults {
		p := &r.faults[k]
		f := sim.Fault{Name: fmt.Sprintf("%s %d of %s", faults[p.fault].Name, k+1, names[p.node-1]), Do: faults[p.fault].Do, Node: p.node, By: p.by, Forever: faults[p.fault].Forever}
		if p.end != never {
			f.For = sim.Constant(time.Duration(at[p.end] - at[p.from]))
		}
		if p.nth > 0 && !r.chained(k, at) {
			f.When = sim.When{Before: p.before, By: p.node, Nth: p.nth}
		} else {
			f.When = sim.When{At: sim.Time(at[p.from])}
		}
		s.Faults = append(s.Faults, f)
	}
	for i := range r.copies { // before what is lost, which decides of a message
		c := &r.copies[i]
		s.Faults = append(s.Faults, sim.Fault{Name: fmt.Sprintf("copy %d", i+1), Do: sim.Duplicate, Msg: c.msg, For: sim.Constant(time.Duration(at[c.at] - at[c.sent]))})
	}
	for i := range r.delays {
		d := &r.delays[i]
		f := sim.Fault{Name: fmt.Sprintf("message %d", i+1), Do: sim.Lose, Msg: d.msg}
		if d.at != never {
			f.Do, f.For = sim.Delay, sim.Constant(time.Duration(at[d.at]-at[d.sent]))
		}
		s.Faults = append(s.Faults, f)
	}
	for i := range r.timers {
		t := &r.timers[i]
		value, ok := drawOf(t.dist, time.Duration(at[t.due]-at[t.set]))
		if !ok {
			return nil, false
		}
		s.Overrides = append(s.Overrides, sim.Override{Draw: sim.Draw{Purpose: sim.Timers, From: t.node, Index: t.index}, Value: value})
	}
	return s, true
}

// chained reports whether a fault begins when an earlier one ends that held up the same effect. In a run an effect is held up
// once: what comes next begins at that instant, before anything leaves.
func (r *recorder) chained(k int, at []int64) bool {
	p := &r.faults[k]
	return slices.ContainsFunc(r.faults[:k], func(b begun) bool {
		return b.node == p.node && b.before == p.before && b.nth == p.nth && b.end != never && at[b.end] > at[b.from]
	})
}

// drawOf is the least draw that gives a duration: a larger draw gives no shorter one.
func drawOf(d *sim.Dist, want time.Duration) (uint64, bool) {
	low, high := uint64(0), uint64(math.MaxUint64)
	for low < high {
		if middle := low + (high-low)/2; d.Sample(middle) >= want {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, d.Sample(low) == want
}

// confirm looks for a run of the engine that goes a path. Where a path leaves open what is at one
// instant and what is apart, it tries some ways. The failure is nil if none violates the property, and
// why says so.
func (s *Search) confirm(r *recorder) (f *explore.Failure, why Limit, err error) {
	r, ok := r.stepped(s.Faults)
	if ok {
		r, ok = r.measured()
	}
	if !ok {
		return nil, Between, nil
	}
	why = Undrawn
	var tried [][]int64
	for _, pairs := range r.orders() {
		at := r.apart(pairs)
		if slices.ContainsFunc(tried, func(b []int64) bool { return slices.Equal(at, b) }) {
			continue
		}
		tried = append(tried, at)
		schedule, ok := r.schedule(at, s.Faults, s.Program.Nodes, s.Seed)
		if !ok {
			continue
		}
		if f, err := s.play(schedule); f != nil || err != nil {
			return f, None, err
		}
		why = Ordered
	}
	return nil, why, nil
}

// play plays a schedule in a world of the engine. The failure is nil if that does not violate the property.
func (s *Search) play(schedule *explore.Schedule) (*explore.Failure, error) {
	c := s.Config
	c.Faults, c.Overrides = nil, nil
	w, err := s.Program.NewWorld(c)
	if err != nil {
		return nil, err
	}
	played, err := schedule.Play(w)
	if err != nil {
		return nil, err
	}
	if played.Panic != nil || played.Properties[s.Property].Verdict != sim.Violated {
		return nil, nil
	}
	return &explore.Failure{Schedule: *schedule, Run: 1, Property: s.Property, Finding: played.Properties[s.Property],
		Steps: played.Steps, Digest: played.Digest}, nil
}
