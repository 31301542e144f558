// Package amount reads values of scenario files that lie on a line, and writes
// those between them: durations, counts, shares, rates and sizes.
package amount

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"fencepost/sim"
)

// Value is a quantity: a whole number of grains, which are the finest that the scenario
// format can write. The zero Value is the count 0.
type Value struct {
	Grains int64
	is     family
	unit   unit   // in which it is written
	per    string // of a rate: what follows the count, as in "/min"
	bare   bool   // it is 0 without a unit
}

type family uint8

const (
	counts family = iota
	shares        // parts per billion: 0.5, 1%, 200ppm
	lengths
	sizes
	rates
)

func (f family) String() string {
	return [...]string{"a count", "a share", "a duration", "a size", "a rate"}[f]
}

type unit struct {
	name   string
	grains int64
}

// units are those of the families that are a number and a unit.
var units = map[family][]unit{
	shares: {{"%", 1e7}, {"ppm", 1e3}, {"ppb", 1}},
	sizes: {{"TiB", 1 << 40}, {"TB", 1e12}, {"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6},
		{"KiB", 1 << 10}, {"KB", 1e3}, {"kB", 1e3}, {"B", 1}},
}

// most bounds a quantity, so that the difference of two is no overflow.
const most = 1 << 62

var errWant = errors.New("want a duration (8060ms), a count (5), a share (0.5, 1%, 200ppm), a rate (100/min) or a size (4KiB)")

// Parse reads a quantity as the scenario format writes it.
func Parse(text string) (Value, error) {
	text = strings.TrimSpace(text)
	if count, per, ok := strings.Cut(text, "/"); ok && per != "" {
		n, err := scaled(count, 1)
		return Value{Grains: n, is: rates, unit: unit{"", 1}, per: "/" + per}, wrap(text, err)
	}
	if n, err := scaled(text, 1); err == nil {
		return Value{Grains: n, unit: unit{"", 1}, bare: n == 0}, nil
	}
	if n, err := scaled(text, 1e9); err == nil {
		return Value{Grains: n, is: shares, unit: unit{"", 1e9}}, nil
	}
	for _, f := range []family{shares, sizes} {
		for _, u := range units[f] {
			number, ok := strings.CutSuffix(text, u.name)
			if !ok {
				continue
			}
			if n, err := scaled(strings.TrimSpace(number), u.grains); err == nil {
				return Value{Grains: n, is: f, unit: u}, nil
			}
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d < most && d > -most {
		return Value{Grains: int64(d), is: lengths}, nil
	}
	return Value{}, wrap(text, errWant)
}

func wrap(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q: %w", text, errWant)
}

// scaled is a decimal number times size, if that is whole.
func scaled(number string, size int64) (int64, error) {
	if strings.ContainsAny(number, "eE/_xXpPiIn") || len(number) > 40 {
		return 0, errWant
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, errWant
	}
	r.Mul(r, new(big.Rat).SetInt64(size))
	if !r.IsInt() || r.Num().CmpAbs(big.NewInt(most)) >= 0 {
		return 0, errWant
	}
	return r.Num().Int64(), nil
}

// Range is the values from one to another, a step apart; the last step may be shorter.
type Range struct {
	from, to Value
	step     int64 // grains
}

// NewRange makes the range between two quantities of one kind. Without a step it has at
// least this many steps, each a power of ten of grains, if there are that many.
func NewRange(from, to Value, step *Value, least int64) (Range, error) {
	r := Range{from: from, to: to}
	if err := r.agree(step); err != nil {
		return Range{}, err
	}
	span := max(r.to.Grains-r.from.Grains, r.from.Grains-r.to.Grains)
	if span == 0 {
		return Range{}, fmt.Errorf("the range from %s to %s is empty", r.from, r.to)
	}
	if step != nil {
		r.step = step.Grains
		return r, nil
	}
	r.step = 1
	for r.step <= span/least/10 {
		r.step *= 10
	}
	return r, nil
}

// agree makes the ends and the step of one kind, or says why they are not.
func (r *Range) agree(step *Value) error {
	if step != nil {
		s := *step
		if s.Grains <= 0 {
			return fmt.Errorf("the step: want more than 0, got %s", s)
		}
		for _, end := range []*Value{&r.from, &r.to} {
			end.widen(s)
		}
	}
	r.from.widen(r.to)
	r.to.widen(r.from)
	if r.from.is != r.to.is || r.from.per != r.to.per {
		return fmt.Errorf("%s is %s and %s is %s: want both of one kind", r.from, r.from.kind(), r.to, r.to.kind())
	}
	if step == nil {
		return nil
	}
	if r.from.is == rates && step.is == counts {
		step.is, step.per = rates, r.from.per
	}
	step.widen(r.from)
	if step.is != r.from.is || step.per != r.from.per {
		return fmt.Errorf("the step %s is %s and the range is of %s: want both of one kind", *step, step.kind(), r.from.kind())
	}
	return nil
}

func (v Value) kind() string {
	if v.is == rates {
		return "a rate " + v.per
	}
	return v.is.String()
}

// widen reads a bare 0, and a count beside a share, as what the other value is.
func (v *Value) widen(other Value) {
	switch {
	case v.bare && !other.bare:
		*v = Value{is: other.is, unit: other.unit, per: other.per}
	case v.is == counts && other.is == shares && other.unit.name == "" && v.Grains <= 1 && v.Grains >= 0:
		v.is, v.unit, v.Grains = shares, other.unit, v.Grains*other.unit.grains
	}
}

// Steps is how many steps lie between the ends.
func (r Range) Steps() int64 {
	span := max(r.to.Grains-r.from.Grains, r.from.Grains-r.to.Grains)
	return (span-1)/r.step + 1
}

// Coarser is the range with steps ten times as long, false if it then had only one.
func (r Range) Coarser() (Range, bool) {
	if r.Steps() <= 10 {
		return r, false
	}
	r.step *= 10
	return r, true
}

// At is the value k steps from the first.
func (r Range) At(k int64) Value {
	v := r.from
	switch {
	case k >= r.Steps():
		v.Grains = r.to.Grains
	case r.to.Grains > r.from.Grains:
		v.Grains += k * r.step
	default:
		v.Grains -= k * r.step
	}
	return v
}

// Step is the length of a step.
func (r Range) Step() Value {
	v := r.from
	v.Grains = r.step
	return v
}

// Around is a range about a quantity, from one step to twice of it, a share to at most 1: with at most 50 values, of
// which it is one where a whole number of steps leads to it. A step that is given stays.
func (v Value) Around(given string) (from, to, step string) {
	n, parts := max(v.Grains, -v.Grains), int64(20)
	for k := int64(24); k >= 10; k-- {
		if n%k == 0 {
			parts = k
			break
		}
	}
	first, last := v, v
	first.Grains = max((n+parts-1)/parts, 1)
	if step = given; step == "" {
		step = first.String()
	}
	if v.Grains < 0 {
		first.Grains = -first.Grains
	}
	if last.Grains *= 2; v.is == shares {
		last.Grains = min(last.Grains, 1e9)
	}
	return first.String(), last.String(), step
}

// String writes the quantity as the scenario format reads it, with every digit.
func (v Value) String() string {
	switch v.is {
	case lengths:
		return length(v.Grains)
	case rates:
		return fmt.Sprint(v.Grains) + v.per
	}
	size := max(v.unit.grains, 1)
	if v.is == sizes && v.Grains%size != 0 {
		return fmt.Sprintf("%dB", v.Grains)
	}
	return decimal(v.Grains, size) + v.unit.name
}

// length is a duration with every digit.
func length(ns int64) string {
	size, name := int64(1), "ns"
	switch abs := max(ns, -ns); {
	case ns == 0 || abs >= 1e9 && ns%1e9 == 0:
		size, name = 1e9, "s"
	case abs >= 1e9:
		return sim.Seconds(ns) // so that neighbours have as many digits
	case abs >= 1e6:
		size, name = 1e6, "ms"
	case abs >= 1e3:
		size, name = 1e3, "us"
	}
	return decimal(ns, size) + name
}

// decimal is n / size, with every digit.
func decimal(n, size int64) string {
	digits := new(big.Rat).SetFrac64(n, size).FloatString(12)
	return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
}

// Bytes reads a size such as 512MiB.
func Bytes(text string) (int64, error) {
	v, err := Parse(text)
	if err != nil || v.is != sizes || v.Grains <= 0 {
		return 0, fmt.Errorf("want a size above 0 with its unit, such as 64KiB, 512MiB or 1GiB, got %q", text)
	}
	return v.Grains, nil
}

// Share reads a share such as 0.5 or 1%, as parts per billion.
func Share(text string) (int64, error) {
	v, err := Parse(text)
	if err == nil && v.is == counts && (v.Grains == 0 || v.Grains == 1) {
		v.is, v.Grains = shares, v.Grains*1e9
	}
	if err != nil || v.is != shares || v.Grains <= 0 || v.Grains > 1e9 {
		return 0, fmt.Errorf("want a share above 0 and at most 1, such as 0.5 or 5%%, got %q", text)
	}
	return v.Grains, nil
}
