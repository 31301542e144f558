package strict

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Scale is how numbers of one kind are written: whole numbers, decimals, durations,
// shares and clock errors, sizes, or rates with the same unit. It reads them without
// knowing what they will be, and writes others alike.
type Scale struct {
	noun  string
	m     *measure // nil for those without a unit
	units []unit   // in which numbers are written, large before small
	tail  string   // of a rate: "/min"
}

// fine is the grain of decimals: nine places.
const fine = 1_000_000_000

// NewScale returns the scale of some texts, and how many grains of it each text is.
// The error is about the text with the given index.
func NewScale(texts ...string) (s *Scale, numbers []int64, index int, err error) {
	s, err = scaleOf(texts)
	if err != nil {
		return nil, nil, 0, err
	}
	for i, text := range texts {
		n, err := s.read(text)
		if err != nil {
			return nil, nil, i, err
		}
		numbers = append(numbers, n)
	}
	slices.SortStableFunc(s.units, func(a, b unit) int { return int(min(max(b.size-a.size, -1), 1)) })
	return s, numbers, 0, nil
}

// scaleOf is the scale of the first text; a decimal makes decimals of whole numbers.
func scaleOf(texts []string) (*Scale, error) {
	first := texts[0]
	number := strings.TrimLeft(strings.TrimLeft(first, "+-"), "0123456789.")
	if tail := strings.IndexByte(first, '/'); tail >= 0 {
		return &Scale{noun: "a rate in " + quote(first[tail:]), units: []unit{{"", 1}}, tail: first[tail:]}, nil
	}
	if number == "" {
		if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, ".") }) {
			return &Scale{noun: "a number", units: []unit{{"", fine}}}, nil
		}
		return &Scale{noun: "a whole number", units: []unit{{"", 1}}}, nil
	}
	for _, m := range []*measure{&signedDuration, &drift, &size} {
		if _, err := m.parse(first); err == nil {
			noun := m.noun
			if m == &drift {
				noun = "a share or clock error"
			}
			return &Scale{noun: noun, m: m}, nil
		}
	}
	return nil, fmt.Errorf("%s is no number that a range can begin with: want one such as 3, 0.5, 250ms, 1%%, 4KiB or 100/min", quote(first))
}

// read is how many grains a text is.
func (s *Scale) read(text string) (int64, error) {
	number, negative := strings.CutPrefix(text, "-")
	var n int64
	var err error
	switch {
	case s.m != nil:
		if n, err = s.m.parse(text); err == nil {
			s.learn(strings.TrimLeft(text, "+-"))
			return n, nil
		}
		return 0, fmt.Errorf("%s is not %s: want one like the start of the range", quote(text), s.noun)
	case s.tail != "" && !strings.HasSuffix(number, s.tail):
		err = errForm
	default:
		n, err = scaled(strings.TrimSuffix(number, s.tail), s.units[0].size)
	}
	switch {
	case errors.Is(err, errLarge):
		return 0, fmt.Errorf("%s is too large for a range", quote(text))
	case errors.Is(err, errFine):
		return 0, fmt.Errorf("%s is too fine for a range: want at most nine decimals of a number, and none of a count", quote(text))
	case err != nil:
		return 0, fmt.Errorf("%s is not %s: want one like the start of the range", quote(text), s.noun)
	case negative:
		n = -n
	}
	return n, nil
}

// learn adds the units of a text that was read.
func (s *Scale) learn(text string) {
	for rest := text; rest != ""; {
		var name string
		_, name, rest = s.m.split(rest)
		i := slices.IndexFunc(s.m.units, func(u unit) bool { return u.name == name })
		if !slices.ContainsFunc(s.units, func(u unit) bool { return u.size == s.m.units[i].size }) {
			s.units = append(s.units, s.m.units[i])
		}
	}
}

// Noun is what a number of the scale is: "a duration".
func (s *Scale) Noun() string { return s.noun }

// Whole reports whether its numbers have neither decimals nor a unit.
func (s *Scale) Whole() bool { return s.m == nil && s.units[0].size == 1 }

// Text writes that many grains, in the largest of the units of the texts of which there
// is one or more, exactly.
func (s *Scale) Text(n int64) string {
	for _, u := range s.units {
		if n >= u.size || n <= -u.size {
			if text, ok := u.text(n); ok {
				return text + s.tail
			}
		}
	}
	if text, ok := s.units[len(s.units)-1].text(n); ok {
		return text + s.tail
	}
	// A third of an hour has no end in hours, and an end in seconds.
	for _, u := range s.m.units {
		if text, ok := u.text(n); ok && u.name != "h" && u.name != "m" {
			return text
		}
	}
	return ""
}

// text writes a number of grains in the unit, if it takes no more than nine decimals.
func (u unit) text(n int64) (string, bool) {
	grains := new(big.Int).Mul(big.NewInt(n), big.NewInt(fine))
	scaled, rest := grains.QuoRem(grains, big.NewInt(u.size), new(big.Int))
	if rest.Sign() != 0 {
		return "", false
	}
	sign := ""
	if scaled.Sign() < 0 {
		sign = "-"
		scaled.Neg(scaled)
	}
	whole, fraction := scaled.QuoRem(scaled, big.NewInt(fine), new(big.Int))
	text := sign + whole.String()
	if fraction.Sign() != 0 {
		places := strconv.FormatInt(fine+fraction.Int64(), 10)[1:]
		text += "." + strings.TrimRight(places, "0")
	}
	return text + u.name, true
}

// Written is a text without quotes in the place of the value.
func (v *Value) Written(text string) *Value {
	return &Value{v.doc, &node{kind: Scalar, text: text, plain: true, pos: v.node.pos}, v.path}
}
