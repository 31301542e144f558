package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// shapes are the words for the shapes that draw.
var shapes = [...]string{constant: "", uniform: "uniform", exponential: "exponential", lognormal: "lognormal", empirical: "empirical"}

// MarshalJSON writes the distribution exactly, in nanoseconds: a constant as its
// number, and else the shape with its numbers: {"uniform": [least, width]},
// {"exponential": [mean]}, {"lognormal": [median, sigma in units of 2^-32]},
// {"empirical": [each value]}.
func (d Dist) MarshalJSON() ([]byte, error) {
	var numbers []int64
	switch d.shape {
	case constant:
		return json.Marshal(d.a)
	case exponential:
		numbers = []int64{d.a}
	case empirical:
		for _, v := range d.values {
			numbers = append(numbers, int64(v))
		}
	default:
		numbers = []int64{d.a, d.b}
	}
	return json.Marshal(map[string][]int64{shapes[d.shape]: numbers})
}

// UnmarshalJSON reads what MarshalJSON writes, and refuses what is no distribution.
func (d *Dist) UnmarshalJSON(text []byte) error {
	var length int64
	if json.Unmarshal(text, &length) == nil {
		if length < 0 {
			return fmt.Errorf("a length is negative: %d", length)
		}
		*d = Constant(time.Duration(length))
		return nil
	}
	var shaped map[string][]int64
	if err := json.Unmarshal(text, &shaped); err != nil || len(shaped) != 1 {
		return fmt.Errorf("want a number of nanoseconds or one shape with its numbers, got %s", text)
	}
	for s := uniform; s <= empirical; s++ {
		if numbers, ok := shaped[shapes[s]]; ok {
			return d.shaped(s, numbers)
		}
	}
	return fmt.Errorf("there is no such distribution: %s", text)
}

// shaped makes the distribution of the numbers.
func (d *Dist) shaped(s shape, numbers []int64) error {
	want := map[shape]int{uniform: 2, exponential: 1, lognormal: 2, empirical: len(numbers)}[s]
	if len(numbers) != want || want == 0 || slices.Min(numbers) < 0 {
		return fmt.Errorf("%s: the numbers are too few, too many or negative: %v", shapes[s], numbers)
	}
	if s == empirical {
		values := make([]time.Duration, len(numbers))
		for i, n := range numbers {
			values[i] = time.Duration(n)
		}
		e, err := Empirical(values)
		*d = e
		return err
	}
	made := Dist{shape: s, a: numbers[0]}
	if want == 2 {
		made.b = numbers[1]
	}
	const widest = 3 << fixed // sigma, if the 99th percentile is 1000 times the median
	if s == uniform && made.a > math.MaxInt64-made.b || s == lognormal && (made.a == 0 || made.b > widest) {
		return fmt.Errorf("%s: the numbers are out of range: %v", shapes[s], numbers)
	}
	*d = made
	return nil
}
