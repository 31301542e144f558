package broadcast

import (
	"fmt"
	"strconv"
	"strings"
)

// Operation is what a message does to the account of each replica that delivers it.
type Operation struct {
	Does   Does
	Amount int32 // units of money, or percent
}

// Does is a kind of operation.
type Does uint8

// The kinds of operation. The two do not commute: "add 100" and "interest 1%" make 1111 of
// 1000 in this order, and 1110 in the other.
//
// Source: Tanenbaum and van Steen, "Distributed Systems", totally ordered multicasting.
const (
	Adds  Does = iota // Amount units, which may be negative
	Earns             // interest of Amount percent
)

// maxAmount bounds what one operation does, and maxBalance what an account holds.
const (
	maxAmount         = 1_000_000
	maxBalance  int64 = 1 << 53
	maxInterest       = 100
	cents             = 100
)

// String is the operation as a scenario writes it.
func (o Operation) String() string {
	if o.Does == Earns {
		return fmt.Sprintf("interest %d%%", o.Amount)
	}
	return fmt.Sprintf("add %d", o.Amount)
}

// ParseOperation reads "add N" (whole units, up to a million either way) or
// "interest N%" (whole percent, 0 to 100).
func ParseOperation(text string) (Operation, error) {
	verb, number, _ := strings.Cut(text, " ")
	percent := strings.HasSuffix(number, "%")
	n, err := strconv.ParseInt(strings.TrimSuffix(number, "%"), 10, 32)
	switch {
	case verb == "add" && !percent && err == nil && n >= -maxAmount && n <= maxAmount:
		return Operation{Adds, int32(n)}, nil
	case verb == "interest" && percent && err == nil && n >= 0 && n <= maxInterest:
		return Operation{Earns, int32(n)}, nil
	}
	if len(text) > 40 {
		text = text[:40] + "..."
	}
	return Operation{}, fmt.Errorf("want \"add N\" (at most %d) or \"interest N%%\" (at most %d), got %q", maxAmount, maxInterest, text)
}

// Account is a replica of a bank account: hundredths of a unit. Its operations are
// deterministic, so replicas that deliver the same in the same order are equal.
type Account int64

// Apply does an operation. Interest is rounded towards zero, and what is more than 2^53
// either way is cut off.
func (a *Account) Apply(o Operation) {
	b := int64(*a)
	switch o.Does {
	case Adds:
		b += int64(o.Amount) * cents
	case Earns: // at most 2^53 times 100, which fits
		b += b * int64(o.Amount) / 100
	}
	*a = Account(max(-maxBalance, min(b, maxBalance)))
}

// String is the balance in units: 1111, or 10.05.
func (a Account) String() string {
	sign, b := "", int64(a)
	if b < 0 {
		sign, b = "-", -b
	}
	if b%cents == 0 {
		return fmt.Sprintf("%s%d", sign, b/cents)
	}
	return fmt.Sprintf("%s%d.%02d", sign, b/cents, b%cents)
}
