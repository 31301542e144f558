package linear

import (
	"fmt"
	"strconv"
)

// stepCounter is what a counter does: add adds an amount, which may be negative, and a read
// returns the sum.
func stepCounter(sum int64, o *Op) (bool, any) {
	if o.Kind == Add {
		return true, sum + o.amount()
	}
	return sum == o.amount(), sum
}

// maxAmount is the most that one add may add or take away: the sum of a history fits an int64.
const maxAmount int64 = 1 << 40

// amount is the value of an operation that has an integer.
func (o *Op) amount() int64 {
	n, _ := strconv.ParseInt(o.Value, 10, 64)
	return n
}

// integer refuses a value that is no integer from least to most.
func (o *Op) integer(least, most int64) error {
	n, err := strconv.ParseInt(o.Value, 10, 64)
	if err != nil || n < least || n > most {
		return fmt.Errorf("value: want an integer from %d to %d, got %s", least, most, show(o.Value))
	}
	return nil
}
