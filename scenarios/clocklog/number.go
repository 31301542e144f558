package clocklog

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"fencepost/sim"
)

var (
	errNumber = errors.New("not a decimal number")
	errComma  = errors.New("a decimal comma: want a decimal point")
)

// decimal reads a number such as -1.174e+01 and gives it times 10^places, rounded to a
// whole number, halves away from 0.
func decimal(text string, places int) (int64, error) {
	if strings.Contains(text, ",") {
		return 0, errComma
	}
	mantissa, exponent, scientific := strings.Cut(text, "e")
	if !scientific {
		mantissa, exponent, scientific = strings.Cut(text, "E")
	}
	if scientific {
		digits := strings.TrimPrefix(exponent, "+")
		e, err := strconv.Atoi(digits)
		if err != nil || len(exponent) > 4 || strings.HasPrefix(digits, "+") || exponent != digits && e < 0 {
			return 0, errNumber
		}
		places += e
	}
	negative := strings.HasPrefix(mantissa, "-")
	if negative || strings.HasPrefix(mantissa, "+") {
		mantissa = mantissa[1:]
	}
	whole, fraction, dot := strings.Cut(mantissa, ".")
	if whole+fraction == "" || dot && fraction == "" {
		return 0, errNumber
	}
	n, err := shifted(whole+fraction, places-len(fraction))
	if negative {
		n = -n
	}
	return n, err
}

// shifted is digits times 10^places, rounded.
func shifted(digits string, places int) (n int64, err error) {
	if strings.Trim(digits, "0123456789") != "" {
		return 0, errNumber
	}
	up := false
	if places < 0 {
		keep := max(len(digits)+places, 0)
		up = len(digits)+places >= 0 && digits[keep] >= '5'
		digits, places = digits[:keep], 0
	}
	for i := range len(digits) + places {
		digit := int64(0)
		if i < len(digits) {
			digit = int64(digits[i] - '0')
		} else if n == 0 {
			break
		}
		if n > (math.MaxInt64-10)/10 {
			return 0, errors.New("too large")
		}
		n = 10*n + digit
	}
	if up {
		n++
	}
	return n, nil
}

// readError reads an error of the clock in seconds times 10^-(9-places).
func readError(text string, places int) (time.Duration, error) {
	n, err := decimal(text, places)
	if err == nil && time.Duration(n).Abs() > MaxError {
		err = fmt.Errorf("over %d years", MaxError/(365*24*time.Hour))
	}
	if err != nil {
		return 0, fmt.Errorf("offset %q: %w", excerpt(text), err)
	}
	return time.Duration(n), nil
}

// readFreq reads a frequency error in parts per million (3 places) or per billion (0).
func readFreq(text string, places int) (sim.PPB, error) {
	n, err := decimal(text, places)
	if err == nil && (sim.PPB(n) > sim.MaxPPB || sim.PPB(n) < -sim.MaxPPB) {
		err = fmt.Errorf("beyond %v", sim.MaxPPB)
	}
	if err != nil {
		return 0, fmt.Errorf("frequency %q: %w", excerpt(text), err)
	}
	return sim.PPB(n), nil
}

// readStamp reads a time that is not negative.
func readStamp(text string, places int) (time.Duration, error) {
	n, err := decimal(text, places)
	if err == nil && n < 0 {
		err = errors.New("negative")
	}
	if err != nil {
		return 0, fmt.Errorf("time %q: %w", excerpt(text), err)
	}
	return time.Duration(n), nil
}

// mulDiv is x*y/z rounded down, and the remainder, for y >= 0 and z > 0. What is too
// large stays at the ends of int64.
func mulDiv(x, y, z int64) (q, r int64) {
	magnitude := uint64(x)
	if x < 0 {
		magnitude = -magnitude
	}
	hi, lo := bits.Mul64(magnitude, uint64(y))
	if hi >= uint64(z) {
		return math.MaxInt64, 0
	}
	uq, ur := bits.Div64(hi, lo, uint64(z))
	uq = min(uq, math.MaxInt64-1)
	if x < 0 && ur > 0 {
		return -int64(uq) - 1, z - int64(ur)
	}
	if x < 0 {
		return -int64(uq), 0
	}
	return int64(uq), int64(ur)
}
