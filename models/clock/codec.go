package clock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
)

// The forms of clocks: [1,0,2] of a vector, {a:1,b:2} of a sparse one, in JSON with
// quotes around the ids; that is also the clock in a log for ShiViz.

// ParseVector reads [1,0,2]: counters from 0 to [MaxCount], at most [MaxEntries]. A
// mistake is a [*ParseError].
func ParseVector(text string) (Vector, error) {
	s := scanner{form: "vector clock", text: text}
	v := Vector{}
	s.list('[', ']', func() { v = append(v, s.number("counter", MaxCount)) })
	if err := s.end(); err != nil {
		return nil, err
	}
	return v, nil
}

// String is [1,0,2].
func (v Vector) String() string {
	b := []byte("[")
	for i, n := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, n, 10)
	}
	return string(append(b, ']'))
}

// UnmarshalJSON implements [json.Unmarshaler] with the limits of [ParseVector].
func (v *Vector) UnmarshalJSON(text []byte) (err error) {
	w, err := ParseVector(string(text))
	if err == nil {
		*v = w
	}
	return err
}

// ParseSparse reads {a:1,b:2}, in any order, with or without quotes around the ids: an
// id that comes twice, a counter that is negative or above [MaxCount] and more than
// [MaxEntries] are mistakes, each a [*ParseError]. Zeros are left out.
func ParseSparse[I ID](text string) (Sparse[I], error) {
	type place struct {
		id I
		at int
	}
	s := scanner{form: "clock", text: text}
	var v Sparse[I]
	var ids []place
	s.list('{', '}', func() {
		s.peek()
		ids = append(ids, place{at: s.at})
		id := parseID[I](&s)
		ids[len(ids)-1].id = id
		s.want(':')
		if n := s.number("counter", MaxCount); n > 0 {
			v = append(v, Entry[I]{id, n})
		}
	})
	slices.SortStableFunc(ids, func(a, b place) int { return cmp.Compare(a.id, b.id) })
	for i := range ids {
		if i > 0 && ids[i].id == ids[i-1].id {
			s.fail(ids[i].at, "%v comes twice", ids[i].id)
		}
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	slices.SortFunc(v, func(a, b Entry[I]) int { return cmp.Compare(a.ID, b.ID) })
	return v, nil
}

// String is {a:1,b:2}.
func (s Sparse[I]) String() string { return s.render(textOf[I]) }

// MarshalJSON implements [json.Marshaler].
func (s Sparse[I]) MarshalJSON() ([]byte, error) {
	return []byte(s.render(func(id I) string { return quoted(idText(id)) })), nil
}

func (s Sparse[I]) render(id func(I) string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, e := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(id(e.ID))
		b.WriteByte(':')
		b.WriteString(strconv.FormatUint(e.N, 10))
	}
	b.WriteByte('}')
	return b.String()
}

// UnmarshalJSON implements [json.Unmarshaler] with the limits of [ParseSparse].
func (s *Sparse[I]) UnmarshalJSON(text []byte) error {
	v, err := ParseSparse[I](string(text))
	if err == nil {
		*s = v
	}
	return err
}

// MarshalJSON implements [json.Marshaler]:
//
//	{"entries": [["a", 3, ["v5", "v2"]], ["b", 1, []]], "anonymous": []}
func (s DVVSet[I, V]) MarshalJSON() ([]byte, error) {
	out := struct {
		Entries   [][3]any `json:"entries"`
		Anonymous []V      `json:"anonymous"`
	}{[][3]any{}, append([]V{}, s.Anonymous...)}
	for _, d := range s.Entries {
		out.Entries = append(out.Entries, [3]any{d.ID, d.N, append([]V{}, d.Values...)})
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements [json.Unmarshaler]. Ids ascend, no id has more values than
// writes, counters are at most [MaxCount], and there are at most [MaxEntries] ids and
// as many values. A mistake says where it is, from the beginning of the set.
func (s *DVVSet[I, V]) UnmarshalJSON(text []byte) error {
	in := setReader[I, V]{dec: json.NewDecoder(bytes.NewReader(text))}
	if err := in.read(); err != nil {
		var known *ParseError
		if errors.As(err, &known) {
			return err
		}
		return &ParseError{"dotted set", int(in.dec.InputOffset()), err.Error()}
	}
	*s = in.set
	return nil
}

// setReader reads a set piece by piece, so that it knows where it is.
type setReader[I ID, V comparable] struct {
	dec  *json.Decoder
	set  DVVSet[I, V]
	size int // values so far
}

func (r *setReader[I, V]) read() error {
	if err := r.delim('{'); err != nil {
		return err
	}
	seen := map[json.Token]bool{}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%q comes twice", key)
		}
		seen[key] = true
		switch key {
		case "entries":
			err = r.list(r.entry)
		case "anonymous":
			r.set.Anonymous, err = r.values()
		default:
			return fmt.Errorf("unknown key %q, expected entries or anonymous", text.Excerpt(fmt.Sprint(key), 20))
		}
		if err != nil {
			return err
		}
	}
	return r.delim('}')
}

// list reads items between brackets.
func (r *setReader[I, V]) list(item func() error) error {
	if err := r.delim('['); err != nil {
		return err
	}
	for r.dec.More() {
		if err := item(); err != nil {
			return err
		}
	}
	return r.delim(']')
}

func (r *setReader[I, V]) delim(want json.Delim) error {
	got, err := r.dec.Token()
	if err == nil && got != want {
		err = fmt.Errorf("expected %q, got %v", rune(want), got)
	}
	return err
}

func (r *setReader[I, V]) values() (all []V, err error) {
	err = r.list(func() error {
		var v V
		if r.size++; r.size > MaxEntries {
			return fmt.Errorf("more than %d values", MaxEntries)
		}
		err := r.dec.Decode(&v)
		all = append(all, v)
		return err
	})
	return all, err
}

// entry reads ["a", 3, ["v5"]].
func (r *setReader[I, V]) entry() error {
	var d Dots[I, V]
	if err := r.delim('['); err != nil {
		return err
	}
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return err
	}
	id := scanner{form: "dotted set", text: string(raw)}
	d.ID = parseID[I](&id)
	if err := id.end(); err != nil {
		return errors.New(id.err.Why)
	}
	if err := r.dec.Decode(&raw); err != nil {
		return err
	}
	n := scanner{form: "dotted set", text: string(raw)}
	d.N = n.number("counter", MaxCount)
	if err := n.end(); err != nil {
		return errors.New(n.err.Why)
	}
	var err error
	if d.Values, err = r.values(); err != nil {
		return err
	}
	last := len(r.set.Entries) - 1
	switch {
	case last+1 == MaxEntries:
		return fmt.Errorf("more than %d entries", MaxEntries)
	case uint64(len(d.Values)) > d.N:
		return fmt.Errorf("%v has %d values of %d writes", d.ID, len(d.Values), d.N)
	case last >= 0 && r.set.Entries[last].ID >= d.ID:
		return fmt.Errorf("%v after %v: ids ascend", d.ID, r.set.Entries[last].ID)
	}
	r.set.Entries = append(r.set.Entries, d)
	return r.delim(']')
}
