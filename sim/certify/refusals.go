package certify

import (
	"errors"
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/internal/rate"
)

// Longest is the longest duration that is covered: bounds are sums of as many as instants matter at once, which have to be numbers.
const Longest = 1000 * time.Hour

// Refusals says why the system, or what may happen to it, is not covered, each reason with
// its place: nil if it is. What is not covered is never taken for something that is.
func (s *Search) Refusals() error {
	if s.Property < 0 || s.Property >= len(s.Program.Properties) {
		return fmt.Errorf("property %d: the system has %d", s.Property, len(s.Program.Properties))
	}
	stage, err := s.Program.NewStage()
	if err != nil {
		return err
	}
	errs := append(s.unlikeRuns(), s.unlikeFaults()...)
	for i, name := range s.Program.Nodes {
		if why := stage.RefusesNode(sim.NodeID(i + 1)); why != "" {
			errs = append(errs, fmt.Errorf("%s cannot be driven with time as a symbol: %s", name, why))
		}
	}
	if why := stage.RefusesProperty(s.Property); why != "" {
		errs = append(errs, fmt.Errorf("property %s cannot be checked with time as a symbol: %s", s.Program.Properties[s.Property], why))
	}
	return errors.Join(errs...)
}

// unlikeRuns is what the settings have that the explorer does not do, and a run would.
func (s *Search) unlikeRuns() (errs []error) {
	c := &s.Config
	if s.Losses < 0 || s.Losses > 255 || s.Copies < 0 || s.Copies > 255 {
		errs = append(errs, fmt.Errorf("messages that are lost or come again: want 0 to 255, got %d and %d", s.Losses, s.Copies))
	}
	if s.CopyWithin < 0 || s.CopyWithin > Longest {
		errs = append(errs, fmt.Errorf("copies of messages: want them within 0 to %v, got %v", Longest, s.CopyWithin))
	}
	if s.Rate < 0 || s.Rate > rate.PerBillion/2 {
		errs = append(errs, fmt.Errorf("rate of clocks: want 0 to %d parts per billion either way, got %d", rate.PerBillion/2, s.Rate))
	}
	for i, clock := range c.Clocks {
		if clock != (sim.Clock{}) && i < len(s.Program.Nodes) {
			errs = append(errs, fmt.Errorf("clock of %s: a clock that is fast, slow or ahead by a given amount is not covered: want perfect ones, and a Rate that all keep to", s.Program.Nodes[i]))
		}
	}
	errs = append(errs, s.unlikeCosts()...)
	if c.Resume != sim.ByArrival {
		errs = append(errs, errors.New("resume: only the order of arrival is covered"))
	}
	if len(c.Overrides) > 0 || c.Minimal {
		errs = append(errs, errors.New("draws: all values of their ranges are covered at once: want no overrides and no minimal draws"))
	}
	return append(errs, s.unlikeLinks()...)
}

func (s *Search) unlikeLinks() (errs []error) {
	refuse := func(where string, l *sim.Link) {
		if most := l.Delay.Most(); most > Longest {
			errs = append(errs, fmt.Errorf("%s: want delays of at most %v, got %v", where, Longest, most))
		}
		if l.Loss != 0 {
			errs = append(errs, fmt.Errorf("%s: messages that are lost are not covered where chance says so: want a loss of 0, and how many may be lost", where))
		}
		if l.Duplicate != 0 {
			errs = append(errs, fmt.Errorf("%s: messages that are duplicated are not covered where chance says so: want a duplication of 0, and how many may be", where))
		}
	}
	refuse("network", &s.Config.Network.Default)
	for i := range s.Config.Network.Rules {
		refuse(fmt.Sprintf("link rule %d of the network", i+1), &s.Config.Network.Rules[i].Link)
	}
	return errs
}
