package advise

import (
	"math/big"
	"strconv"
	"time"

	"fencepost/models/lock/promises"
)

// Value is a number of a promise.
type Value struct {
	Unit promises.Unit
	*big.Rat
}

// String is the number with its unit.
func (v Value) String() string {
	if v.Unit == promises.Ratio {
		ppm := new(big.Rat).Sub(v.Rat, big.NewRat(1, 1))
		ppm.Mul(ppm, big.NewRat(1_000_000, 1))
		return Write(v.Unit, v.Rat) + " (" + ppm.FloatString(0) + " ppm)"
	}
	return Write(v.Unit, v.Rat)
}

// short is the number with no more digits than say something of what was simulated.
func (v Value) short() string {
	d := v.Duration()
	switch {
	case v.Unit != promises.Duration:
		return v.String()
	case d >= time.Second:
		return d.Round(100 * time.Microsecond).String()
	case d >= time.Millisecond:
		return d.Round(time.Microsecond).String()
	}
	return d.String()
}

// Duration is the number in whole nanoseconds, rounded down.
func (v Value) Duration() time.Duration { return time.Duration(floor(v.Rat)) }

// plus is a number by how much above another.
func (v Value) plus(d *big.Rat) Value { return Value{v.Unit, new(big.Rat).Add(v.Rat, d)} }

// justBelow is the greatest number below it that a scenario can have.
func (v Value) justBelow() Value {
	least := big.NewRat(-1, 1)
	if v.Unit == promises.Ratio {
		least.SetFrac64(-1, 10_000_000) // rates are in parts per billion, and are rounded
	}
	return v.plus(least)
}

// clocks are rate errors of a holder and of a server whose clock is faster by the ratio:
// the holder's is slow as far as that goes, and the server's makes up for the rest. Below 1
// the server's is the slow one.
func (v Value) clocks() (holder, server string) {
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	slow, fast := new(big.Rat), new(big.Rat)
	switch {
	case v.Cmp(one) < 0:
		fast.Sub(v.Rat, one)
	case v.Cmp(big.NewRat(2, 1)) <= 0:
		slow.Sub(one, new(big.Rat).Inv(v.Rat))
	default:
		slow.Set(half)
		fast.Sub(new(big.Rat).Mul(v.Rat, half), one)
	}
	return drift(slow.Neg(slow)), drift(fast)
}

// drift is a rate error, of what a clock can have the nearest.
func drift(error *big.Rat) string {
	const most = 500_000_000 // parts per billion, either way
	ppb := floor(new(big.Rat).Mul(error, big.NewRat(1_000_000_000, 1)))
	return strconv.FormatInt(min(max(ppb, -most), most), 10) + "ppb"
}
