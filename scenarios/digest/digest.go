// Package digest sums up the first runs of a scenario in a line of scenarios/testdata/digests.txt, which says that they
// are the same on every operating system, processor and Go release.
package digest

import (
	"fmt"

	"fencepost/sim"
)

// Runs is of how many runs of each point a line is, from the first; of all if it has fewer.
const Runs = 3

// Sum is of the runs of a scenario, point by point. A zero Sum is of none.
type Sum struct{ digest, steps uint64 }

// Add adds the next run, of the ith point of the grid from 0.
func (s *Sum) Add(i int, r *sim.Result) {
	s.digest = s.digest*31 + r.Digest + uint64(i)
	s.steps += r.Steps
}

// Line is the line of a scenario, with its end.
func (s *Sum) Line(name string) string {
	return fmt.Sprintf("%-52s %016x %d steps\n", name, s.digest, s.steps)
}
