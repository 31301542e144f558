package compare

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// coarseness is how many steps a window has at least if the times of a log are fine enough.
const coarseness = 10

// steps replays a log whose times are coarse in the ways in which its requests can have come.
//
// Two requests whose times are d apart came less than d + grain and more than d - grain apart.
// So the exact log refuses at least what it refuses with a window that has only the pairs
// with d <= W - grain, and at most what it refuses with one that has all with d < W + grain:
// a longer window never lets it admit more requests of equal cost.
//
// For the other algorithms there are two ways: all requests with one time at once, which is
// how the log was replayed, and those of each client spread evenly over the step.
type steps struct {
	grain       time.Duration
	least, most *Comparison // by exact logs
	spread      *Comparison
	now         []traffic.Request // with one time
	seen, of    map[uint64]int64  // how many of each client
}

func newSteps(r Rules, names []string, grain time.Duration) *steps {
	s := &steps{grain: grain, seen: map[uint64]int64{}, of: map[uint64]int64{}}
	s.spread, _ = New(r, names)
	longer, shorter := r, r
	longer.Window, shorter.Window = r.Window+grain, r.Window-grain+1
	s.most, _ = New(longer, nil)
	if shorter.Window > 0 {
		s.least, _ = New(shorter, nil)
	}
	return s
}

// add takes the next request of the log.
func (s *steps) add(q traffic.Request) {
	if len(s.now) > 0 && s.now[0].At != q.At {
		s.flush()
	}
	s.now = append(s.now, q)
	s.most.Add(q)
	if s.least != nil {
		s.least.Add(q)
	}
}

// flush spreads the requests with one time over the step.
func (s *steps) flush() {
	clear(s.seen)
	clear(s.of)
	for _, q := range s.now {
		s.of[q.Key]++
	}
	for i := range s.now {
		q := &s.now[i]
		n := s.seen[q.Key]
		s.seen[q.Key]++
		q.At += sim.Time(int64(s.grain) / s.of[q.Key] * n)
	}
	slices.SortStableFunc(s.now, func(a, b traffic.Request) int { return int(a.At - b.At) })
	for _, q := range s.now {
		s.spread.Add(q)
	}
	s.now = s.now[:0]
}

// memory is about how many bytes all of it takes.
func (s *steps) memory() int64 {
	const perRequest, perClient = 24, 100
	total := s.spread.Memory() + s.most.Memory() + perRequest*int64(cap(s.now)) + perClient*int64(len(s.of))
	if s.least != nil {
		total += s.least.Memory()
	}
	return total
}

// finish decides the rest, and returns how much the exact log refuses, at least and at most.
func (s *steps) finish() (least, most int64) {
	s.flush()
	s.spread.Finish()
	s.most.Finish()
	if s.least != nil {
		s.least.Finish()
		least = s.least.refusedByExact()
	}
	return least, s.most.refusedByExact()
}

// refusedByExact is how many requests the exact log refused.
func (c *Comparison) refusedByExact() (n int64) {
	for i := range c.store.n {
		n += c.clients.at(i).refused
	}
	return n
}

// errMemory and errStopped are why there are no bounds.
var (
	errMemory  = errors.New("they take more than the bound of memory: raise --memory")
	errStopped = errors.New("interrupted")
)

// withinSteps says, of a log whose times are coarse for the window, what the algorithms
// refuse at best and at worst. It says nothing where that makes no difference.
func (r *Replay) withinSteps(c *Comparison, grain time.Duration) []string {
	if grain*coarseness <= c.Rules.Window || c.requests == 0 {
		return nil
	}
	step, window := values.Length(grain), values.Length(c.Rules.Window)
	r.coarse = fmt.Sprintf("its times are in steps of %s, coarse for a window of %s", step, window)
	s, err := r.again(c, grain)
	if err != nil {
		return []string{r.coarse + ": best and worst case are not known: " + err.Error()}
	}
	least, most := s.finish()
	var list []string
	for i, col := range c.Columns {
		if even := s.spread.Columns[i].Refused; even != col.Refused {
			list = append(list, fmt.Sprintf("  %s refuses %d if requests with the same time came at once, as in the table, and %d if each client spread them over the step", col.Name, col.Refused, even))
		}
	}
	if least == most && len(list) == 0 {
		r.coarse = ""
		return nil
	}
	r.coarse += fmt.Sprintf(": an exact log refuses %d to %d of %d", least, most, c.requests)
	return append([]string{fmt.Sprintf("times are in steps of %s, more than a tenth of the window of %s: an exact log refuses %d to %d of %d requests, depending on when in their step they came",
		step, window, least, most, c.requests)}, list...)
}

// again reads the log again.
func (r *Replay) again(c *Comparison, grain time.Duration) (*steps, error) {
	log, err := r.params.Traffic.AccessLog.Open(r.params.Traffic.options(r.memory))
	if err != nil {
		return nil, err
	}
	s := newSteps(c.Rules, r.params.Algorithms, grain)
	for n := 1; ; n++ {
		q, ok := log.Next()
		if !ok {
			return s, errors.Join(log.Err(), log.Close())
		}
		s.add(q)
		switch {
		case n%check == 0 && s.memory()+c.Memory() > r.memory:
			return nil, errors.Join(errMemory, log.Close())
		case n%pace == 0:
			if done, total := log.Read(); !r.Continue(done, total) {
				return nil, errors.Join(errStopped, log.Close())
			}
		}
	}
}
