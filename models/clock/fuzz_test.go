package clock

import (
	"encoding/json"
	"errors"
	"testing"
)

// FuzzTexts: no text makes a parser panic; a mistake says where it is, within the
// text; and what is read is well-formed, and is read again from what is written.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"[1,0,2]", "{a:1,b:2}", `{"a b":4611686018427387904}`, "{1:2,-3:4}", "{1.2:3}", "10,3@2", "-5,4294967295@a", "6@A", "6@\"x\\u0000\"",
		`{"entries":[["a",3,["v5","v2"]],["b",1,[]]],"anonymous":["x"]}`, "a:3", "{a:1@5,b:2@-7}", "{a:-1}", "[1,", `{"a`, "{\"\\ud800\":1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fuzzText(t, text, ParseVector, Vector.String, Vector.Check)
		fuzzText(t, text, ParseSparse[string], Sparse[string].String, Sparse[string].Check)
		fuzzText(t, text, ParseSparse[int8], Sparse[int8].String, Sparse[int8].Check)
		fuzzText(t, text, ParseSparse[Actor], Sparse[Actor].String, Sparse[Actor].Check)
		fuzzText(t, text, func(text string) (s Stamp[string], err error) { return s, s.UnmarshalText([]byte(text)) }, Stamp[string].String, fine)
		fuzzText(t, text, func(text string) (s Timestamp, err error) { return s, s.UnmarshalText([]byte(text)) }, Timestamp.String, fine)
		fuzzText(t, text, func(text string) (s HybridStamp[int], err error) { return s, s.UnmarshalText([]byte(text)) }, HybridStamp[int].String, fine)
		fuzzText(t, text, func(text string) (d Dot[string], err error) { return d, d.UnmarshalText([]byte(text)) }, Dot[string].String, fine)
		fuzzText(t, text, func(text string) (v TimedVector[string], err error) { return v, v.UnmarshalText([]byte(text)) }, TimedVector[string].String, fine)
		fuzzText(t, text, func(text string) (s set, err error) { return s, s.UnmarshalJSON([]byte(text)) }, setJSON, set.Check)
		fuzzText(t, text, func(text string) (s intSet, err error) { return s, s.UnmarshalJSON([]byte(text)) }, setJSON, intSet.Check)
		var s Sparse[string]
		if json.Unmarshal([]byte(text), &s) == nil {
			again, err := json.Marshal(s)
			if err != nil || json.Unmarshal(again, &s) != nil {
				t.Fatalf("%q is written as %q: %v", text, again, err)
			}
		}
	})
}

func fine[T any](T) error { return nil }

func setJSON[V comparable](s DVVSet[string, V]) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func fuzzText[T any](t *testing.T, text string, parse func(string) (T, error), write func(T) string, check func(T) error) {
	x, err := parse(text)
	if err != nil {
		var p *ParseError
		if !errors.As(err, &p) || p.Offset < 0 || p.Offset > len(text) || p.Why == "" {
			t.Fatalf("%q: %v", text, err)
		}
		return
	}
	if err := check(x); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	once := write(x)
	y, err := parse(once)
	if err != nil || write(y) != once {
		t.Fatalf("%q is read as %q, and that as %v: %v", text, once, y, err)
	}
}

// FuzzHistory: whatever a log says, the oracle refuses it or stays exact, and the
// clocks keep their claims over it.
func FuzzHistory(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0x81, 0, 0x82, 1})
	f.Add([]byte{3, 0, 0x80, 9, 7, 0, 0x83, 0, 0x81, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := must(NewHistory(4))
		for ; len(data) >= 2 && h.Len() < 200; data = data[2:] {
			if data[0]&0x80 != 0 {
				_, err := h.Receive(int(data[0]&7), Event(data[1]))
				if valid := data[0]&7 < 4 && int(data[1]) < h.Len(); valid && err != nil {
					t.Fatal(err)
				}
			} else if _, err := h.Local(int(data[0] & 7)); (err == nil) != (data[0]&7 < 4) {
				t.Fatal(err)
			}
		}
		sets := search(h)
		for b := range Event(h.Len()) {
			for a := range Event(h.Len()) {
				if h.Before(a, b) != sets[b].has(WriteID(a)) {
					t.Fatalf("%d before %d: %v", a, b, h.Before(a, b))
				}
			}
		}
		v, c := vectorsOf(h), lamportsOf(h)
		if err := h.DetectsConcurrency(func(a, b Event) Relation { return must(v[a].Compare(v[b])) }); err != nil {
			t.Fatal(err)
		}
		if err := h.TotalOrder(byStamp(h, c)); err != nil {
			t.Fatal(err)
		}
	})
}
