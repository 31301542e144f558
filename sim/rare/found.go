package rare

import (
	"slices"

	"fencepost/sim"
)

// maxTries bounds how many overrides are left out on trial.
const maxTries = 2000

// Overrides are what makes the run of a seed that run which a repetition found, or one like it: those of the
// configuration and, of the draws that differ from the seed's own, those without which the property is not violated.
func Overrides(o *Options, r *Repetition) ([]sim.Override, error) {
	s, err := newSplitter(o)
	if err != nil {
		return nil, err
	}
	p := &point{seed: r.Seed}
	for _, m := range r.Moves {
		p.moves = append(p.moves, move(m))
	}
	list := slices.Clone(o.Config.Overrides)
	seen := map[sim.Draw]bool{}
	for _, w := range list {
		seen[w.Draw] = true
	}
	s.world.Watch(sim.Watch{Draws: func(d sim.Draw, w uint64) {
		if !seen[d] && w != d.Of(p.seed) {
			list = append(list, sim.Override{Draw: d, Value: w})
		}
		seen[d] = true
	}})
	s.current = p
	s.world.Run(p.seed)
	s.world.Watch(sim.Watch{})
	for i := len(list) - 1; i >= max(len(o.Config.Overrides), len(list)-maxTries); i-- {
		fewer := slices.Delete(slices.Clone(list), i, i+1)
		if err := s.world.Vary(sim.Variation{Faults: o.Config.Faults, Overrides: fewer}); err != nil {
			return nil, err
		}
		if s.world.Run(p.seed); s.world.Near(o.Property) == Violation {
			list = fewer
		}
	}
	return list, nil
}
