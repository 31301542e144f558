package dist

// Bounded reports whether nothing longer than some duration is ever drawn by definition: an
// exponential, log-normal or Pareto distribution has no such duration, though its samples stay below
// what a word of 64 bits can say.
func Bounded(d *Dist) bool {
	switch d.shape {
	case exponential, lognormal, pareto:
		return false
	}
	for i := range d.parts {
		if !Bounded(&d.parts[i].of) {
			return false
		}
	}
	return true
}

// IsEmpirical reports whether it is [Empirical]: a list of durations.
func IsEmpirical(d *Dist) bool { return d.shape == empirical }
