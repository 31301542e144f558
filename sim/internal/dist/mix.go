package dist

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// millionths is the scale of the exponent of a Pareto distribution.
const millionths = 1_000_000

// Pareto is never shorter than least, and longer than x with probability
// (least/x)^alpha. alpha is in millionths, from 1 to 1000; with 1 there is no mean.
// Relative error of the quantiles: under 4e-6. What is longer than 2^30 times least,
// with a probability under 1e-9, counts as that long.
func Pareto(least time.Duration, alpha int64) (Dist, error) {
	if least <= 0 {
		return Dist{}, fmt.Errorf("pareto: want a least above 0s, got %v", least)
	}
	if alpha < millionths || alpha > 1000*millionths {
		return Dist{}, fmt.Errorf("pareto: want an alpha from 1 to 1000, got %s", decimal(alpha, 6))
	}
	return Dist{shape: pareto, a: int64(least), b: alpha}, nil
}

// Part is a share of the durations of a [Mix] and how they are distributed.
type Part struct {
	Share Chance
	Of    Dist
}

// maxParts is how many parts a mix may have: sampling goes through them.
const maxParts = 16

// part is one of a mix: the draws in [from, from + width) are its own.
type part struct {
	from, width uint64
	share       Chance
	of          Dist
}

// Mix draws each duration from one of the parts, each as often as its share says. It
// has 2 to 16 parts, none of them a mix, whose shares are above 0 and add up to 1. A
// part has all 64-bit words less its share of them, so that the quantiles are as exact
// as those of the parts.
func Mix(parts ...Part) (Dist, error) {
	if len(parts) < 2 || len(parts) > maxParts {
		return Dist{}, fmt.Errorf("mix: want 2 to %d parts, got %d", maxParts, len(parts))
	}
	sum, made := Chance(0), Dist{shape: mixed}
	for i, p := range parts {
		switch {
		case p.Share <= 0 || p.Share >= Certain:
			return Dist{}, fmt.Errorf("mix: part %d: want a share above 0%% and below 100%%, got %s", i+1, p.Share)
		case p.Of.shape == mixed:
			return Dist{}, errNested(i)
		}
		sum += p.Share
		made.parts = append(made.parts, part{share: p.Share, of: p.Of})
	}
	if sum != Certain {
		return Dist{}, fmt.Errorf("mix: the shares add up to %s: want 100%%", sum)
	}
	// The shortest durations come first, so that draw 0 is the shortest of all.
	slices.SortStableFunc(made.parts, func(a, b part) int { return cmp.Compare(a.of.Least(), b.of.Least()) })
	before := Chance(0)
	for i := range made.parts {
		p := &made.parts[i]
		p.from, before = word(before), before+p.share
		p.width = word(before) - p.from // of the last, up to 2^64, which is 0 here
	}
	return made, nil
}

// Parts are those of a mix, by their shortest durations; none of any other shape.
func (d *Dist) Parts() []Part {
	var list []Part
	for i := range d.parts {
		list = append(list, Part{d.parts[i].share, d.parts[i].of})
	}
	return list
}

func errNested(i int) error { return fmt.Errorf("mix: part %d is a mix: want its parts here", i+1) }

// word is a chance as a part of all 64-bit words; of [Certain] it is 2^64, which is 0.
func word(c Chance) uint64 {
	if c == Certain {
		return 0
	}
	q, _ := bits.Div64(uint64(c), 0, uint64(Certain))
	return q
}

// sampleMix finds the part of a draw, and spreads the draws of the part over all words.
func (d *Dist) sampleMix(u uint64) time.Duration {
	p := &d.parts[len(d.parts)-1]
	for i := range d.parts[1:] {
		if u < d.parts[i+1].from {
			p = &d.parts[i]
			break
		}
	}
	within, _ := bits.Div64(u-p.from, 0, p.width)
	return p.of.Sample(within)
}

// mixText is a mix as a scenario writes it.
func (d *Dist) mixText() string {
	var parts []string
	for i := range d.parts {
		p := &d.parts[i]
		parts = append(parts, fmt.Sprintf("{share: %s, of: %s}", p.share, p.of))
	}
	return "{mix: [" + strings.Join(parts, ", ") + "]}"
}

// String is the chance in percent: "91.22%".
func (c Chance) String() string { return decimal(int64(c), 7) + "%" }

// decimal writes n / 10^places without zeros at the end.
func decimal(n int64, places int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	digits := fmt.Sprintf("%0*d", places+1, uint64(n))
	whole, rest := digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	if rest == "" {
		return sign + whole
	}
	return sign + whole + "." + rest
}
