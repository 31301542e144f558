package stats

import (
	"math/big"

	"fencepost/sim"
)

// Measured is what was recorded of a measure. One that is a total or a ratio
// keeps the total of each run, any other keeps each value.
type Measured struct {
	sim.Measure
	values  histogram
	squares int192 // of the totals of the runs
	across  int192 // of the totals of the runs and those of the measure that this is a ratio to
	run     int64  // the total of the run being added
	per     int    // the measure that this is a ratio to, or -1
}

func (m *Measured) record(v int64) {
	if m.Summed() {
		m.run = add64(m.run, v)
		return
	}
	m.values.add(v)
}

func (m *Measured) endRun() {
	if !m.Summed() {
		return
	}
	if m.Unit == sim.Code {
		m.values.add(m.run)
	} else {
		m.values.tally(m.run)
	}
	m.squares.add(m.run, m.run)
	m.run = 0
}

func (m *Measured) merge(other *Measured) {
	m.values.merge(&other.values)
	m.squares.merge(other.squares)
	m.across.merge(other.across)
}

func (m *Measured) clear() {
	m.values.clear()
	m.squares, m.across, m.run = int192{}, int192{}, 0
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
// the runs, and so is its interval: that of none in n is not empty.
func (m *Measured) MeanInterval() (Interval, bool) {
	switch n := m.values.count; {
	case !m.Summed(), m.Unit == sim.Code:
		return Interval{}, false
	case n >= 2 && share(&m.Measure, m.values.sum.big(), m.squares.big()):
		return Wilson(int(m.values.sum.lo), int(n)), true
	default:
		return meanInterval(n, m.values.sum, m.squares)
	}
}

// share reports whether totals with this sum and sum of squares are counts of 0 and 1 only:
// any other whole number is less than its square.
func share(m *sim.Measure, sum, squares *big.Int) bool {
	return m.Unit == sim.Count && sum.Cmp(squares) == 0
}

// Coded is how many runs have a code.
type Coded struct {
	Code int64
	Runs uint64
}

// Codes are the totals of a measure of codes, the least first. Two are told apart below 256, and above it
// where they are 1/128 apart, as 409 and 422 are.
func (m *Measured) Codes() (list []Coded) {
	if m.Unit != sim.Code {
		return nil
	}
	for _, b := range m.values.buckets() {
		list = append(list, Coded{b.most, b.count})
	}
	return list
}

// Quantile is a quantile of the values with an interval for it.
type Quantile struct {
	Value     int64
	Low, High *int64 // nil where there are too few values for a bound
}

// Quantile is a quantile of a measure that is not summed: the least value that is not
// below perMille thousandths of all, 999 for the 99.9th percentile. It is a value that was recorded,
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
