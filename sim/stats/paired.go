package stats

import (
	"math"
	"math/big"

	"fencepost/sim"
)

// Paired adds up how the runs of a program differ from those of a baseline with the
// same seed: each pair has drawn the same delays, timers and faults, so that what
// chance does to both cancels out. Only properties and measures that both have, by
// name and meaning, are compared. All sums are of integers, so that Paired values of
// consecutive ranges of runs merge to the same bits, however the runs were divided.
type Paired struct {
	Runs       int // pairs
	Properties []PairedProperty
	Measures   []PairedMeasure

	totals [2][]total // of the runs being added, by measure of their program
}

// PairedProperty is how often a property was violated in one of both runs alone.
type PairedProperty struct {
	Name      string
	Runs      int // pairs in which it was checked in both
	OnlyBase  int // of these, it was violated in the run of the baseline alone
	OnlyOther int // in the run of the other program alone

	at [2]int // its index in either program
}

// PairedMeasure is how the mean of a measure differs: the mean total of a run, the
// ratio of two totals, or the mean of the values that were recorded.
type PairedMeasure struct {
	sim.Measure
	Runs   int // pairs
	Differ int // pairs in which what was recorded does not add up to the same

	at, per [2]int // indices in either program; per is -1 without a Per
	// In each pair of runs the mean is over, under: a total, and 1, the total of Per or
	// the number of values. The order is base over, base under, other over, other under.
	sums     [4]int128
	products [4][4]int192 // of these four with each other, from the diagonal up
}

// total is what a run recorded of a measure.
type total struct{ sum, count int64 }

// NewPaired is an empty comparison of a program with a baseline.
func NewPaired(base, other *sim.Program) *Paired {
	p := &Paired{totals: [2][]total{make([]total, len(base.Measures)), make([]total, len(other.Measures))}}
	for i, name := range base.Properties {
		for j := range other.Properties {
			if other.Properties[j] == name {
				p.Properties = append(p.Properties, PairedProperty{Name: name, at: [2]int{i, j}})
			}
		}
	}
	for i, m := range base.Measures {
		for j := range other.Measures {
			if other.Measures[j] == m {
				per := [2]int{measure(base, m.Per), measure(other, m.Per)}
				p.Measures = append(p.Measures, PairedMeasure{Measure: m, at: [2]int{i, j}, per: per})
			}
		}
	}
	return p
}

// measure is the index of a measure, -1 if there is none of this name.
func measure(p *sim.Program, name string) int {
	for i := range p.Measures {
		if p.Measures[i].Name == name {
			return i
		}
	}
	return -1
}

// Clear forgets all pairs and keeps the memory.
func (p *Paired) Clear() {
	p.Runs = 0
	for i := range p.Properties {
		q := &p.Properties[i]
		q.Runs, q.OnlyBase, q.OnlyOther = 0, 0, 0
	}
	for i := range p.Measures {
		m := &p.Measures[i]
		*m = PairedMeasure{Measure: m.Measure, at: m.at, per: m.per}
	}
}

// Add counts a pair of runs with the same seed.
func (p *Paired) Add(base, other *sim.Result) {
	p.Runs++
	for i := range p.Properties {
		p.Properties[i].add(base, other)
	}
	for side, r := range [2]*sim.Result{base, other} {
		totals := p.totals[side]
		clear(totals)
		for _, s := range r.Samples {
			t := &totals[s.Measure]
			t.sum, t.count = add64(t.sum, s.Value), t.count+1
		}
	}
	for i := range p.Measures {
		p.Measures[i].add(&p.totals)
	}
}

// Merge counts the pairs of another comparison of the same programs, which stays as
// it is.
func (p *Paired) Merge(other *Paired) {
	p.Runs += other.Runs
	for i := range p.Properties {
		q, r := &p.Properties[i], &other.Properties[i]
		q.Runs, q.OnlyBase, q.OnlyOther = q.Runs+r.Runs, q.OnlyBase+r.OnlyBase, q.OnlyOther+r.OnlyOther
	}
	for i := range p.Measures {
		p.Measures[i].merge(&other.Measures[i])
	}
}

func (q *PairedProperty) add(base, other *sim.Result) {
	a, checked := verdict(base, q.at[0])
	b, both := verdict(other, q.at[1])
	if !checked || !both {
		return
	}
	q.Runs++
	switch {
	case a && !b:
		q.OnlyBase++
	case b && !a:
		q.OnlyOther++
	}
}

// verdict reports whether a property was violated, and whether it was checked: by the
// rules of [Checked].
func verdict(r *sim.Result, property int) (violated, checked bool) {
	v := r.Properties[property].Verdict
	return v == sim.Violated, v == sim.Violated || v == sim.Holds && r.Panic == nil
}

// Difference is by how much the other program's probability of a violation is above
// that of the baseline, with its 95% interval; ok is false if no pair was checked. The
// interval holds 0 unless the exact test says, too, that the discordant pairs do not
// fall on either side with equal chances.
//
// Source: the interval is Bonett and Price, "Adjusted Wald confidence interval for a
// difference of binomial proportions based on paired data", Journal of Educational and
// Behavioral Statistics 37, 2012; the test is McNemar, "Note on the sampling error of
// the difference between correlated proportions", Psychometrika 12, 1947, with the
// binomial in place of the chi-square.
func (q *PairedProperty) Difference() (d float64, i Interval, ok bool) {
	if q.Runs == 0 {
		return 0, Interval{-1, 1}, false
	}
	d = float64(q.OnlyOther-q.OnlyBase) / float64(q.Runs)
	n := float64(q.Runs + 2)
	centre := float64(q.OnlyOther-q.OnlyBase) / n
	discordant := float64(q.OnlyOther+q.OnlyBase+2) / n
	half := float64(z95 * math.Sqrt((discordant-float64(centre*centre))/n))
	i = Interval{max(centre-half, -1), min(centre+half, 1)}
	if !q.lopsided() {
		i = Interval{min(i.Low, 0), max(i.High, 0)}
	}
	return d, i, true
}

// lopsided reports whether so few of the discordant pairs on one side have a chance
// below 2.5% if both sides are as likely: a quantile of the fair coin.
func (q *PairedProperty) lopsided() bool {
	low, _ := ranks(0.5, uint64(q.OnlyBase+q.OnlyOther))
	return uint64(min(q.OnlyBase, q.OnlyOther)) < low
}

func (m *PairedMeasure) add(totals *[2][]total) {
	var v [4]int64
	for side := range 2 {
		t := totals[side][m.at[side]]
		under := t.count
		switch {
		case m.Per != "" && m.per[side] >= 0:
			under = totals[side][m.per[side]].sum
		case m.Summed():
			under = 1
		}
		v[2*side], v[2*side+1] = t.sum, under
	}
	m.Runs++
	if v[0] != v[2] || v[1] != v[3] {
		m.Differ++
	}
	for i := range v {
		m.sums[i].add(v[i])
		for j := i; j < len(v); j++ {
			m.products[i][j].add(v[i], v[j])
		}
	}
}

func (m *PairedMeasure) merge(other *PairedMeasure) {
	m.Runs += other.Runs
	m.Differ += other.Differ
	for i := range m.sums {
		m.sums[i].merge(other.sums[i])
		for j := i; j < len(m.sums); j++ {
			m.products[i][j].merge(other.products[i][j])
		}
	}
}

// Difference is by how much the other program's mean is above that of the baseline,
// with its 95% interval; ok is false if one of them has no mean. Of one pair the
// interval is everything. Of counts that no run has more than one of it is that of
// [PairedProperty.Difference]. Where each run has one value, it is that of Student's t over
// the differences of the pairs; where the runs have different numbers of values, these
// weigh as much as there are of them.
//
// Source: Student, "The probable error of a mean", Biometrika 6, 1908; Cochran,
// Sampling Techniques, 3rd ed. 1977, chapter 6, comparison of two ratios.
func (m *PairedMeasure) Difference() (d float64, i Interval, ok bool) {
	under := [2]*big.Int{m.sums[1].big(), m.sums[3].big()}
	if under[0].Sign() == 0 || under[1].Sign() == 0 {
		return 0, Interval{math.Inf(-1), math.Inf(1)}, false
	}
	var mean [2]*big.Rat
	var weights [4]*big.Rat // of the four numbers of a pair in what it adds to the difference
	for side, sign := range [2]int64{-1, 1} {
		mean[side] = new(big.Rat).SetFrac(m.sums[2*side].big(), under[side])
		w := new(big.Rat).SetFrac(big.NewInt(sign), under[side])
		weights[2*side] = w
		weights[2*side+1] = new(big.Rat).Neg(new(big.Rat).Mul(w, mean[side]))
	}
	d, _ = new(big.Rat).Sub(mean[1], mean[0]).Float64()
	if m.Runs < 2 {
		return d, Interval{math.Inf(-1), math.Inf(1)}, true
	}
	if q, ok := m.shares(); ok {
		return q.Difference()
	}
	half := halfWidth(m.Runs, weights[:], func(a, b int) *big.Int { return m.products[a][b].big() })
	return d, Interval{d - half, d + half}, true
}

// shares are the totals as a property that is violated where there is one, if no run has
// more than one.
func (m *PairedMeasure) shares() (q PairedProperty, ok bool) {
	sum := [2]*big.Int{m.sums[0].big(), m.sums[2].big()}
	if !m.Total || m.Per != "" || !share(&m.Measure, sum[0], m.products[0][0].big()) || !share(&m.Measure, sum[1], m.products[2][2].big()) {
		return q, false
	}
	both := m.products[0][2].big()
	only := func(side int) int { return int(new(big.Int).Sub(sum[side], both).Int64()) }
	return PairedProperty{Runs: m.Runs, OnlyBase: only(0), OnlyOther: only(1)}, true
}
