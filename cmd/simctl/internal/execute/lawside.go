package execute

import (
	"fmt"
	"time"

	"fencepost/cmd/simctl/internal/amount"
)

// sideOf is what a side condition of a law may be about: a term, or by how much one exceeds another.
type sideOf struct {
	name string
	of   func(values []time.Duration) time.Duration
}

// quantities are the terms, and the widths of the ranges.
func (l *Laws) quantities() (list []sideOf) {
	for i := range l.Terms {
		t := &l.Terms[i]
		list = append(list, sideOf{t.Name, func(values []time.Duration) time.Duration { return values[i] }})
		if t.Above >= 0 {
			list = append(list, sideOf{l.Terms[t.Above].Name + " - " + t.Name, func(values []time.Duration) time.Duration { return values[t.Above] - values[i] }})
		}
	}
	return list
}

// side says in what the points at which a law is wrong differ from those at which it is right: which quantity
// is short, or long, at all of them and at fewest of the others. It is "" where none is so at less than a quarter of
// these: what is seen at some points is a hint, and no proof.
func (l *Laws) side(right, wrong [][]time.Duration) (text string) {
	if len(wrong) == 0 {
		return ""
	}
	fewest := (len(right) + 3) / 4
	for _, q := range l.quantities() {
		least, most := q.of(wrong[0]), q.of(wrong[0])
		for _, w := range wrong {
			least, most = min(least, q.of(w)), max(most, q.of(w))
		}
		short, long := 0, 0
		for _, r := range right {
			if q.of(r) <= most {
				short++
			}
			if q.of(r) >= least {
				long++
			}
		}
		for _, c := range []struct {
			others int
			words  string
			end    time.Duration
		}{{short, "at most", most}, {long, "at least", least}} {
			if c.others < fewest {
				fewest = c.others
				text = fmt.Sprintf("each has a %s of %s %v, as %d of the %d others have", q.name, c.words, amount.Span{Least: c.end, Most: c.end}, c.others, len(right))
			}
		}
	}
	return text
}
