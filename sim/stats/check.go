package stats

import (
	"fmt"
	"math"
	"math/big"

	"fencepost/sim"
)

// What is known of the numbers of a tally that comes from elsewhere. Numbers that no runs add up to are refused here;
// that the runs were done, and gave these numbers, can only be seen by doing them again.

// maxCount bounds each count: no machine counts so far, and the counts of all parts of a job add up without overflow.
const maxCount = 1 << 46

// maxRuns bounds each count that is an int, which has 32 bits on some machines.
const maxRuns = min(maxCount, math.MaxInt)

// Range says which runs a tally is of.
type Range struct {
	Runs  int
	Seed  uint64 // of the first
	Nodes []string
	Until sim.Time
}

// Check says which number of a tally cannot be the result of some runs, and which it would have to be.
func (t *Tally) Check(r Range) error {
	if t.Runs != r.Runs {
		return fmt.Errorf("runs is %d: want %d", t.Runs, r.Runs)
	}
	for i, s := range t.Faults {
		if s.Runs > 0 && s.First > r.Until {
			return fmt.Errorf("faults[%d].First is %d: want at most %d, where a run ends", i, int64(s.First), int64(r.Until))
		}
	}
	for i := range t.Properties {
		f := t.Properties[i].First
		if f == nil {
			continue
		}
		if want := r.Seed + uint64(f.Run-1); f.Seed != want {
			return fmt.Errorf("properties[%d].First.Seed is %d: want %d, the seed of run %d", i, f.Seed, want, f.Run)
		}
		for k, id := range f.Nodes {
			if id < sim.None || int(id) > len(r.Nodes) {
				return fmt.Errorf("properties[%d].First.Nodes[%d] is %d: want 0 to %d", i, k, id, len(r.Nodes))
			}
		}
	}
	p := t.FirstPanic
	if p == nil {
		return nil
	}
	switch want := r.Seed + uint64(p.Run-1); {
	case p.Seed != want:
		return fmt.Errorf("first_panic.Seed is %d: want %d, the seed of run %d", p.Seed, want, p.Run)
	case p.Node < sim.None || int(p.Node) > len(r.Nodes):
		return fmt.Errorf("first_panic.Node is %d: want 0 to %d", p.Node, len(r.Nodes))
	case p.Node != sim.None && p.Name != r.Nodes[p.Node-1]:
		return fmt.Errorf("first_panic.Name is %q: want %q", p.Name, r.Nodes[p.Node-1])
	}
	return nil
}

// Again compares the first violations and the first panic of a tally with what their runs give, done again, and says in
// what they differ. The run of a seed is done once.
func (t *Tally) Again(run func(seed uint64) *sim.Result) error {
	for i := range t.Properties {
		p := &t.Properties[i]
		if p.First == nil {
			continue
		}
		f := run(p.First.Seed).Properties[i]
		switch {
		case f.Verdict != sim.Violated:
			return fmt.Errorf("properties[%d].First.Run is %d: this run has no violation", i, p.First.Run)
		case p.First.At != f.First:
			return fmt.Errorf("properties[%d].First.At is %d: want %d", i, int64(p.First.At), int64(f.First))
		case p.First.Nodes != f.Nodes:
			return fmt.Errorf("properties[%d].First.Nodes is %v: want %v", i, p.First.Nodes, f.Nodes)
		case p.Violations < f.Violations+p.Violated-1 || p.Violated == 1 && p.Violations != f.Violations:
			return fmt.Errorf("properties[%d].Violations is %d: want %d, and at least 1 for each other run", i, p.Violations, f.Violations)
		}
	}
	if t.FirstPanic == nil {
		return nil
	}
	have, want := t.FirstPanic.Panic, run(t.FirstPanic.Seed).Panic
	if want == nil {
		return fmt.Errorf("first_panic.Run is %d: this run does not panic", t.FirstPanic.Run)
	}
	same := *want
	same.Stack, have.Stack = "", ""
	if have != same {
		return fmt.Errorf("first_panic is %v: want %v", have, same)
	}
	return nil
}

// Firsts reports whether a tally has the first violation of a property, or the first panic, after the runs before it.
func (t *Tally) Firsts(before *Tally) bool {
	for i := range t.Properties {
		if t.Properties[i].First != nil && before.Properties[i].First == nil {
			return true
		}
	}
	return t.FirstPanic != nil && before.FirstPanic == nil
}

// check says which number of a tally cannot be the result of any runs.
func (t *Tally) check() error {
	switch {
	case t.Runs < 0 || t.Runs > maxRuns:
		return fmt.Errorf("runs is %d: want 0 to %d", t.Runs, maxRuns)
	case t.Steps > maxCount:
		return fmt.Errorf("steps is %d: want at most %d", t.Steps, uint64(maxCount))
	case t.Panics < 0 || t.Panics > t.Runs:
		return fmt.Errorf("panics is %d: want 0 to %d, the runs", t.Panics, t.Runs)
	case (t.FirstPanic != nil) != (t.Panics > 0):
		return fmt.Errorf("first_panic: want it where there are panics, and there are %d", t.Panics)
	case t.Panics > 0 && (t.FirstPanic.Run < 1 || t.FirstPanic.Run > t.Runs-t.Panics+1):
		return fmt.Errorf("first_panic.Run is %d: want 1 to %d", t.FirstPanic.Run, t.Runs-t.Panics+1)
	}
	for i := range t.Faults {
		if err := t.Faults[i].check(t.Runs); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	for i := range t.Properties {
		if err := t.Properties[i].check(t.Runs, t.Panics); err != nil {
			return fmt.Errorf("properties[%d].%w", i, err)
		}
	}
	for i := range t.Measures {
		m := &t.Measures[i]
		err := m.check(t.Runs)
		if err == nil {
			err = t.checkAcross(m)
		}
		if err != nil {
			return fmt.Errorf("measures[%d], %s: %w", i, m.Name, err)
		}
	}
	return nil
}

func (s *Injected) check(runs int) error {
	switch {
	case s.Runs < 0 || s.Runs > runs:
		return fmt.Errorf("field Runs is %d: want 0 to %d, the runs", s.Runs, runs)
	case s.Total < s.Runs || s.Total > maxRuns || s.Runs == 0 && s.Total > 0:
		return fmt.Errorf("field Total is %d: want at least 1 for each of %d runs", s.Total, s.Runs)
	case s.Runs == 0 && s.First != sim.Never:
		return fmt.Errorf("field First is %d: want %d, as in no run it was injected", int64(s.First), int64(sim.Never))
	case s.First < 0:
		return fmt.Errorf("field First is %d: want at least 0", int64(s.First))
	}
	return nil
}

func (j *Checked) check(runs, panics int) error {
	if j.Violated < 0 || j.Held < 0 || j.NotExercised < 0 || j.Violated > runs || j.Held > runs-panics || j.Violated+j.Held+j.NotExercised != runs {
		return fmt.Errorf("field Violated, Held and NotExercised are %d, %d and %d: want them to add up to %d runs, %d of which panic", j.Violated, j.Held, j.NotExercised, runs, panics)
	}
	switch {
	case j.Violations < j.Violated || j.Violations > maxRuns || j.Violated == 0 && j.Violations > 0:
		return fmt.Errorf("field Violations is %d: want at least 1 for each of %d runs", j.Violations, j.Violated)
	case (j.First != nil) != (j.Violated > 0):
		return fmt.Errorf("field First: want it where a run is violated, and %d are", j.Violated)
	case j.First != nil && (j.First.Run < 1 || j.First.Run > runs-j.Violated+1):
		return fmt.Errorf("field First.Run is %d: want 1 to %d", j.First.Run, runs-j.Violated+1)
	case j.First != nil && j.First.At < 0:
		return fmt.Errorf("First.At is %d: want at least 0", int64(j.First.At))
	}
	return nil
}

// magnitudes are the least and the greatest magnitude of a bucket: the inverse of place.
func magnitudes(oct, sub int) (least, most uint64) {
	if oct == 0 {
		return uint64(sub), uint64(sub)
	}
	least = uint64(sub+subs) << (oct - 1)
	return least, least + 1<<(oct-1) - 1
}

func (m *Measured) check(runs int) error {
	h := &m.values
	switch {
	case h.count > maxCount:
		return fmt.Errorf("n is %d: want at most %d", h.count, uint64(maxCount))
	case m.Summed() && h.count != uint64(runs):
		return fmt.Errorf("n is %d: want %d, the runs", h.count, runs)
	case h.min > h.max:
		return fmt.Errorf("min is %d: want at most max, %d", h.min, h.max)
	case !m.Summed() && m.squares != int192{}:
		return fmt.Errorf("squares is %v: want none of a measure that is no total", m.squares.big())
	}
	if !m.Summed() {
		return h.checkBuckets()
	}
	switch coded := m.Unit == sim.Code; {
	case coded:
		if err := h.checkBuckets(); err != nil {
			return err
		}
	case len(h.up.text())+len(h.down.text()) > 0:
		return fmt.Errorf("up and down have buckets: want none of a total")
	}
	low, high := bounds(h.count, h.min, h.max)
	if err := within("sum", h.sum.big(), low, high); err != nil {
		return err
	}
	return m.checkSquares()
}

// bounds are between what sums n values lie, the least and the greatest of which are known.
func bounds(n uint64, least, most int64) (low, high *big.Int) {
	if n == 0 {
		return big.NewInt(0), big.NewInt(0)
	}
	rest, a, b := new(big.Int).SetUint64(n-1), big.NewInt(least), big.NewInt(most)
	low, high = new(big.Int).Mul(rest, a), new(big.Int).Mul(rest, b)
	return low.Add(low, b), high.Add(high, a)
}

func within(name string, n, low, high *big.Int) error {
	if n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return fmt.Errorf("%s is %v: want %v to %v, by how many values there are and how large", name, n, low, high)
	}
	return nil
}

// checkSquares compares the sum of the squares of some totals with what their number, their sum, the least and the
// greatest of them leave open: by the inequalities of Cauchy and Schwarz, and of Bhatia and Davis, over all but these two.
// A whole number and its square are both even or both odd.
func (m *Measured) checkSquares() error {
	h := &m.values
	squares := m.squares.big()
	if h.count == 0 {
		return within("squares", squares, new(big.Int), new(big.Int))
	}
	a, b := big.NewInt(h.min), big.NewInt(h.max)
	product, ends := new(big.Int).Mul(a, b), new(big.Int).Add(a, b)
	known := new(big.Int).Mul(a, a)
	sum := h.sum.big()
	rest := new(big.Int).Sub(sum, a)
	n := new(big.Int).SetUint64(h.count - 1)
	if h.count > 1 {
		known.Add(known, new(big.Int).Mul(b, b))
		rest.Sub(rest, b)
		n.Sub(n, big.NewInt(1))
	}
	low, high := new(big.Int), new(big.Int)
	if n.Sign() > 0 {
		low.Mul(rest, rest)
		low.Div(low.Add(low, new(big.Int).Sub(n, big.NewInt(1))), n) // rounded up
		high.Mul(ends, rest)
		high.Sub(high, product.Mul(product, n))
	}
	if err := within("squares", squares, low.Add(low, known), high.Add(high, known)); err != nil {
		return err
	}
	if squares.Bit(0) != sum.Bit(0) {
		return fmt.Errorf("squares is %v: want it even if and only if sum is, %v", squares, sum)
	}
	return nil
}

// checkAcross compares a ratio with the measure that it is a ratio to.
func (t *Tally) checkAcross(m *Measured) error {
	if m.per < 0 || !t.Measures[m.per].Summed() || !m.Summed() {
		if (m.across != int192{}) {
			return fmt.Errorf("across is %v: want none of a measure that is no ratio of totals", m.across.big())
		}
		return nil
	}
	per := &t.Measures[m.per]
	own, other := m.values.sum.big(), per.values.sum.big()
	if m.Independent && (m.values.min < 0 || own.Cmp(other) > 0) {
		return fmt.Errorf("sum is %v: want 0 to %v, the sum of %s", own, other, per.Name)
	}
	return checkProducts("across", t.Runs, m.across.big(), own, other, m.squares.big(), per.squares.big())
}

// checkProducts compares the sum of the products of two numbers of each run with their sums and squares: the square of
// the covariance is at most the product of the variances.
func checkProducts(name string, runs int, products, a, b, squaresA, squaresB *big.Int) error {
	n := big.NewInt(int64(runs))
	covariance := func(p, x, y *big.Int) *big.Int {
		v := new(big.Int).Mul(n, p)
		return v.Sub(v, new(big.Int).Mul(x, y))
	}
	most := new(big.Int).Mul(covariance(squaresA, a, a), covariance(squaresB, b, b))
	if c := covariance(products, a, b); most.Sign() < 0 || c.Mul(c, c).Cmp(most) > 0 {
		return fmt.Errorf("%s is %v: want it within what the sums %v and %v of %d runs and their squares leave open", name, products, a, b, runs)
	}
	return nil
}

// checkBuckets compares the numbers of a histogram with its buckets.
func (h *histogram) checkBuckets() error {
	list := h.buckets()
	var n uint64
	for _, b := range list {
		n += b.count
	}
	if n != h.count {
		return fmt.Errorf("n is %d: want %d, as the buckets have", h.count, n)
	}
	if n == 0 {
		if h.min != 0 || h.max != 0 || h.sum != (int128{}) {
			return fmt.Errorf("sum, min and max are %v, %d and %d: want 0 of no value", h.sum.big(), h.min, h.max)
		}
		return nil
	}
	first, last := &list[0], &list[len(list)-1]
	switch {
	case h.max != last.most:
		return fmt.Errorf("max is %d: want %d, the most of its bucket", h.max, last.most)
	case h.min < first.least || h.min > first.most || first.count == 1 && h.min != first.most:
		return fmt.Errorf("min is %d: want it in the first bucket, %d to %d", h.min, first.least, first.most)
	}
	first.least = h.min
	low, high := new(big.Int), new(big.Int)
	for i := range list {
		l, m := bounds(list[i].count, list[i].least, list[i].most)
		if i > 0 { // whether the least value of the bucket is in it is not known
			m = new(big.Int).Mul(new(big.Int).SetUint64(list[i].count), big.NewInt(list[i].most))
		}
		low.Add(low, l)
		high.Add(high, m)
	}
	return within("sum", h.sum.big(), low, high)
}

// filled is a bucket that holds values: the least that it may hold, and the greatest that it does.
type filled struct {
	least, most int64
	count       uint64
}

// buckets lists those that hold values, from the least values up.
func (h *histogram) buckets() (list []filled) {
	down := h.down.text()
	for i := len(down) - 1; i >= 0; i-- {
		_, most := magnitudes(down[i].At/subs, down[i].At%subs)
		list = append(list, filled{int64(^most), down[i].Most, down[i].Count})
	}
	for _, b := range h.up.text() {
		least, _ := magnitudes(b.At/subs, b.At%subs)
		list = append(list, filled{int64(least), b.Most, b.Count})
	}
	return list
}

// check says which number of some pairs cannot be the result of any runs.
func (p *Paired) check() error {
	if p.Runs < 0 || p.Runs > maxRuns {
		return fmt.Errorf("runs is %d: want 0 to %d", p.Runs, maxRuns)
	}
	for i := range p.Properties {
		q := &p.Properties[i]
		if q.Runs < 0 || q.Runs > p.Runs || q.OnlyBase < 0 || q.OnlyOther < 0 || q.OnlyBase > q.Runs || q.OnlyOther > q.Runs-q.OnlyBase {
			return fmt.Errorf("properties[%d], %s: Runs, OnlyBase and OnlyOther are %d, %d and %d: want at most %d pairs, and at most as many that differ",
				i, q.Name, q.Runs, q.OnlyBase, q.OnlyOther, p.Runs)
		}
	}
	for i := range p.Measures {
		if err := p.Measures[i].check(); err != nil {
			return fmt.Errorf("measures[%d], %s: %w", i, p.Measures[i].Name, err)
		}
	}
	return nil
}

func (m *PairedMeasure) check() error {
	if m.Differ < 0 || m.Differ > m.Runs {
		return fmt.Errorf("differ is %d: want 0 to %d, the pairs", m.Differ, m.Runs)
	}
	for a := range m.sums {
		for b := a; b < len(m.sums); b++ {
			name := fmt.Sprintf("products[%d] with [%d]", a, b)
			squares := m.products[a][a].big()
			if a == b && squares.Bit(0) != m.sums[a].big().Bit(0) {
				return fmt.Errorf("%s is %v: want it even if and only if the sum is, %v", name, squares, m.sums[a].big())
			}
			err := checkProducts(name, m.Runs, m.products[a][b].big(), m.sums[a].big(), m.sums[b].big(), squares, m.products[b][b].big())
			if err != nil {
				return err
			}
		}
	}
	if over, under := m.apart(0), m.apart(1); m.Differ == 0 != (over.Sign() == 0 && under.Sign() == 0) || big.NewInt(int64(m.Differ)).Cmp(over.Add(over, under)) > 0 {
		return fmt.Errorf("differ is %d: want it as the squares of the differences have it, which add up to %v", m.Differ, over)
	}
	return nil
}

// apart is the sum of the squares of the differences between two numbers of each pair.
func (m *PairedMeasure) apart(i int) *big.Int {
	d := new(big.Int).Add(m.products[i][i].big(), m.products[i+2][i+2].big())
	return d.Sub(d, new(big.Int).Lsh(m.products[i][i+2].big(), 1))
}

// Check compares pairs with the tallies of their runs.
func (p *Paired) Check(base, other *Tally) error {
	if p.Runs != base.Runs || p.Runs != other.Runs {
		return fmt.Errorf("runs is %d: want %d", p.Runs, base.Runs)
	}
	tallies := [2]*Tally{base, other}
	for i := range p.Properties {
		if err := p.Properties[i].compare(base, other); err != nil {
			return fmt.Errorf("properties[%d], %s: %w", i, p.Properties[i].Name, err)
		}
	}
	for i := range p.Measures {
		m := &p.Measures[i]
		for side, t := range tallies {
			if err := m.compare(side, t); err != nil {
				return fmt.Errorf("measures[%d], %s: %w", i, m.Name, err)
			}
		}
	}
	return nil
}

func (q *PairedProperty) compare(base, other *Tally) error {
	a, b := &base.Properties[q.at[0]], &other.Properties[q.at[1]]
	least := max(a.Runs()+b.Runs()-base.Runs, 0)
	switch {
	case q.Runs < least || q.Runs > min(a.Runs(), b.Runs()):
		return fmt.Errorf("field Runs is %d: want %d to %d, as the tallies have it", q.Runs, least, min(a.Runs(), b.Runs()))
	case q.OnlyBase > a.Violated || q.OnlyOther > b.Violated:
		return fmt.Errorf("OnlyBase and OnlyOther are %d and %d: want at most %d and %d, as the tallies have it", q.OnlyBase, q.OnlyOther, a.Violated, b.Violated)
	case q.Runs == base.Runs && q.OnlyOther-q.OnlyBase != b.Violated-a.Violated:
		return fmt.Errorf("OnlyOther - OnlyBase is %d: want %d, as the tallies have it", q.OnlyOther-q.OnlyBase, b.Violated-a.Violated)
	}
	return nil
}

// compare compares one side of the pairs with the tally of its runs.
func (m *PairedMeasure) compare(side int, t *Tally) error {
	own := &t.Measures[m.at[side]]
	h := &own.values
	under := int128{0, h.count}
	switch {
	case m.Per != "" && m.per[side] >= 0 && t.Measures[m.per[side]].Summed():
		under = t.Measures[m.per[side]].values.sum
	case m.Per != "" && m.per[side] >= 0:
		return nil
	}
	// Beyond this the total of a run might be cut off at the ends of int64, of values that are no totals.
	whole := own.Summed() || h.count == 0 || max(-(h.min+1), h.max) <= math.MaxInt64/int64(h.count)
	switch {
	case whole && m.sums[2*side] != h.sum:
		return fmt.Errorf("sums[%d] is %v: want %v, as the tally has it", 2*side, m.sums[2*side].big(), h.sum.big())
	case m.sums[2*side+1] != under:
		return fmt.Errorf("sums[%d] is %v: want %v, as the tally has it", 2*side+1, m.sums[2*side+1].big(), under.big())
	case own.Summed() && m.products[2*side][2*side] != own.squares:
		return fmt.Errorf("products[%d] with [%d] is %v: want %v, as the tally has it", 2*side, 2*side, m.products[2*side][2*side].big(), own.squares.big())
	}
	return nil
}
