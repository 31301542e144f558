package grid

import (
	"math"
	"math/big"

	"fencepost/scenarios/internal/strict"
)

// Values is the values of an axis: a list, a range, or cases, and not one value.
type Values struct {
	list  []*strict.Value
	span  *span         // nil if it is no range
	cases *strict.Value // nil if it has none; each is a mapping of paths and values
}

// Range is the values from one to another, evenly spaced.
type Range struct {
	From   *strict.Value `yaml:"from,required" schema:"any"` // the first value
	To     *strict.Value `yaml:"to,required" schema:"any"`   // the last; with step, what no value is beyond
	Step   *strict.Value `yaml:"step" schema:"any"`          // from one value to the next
	Points *strict.Value `yaml:"points" schema:"count"`      // how many values, both ends included
	Round  *strict.Value `yaml:"round" schema:"any"`         // to which multiple the values between the ends are rounded: the finest there is
	Log    bool          `yaml:"log"`                        // each value is the one before times the same factor: false
}

// UnmarshalStrict implements [strict.Unmarshaler].
func (a *Values) UnmarshalStrict(v *strict.Value) {
	var f Range
	switch {
	case v.Kind() == strict.List:
		if a.list = v.Items(); len(a.list) == 0 {
			v.Errorf("a list of no values: want at least one")
		}
	case v.Kind() != strict.Mapping:
		v.Reject("a list or range", `[a, b], lines with "- ", {from: a, to: b, step: c} or {from: a, to: b, points: 5}`)
	case isCases(v):
		if checkCases(v) {
			a.cases = v
		}
	case v.Field("from") == nil && v.Field("to") == nil:
		v.Errorf(`a mapping that is no range: want {from: a, to: b, step: c}, a list, or %s; the path of a value is one key, as in "params.ttl: [5s, 10s]"`, wantCases)
	case v.Decode(&f):
		a.span = f.read(v)
	}
}

// Size is how many values there are at most: some that are rounded may be the same, and
// count once.
func (a *Values) Size() uint64 {
	switch {
	case a.cases != nil:
		return uint64(a.cases.Len())
	case a.span != nil:
		return a.span.size
	}
	return uint64(len(a.list))
}

// Choices are those of an axis that is not too long, by its path or name.
func (a *Values) Choices(at strict.Position, path string) (list []Choice) {
	if a.cases != nil {
		return casesOf(path, a.cases)
	}
	for _, v := range a.values() {
		list = append(list, choiceOf(at, path, v))
	}
	return list
}

// values are those of a list or range that is not too long.
func (a *Values) values() []*strict.Value {
	if a.span == nil {
		return a.list
	}
	return a.span.values()
}

// span is a range: size numbers of a scale, step apart, or without a step evenly
// spaced up to the end.
type span struct {
	at             *strict.Value // where it stands
	scale          *strict.Scale
	from, to, step int64
	round          int64 // values between the ends are multiples of it
	size           uint64
	log            bool
}

// read checks a range; what is wrong is reported where it stands.
func (f *Range) read(at *strict.Value) *span {
	given := []*strict.Value{f.From, f.To}
	switch {
	case f.Step != nil && f.Points != nil:
		at.Errorf("a range with step and points: want one of them")
		return nil
	case f.Log && f.Points == nil:
		at.Errorf("a logarithmic range without points: want how many, as in points: 7")
		return nil
	case f.Step == nil && f.Points == nil:
		at.Errorf("a range without step or points: want how far apart its values are, or how many")
		return nil
	case f.Step != nil && f.Round != nil:
		at.Errorf("a range with step and round: want points, since what has a step is not rounded")
		return nil
	case f.Step != nil:
		given = append(given, f.Step)
	case f.Round != nil:
		given = append(given, f.Round)
	}
	var texts []string
	for _, v := range given {
		text, ok := number(v)
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	scale, numbers, bad, err := strict.NewScale(texts...)
	if err != nil {
		given[bad].Errorf("%v", err)
		return nil
	}
	s := &span{at: at, scale: scale, from: numbers[0], to: numbers[1], round: 1, log: f.Log}
	switch {
	case s.to < s.from:
		f.To.Errorf("the range ends at %s, before its start, %s: want the smaller first", texts[1], texts[0])
	case s.log && s.from <= 0:
		f.From.Errorf("a logarithmic range from %s: want a start above 0", texts[0])
	case f.Step != nil && numbers[2] <= 0:
		f.Step.Errorf("the step is %s: want one above 0", texts[2])
	case f.Round != nil && numbers[2] <= 0:
		f.Round.Errorf("round is %s: want more than 0", texts[2])
	case f.Step != nil:
		s.step = numbers[2]
		s.size = uint64(s.to-s.from)/uint64(s.step) + 1
		return s
	case s.count(f.Points):
		if f.Round != nil {
			s.round = numbers[2]
		}
		return s
	}
	return nil
}

// number is the text of a scalar.
func number(v *strict.Value) (string, bool) {
	if v.Kind() != strict.Scalar {
		v.Reject("a number", "one such as 3, 0.5, 250ms, 1%, 4KiB or 100/min")
		return "", false
	}
	return v.Scalar(), true
}

// count reads how many points a range has.
func (s *span) count(v *strict.Value) bool {
	n, ok := strict.Read[int64](v)
	different := uint64(s.to-s.from) + 1 // 0 is 2^64
	switch {
	case !ok:
	case n < 1, n == 1 && s.from != s.to:
		v.Errorf("points is %d: want 2 or more, since both ends are among them", n)
	case !s.log && different != 0 && uint64(n) > different && s.scale.Whole():
		v.Errorf("%d points, and there are only %d whole numbers from %s to %s; a share is written as 1%% or 0.01",
			n, different, s.scale.Text(s.from), s.scale.Text(s.to))
	case !s.log && different != 0 && uint64(n) > different:
		v.Errorf("%d points from %s to %s are finer than values can be: want at most %d", n, s.scale.Text(s.from), s.scale.Text(s.to), different)
	default:
		s.size = uint64(n)
		return true
	}
	return false
}

// values are the numbers of the range in its place. No two are the same.
func (s *span) values() (list []*strict.Value) {
	var last int64
	for i := range int64(s.size) {
		n := s.number(i)
		if i == 0 || n != last { // they ascend
			list = append(list, s.at.Written(s.scale.Text(n)))
		}
		last = n
	}
	return list
}

// number is the i-th value of the range, rounded to the nearest that can be written, and
// up if there are two; then between the ends to a multiple of round.
func (s *span) number(i int64) int64 {
	last := int64(s.size) - 1
	switch {
	case s.step > 0:
		return s.from + i*s.step
	case i == last:
		return s.to
	case i == 0:
		return s.from
	}
	n := s.between(i, last)
	if s.round == 1 {
		return n
	}
	round := big.NewInt(s.round)
	near := new(big.Int).Add(big.NewInt(n), big.NewInt(s.round/2))
	near.Div(near, round).Mul(near, round) // Div rounds down, negative numbers as well
	switch {
	case near.Cmp(big.NewInt(s.from)) < 0:
		return s.from
	case near.Cmp(big.NewInt(s.to)) > 0:
		return s.to
	}
	return near.Int64()
}

// between is the i-th of the values from 0 to last.
func (s *span) between(i, last int64) int64 {
	if s.log {
		return geometric(s.from, s.to, i, last)
	}
	n := new(big.Int).Sub(big.NewInt(s.to), big.NewInt(s.from))
	n.Mul(n, big.NewInt(2*i))
	n.Add(n, big.NewInt(last))
	n.Div(n, big.NewInt(2*last))
	return n.Add(n, big.NewInt(s.from)).Int64()
}

// geometric is a * (b/a)^(i/n), for 0 < a <= b and 0 <= i <= n, to the nearest whole
// number. A guess in floating point is only where the search begins: the result x is
// the one for which (2x-1)^n <= 2^n a^(n-i) b^i < (2x+1)^n, in whole numbers.
func geometric(a, b, i, n int64) int64 {
	common := new(big.Int).GCD(nil, nil, big.NewInt(i), big.NewInt(n)).Int64()
	i, n = i/common, n/common
	power := func(x, e int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(e), nil) }
	want := new(big.Int).Mul(power(a, n-i), power(b, i))
	want.Lsh(want, uint(n))
	// below reports whether x is too small: x + 1/2 is at most the value.
	below := func(x int64) bool {
		odd := new(big.Int).SetUint64(2*uint64(x) + 1)
		return odd.Exp(odd, big.NewInt(n), nil).Cmp(want) <= 0
	}
	low, high := a, b // the result is among them
	guess := int64(math.Exp((math.Log(float64(a))*float64(n-i) + math.Log(float64(b))*float64(i)) / float64(n)))
	near := guess>>40 + 2
	if x := guess - near; x > low && x < high && below(x) {
		low = x
	}
	if x := guess + near; x > low && x < high && !below(x) {
		high = x
	}
	for low < high {
		if x := low + (high-low)/2; below(x) {
			low = x + 1
		} else {
			high = x
		}
	}
	return low
}
