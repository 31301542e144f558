package traffic

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is a number of requests per duration. Scenarios write it 100/s, 6/min, 5/10s.
type Rate struct {
	Requests int64         // 1 and up
	Per      time.Duration // 1 ns to 24 h; together at most 10^9 a second
}

// units of a rate that are not lengths of time.
var units = map[string]time.Duration{
	"s": time.Second, "second": time.Second, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour, "day": 24 * time.Hour,
}

// String is the rate as a scenario writes it.
func (r Rate) String() string { return fmt.Sprintf("%d/%v", r.Requests, r.Per) }

// UnmarshalText reads a rate. With one that cannot be read r stays as it was, or is 1/s
// if it was nothing, so that no more is found wrong with it.
func (r *Rate) UnmarshalText(text []byte) error {
	if *r == (Rate{}) {
		*r = Rate{1, time.Second}
	}
	number, per, _ := strings.Cut(string(text), "/")
	n, err := strconv.ParseInt(number, 10, 64)
	d, known := units[per]
	if !known {
		var bad error
		if d, bad = time.ParseDuration(per); bad != nil {
			err = bad
		}
	}
	if err != nil {
		return fmt.Errorf("not a rate: want a count per s, min, h or day such as 100/min, or per duration such as 5/10s")
	}
	read := Rate{n, d}
	if err := read.check(); err != nil {
		return err
	}
	*r = read
	return nil
}

func (r Rate) check() error {
	switch {
	case r.Requests < 1:
		return fmt.Errorf("want a rate of 1 or more requests, got %d", r.Requests)
	case r.Per < 1 || r.Per > maxPer:
		return fmt.Errorf("want a rate per 1ns to %v, got %v", maxPer, r.Per)
	case r.Requests > int64(r.Per): // so that a gap is at least a nanosecond // maxRate
		return fmt.Errorf("want a rate of at most 1000000000 a second, got %v", r)
	}
	return nil
}

// Exponent is of a Zipf distribution, in thousandths. Scenarios write it 1 or 1.05.
type Exponent int64

// MaxExponent is the largest: 4.
const MaxExponent = 4000

// String is the exponent as a scenario writes it.
func (e Exponent) String() string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%03d", e/1000, e%1000), "0"), ".")
}

// UnmarshalText reads an exponent with at most three decimals.
func (e *Exponent) UnmarshalText(text []byte) error {
	whole, part, point := strings.Cut(string(text), ".")
	n, err := strconv.ParseUint(whole+(part + "000")[:3], 10, 16)
	if err != nil || whole == "" || len(part) > 3 || point && part == "" || n > MaxExponent {
		return fmt.Errorf("not an exponent: want 0 to 4 with at most three decimals, such as 1 or 1.05")
	}
	*e = Exponent(n)
	return nil
}
