package rare

import (
	"context"
	"fmt"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// point is a run: the words of a seed, and the moves that have changed them.
type point struct {
	seed  uint64
	moves []move
	near  int64
}

// set makes p what other is, and keeps its memory.
func (p *point) set(other *point) {
	p.seed, p.near, p.moves = other.seed, other.near, append(p.moves[:0], other.moves...)
}

// splitter does repetitions, one after another, in a world.
type splitter struct {
	o      *Options
	world  sim.Runner
	sparse int // of moves, at most

	random     stream
	population []point
	next       []point
	survivors  []int // of the population, that reach the threshold

	current *point
	words   words // of the current point
	runs    int
	draws   uint64 // of all runs
}

// stream is random words.
type stream struct{ base, n uint64 }

func (s *stream) word() uint64 {
	s.n++
	return splitmix.Mix(s.base + s.n*splitmix.Gamma)
}

// below is a number from 0 to before n.
func (s *stream) below(n int) int { return int(s.word() % uint64(n)) }

func newSplitter(o *Options) (*splitter, error) {
	w, err := o.Program.NewWorld(o.Config)
	if err != nil {
		return nil, err
	}
	s := &splitter{o: o, world: w, population: make([]point, o.Population), next: make([]point, o.Population), words: newWords()}
	c := &o.Config
	return s, w.Vary(sim.Variation{Faults: c.Faults, Overrides: c.Overrides, Choose: func(d sim.Draw) uint64 {
		s.draws++
		return s.words.of(s.current, d)
	}})
}

// begin fills the population with independent runs.
func (s *splitter) begin(ctx context.Context, seed uint64) error {
	s.random, s.runs, s.draws = stream{base: seed}, 0, 0
	for i := range s.population {
		p := &s.population[i]
		p.seed, p.moves = s.random.word(), p.moves[:0]
		if err := s.play(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// play runs a point, and sees how near it comes.
func (s *splitter) play(ctx context.Context, p *point) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.current = p
	s.runs++
	if f := s.world.Run(p.seed).Panic; f != nil {
		return fmt.Errorf("%s panics at %v, handling %s: %s", f.Name, f.At, f.Message, f.Value)
	}
	p.near = s.world.Near(s.o.Property)
	return nil
}

// reach finds those of the population that reach a threshold.
func (s *splitter) reach(threshold int64) int {
	s.survivors = s.survivors[:0]
	for i := range s.population {
		if s.population[i].near >= threshold {
			s.survivors = append(s.survivors, i)
		}
	}
	return len(s.survivors)
}

// split makes the population one of runs that reach the threshold, of the survivors, and returns
// how many moves were made that changed a run.
func (s *splitter) split(ctx context.Context, threshold int64) (moved int, err error) {
	s.resample()
	for i := range s.population {
		p := &s.population[i]
		s.words.forget()
		for range s.o.Moves {
			ok, err := s.move(ctx, p, threshold)
			if err != nil {
				return 0, err
			}
			if ok {
				moved++
			}
		}
	}
	return moved, nil
}

// resample fills the population with copies of the survivors, of each as many as of any other or
// one more, at random: in expectation, equally many.
func (s *splitter) resample() {
	all := len(s.population)
	each, more := all/len(s.survivors), all%len(s.survivors)
	for i := range more { // to the front, as far as a shuffle is needed
		j := i + s.random.below(len(s.survivors)-i)
		s.survivors[i], s.survivors[j] = s.survivors[j], s.survivors[i]
	}
	n := 0
	for i, from := range s.survivors {
		copies := each
		if i < more {
			copies++
		}
		for range copies {
			s.next[n].set(&s.population[from])
			n++
		}
	}
	s.population, s.next = s.next, s.population
}

// sparseness is how few draws a move changes: half of all moves change every draw, since most draws do not matter and
// those that do are to be changed often; the others down to one draw of a run.
func (s *splitter) sparseness() int {
	if s.sparse == 0 || s.random.word()>>63 == 0 {
		return 0
	}
	return 1 + s.random.below(s.sparse)
}

// move changes a run, unless it would not reach the threshold then, and reports whether it did.
func (s *splitter) move(ctx context.Context, p *point, threshold int64) (bool, error) {
	near := p.near
	p.moves = append(p.moves, newMove(s.random.word(), s.sparseness()))
	if err := s.play(ctx, p); err != nil {
		return false, err
	}
	if p.near >= threshold {
		return true, nil
	}
	p.near, p.moves = near, p.moves[:len(p.moves)-1]
	return false, nil
}
