// Package claim says what package certify is to prove: of all runs that a configuration and a budget of faults allow.
package claim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/explore"
	"fencepost/sim/internal/dist"
)

// Of is what to prove of a system in the runs of a configuration, with a budget of what may go wrong
// besides. Each of its faults has to be a pause, a crash or a step of a clock: it may begin once, at any
// moment, whatever begins it in a run, and be of any size of its range. Any message may be one of those that the
// budget lets be lost or come twice, and any clock may run at any rate up to the largest that it names. A budget
// of faults of a kind that does not say how long they are is of those of the file: that many in all. An error
// says what is not covered, each reason with its place.
func Of(p sim.Program, c sim.Config, b explore.Budget, property int) (*certify.Search, error) {
	s := &certify.Search{Program: p, Config: c, Property: property}
	errs := unboundedDelays(&c.Network)
	kinds := allowances(&b)
	for i := range c.Faults {
		k := slices.IndexFunc(kinds, func(a allowance) bool { return a.do == c.Faults[i].Do })
		if k < 0 {
			errs = append(errs, fmt.Errorf("faults.%d: %s are not covered, only pauses, crashes and steps of a clock are: want it left out", i, c.Faults[i].Do.Row().Several()))
			continue
		}
		f, err := faultOf(&c.Faults[i])
		if !kinds[k].again() && !c.Faults[i].When.Every.IsZero() {
			errs = append(errs, fmt.Errorf("faults.%d: a %v that comes again and again is not covered: want a budget that says how often", i, c.Faults[i].Do))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("faults.%d: %w", i, err))
			continue
		}
		f.Path = fmt.Sprintf("faults.%d.%s", i, kinds[k].key)
		s.Faults = append(s.Faults, f)
	}
	errs = append(errs, messages(s, &b)...)
	errs = append(errs, clocks(s, &b)...)
	if errs = append(errs, notCovered(&b)...); len(errs) == 0 {
		for i := range kinds {
			if kinds[i].again() {
				errs = append(errs, repeat(s, &b, &kinds[i]))
			} else if kinds[i].count > 0 {
				errs = append(errs, besides(s, &b, &kinds[i]))
			}
		}
	}
	return s, errors.Join(append(errs, s.Refusals())...)
}

// allowance is how many faults of a kind a budget lets begin, and of what size.
type allowance struct {
	do                  sim.Action
	count               int
	size                explore.Lengths // nothing: that of the faults of the file
	name, what, how     string          // of one, of several, and of its size
	key, option, longer string          // where a fault of the file and the budget say how large it is, and which has no largest
}

func allowances(b *explore.Budget) []allowance {
	return []allowance{
		{sim.Pause, b.Pauses, b.PauseFor, "pause", "pauses", "long", "for", "pause-for", "longest"},
		{sim.Crash, b.Crashes, b.DownFor, "crash", "crashes", "long", "for", "down-for", "longest"},
		{sim.StepClock, b.ClockSteps, explore.Lengths{List: b.StepBy}, "step of a clock", "steps of clocks", "large", "by", "step-by", "largest"},
	}
}

// again reports whether the budget is of the faults of the file.
func (a *allowance) again() bool { return a.count > 0 && len(a.size.List) == 0 && a.size.Dist == nil }

// faultOf is a fault that may begin at any moment.
func faultOf(f *sim.Fault) (certify.Fault, error) {
	made := certify.Fault{Name: f.Name, Do: f.Do, Nodes: []sim.NodeID{f.Node}, Forever: f.Forever && f.Do == sim.Crash, Count: 1}
	switch {
	case len(f.When.Replay) > 0:
		longest := slices.MaxFunc(f.When.Replay, func(a, b sim.Stop) int { return cmp.Compare(a.For, b.For) }).For
		return made, fmt.Errorf("the stops of a log are some durations, and a proof is of a range: want a range of 0s..%v, up to the longest of them, and a trigger", longest)
	case dist.IsEmpirical(&f.For):
		return made, fmt.Errorf("the stops of a log are some durations, and a proof is of a range: want a range of %v..%v, up to the longest of them", f.For.Least(), f.For.Most())
	case f.Do == sim.Pause && f.Forever:
		return made, errors.New("a pause without an end is not covered: want a range, or a crash without one")
	case !dist.Bounded(&f.For):
		return made, fmt.Errorf("a %v of %v has no longest: want a range", f.Do, f.For)
	case f.Do == sim.StepClock:
		made.Stepped(f.By, f.By)
	default:
		made.Least, made.Most = f.For.Least(), f.For.Most()
	}
	return made, nil
}

// repeat lets the faults of a kind, which have one range, begin as often as the budget says.
func repeat(s *certify.Search, b *explore.Budget, a *allowance) error {
	var all *certify.Fault
	var others []certify.Fault
	for i := range s.Faults {
		f := &s.Faults[i]
		switch {
		case f.Do != a.do:
			others = append(others, *f)
		case all == nil:
			all = f
		case f.Least != all.Least || f.Most != all.Most || f.Back != all.Back || f.Forever != all.Forever:
			return fmt.Errorf("budget: the %s of the faults differ in their ranges, so that it does not say how %s each is: want %s as well, or one range", a.what, a.how, a.option)
		default:
			all.Nodes = append(slices.Clip(all.Nodes), f.Nodes...)
		}
	}
	if all == nil {
		return fmt.Errorf("budget: nothing says how %s a %s is: want %s as well, or one among the faults", a.how, a.name, a.option)
	}
	all.Count = a.count
	if nodes := b.Of(a.do); len(nodes) > 0 {
		all.Nodes = slices.Clone(nodes)
	}
	slices.Sort(all.Nodes)
	all.Nodes = slices.Compact(all.Nodes)
	s.Faults = append(others, *all)
	return nil
}

// besides adds the faults of the budget to those of the file.
func besides(s *certify.Search, b *explore.Budget, a *allowance) error {
	f := certify.Fault{Name: a.name, Path: "budget." + a.option, Do: a.do, Nodes: b.Of(a.do), Count: a.count}
	if len(f.Nodes) == 0 {
		for i := range s.Program.Nodes {
			f.Nodes = append(f.Nodes, sim.NodeID(i+1))
		}
	}
	switch d := a.size.Dist; {
	case d != nil && !dist.Bounded(d):
		return fmt.Errorf("budget: %s: a %s of %v has no %s: want a range", a.option, a.name, d, a.longer)
	case d != nil:
		f.Least, f.Most = d.Least(), d.Most()
	case a.do == sim.StepClock: // and any smaller one
		f.Stepped(min(slices.Min(a.size.List), 0), max(slices.Max(a.size.List), 0))
	default:
		f.Most = slices.Max(a.size.List)
	}
	s.Faults = append(s.Faults, f)
	return nil
}

// messages takes which messages are lost and come again, and within what time.
func messages(s *certify.Search, b *explore.Budget) []error {
	s.Losses, s.Copies, s.Senders = b.Lost, b.Duplicated, b.Of(sim.Lose)
	switch d := b.LateBy.Dist; {
	case d != nil && !dist.Bounded(d):
		return []error{fmt.Errorf("budget: late-by: a copy of %v has no latest: want a range, or none, for any moment", d)}
	case d != nil:
		s.CopyWithin = d.Most()
	case len(b.LateBy.List) > 0:
		s.CopyWithin = slices.Max(b.LateBy.List)
	}
	return nil
}

// clocks takes the rates of a budget as bounds for all clocks at any moment.
func clocks(s *certify.Search, b *explore.Budget) []error {
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

// covered are the kinds of fault for which there are proofs.
var covered = []sim.Action{sim.Pause, sim.Crash, sim.StepClock, sim.Lose, sim.Duplicate, sim.SetRate}

// notCovered says what a budget lets go wrong that is not covered.
func notCovered(b *explore.Budget) (errs []error) {
	refuse := func(name string, n int) {
		if n > 0 {
			errs = append(errs, fmt.Errorf("budget: %s: not covered, only pauses, crashes, clock-steps, lost, duplicated and slews are: want none", name))
		}
	}
	for _, do := range sim.Actions() {
		if f := b.Fields(do); f.Count != nil && !slices.Contains(covered, do) {
			refuse(do.Row().Budget.Count, *f.Count)
		}
	}
	refuse("loss", int(b.Loss))
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
