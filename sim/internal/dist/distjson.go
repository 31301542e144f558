package dist

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// shapes are the words for the shapes that draw.
var shapes = [...]string{constant: "", uniform: "uniform", exponential: "exponential", lognormal: "lognormal", empirical: "empirical",
	pareto: "pareto", mixed: "mix"}

// MarshalJSON writes the distribution exactly, in nanoseconds: a constant as its
// number, and else the shape with its numbers: {"uniform": [least, width]},
// {"exponential": [mean]}, {"lognormal": [median, sigma in units of 2^-32]},
// {"empirical": [each value]}, {"pareto": [least, alpha in millionths]}. A mix is
// {"mix": [{"share": in parts per billion, "of": its distribution}, ...]}.
func (d Dist) MarshalJSON() ([]byte, error) {
	var numbers []int64
	switch d.shape {
	case constant:
		return json.Marshal(d.a)
	case mixed:
		return d.marshalMix()
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
	if mix, ok := readMix(text); ok {
		return d.unmarshalMix(mix)
	}
	var shaped map[string][]int64
	if err := json.Unmarshal(text, &shaped); err != nil || len(shaped) != 1 {
		return fmt.Errorf("want a number of nanoseconds or one shape with its numbers, got %s", text)
	}
	for s := uniform; s <= pareto; s++ {
		if numbers, ok := shaped[shapes[s]]; ok {
			return d.shaped(s, numbers)
		}
	}
	return fmt.Errorf("there is no such distribution: %s", text)
}

// shaped makes the distribution of the numbers.
func (d *Dist) shaped(s shape, numbers []int64) error {
	want := map[shape]int{uniform: 2, exponential: 1, lognormal: 2, empirical: len(numbers), pareto: 2}[s]
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
	if s == pareto {
		made, err := Pareto(time.Duration(numbers[0]), numbers[1])
		*d = made
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

type partJSON struct {
	Share *Chance         `json:"share"`
	Of    json.RawMessage `json:"of"`
}

func (d *Dist) marshalMix() ([]byte, error) {
	var list []partJSON
	for i := range d.parts {
		of, err := json.Marshal(d.parts[i].of)
		if err != nil {
			return nil, err
		}
		list = append(list, partJSON{&d.parts[i].share, of})
	}
	return json.Marshal(map[string][]partJSON{shapes[mixed]: list})
}

// readMix is the value of a mix, and whether the text has the key of one.
func readMix(text []byte) (json.RawMessage, bool) {
	var shaped map[string]json.RawMessage
	if json.Unmarshal(text, &shaped) != nil || len(shaped) != 1 {
		return nil, false
	}
	mix, ok := shaped[shapes[mixed]]
	return mix, ok
}

// unmarshalMix decodes no mix within a mix: a text may nest deeply.
func (d *Dist) unmarshalMix(text []byte) error {
	var list []partJSON
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("mix: want a list of parts: %w", err)
	}
	var parts []Part
	for i, p := range list[:min(len(list), maxParts+1)] {
		if p.Share == nil || p.Of == nil {
			return fmt.Errorf("mix: part %d: want share and of", i+1)
		}
		if _, nested := readMix(p.Of); nested {
			return errNested(i)
		}
		part := Part{Share: *p.Share}
		if err := json.Unmarshal(p.Of, &part.Of); err != nil {
			return fmt.Errorf("mix: part %d: %w", i+1, err)
		}
		parts = append(parts, part)
	}
	made, err := Mix(parts...)
	*d = made
	return err
}
