package figure

import (
	"math"
)

// An extent is the least and the greatest value that an axis has to show.
type extent struct {
	scale  Scale
	lo, hi float64
	any    bool
	foot   bool // bars stand on 0
}

// newExtent is what an axis has to show without any data.
func newExtent(x *Axis) extent {
	e := extent{scale: x.Scale}
	if x.From != 0 || x.To != 0 {
		e.add(x.From)
		e.add(x.To)
	}
	for _, m := range x.Marks {
		e.add(m.At)
	}
	return e
}

func (e *extent) add(v float64) {
	switch {
	case e.scale == Log && v <= 0: // at the lower edge
		return
	case e.scale == Nines && v >= 1: // at the upper edge
		return
	case !e.any:
		e.lo, e.hi, e.any = v, v, true
	}
	e.lo, e.hi = min(e.lo, v), max(e.hi, v)
}

func (e *extent) join(o extent) {
	if o.any {
		e.add(o.lo)
		e.add(o.hi)
	}
	e.foot = e.foot || o.foot
}

// A scale is an axis with its range.
type scale struct {
	kind   Scale
	unit   Unit
	lo, hi float64  // the ends
	a, b   float64  // the ends, as transformed
	names  []string // instead of numbers
	empty  bool     // no data, no ticks
}

// A tick is a labelled place on an axis.
type tick struct {
	at    float64 // 0 to 1
	label string
}

// newScale is a range that holds an extent. A snug one ends with its data; one that is
// not ends at a round number.
func newScale(x *Axis, e extent, snug bool) scale {
	s := scale{kind: x.Scale, unit: x.Unit, empty: !e.any}
	switch {
	case s.kind == Nines:
		s.lo, s.hi = 0, 0.99
		if e.any {
			s.hi = max(0.9, e.hi)
		}
	case s.kind == Log:
		if !e.any {
			e.lo, e.hi = 1, 10
		}
		s.lo, s.hi = roundDown(e.lo), roundUp(e.hi)
		if s.lo == s.hi {
			s.lo, s.hi = s.lo/10, s.hi*10
		}
	default:
		s.linear(e, snug)
	}
	s.a, s.b = s.transform(s.lo), s.transform(s.hi)
	if s.kind == Nines {
		s.b += 0.15 // room for the values of 1
	}
	return s
}

func (s *scale) linear(e extent, snug bool) {
	if !e.any {
		e.lo, e.hi = 0, 1
	}
	if e.foot || e.lo > 0 && e.lo < e.hi/2 && !(snug && e.lo > e.hi/4) {
		e.lo, e.hi = min(e.lo, 0), max(e.hi, 0)
	}
	if size := max(math.Abs(e.lo), math.Abs(e.hi)); e.hi-e.lo <= size*1e-9 { // one value
		switch {
		case size == 0:
			e.hi = 1
		case e.lo > 0 && !snug:
			e.lo = 0
		default:
			e.lo, e.hi = e.lo-size/2, e.hi+size/2
		}
	}
	s.lo, s.hi = e.lo, e.hi
	if !snug {
		step := s.steps(e.hi-e.lo, maxParts)
		s.lo, s.hi = math.Floor(e.lo/step+1e-6)*step, math.Ceil(e.hi/step-1e-6)*step
	}
}

func (s *scale) transform(v float64) float64 {
	switch s.kind {
	case Log:
		if v <= 0 {
			return s.a
		}
		return math.Log10(v)
	case Nines:
		if v >= 1 {
			return s.b
		}
		return -math.Log10(1 - v)
	}
	return v
}

// at is where a value is, 0 to 1.
func (s *scale) at(v float64) float64 {
	return min(max((s.transform(v)-s.a)/(s.b-s.a), 0), 1)
}

// maxParts is into how many parts the ticks cut an axis that ends at round numbers.
const maxParts = 7

// round125 are the round numbers of a decade.
var round125 = [...]float64{1, 2, 5}

// decade is the exponent of a positive number, whatever a logarithm rounds to.
func decade(v float64) int {
	k := int(math.Floor(math.Log10(v)))
	for math.Pow10(k) > v {
		k--
	}
	for math.Pow10(k+1) <= v {
		k++
	}
	return k
}

func roundDown(v float64) float64 {
	unit := math.Pow10(decade(v))
	for i := 2; i > 0; i-- {
		if r := round125[i] * unit; r <= v*(1+1e-9) {
			return r
		}
	}
	return unit
}

func roundUp(v float64) float64 {
	unit := math.Pow10(decade(v))
	for _, r := range round125 {
		if r*unit >= v*(1-1e-9) {
			return r * unit
		}
	}
	return unit * 10
}

// clockSteps are those of seconds from ten on, of minutes and of hours.
var clockSteps = []float64{10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600}

// steps is the least round step that cuts a range in at most n parts.
func (s *scale) steps(size float64, n int) float64 {
	least := size / float64(n) * (1 - 1e-9)
	if s.unit == Nanoseconds && least > 5e9 && least <= 24*3600e9 {
		for _, c := range clockSteps {
			if c*1e9 >= least {
				return c * 1e9
			}
		}
	}
	step := roundUp(least)
	if s.unit == Count {
		step = max(step, 1)
	}
	return step
}

// ticks are as many as there is room for: fits says whether they can be labelled.
func (s *scale) ticks(most int, fits func([]tick) bool) (list []tick) {
	switch {
	case s.names != nil:
		return s.named(fits)
	case s.empty:
		return nil
	case s.kind == Log:
		return s.logTicks(fits)
	case s.kind == Nines:
		list = append(list, tick{s.at(0), "0%"}, tick{s.at(0.5), "50%"})
		for k := 1; 1-math.Pow10(-k) <= s.hi+1e-12 && k < 10; k++ {
			v := 1 - math.Pow10(-k)
			p := Share.prefix(v)
			list = append(list, tick{s.at(v), p.text(v, max(k-2, 0), false)})
		}
		return list
	}
	for n := most; n > 1; n-- {
		if list = s.every(s.steps(s.hi-s.lo, n)); fits(list) {
			return list
		}
	}
	return list
}

// every is the multiples of a step.
func (s *scale) every(step float64) (list []tick) {
	p := s.unit.prefix(max(math.Abs(s.lo), math.Abs(s.hi)))
	decimals := p.decimals(step)
	for k := math.Ceil(s.lo/step - 1e-6); k <= math.Floor(s.hi/step+1e-6) && len(list) < 100; k++ {
		v := k*step + 0 // not -0
		if v == 0 && s.unit != Share {
			list = append(list, tick{s.at(0), "0"})
			continue
		}
		list = append(list, tick{s.at(v), p.text(v, decimals, false)})
	}
	return list
}

// logTicks are 1, 2 and 5 of every decade, or decades, or every n-th decade.
func (s *scale) logTicks(fits func([]tick) bool) (list []tick) {
	from, to := decade(s.lo), decade(s.hi)
	for _, parts := range []int{3, 1} {
		list = list[:0]
		for k := from; k <= to; k++ {
			for _, r := range round125[:parts] {
				list = s.logTick(list, r*math.Pow10(k))
			}
		}
		if len(list) > 1 && fits(list) {
			return list
		}
	}
	for every := 2; every < 1000; every++ {
		list = list[:0]
		for k := from; k <= to; k += every {
			list = s.logTick(list, math.Pow10(k))
		}
		if fits(list) {
			break
		}
	}
	return list
}

func (s *scale) logTick(list []tick, v float64) []tick {
	if v < s.lo*(1-1e-9) || v > s.hi*(1+1e-9) {
		return list
	}
	p := s.unit.prefix(v * (1 + 1e-9))
	if s.unit == Nanoseconds && v > 1e9 {
		p = prefix{1e9, " s"} // 1,000 s and not 16.7 min
	}
	return append(list, tick{s.at(v), p.text(v, p.decimals(v), true)})
}

// minor are the unlabelled places between the decades.
func (s *scale) minor() (list []float64) {
	if s.kind != Log || s.empty || s.b-s.a > 8 {
		return nil
	}
	for k := decade(s.lo); k <= decade(s.hi); k++ {
		for d := 1.0; d < 10; d++ {
			if v := d * math.Pow10(k); v >= s.lo*(1-1e-9) && v <= s.hi*(1+1e-9) {
				list = append(list, s.at(v))
			}
		}
	}
	return list
}

// named are the names, every one or every n-th.
func (s *scale) named(fits func([]tick) bool) (list []tick) {
	for every := 1; ; every++ {
		list = list[:0]
		for i := 0; i < len(s.names); i += every {
			list = append(list, tick{(float64(i) + 0.5) / float64(len(s.names)), s.names[i]})
		}
		if len(list) < 2 || fits(list) {
			return list
		}
	}
}
