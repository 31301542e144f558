package retry

import (
	"time"

	"fencepost/sim"
)

// slots is how many parts a window is counted in.
const slots = 12

// Recent counts two things over the last while, in twelve parts of it: what is older
// than 11 to 12 parts is forgotten. The zero value counts over two minutes.
type Recent struct {
	Window time.Duration // 0 is two minutes

	counts [slots][2]int64
	part   int64 // that is being counted: the reading divided by the length of a part
}

// Sums are both counts.
func (r *Recent) Sums(now sim.Mono) (first, second int64) {
	r.advance(now)
	for _, c := range r.counts {
		first += c[0]
		second += c[1]
	}
	return first, second
}

// Add counts a number of each.
func (r *Recent) Add(now sim.Mono, first, second int64) {
	r.advance(now)
	c := &r.counts[r.part%slots]
	c[0] += first
	c[1] += second
}

// advance forgets the parts that have gone by. A clock that goes back stands still.
func (r *Recent) advance(now sim.Mono) {
	length := r.Window
	if length <= 0 {
		length = 2 * time.Minute
	}
	part := max(r.part, int64(now)/max(1, int64(length)/slots))
	for n := min(part-r.part, slots); n > 0; n-- {
		r.counts[(part-n+1)%slots] = [2]int64{}
	}
	r.part = part
}
