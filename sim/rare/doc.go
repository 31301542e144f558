// Package rare estimates how probable it is that a run violates a property, where that is too
// improbable to be seen by running: a run is a point in the space of its draws, and runs that
// violate the property are reached in steps, by multilevel splitting.
//
// A property with a level ([sim.Leveled]) says of each run how near it came. Thresholds between
// what usual runs reach and a violation are chosen by a pilot, and then are fixed. A repetition
// starts with a population of independent runs. Those that reach the first threshold are drawn from
// until there are as many runs as before, each is moved ([move]) among the runs that reach
// it, and so on to the last threshold, which is the violation itself. The product of the shares
// that reached each threshold is the estimate.
//
// It is unbiased: the population is at each threshold, in expectation and weighted by the product so
// far, a sample of the runs that reach it, since a move leaves their distribution as it is. Poor levels or
// too few moves make it vary more, but not wrong. The runs of one repetition depend on each other, so that
// the interval is that of independent repetitions. A repetition is a product of many shares, each of which varies about as
// much, and so is nearly log-normal: it is below the probability more often than above, and by less. Student's interval, which is
// symmetric, is too short above.
//
// Sources: Kahn and Harris, "Estimation of particle transmission by random sampling", 1951, for splitting;
// Garvels, "The splitting method in rare event simulation", 2000, for fixed effort;
// Au and Beck, "Estimation of small failure probabilities in high dimensions by subset simulation",
// Probabilistic Engineering Mechanics 16(4), 2001, and Botev and Kroese, "Efficient Monte Carlo simulation via the
// generalized splitting method", Statistics and Computing 22, 2012, for splitting in the space of random inputs;
// Guyader, Hengartner and Matzner-Lober, "Simulation and estimation of extreme quantiles and extreme
// probabilities", Applied Mathematics and Optimization 64, 2011, for the logarithm of an estimate by levels;
// Del Moral, "Feynman-Kac Formulae", 2004, section 7.4.2, for the expectation.
package rare
