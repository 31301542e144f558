package explore

import "fencepost/sim"

// Exercised reports whether a property has something to check in one of the runs with the seeds
// from seed on, so that a verdict about it is not vacuous. It is an error if there is no world of
// the configuration.
func Exercised(p *sim.Program, c sim.Config, property int, seed, runs uint64) (bool, error) {
	w, err := p.NewWorld(c)
	if err != nil {
		return false, err
	}
	for i := range runs {
		if w.Run(seed + i).Properties[property].Verdict != sim.NotExercised {
			return true, nil
		}
	}
	return false, nil
}
