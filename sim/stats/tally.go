package stats

import (
	"math/big"

	"fencepost/sim"
)

// Tally adds up the results of many runs of one program. Tallies of consecutive
// ranges of runs merge, in that order, to what one tally of all the runs would be.
type Tally struct {
	Runs       int
	Steps      uint64
	Panics     int        // runs that a panic of the model ended
	FirstPanic *PanicAt   // of the first such run
	Faults     []Injected // by [Config].Faults
	Properties []Checked  // by [Program].Properties
	Measures   []Measured // by [Program].Measures

	digest uint64
}

// PanicAt is a panic and the run that it ended.
type PanicAt struct {
	Run  int // from 1
	Seed uint64
	sim.Panic
}

// Injected is how often a fault was injected.
type Injected struct {
	Runs  int      // in which it was injected at all
	Total int      // times, over all runs
	First sim.Time // in the first run in which it was injected; [Never] if it did in none
}

// Checked is what a property found. A run that ended in a panic counts as violated
// or unknown, since the rest of it was not run.
type Checked struct {
	Violated     int // runs
	Held         int // runs
	NotExercised int // runs that had nothing that it checks, or broke off
	Violations   int // over all runs
	First        *Violation
}

// Violation is the first violation in the first run that has one.
type Violation struct {
	Run   int // from 1
	Seed  uint64
	At    sim.Time
	Nodes [2]sim.NodeID // concerned; None where there are fewer
}

// NewTally is an empty tally for runs of a program with the given number of faults.
func NewTally(p *sim.Program, faults int) *Tally {
	t := &Tally{
		Faults:     make([]Injected, faults),
		Properties: make([]Checked, len(p.Properties)),
		Measures:   make([]Measured, len(p.Measures)),
	}
	places := make(map[string]int, len(p.Measures)) // a measure for each of 10,000 nodes is not looked for among as many
	for i, m := range p.Measures {
		places[m.Name] = i
	}
	for i, m := range p.Measures {
		t.Measures[i] = Measured{Measure: m, per: -1}
		if place, ok := places[m.Per]; ok && m.Per != "" {
			t.Measures[i].per = place
		}
	}
	t.Clear()
	return t
}

// Clear forgets all runs and keeps the memory.
func (t *Tally) Clear() {
	t.Runs, t.Steps, t.Panics, t.FirstPanic, t.digest = 0, 0, 0, nil, 0
	for i := range t.Faults {
		t.Faults[i] = Injected{First: sim.Never}
	}
	clear(t.Properties)
	for i := range t.Measures {
		t.Measures[i].clear()
	}
}

// Digest summarises all runs: that of the run, if there is only one. It does not
// depend on how the runs were divided among tallies.
func (t *Tally) Digest() uint64 { return t.digest }

// Add counts the run that follows those counted so far.
func (t *Tally) Add(r *sim.Result) {
	t.Runs++
	t.Steps += r.Steps
	t.digest += r.Digest // the digests are half over all bits, and the seeds in them differ
	if r.Panic != nil {
		t.Panics++
		if t.FirstPanic == nil {
			t.FirstPanic = &PanicAt{t.Runs, r.Seed, *r.Panic}
		}
	}
	for i, s := range r.Faults {
		t.Faults[i].add(s)
	}
	for i := range r.Properties {
		t.Properties[i].add(&r.Properties[i], t.Runs, r)
	}
	for _, s := range r.Samples {
		t.Measures[s.Measure].record(s.Value)
	}
	for i := range t.Measures {
		if m := &t.Measures[i]; m.per >= 0 {
			m.across.add(m.run, t.Measures[m.per].run)
		}
	}
	for i := range t.Measures {
		t.Measures[i].endRun()
	}
}

// Merge counts the runs of another tally, which follow those counted so far. The
// other tally stays as it is.
func (t *Tally) Merge(other *Tally) {
	if t.FirstPanic == nil && other.FirstPanic != nil {
		p := *other.FirstPanic
		p.Run += t.Runs
		t.FirstPanic = &p
	}
	for i := range t.Faults {
		t.Faults[i].merge(other.Faults[i])
	}
	for i := range t.Properties {
		t.Properties[i].merge(&other.Properties[i], t.Runs)
	}
	for i := range t.Measures {
		t.Measures[i].merge(&other.Measures[i])
	}
	t.Runs += other.Runs
	t.Steps += other.Steps
	t.Panics += other.Panics
	t.digest += other.digest
}

func (s *Injected) add(r sim.Injection) {
	if r.Count == 0 {
		return
	}
	if s.Runs == 0 {
		s.First = r.First
	}
	s.Runs++
	s.Total += r.Count
}

func (s *Injected) merge(other Injected) {
	if s.Runs == 0 {
		s.First = other.First
	}
	s.Runs += other.Runs
	s.Total += other.Total
}

func (j *Checked) add(f *sim.Finding, run int, r *sim.Result) {
	j.Violations += f.Violations
	switch {
	case f.Verdict == sim.Violated:
		j.Violated++
		if j.First == nil {
			j.First = &Violation{run, r.Seed, f.First, f.Nodes}
		}
	case f.Verdict == sim.NotExercised || r.Panic != nil:
		j.NotExercised++
	default:
		j.Held++
	}
}

func (j *Checked) merge(other *Checked, before int) {
	if j.First == nil && other.First != nil {
		v := *other.First
		v.Run += before
		j.First = &v
	}
	j.Violated += other.Violated
	j.Held += other.Held
	j.NotExercised += other.NotExercised
	j.Violations += other.Violations
}

// Runs is how many runs the property checked.
func (j *Checked) Runs() int { return j.Violated + j.Held }

// Verdict is violated if any run was, else holds if any run was checked.
func (j *Checked) Verdict() sim.Verdict {
	switch {
	case j.Violated > 0:
		return sim.Violated
	case j.Held > 0:
		return sim.Holds
	}
	return sim.NotExercised
}

// Share is the share of the checked runs that were violated, with its interval.
func (j *Checked) Share() (float64, Interval) {
	n := j.Runs()
	if n == 0 {
		return 0, Wilson(0, 0)
	}
	return float64(j.Violated) / float64(n), Wilson(j.Violated, n)
}

// Ratio is the total of a measure that has a Per over the total of that measure,
// as the two totals; ok is false if it has none, or the other total is 0.
func (t *Tally) Ratio(measure int) (own, other *big.Int, ok bool) {
	m := &t.Measures[measure]
	if m.per < 0 {
		return nil, nil, false
	}
	own, other = m.Sum(), t.Measures[m.per].Sum()
	return own, other, other.Sign() != 0
}

// RatioInterval is where [Tally.Ratio] lies over all conceivable runs: by the same rule
// as the difference of two of them, [PairedMeasure.Difference]; where the ratio has a Most,
// within 0 and that. It is given over two runs or more, of totals. That of independent trials is
// Wilson's: if all of them succeed it is not a point.
func (t *Tally) RatioInterval(measure int) (Interval, bool) {
	own, other, ok := t.Ratio(measure)
	if !ok || t.Runs < 2 {
		return Interval{}, false
	}
	m := &t.Measures[measure]
	per := &t.Measures[m.per]
	if !per.Summed() {
		return Interval{}, false
	}
	if m.Independent {
		return Wilson(int(own.Int64()), int(other.Int64())), true
	}
	ratio := new(big.Rat).SetFrac(own, other)
	weight := new(big.Rat).SetFrac(big.NewInt(1), other)
	weights := []*big.Rat{weight, new(big.Rat).Neg(new(big.Rat).Mul(weight, ratio))}
	products := [2][2]*big.Int{{m.squares.big(), m.across.big()}, {nil, per.squares.big()}}
	around, _ := ratio.Float64()
	half := halfWidth(t.Runs, weights, func(a, b int) *big.Int { return products[a][b] })
	if most := float64(m.Most); most > 0 && !m.Signed {
		i := shareInterval(around/most, half/most)
		return Interval{float64(i.Low * most), float64(i.High * most)}, true
	}
	return Interval{around - half, around + half}, true
}
