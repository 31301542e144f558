package stats

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fencepost/sim"
)

// A tally as text, so that the parts of a run that several machines do can be merged. It
// is exact: a tally that was written and read merges to the same bits as the original. A
// tally is read into an empty one of the same program, which gives it its shape; what
// does not fit that is an error.

type tallyText struct {
	Runs       int            `json:"runs"`
	Steps      uint64         `json:"steps"`
	Digest     uint64         `json:"digest"`
	Panics     int            `json:"panics,omitempty"`
	FirstPanic *PanicAt       `json:"first_panic,omitempty"` // without its stack
	Faults     []Injected     `json:"faults,omitempty"`
	Properties []Checked      `json:"properties,omitempty"`
	Measures   []measuredText `json:"measures,omitempty"`
}

type measuredText struct {
	Count   uint64   `json:"n"`
	SumHigh int64    `json:"sum_high,omitempty"`
	SumLow  uint64   `json:"sum,omitempty"`
	Min     int64    `json:"min,omitempty"`
	Max     int64    `json:"max,omitempty"`
	Squares []uint64 `json:"squares,omitempty"`
	Across  []uint64 `json:"across,omitempty"`
	Up      []bucket `json:"up,omitempty"`
	Down    []bucket `json:"down,omitempty"`
}

// bucket is one of a histogram that holds values.
type bucket struct {
	At    int    `json:"at"` // octave times buckets to an octave, plus the bucket
	Count uint64 `json:"n"`
	Most  int64  `json:"most"`
}

// MarshalJSON implements [json.Marshaler].
func (t *Tally) MarshalJSON() ([]byte, error) {
	x := tallyText{Runs: t.Runs, Steps: t.Steps, Digest: t.digest, Panics: t.Panics, Faults: t.Faults, Properties: t.Properties}
	if t.FirstPanic != nil {
		p := *t.FirstPanic
		p.Stack = "" // that of a goroutine of the machine
		x.FirstPanic = &p
	}
	for i := range t.Measures {
		x.Measures = append(x.Measures, t.Measures[i].text())
	}
	return json.Marshal(&x)
}

// UnmarshalJSON implements [json.Unmarshaler], of a tally of [NewTally] without runs.
func (t *Tally) UnmarshalJSON(data []byte) error {
	var x tallyText
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	switch {
	case len(x.Faults) != len(t.Faults) || len(x.Properties) != len(t.Properties) || len(x.Measures) != len(t.Measures):
		return fmt.Errorf("a tally of %d faults, %d properties and %d measures: want %d, %d and %d",
			len(x.Faults), len(x.Properties), len(x.Measures), len(t.Faults), len(t.Properties), len(t.Measures))
	case x.Runs < 0 || x.Panics < 0 || x.Panics > x.Runs:
		return errors.New("a tally of fewer runs than none, or with more panics than runs")
	}
	for i := range x.Properties {
		p := &x.Properties[i]
		if p.Violated < 0 || p.Held < 0 || p.NotExercised < 0 || p.Violated+p.Held+p.NotExercised != x.Runs || (p.First != nil) != (p.Violated > 0) {
			return fmt.Errorf("a tally of %d runs, with %d violated, %d held and %d not exercised", x.Runs, p.Violated, p.Held, p.NotExercised)
		}
	}
	for i := range x.Measures {
		if err := t.Measures[i].read(&x.Measures[i]); err != nil {
			return fmt.Errorf("measure %s: %w", t.Measures[i].Name, err)
		}
	}
	t.Runs, t.Steps, t.digest, t.Panics, t.FirstPanic = x.Runs, x.Steps, x.Digest, x.Panics, x.FirstPanic
	copy(t.Faults, x.Faults)
	copy(t.Properties, x.Properties)
	return nil
}

func (m *Measured) text() measuredText {
	h := &m.values
	return measuredText{Count: h.count, SumHigh: h.sum.hi, SumLow: h.sum.lo, Min: h.min, Max: h.max,
		Squares: m.squares.words(), Across: m.across.words(), Up: h.up.text(), Down: h.down.text()}
}

func (m *Measured) read(x *measuredText) (err error) {
	h := &m.values
	h.count, h.sum, h.min, h.max = x.Count, int128{x.SumHigh, x.SumLow}, x.Min, x.Max
	if m.squares, err = wordsOf(x.Squares); err != nil {
		return err
	}
	if m.across, err = wordsOf(x.Across); err != nil {
		return err
	}
	up, ok := h.up.read(x.Up)
	down, also := h.down.read(x.Down)
	switch n := up + down; {
	case !ok || !also:
		return errors.New("a bucket that a histogram does not have, or one without values")
	case n != 0 && n != x.Count, n == 0 && x.Count > 0 && !m.Summed():
		return fmt.Errorf("%d values in the buckets of %d", n, x.Count)
	}
	return nil
}

func (s *side) text() (list []bucket) {
	for oct, o := range s {
		if o == nil {
			continue
		}
		for sub, n := range o.count {
			if n > 0 {
				list = append(list, bucket{oct*subs + sub, n, o.most[sub]})
			}
		}
	}
	return list
}

// read counts the values of some buckets, false if there can be no such bucket.
func (s *side) read(list []bucket) (values uint64, ok bool) {
	for _, b := range list {
		if b.At < 0 || b.At >= octaves*subs || b.Count == 0 {
			return 0, false
		}
		oct, sub := b.At/subs, b.At%subs
		if s[oct] == nil {
			s[oct] = new(octave)
		}
		s[oct].add(sub, b.Count, b.Most)
		values += b.Count
	}
	return values, true
}

// words is a sum as text has it, nothing for 0.
func (p int192) words() []uint64 {
	if p == (int192{}) {
		return nil
	}
	return []uint64{p.hi, p.mid, p.lo}
}

func wordsOf(list []uint64) (int192, error) {
	switch len(list) {
	case 0:
		return int192{}, nil
	case 3:
		return int192{list[0], list[1], list[2]}, nil
	}
	return int192{}, fmt.Errorf("a sum of %d words: want 3", len(list))
}

type pairedText struct {
	Runs       int                  `json:"runs"`
	Properties []PairedProperty     `json:"properties,omitempty"`
	Measures   []pairedMeasuredText `json:"measures,omitempty"`
}

type pairedMeasuredText struct {
	Name     string     `json:"name"`
	Differ   int        `json:"differ"`
	SumsHigh [4]int64   `json:"sums_high"`
	SumsLow  [4]uint64  `json:"sums"`
	Products [][]uint64 `json:"products"` // row by row, from the diagonal up
}

// MarshalJSON implements [json.Marshaler].
func (p *Paired) MarshalJSON() ([]byte, error) {
	x := pairedText{Runs: p.Runs, Properties: p.Properties}
	for i := range p.Measures {
		m := &p.Measures[i]
		y := pairedMeasuredText{Name: m.Name, Differ: m.Differ}
		for a, s := range m.sums {
			y.SumsHigh[a], y.SumsLow[a] = s.hi, s.lo
			for b := a; b < len(m.sums); b++ {
				y.Products = append(y.Products, m.products[a][b].words())
			}
		}
		x.Measures = append(x.Measures, y)
	}
	return json.Marshal(&x)
}

// UnmarshalJSON implements [json.Unmarshaler], of one of [NewPaired] without runs.
func (p *Paired) UnmarshalJSON(data []byte) error {
	var x pairedText
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	same := slices.EqualFunc(x.Properties, p.Properties, func(a, b PairedProperty) bool { return a.Name == b.Name }) &&
		slices.EqualFunc(x.Measures, p.Measures, func(a pairedMeasuredText, b PairedMeasure) bool { return a.Name == b.Name })
	if !same || x.Runs < 0 {
		return errors.New("pairs of other properties or measures")
	}
	for i, q := range x.Properties {
		if q.Runs < 0 || q.OnlyBase < 0 || q.OnlyOther < 0 || q.OnlyBase+q.OnlyOther > q.Runs || q.Runs > x.Runs {
			return fmt.Errorf("property %s: more pairs that differ than there are", q.Name)
		}
		q.at = p.Properties[i].at
		p.Properties[i] = q
	}
	for i := range x.Measures {
		if err := p.Measures[i].read(&x.Measures[i], x.Runs); err != nil {
			return fmt.Errorf("measure %s: %w", x.Measures[i].Name, err)
		}
	}
	p.Runs = x.Runs
	return nil
}

func (m *PairedMeasure) read(x *pairedMeasuredText, runs int) (err error) {
	n := len(m.sums)
	if len(x.Products) != n*(n+1)/2 || x.Differ < 0 || x.Differ > runs {
		return errors.New("other sums than those of pairs")
	}
	m.Runs, m.Differ = runs, x.Differ
	at := 0
	for a := range m.sums {
		m.sums[a] = int128{x.SumsHigh[a], x.SumsLow[a]}
		for b := a; b < n; b++ {
			if m.products[a][b], err = wordsOf(x.Products[at]); err != nil {
				return err
			}
			at++
		}
	}
	return nil
}

// Nodes reports whether all nodes that a tally names are among the given number.
func (t *Tally) Nodes(n int) bool {
	for i := range t.Properties {
		if f := t.Properties[i].First; f != nil {
			for _, id := range f.Nodes {
				if id < sim.None || int(id) > n {
					return false
				}
			}
		}
	}
	return true
}
