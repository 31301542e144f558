package stats

import (
	"encoding/json"
	"fmt"

	"fencepost/internal/exact"
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

// UnmarshalJSON implements [json.Unmarshaler], of a tally of [NewTally] without runs. It refuses numbers that no runs
// add up to; [Tally.Check] knows more of them.
func (t *Tally) UnmarshalJSON(data []byte) error {
	var x struct { // lists stay text until it is known how long they may be
		tallyText
		Faults     json.RawMessage `json:"faults"`
		Properties json.RawMessage `json:"properties"`
		Measures   json.RawMessage `json:"measures"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	t.Runs, t.Steps, t.digest, t.Panics, t.FirstPanic = x.Runs, x.Steps, x.Digest, x.Panics, x.FirstPanic
	if err := each("faults", x.Faults, t.Faults, func(i int, s *Injected) error { t.Faults[i] = *s; return nil }); err != nil {
		return err
	}
	if err := each("properties", x.Properties, t.Properties, func(i int, p *Checked) error { t.Properties[i] = *p; return nil }); err != nil {
		return err
	}
	if err := each("measures", x.Measures, t.Measures, func(i int, m *measuredText) error { return t.Measures[i].read(m) }); err != nil {
		return err
	}
	return t.check()
}

// each decodes the elements of a list that has to be as long as another, one after another.
func each[T, U any](name string, text json.RawMessage, like []U, read func(int, *T) error) error {
	list, err := exact.Array(text, len(like))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, one := range list {
		var v T
		if err := json.Unmarshal(one, &v); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
		if err := read(i, &v); err != nil {
			return fmt.Errorf("%s[%d].%w", name, i, err)
		}
	}
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
		return fmt.Errorf("squares: %w", err)
	}
	if m.across, err = wordsOf(x.Across); err != nil {
		return fmt.Errorf("across: %w", err)
	}
	if err := h.up.read("up", x.Up, func(magnitude uint64) int64 { return int64(magnitude) }); err != nil {
		return err
	}
	return h.down.read("down", x.Down, func(magnitude uint64) int64 { return int64(^magnitude) })
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

// read fills a side with some buckets, whose values are those of some magnitudes.
func (s *side) read(name string, list []bucket, value func(magnitude uint64) int64) error {
	before := -1
	for i, b := range list {
		switch oct, sub := b.At/subs, b.At%subs; {
		case b.At <= before || b.At >= octaves*subs:
			return fmt.Errorf("%s[%d].at is %d: want %d to %d", name, i, b.At, before+1, octaves*subs-1)
		case b.Count == 0 || b.Count > maxCount:
			return fmt.Errorf("%s[%d].n is %d: want 1 to %d", name, i, b.Count, uint64(maxCount))
		default:
			least, most := magnitudes(oct, sub)
			if low, high := min(value(least), value(most)), max(value(least), value(most)); b.Most < low || b.Most > high {
				return fmt.Errorf("%s[%d].most is %d: want %d to %d, as the bucket has them", name, i, b.Most, low, high)
			}
			if s[oct] == nil {
				s[oct] = new(octave)
			}
			s[oct].add(sub, b.Count, b.Most)
		}
		before = b.At
	}
	return nil
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
	return int192{}, fmt.Errorf("there are %d words of a sum: want 3", len(list))
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
	var x struct {
		Runs       int             `json:"runs"`
		Properties json.RawMessage `json:"properties"`
		Measures   json.RawMessage `json:"measures"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	p.Runs = x.Runs
	err := each("properties", x.Properties, p.Properties, func(i int, q *PairedProperty) error {
		if q.Name != p.Properties[i].Name {
			return fmt.Errorf("field Name is %q: want %q", q.Name, p.Properties[i].Name)
		}
		q.at = p.Properties[i].at
		p.Properties[i] = *q
		return nil
	})
	if err != nil {
		return err
	}
	err = each("measures", x.Measures, p.Measures, func(i int, m *pairedMeasuredText) error { return p.Measures[i].read(m, x.Runs) })
	if err != nil {
		return err
	}
	return p.check()
}

func (m *PairedMeasure) read(x *pairedMeasuredText, runs int) (err error) {
	n := len(m.sums)
	switch {
	case x.Name != m.Name:
		return fmt.Errorf("name is %q: want %q", x.Name, m.Name)
	case len(x.Products) != n*(n+1)/2:
		return fmt.Errorf("products has %d sums: want %d", len(x.Products), n*(n+1)/2)
	}
	m.Runs, m.Differ = runs, x.Differ
	at := 0
	for a := range m.sums {
		m.sums[a] = int128{x.SumsHigh[a], x.SumsLow[a]}
		for b := a; b < n; b++ {
			if m.products[a][b], err = wordsOf(x.Products[at]); err != nil {
				return fmt.Errorf("products[%d]: %w", at, err)
			}
			at++
		}
	}
	return nil
}
