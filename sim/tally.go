package sim

import "math/big"

// Tally adds up the results of many runs of one program. Tallies of consecutive
// ranges of runs merge, in that order, to what one tally of all the runs would be.
type Tally struct {
	Runs       int
	Steps      uint64
	Panics     int        // runs that a panic of the model ended
	FirstPanic *PanicAt   // of the first such run
	Faults     []Struck   // by [Config].Faults
	Properties []Judged   // by [Program].Properties
	Measures   []Measured // by [Program].Measures

	digest uint64
}

// PanicAt is a panic and the run that it ended.
type PanicAt struct {
	Run  int // from 1
	Seed uint64
	Panic
}

// Struck is how often a fault struck.
type Struck struct {
	Runs  int  // in which it struck at all
	Total int  // times, over all runs
	First Time // in the first run in which it struck; [Never] if it did in none
}

// Judged is what a property found. A run that ended in a panic counts as violated
// or unknown, since nobody knows what the rest of it would have shown.
type Judged struct {
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
	At    Time
	Nodes [2]NodeID // concerned; None where there are fewer
}

// NewTally is an empty tally for runs of a program with so many faults.
func NewTally(p *Program, faults int) *Tally {
	t := &Tally{
		Faults:     make([]Struck, faults),
		Properties: make([]Judged, len(p.Properties)),
		Measures:   make([]Measured, len(p.Measures)),
	}
	for i, m := range p.Measures {
		t.Measures[i] = Measured{Measure: m, per: -1}
		for j := range p.Measures {
			if p.Measures[j].Name == m.Per && m.Per != "" {
				t.Measures[i].per = j
			}
		}
	}
	t.Clear()
	return t
}

// Clear forgets all runs and keeps the memory.
func (t *Tally) Clear() {
	t.Runs, t.Steps, t.Panics, t.FirstPanic, t.digest = 0, 0, 0, nil, 0
	for i := range t.Faults {
		t.Faults[i] = Struck{First: Never}
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
func (t *Tally) Add(r *Result) {
	t.Runs++
	t.Steps += r.Steps
	t.digest += r.Digest // the digests are spread over all bits, and the seeds in them differ
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

func (s *Struck) add(r Strike) {
	if r.Count == 0 {
		return
	}
	if s.Runs == 0 {
		s.First = r.First
	}
	s.Runs++
	s.Total += r.Count
}

func (s *Struck) merge(other Struck) {
	if s.Runs == 0 {
		s.First = other.First
	}
	s.Runs += other.Runs
	s.Total += other.Total
}

func (j *Judged) add(f *Finding, run int, r *Result) {
	j.Violations += f.Violations
	switch {
	case f.Verdict == Violated:
		j.Violated++
		if j.First == nil {
			j.First = &Violation{run, r.Seed, f.First, f.Nodes}
		}
	case f.Verdict == NotExercised || r.Panic != nil:
		j.NotExercised++
	default:
		j.Held++
	}
}

func (j *Judged) merge(other *Judged, before int) {
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

// Runs is how many runs the property judged.
func (j *Judged) Runs() int { return j.Violated + j.Held }

// Verdict is violated if any run was, else holds if any run was judged.
func (j *Judged) Verdict() Verdict {
	switch {
	case j.Violated > 0:
		return Violated
	case j.Held > 0:
		return Holds
	}
	return NotExercised
}

// Share is the share of the judged runs that were violated, with its interval.
func (j *Judged) Share() (float64, Interval) {
	n := j.Runs()
	if n == 0 {
		return 0, Wilson(0, 0)
	}
	return float64(j.Violated) / float64(n), Wilson(j.Violated, n)
}

// Measured is what was recorded of a measure. One that is a total or a ratio
// keeps the total of each run, any other keeps each value.
type Measured struct {
	Measure
	values  histogram
	squares square  // of the totals of the runs
	across  product // of the totals of the runs and those of the measure that this is a ratio to
	run     int64   // the total of the run being added
	per     int     // the measure that this is a ratio to, or -1
}

func (m *Measured) record(v int64) {
	if m.Summed() {
		m.run = addSaturated(m.run, v)
		return
	}
	m.values.add(v)
}

func (m *Measured) endRun() {
	if !m.Summed() {
		return
	}
	m.values.tally(m.run)
	m.squares.add(m.run)
	m.run = 0
}

func (m *Measured) merge(other *Measured) {
	m.values.merge(&other.values)
	m.squares.merge(other.squares)
	m.across.merge(other.across)
}

func (m *Measured) clear() {
	m.values.clear()
	m.squares, m.across, m.run = square{}, product{}, 0
}

// Count is how many values there are: runs, if it is summed.
func (m *Measured) Count() uint64 { return m.values.count }

// Min is the least value, 0 if there is none.
func (m *Measured) Min() int64 { return m.values.min }

// Max is the greatest value, 0 if there is none.
func (m *Measured) Max() int64 { return m.values.max }

// Sum is the sum of all values.
func (m *Measured) Sum() *big.Int { return m.values.sum.big() }

// Mean is the mean value, 0 if there is none.
func (m *Measured) Mean() float64 {
	return m.values.sum.over(new(big.Int).SetUint64(m.values.count))
}

// MeanInterval is where the mean over all conceivable runs lies. It is given for
// a summed measure over two runs or more; the values of the others are not
// independent of each other. A count that no run has more than one of is a share of
// the runs, and so is its interval: that of none in so many is not empty.
func (m *Measured) MeanInterval() (Interval, bool) {
	switch n := m.values.count; {
	case !m.Summed():
		return Interval{}, false
	case n >= 2 && m.share(m.values.sum.big(), m.squares.big()):
		return Wilson(int(m.values.sum.lo), int(n)), true
	default:
		return meanInterval(n, m.values.sum, m.squares)
	}
}

// share reports whether totals with this sum and sum of squares are counts of 0 and 1 only:
// any other whole number is less than its square.
func (m *Measure) share(sum, squares *big.Int) bool {
	return m.Unit == Count && sum.Cmp(squares) == 0
}

// Quantile is a quantile of the values with an interval for it.
type Quantile struct {
	Value     int64
	Low, High *int64 // nil where there are too few values for a bound
}

// Quantile is a quantile of a measure that is not summed: the least value that is not
// below so many thousandths of all, 999 for the 99.9th percentile. It is a value that was recorded,
// less than 1/128 above the exact one. The interval takes the values as independent.
func (m *Measured) Quantile(perMille int) Quantile {
	n := m.values.count
	if n == 0 || m.Summed() {
		return Quantile{}
	}
	r := (n*uint64(perMille) + 999) / 1000
	q := Quantile{Value: m.values.rank(r)}
	low, high := ranks(float64(perMille)/1000, n)
	if low >= 1 {
		v := m.values.rank(low)
		q.Low = &v
	}
	if high <= n {
		v := m.values.rank(high)
		q.High = &v
	}
	return q
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
	spread := spreadOf(t.Runs, weights, func(a, b int) *big.Int { return products[a][b] })
	if most := float64(m.Most); most > 0 && !m.Signed {
		i := shareInterval(around/most, spread/most)
		return Interval{float64(i.Low * most), float64(i.High * most)}, true
	}
	return Interval{around - spread, around + spread}, true
}
