// Package advise says what the settings of a lock promise: it calculates the closed forms
// of models/lock/promises, and lets each of them stand against many runs of the model.
package advise

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"fencepost/models/lock/promises"
	"fencepost/sim/formula"
)

// Settings are the numbers that a reader gives for a lock, and what is derived from them.
type Settings struct {
	Lock   *promises.Lock
	values map[string]*big.Rat
	names  []string
	given  map[string]string // by the reader
	wrong  Mistakes          // what the lock refuses
	load   Loader
}

// Mistakes is all that is wrong with the settings, a line each.
type Mistakes []string

func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// Read reads the settings of a lock, each by its name; those that are not given are as the
// lock has them. An error is a [Mistakes]. What simulates them is loaded by load.
func Read(l *promises.Lock, given map[string]string, load Loader) (*Settings, error) {
	s := readAny(l, given, load)
	if len(s.wrong) > 0 {
		return nil, s.wrong
	}
	return s, nil
}

// readAny reads settings that the lock may refuse, and why it does.
func readAny(l *promises.Lock, given map[string]string, load Loader) *Settings {
	s := &Settings{Lock: l, values: map[string]*big.Rat{}, given: given, load: load}
	var wrong Mistakes
	for _, set := range l.Settings {
		text, ok := given[set.Name]
		var v *big.Rat
		var err error
		if ok {
			v, err = read(set.Unit, text)
		} else {
			v, err = s.Eval(set.Default)
		}
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("--%s: %v", set.Name, err))
			v, _ = s.Eval(set.Default)
		case v.Sign() < 0:
			wrong = append(wrong, fmt.Sprintf("--%s: must not be negative, got %s", set.Name, text))
		}
		s.put(set.Name, v)
	}
	for _, d := range l.Derived {
		v, err := s.Eval(d.Formula)
		if err != nil {
			v = new(big.Rat) // of a setting that is refused
		}
		s.put(d.Name, v)
	}
	s.wrong = append(wrong, s.limits(wrong)...)
	return s
}

func (s *Settings) put(name string, v *big.Rat) {
	s.values[name] = v
	s.names = append(s.names, name)
}

// maxLength bounds durations: a run of more takes too long.
const maxLength = 24 * time.Hour

func read(u promises.Unit, text string) (*big.Rat, error) {
	if u == promises.Duration {
		d, err := time.ParseDuration(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("want a duration such as 10s or 500ms, got %q", text)
		case d > maxLength:
			return nil, fmt.Errorf("want at most %v, got %v", maxLength, d)
		}
		return new(big.Rat).SetInt64(int64(d)), nil
	}
	if u == promises.Share {
		return readShare(text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v > 1e6 || v < -1e6 {
		return nil, fmt.Errorf("want a number up to 1000000, got %q", text)
	}
	r, _ := new(big.Rat).SetString(text)
	if r == nil {
		return nil, fmt.Errorf("want a number such as 5, got %q", text)
	}
	return r, nil
}

// limits are the settings that contradict each other. A setting that is refused already is
// left out.
func (s *Settings) limits(before Mistakes) (found Mistakes) {
	named := map[string]bool{}
	for _, m := range before {
		name, _, _ := strings.Cut(strings.TrimPrefix(m, "--"), ":")
		named[name] = true
	}
	for _, l := range s.Lock.Limits {
		if v, err := s.Eval(l.Formula); named[l.Setting] || err == nil && v.Sign() > 0 {
			continue
		}
		named[l.Setting] = true
		found = append(found, fmt.Sprintf("--%s: %s, got %s", l.Setting, l.Message, s.Text(l.Setting)))
	}
	return found
}

// String is the settings as flags.
func (s *Settings) String() string {
	var words []string
	for _, set := range s.Lock.Settings {
		words = append(words, "--"+set.Name+" "+s.Text(set.Name))
	}
	return strings.Join(words, " ")
}

// Eval is the value of a formula of the settings.
func (s *Settings) Eval(text string) (*big.Rat, error) {
	f, err := formula.ParseOf(text, s.names)
	if err != nil {
		return nil, err
	}
	return f.Exact(func(name string) *big.Rat { return s.values[name] })
}

// Duration is a setting, or a formula of them, in whole nanoseconds, rounded down. It
// panics on a formula that has no value: those of the program have one.
func (s *Settings) Duration(text string) time.Duration {
	v, err := s.Eval(text)
	if err != nil {
		panic(err)
	}
	return time.Duration(floor(v))
}

// Int is the same of a count.
func (s *Settings) Int(text string) int { return int(s.Duration(text)) }

// floor is a number rounded down.
func floor(v *big.Rat) int64 { return new(big.Int).Div(v.Num(), v.Denom()).Int64() }

// unit is what a setting counts.
func (s *Settings) unit(name string) promises.Unit {
	for _, set := range s.Lock.Settings {
		if set.Name == name {
			return set.Unit
		}
	}
	for _, d := range s.Lock.Derived {
		if d.Name == name {
			return d.Unit
		}
	}
	return promises.Duration
}

// Text is a setting as it is written.
func (s *Settings) Text(name string) string { return Write(s.unit(name), s.values[name]) }

// Write is a number with its unit. What has more decimals than it takes is rounded: a
// duration to a nanosecond, a ratio to six places.
func Write(u promises.Unit, v *big.Rat) string {
	if u == promises.Duration {
		return time.Duration(floor(v)).String()
	}
	if u == promises.Share {
		if v.Cmp(big.NewRat(1, 1000)) >= 0 { // rounded down
			return strings.TrimRight(strings.TrimRight(big.NewRat(floor(new(big.Rat).Mul(v, big.NewRat(100_000, 1))), 1000).FloatString(3), "0"), ".") + "%"
		}
		ppm := new(big.Rat).Mul(v, big.NewRat(1_000_000, 1))
		return strings.TrimRight(strings.TrimRight(ppm.FloatString(3), "0"), ".") + "ppm"
	}
	text := v.FloatString(6)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
