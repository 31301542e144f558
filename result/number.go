package result

import (
	"fmt"
	"math"
	"strconv"
)

// Number is a value of a measure: a whole number of 64 bits, exact, or one with decimals. The zero Number is none, which
// encoding/json leaves out of a field with omitzero. Equal numbers are equal by ==.
type Number struct {
	kind  kind
	whole int64
	part  float64 // of kind decimals
}

type kind uint8

const (
	none kind = iota
	whole
	decimals
)

// exact is up to where a float64 holds each whole number.
const exact = 1 << 53

// Int is a whole number.
func Int(n int64) Number { return Number{kind: whole, whole: n} }

// Float is a number that was computed: a whole one, where it is one. Of one that is not finite it is none.
func Float(f float64) Number {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return Number{}
	case f == math.Trunc(f) && math.Abs(f) < exact:
		return Int(int64(f))
	}
	return Number{kind: decimals, part: f}
}

// Known reports whether there is a number.
func (n Number) Known() bool { return n.kind != none }

// Int64 is the number if it is whole.
func (n Number) Int64() (int64, bool) { return n.whole, n.kind == whole }

// Float64 is the nearest one; 0 of none.
func (n Number) Float64() float64 {
	if n.kind == whole {
		return float64(n.whole)
	}
	return n.part
}

// String is the number in full, never with an exponent; "" of none.
func (n Number) String() string {
	switch n.kind {
	case whole:
		return strconv.FormatInt(n.whole, 10)
	case decimals:
		return strconv.FormatFloat(n.part, 'f', -1, 64)
	}
	return ""
}

// MarshalJSON implements [encoding/json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return []byte(n.String()), nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. What a float64 cannot hold is an error.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number{}
		return nil
	}
	if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		*n = Int(i)
		return nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%.40s: want a number", text)
	}
	*n = Float(f)
	return nil
}
