package certify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/internal/codec"
	"fencepost/sim/certify/internal/dbm"
)

// What a step does is a function of what the node remembers, of the message, and of the answers to
// the comparisons that it makes. It is computed once: a tree whose forks are comparisons and whose
// leaves are results. Symbols in it are numbered: those of the node and of the message, in the
// order in which they appear, then the instant of the step, then those that it makes by rounding.

// term is a symbol plus a number of nanoseconds.
type term struct {
	symbol int
	offset int64
}

// tree is what a step does from some answers on. Nothing of it is known before it is walked.
type tree struct {
	answers string // those that lead here, a byte each: y or n, or r for a symbol that is made

	kind  treeKind
	a, b  term // of a fork: is a before b? Of rounding: the symbol b is a rounded down
	unit  time.Duration
	yes   *tree // also of what comes after rounding
	no    *tree
	leaf  *leaf
	known bool
}

type treeKind uint8

const (
	atLeaf treeKind = iota
	fork
	rounding
)

// leaf is a result.
type leaf struct {
	id       uint32 // what is remembered then
	symbols  []int
	effects  []effect
	violated bool // of a property
	panics   string
}

// effect is what a step asks for.
type effect struct {
	kind        sim.EffectKind
	to          sim.NodeID
	least, most int64 // of a timer
	drawn       *sim.Dist
	at          term // of an alarm; of a timer that is as long as from less to at
	less        term
	differs     bool // a timer is
	note        sim.Kind
	watched     bool // a note of which the property hears
	msg         uint32
	symbols     []int
}

// dated reports whether an effect has a reading in it at which it is due.
func (f *effect) dated() bool { return f.kind == sim.Sets || f.differs }

// scene is a step that is tried: which answers it is given, and what it asks beyond.
type scene struct {
	search  int
	names   []int // what each symbol is called in this try
	bias    *codec.Biases
	answers string
	given   int
	made    int
	asked   *tree // the first question beyond the answers
	round   map[roundingOf]int
	known   []answered
}

type roundingOf struct {
	a    term
	unit time.Duration
}

// answered is a question and its answer, as a bound: a.symbol - b.symbol is at most, or is not.
type answered struct {
	x, y int
	b    dbm.Bound
}

// errUnknown ends a try whose answers are used up.
var errUnknown = errors.New("certify: a question beyond the answers")

// refusal ends a try that no symbol can stand for.
type refusal struct{ error }

// notAReading is of a comparison with what no clock has read.
func notAReading(number int64) error {
	if number == 0 {
		return errors.New("it compares a clock reading with an unset time, which cannot be certified yet: leave out the fault or the parameter that leads there")
	}
	return fmt.Errorf("it compares a clock reading with %v, which is not a reading: that cannot be certified", time.Duration(number))
}

func (s *scene) term(reading int64) term {
	search, name, offset, ok := sim.AsSymbol(reading)
	i := slices.Index(s.names, name)
	offset -= s.bias[name]
	if !ok || search != s.search || i < 0 || offset > sim.MaxOffset || offset < -sim.MaxOffset {
		panic(refusal{notAReading(reading)})
	}
	return term{i, offset}
}

// Before implements [sim.Oracle].
func (s *scene) Before(x, y int64) bool {
	if y == int64(sim.Never) {
		return true
	}
	if x == int64(sim.Never) {
		return false
	}
	a, b := s.term(x), s.term(y)
	if a.symbol == b.symbol {
		return a.offset < b.offset
	}
	less := dbm.LessThan(b.offset - a.offset) // of a.symbol - b.symbol
	for _, k := range s.known {
		switch {
		case k.x == a.symbol && k.y == b.symbol && k.b <= less:
			return true
		case k.x == b.symbol && k.y == a.symbol && k.b <= less.Not():
			return false
		}
	}
	yes := s.next(&tree{kind: fork, a: a, b: b}) == 'y'
	if yes {
		s.known = append(s.known, answered{a.symbol, b.symbol, less})
	} else {
		s.known = append(s.known, answered{b.symbol, a.symbol, less.Not()})
	}
	return yes
}

// Truncate implements [sim.Oracle]: the result is a symbol of its own.
func (s *scene) Truncate(x int64, unit time.Duration) int64 {
	of := roundingOf{s.term(x), unit}
	if i, ok := s.round[of]; ok {
		return s.reading(i)
	}
	i := s.made
	s.next(&tree{kind: rounding, a: of.a, b: term{symbol: i}, unit: unit})
	if s.made++; s.made > len(s.names) {
		panic(refusal{errors.New("it remembers more clock readings than a proof can follow")})
	}
	if s.round == nil {
		s.round = map[roundingOf]int{}
	}
	s.round[of] = i
	return s.reading(i)
}

// Sub implements [sim.Oracle].
func (s *scene) Sub(x, y int64) int64 {
	a, b := s.term(x), s.term(y)
	offset := a.offset - b.offset
	switch {
	case a.symbol == b.symbol:
		return offset
	case offset > sim.MaxDifference || offset < -sim.MaxDifference:
		panic(refusal{errors.New("the time between two readings and more than 9 hours besides, which is not covered")})
	}
	return s.bias.Difference(s.names[b.symbol], s.names[a.symbol], offset)
}

// reading is what a symbol reads.
func (s *scene) reading(symbol int) int64 {
	name := s.names[symbol]
	return sim.Symbol(s.search, name, s.bias[name])
}

// next is the next answer.
func (s *scene) next(q *tree) byte {
	if s.given == len(s.answers) {
		s.asked = q
		panic(errUnknown)
	}
	s.given++
	return s.answers[s.given-1]
}
