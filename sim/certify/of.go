package certify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/internal/dist"
)

// Of is what to prove of a system in the runs of a configuration, with a budget of what may go wrong
// besides. Each of its faults has to be a pause: it may begin once, at any moment, whatever begins it
// in a run, and last for any length of its range. Any message may be one of those that the budget lets
// be lost or come twice, and any clock may run at any rate up to the largest that it names. A budget of pauses that does not say how long they
// are is of those of the faults: so many in all. An error says what is not covered, each reason with
// its place.
func Of(p sim.Program, c sim.Config, b explore.Budget, property int) (*Search, error) {
	s := &Search{Program: p, Config: c, Property: property}
	errs := unboundedDelays(&c.Network)
	again := b.Pauses > 0 && len(b.PauseFor.List) == 0 && b.PauseFor.Dist == nil
	for i := range c.Faults {
		pause, err := pauseOf(&c.Faults[i], again)
		if err != nil {
			errs = append(errs, fmt.Errorf("faults.%d: %w", i, err))
			continue
		}
		pause.Path = fmt.Sprintf("faults.%d.for", i)
		s.Faults = append(s.Faults, pause)
	}
	s.Losses, s.Copies = b.Lost, b.Duplicated
	errs = append(errs, s.clocks(&b)...)
	errs = append(errs, notCovered(&b)...)
	switch {
	case len(errs) > 0:
	case again:
		errs = append(errs, s.repeat(&b))
	case b.Pauses > 0:
		errs = append(errs, s.besides(&b))
	}
	return s, errors.Join(append(errs, s.Refusals())...)
}

// pauseOf is a fault that may begin at any moment. How often it begins, the budget may say.
func pauseOf(f *sim.Fault, counted bool) (Fault, error) {
	switch {
	case f.Do != sim.Pause:
		return Fault{}, fmt.Errorf("a %v is not covered, only pauses are: want it left out", f.Do)
	case len(f.When.Replay) > 0:
		longest := slices.MaxFunc(f.When.Replay, func(a, b sim.Stop) int { return cmp.Compare(a.For, b.For) }).For
		return Fault{}, fmt.Errorf("the stops of a log are some durations, and a proof is of a range: want 0s..%v, up to the longest of them, and a trigger", longest)
	case dist.IsEmpirical(&f.For):
		return Fault{}, fmt.Errorf("the stops of a log are some durations, and a proof is of a range: want %v..%v, up to the longest of them", f.For.Least(), f.For.Most())
	case !counted && !f.When.Every.IsZero():
		return Fault{}, errors.New("a pause that comes again and again is not covered: want a budget that says how often")
	case !dist.Bounded(&f.For):
		return Fault{}, fmt.Errorf("a pause of %v has no longest: want a range", f.For)
	}
	return Fault{Name: f.Name, Nodes: []sim.NodeID{f.Node}, Least: f.For.Least(), Most: f.For.Most(), Count: 1}, nil
}

// repeat lets the pauses of the faults, which have one range, begin as often as the budget says.
func (s *Search) repeat(b *explore.Budget) error {
	if len(s.Faults) == 0 {
		return errors.New("budget: nothing says how long a pause is: want pause-for as well, or a pause among the faults")
	}
	all := s.Faults[0]
	all.Count = b.Pauses
	for _, p := range s.Faults[1:] {
		if p.Least != all.Least || p.Most != all.Most {
			return errors.New("budget: the pauses of the faults differ in their ranges, so that it does not say how long each is: want pause-for as well, or one range")
		}
		all.Nodes = append(slices.Clip(all.Nodes), p.Nodes...)
	}
	if len(b.Nodes) > 0 {
		all.Nodes = b.Nodes
	}
	slices.Sort(all.Nodes)
	all.Nodes = slices.Compact(all.Nodes)
	s.Faults = []Fault{all}
	return nil
}

// besides adds the pauses of the budget to those of the faults.
func (s *Search) besides(b *explore.Budget) error {
	p := Fault{Name: "pause", Path: "budget.pause-for", Nodes: b.Nodes, Count: b.Pauses}
	if len(p.Nodes) == 0 {
		for i := range s.Program.Nodes {
			p.Nodes = append(p.Nodes, sim.NodeID(i+1))
		}
	}
	if d := b.PauseFor.Dist; d != nil {
		if !dist.Bounded(d) {
			return fmt.Errorf("budget: pause-for: a pause of %v has no longest: want a range", d)
		}
		p.Least, p.Most = d.Least(), d.Most()
	} else {
		p.Most = slices.Max(b.PauseFor.List)
	}
	s.Faults = append(s.Faults, p)
	return nil
}

// clocks takes the rates of a budget as bounds for all clocks at any moment.
func (s *Search) clocks(b *explore.Budget) []error {
	if b.Slews == 0 {
		return nil
	}
	if len(b.SlewTo) == 0 {
		return []error{errors.New("budget: slews: nothing says how fast or slow a clock may be: want slew-to as well")}
	}
	for _, rate := range b.SlewTo {
		s.Rate = max(s.Rate, rate, -rate)
	}
	return nil
}

// notCovered says what a budget lets go wrong that is not covered.
func notCovered(b *explore.Budget) (errs []error) {
	for _, k := range []struct {
		name string
		n    int
	}{
		{"suspends", b.Suspends}, {"crashes", b.Crashes}, {"clock-steps", b.ClockSteps}, {"cuts", b.Cuts}, {"late", b.Late}, {"loss", int(b.Loss)},
	} {
		if k.n > 0 {
			errs = append(errs, fmt.Errorf("budget: %s: not covered, only pauses, lost, duplicated and slews are: want none", k.name))
		}
	}
	if b.Duplicated > 0 && (len(b.LateBy.List) > 0 || b.LateBy.Dist != nil) {
		errs = append(errs, errors.New("budget: late-by: a copy is as long after the first as a message of its link may take: want it left out"))
	}
	return errs
}

// unboundedDelays are the links whose messages have no longest delay.
func unboundedDelays(n *sim.Network) (errs []error) {
	refuse := func(where string, l *sim.Link) {
		if !dist.Bounded(&l.Delay) {
			errs = append(errs, fmt.Errorf("%s: a delay of %v has no longest: want a range", where, l.Delay))
		}
	}
	refuse("network.delay", &n.Default)
	for i := range n.Rules {
		refuse(fmt.Sprintf("network.links.%d.delay", i), &n.Rules[i].Link)
	}
	return errs
}

// Found reports whether a path to a violation was found, be it shown by a run or not.
func (r *Result) Found() bool { return r.rec != nil }
