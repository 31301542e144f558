package clock

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mistake is the offset and the reason of a parse error.
func mistake(t *testing.T, err error) string {
	var p *ParseError
	require.ErrorAs(t, err, &p)
	return fmt.Sprintf("%d: %s", p.Offset, p.Why)
}

func TestParseVector(t *testing.T) {
	for text, want := range map[string]Vector{
		"[]": {}, " [ 1 , 0,\n2 ] ": {1, 0, 2}, "[4611686018427387904]": {MaxCount}, "[007]": {7},
	} {
		v, err := ParseVector(text)
		assert.NoError(t, err)
		assert.Equal(t, want, v, text)
		assert.Equal(t, want, must(ParseVector(v.String())))
	}
	for text, want := range map[string]string{
		"":                          "0: expected '[', got the end",
		"{}":                        `0: expected '[', got "{}"`,
		"[1":                        "2: expected ',' or ']', got the end",
		"[1,]":                      `3: expected a counter, got "]"`,
		"[1 2]":                     `3: expected ',' or ']', got "2]"`,
		"[1,-30]":                   "3: counter -30 is negative",
		"[-]":                       "1: counter - is negative",
		"[1.5]":                     `2: expected ',' or ']', got ".5]"`,
		"[1e3]":                     `2: expected ',' or ']', got "e3]"`,
		"[0,4611686018427387905]":   "3: counter 4611686018427387905 is above the limit of 4611686018427387904",
		"[99999999999999999999999]": "1: counter 99999999999999999999... is above the limit of 4611686018427387904",
		"[1] x":                     `4: unexpected "x"`,
		"[1]\x00":                   "3: unexpected zero byte",
		"[\x00":                     `1: expected a counter, got "\x00"`,
		"[null]":                    `1: expected a counter, got "null]"`,
	} {
		v, err := ParseVector(text)
		assert.Nil(t, v)
		assert.Equal(t, want, mistake(t, err), "%q", text)
	}
	_, err := ParseVector("[" + strings.Repeat("1,", MaxEntries) + "1]")
	assert.Equal(t, "131073: more than 65536 entries", mistake(t, err))
	_, err = ParseVector("[3,x]")
	assert.EqualError(t, err, `vector clock, offset 3: expected a counter, got "x]"`)
}

func TestParseSparse(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "{}", "{b:1, a:2}": "{a:2,b:1}", `{"b" : 1}`: "{b:1}", "{b:0,a:1}": "{a:1}", `{"a b":1,"":2}`: `{"":2,"a b":1}`,
		`{"\u00e9\"":1}`: `{"é\"":1}`, "{a'.1/x_-:9}": "{a'.1/x_-:9}",
	} {
		v, err := ParseSparse[string](text)
		assert.NoError(t, err)
		assert.Equal(t, want, v.String(), text)
		assert.NoError(t, v.Check())
		assert.Equal(t, v, must(ParseSparse[string](v.String())))
	}
	for text, want := range map[string]string{
		"[]":                                   `0: expected '{', got "[]"`,
		"{a}":                                  `2: expected ':', got "}"`,
		"{a:1,b:2,a:3}":                        "9: a comes twice",
		"{a:0,a:3}":                            "5: a comes twice",
		"{a:1,b:-2}":                           "7: counter -2 is negative",
		"{a:1 b:2}":                            `5: expected ',' or '}', got "b:2}"`,
		"{:1}":                                 `1: expected an id, got ":1}"`,
		`{"a:1}`:                               `1: the quote is not closed`,
		`{"a\`:                                 `1: the quote is not closed`,
		"{a:18446744073709551616}":             "3: counter 18446744073709551616 is above the limit of 4611686018427387904",
		"{" + strings.Repeat("x", 257) + ":1}": "1: an id of 257 bytes, at most 256",
		"{a:1}}":                               `5: unexpected "}"`,
		"null":                                 `0: expected '{', got "null"`,
	} {
		_, err := ParseSparse[string](text)
		assert.Equal(t, want, mistake(t, err), "%q", text)
	}
}

// id8 is an id of a kind of its own, one byte wide.
type id8 int8

func TestParseIDs(t *testing.T) {
	assert.Equal(t, Sparse[id8]{{-128, 1}, {7, 2}}, must(ParseSparse[id8](`{7:2,"-128":1}`)))
	_, err := ParseSparse[id8]("{1:1,128:1}")
	assert.Equal(t, `5: "128" is no id of type clock.id8`, mistake(t, err))
	_, err = ParseSparse[uint16]("{a:1}")
	assert.Equal(t, `1: "a" is no id of type uint16`, mistake(t, err))
	_, err = ParseSparse[int]("{7:1,07:1}")
	assert.Equal(t, "5: 7 comes twice", mistake(t, err))

	actors := Sparse[Actor]{{NewActor(1, 0), 3}, {NewActor(1, 2), 4}, {NewActor(2, 0), 1}}
	assert.Equal(t, "{1.0:3,1.2:4,2.0:1}", actors.String())
	assert.Equal(t, actors, must(ParseSparse[Actor](actors.String())))
	for _, bad := range []string{"1", "1.", ".1", "1.2.3", "-1.0", "4294967296.0", "x.y"} {
		_, err = ParseSparse[Actor]("{" + bad + ":1}")
		assert.Contains(t, mistake(t, err), "is not an actor, as 3.1: node 3, epoch 1", bad)
	}
	assert.Equal(t, []uint32{9, 8}, []uint32{NewActor(9, 8).Node(), NewActor(9, 8).Epoch()})
	assert.Panics(t, func() { NewActor(1, math.MaxUint32).Next() }, "the next epoch would be another node")
}

// TestJSON: what is written is read again, also inside of something else.
func TestJSON(t *testing.T) {
	type message struct {
		Dense  Vector
		Sparse Sparse[string]
		Number Sparse[int32]
		Set    DVVSet[string, string]
		Actors DVVSet[Actor, int]
		Stamp  Stamp[string]
		Hybrid HybridStamp[int]
		Time   Timestamp
		Dotted Dotted[string, int]
		Timed  TimedVector[string]
	}
	m := message{
		Vector{1, 0, 2}, Sparse[string]{{"", 1}, {"a<b", 2}}, Sparse[int32]{{-5, 1}, {5, 7}},
		DVVSet[string, string]{Entries: []Dots[string, string]{{"a", 3, []string{"v5", "v2"}}, {"b", 1, nil}}, Anonymous: []string{"x"}},
		DVVSet[Actor, int]{Entries: []Dots[Actor, int]{{NewActor(3, 1), 2, []int{9}}}},
		Stamp[string]{6, "A"}, HybridStamp[int]{Timestamp{-10, 3}, 2}, Timestamp{10, math.MaxUint32},
		Dotted[string, int]{DVV[string]{Dot[string]{"a", 3}, Sparse[string]{{"a", 2}}}, 9}, TimedVector[string]{{"a b", 1, -5}, {"c", 2, 7}},
	}
	text, err := json.Marshal(m)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Dense":[1,0,2],"Sparse":{"":1,"a<b":2},"Number":{"-5":1,"5":7},
		"Set":{"entries":[["a",3,["v5","v2"]],["b",1,[]]],"anonymous":["x"]},
		"Actors":{"entries":[["3.1",2,[9]]],"anonymous":[]},
		"Stamp":"6@A","Hybrid":"-10,3@2","Time":"10,4294967295",
		"Dotted":{"Dot":"a:3","Context":{"a":2},"Value":9},"Timed":"{\"a b\":1@-5,c:2@7}"}`, string(text))
	var got message
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, m, got)

	// A mistake inside of something else says where it is in its own clock.
	for _, bad := range []string{`{"Dense":[1,-1]}`, `{"Sparse":{"a":1,"b":-1}}`, `{"Dotted":{"Dot":"a:-1"}}`, `{"Timed":"{a:-1@0}"}`} {
		var got message
		assert.Contains(t, mistake(t, json.Unmarshal([]byte(bad), &got)), "counter -1 is negative")
		assert.Equal(t, message{}, got)
	}
}

func TestStampTexts(t *testing.T) {
	for text, want := range map[string]string{
		"6": "1: expected '@', got the end", "6@": "2: expected an id, got the end", "-1@a": "0: counter -1 is negative",
		"@a": `0: expected a counter, got "@a"`, "6@a b": `4: unexpected "b"`,
	} {
		var s Stamp[string]
		assert.Equal(t, want, mistake(t, s.UnmarshalText([]byte(text))), text)
		assert.Zero(t, s)
	}
	for text, want := range map[string]string{
		"10": "2: expected ',', got the end", "10,-3": "3: counter -3 is negative", "10,4294967296": "3: counter 4294967296 is above the limit of 4294967295",
		"x,1": `0: expected a reading, got "x,1"`, "--1,1": "1: reading -1 is negative", "4611686018427387905,0": "0: reading 4611686018427387905 is above the limit of 4611686018427387904",
	} {
		var s Timestamp
		assert.Equal(t, want, mistake(t, s.UnmarshalText([]byte(text))), text)
		var h HybridStamp[int]
		assert.Equal(t, want, mistake(t, h.UnmarshalText([]byte(text))), text)
	}
	var h HybridStamp[int]
	assert.Equal(t, `4: "b" is no id of type int`, mistake(t, h.UnmarshalText([]byte("1,2@b"))))
	assert.Equal(t, `3@"a b"`, Stamp[string]{3, "a b"}.String())
}

func TestDotErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "0: expected an id, got the end",
		"a":                      "1: expected ':', got the end",
		"a:":                     "2: expected a counter, got the end",
		"a:-1":                   "2: counter -1 is negative",
		"a:9223372036854775808":  "2: counter 9223372036854775808 is above the limit of 4611686018427387904",
		"a:1,b:2":                `3: unexpected ",b:2"`,
		`"a` + "\x00" + `":1`:    `0: "a` + "\x00" + `" is no quoted id: invalid character '\x00' in string literal`,
		strings.Repeat("a", 257): "0: an id of 257 bytes, at most 256",
	} {
		var d Dot[string]
		assert.Equal(t, want, mistake(t, d.UnmarshalText([]byte(text))), "%q", text)
		assert.Zero(t, d)
	}
}

func TestTimedVectorErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{a:1}":                     `4: expected '@', got "}"`,
		"{a:1@}":                    `5: expected a reading, got "}"`,
		"{a:-1@5}":                  "3: counter -1 is negative",
		"{a:1@4611686018427387905}": "5: reading 4611686018427387905 is above the limit of 4611686018427387904",
		"{b:1@1,a:1@1}":             "7: a after b: ids ascend",
		"{a:1@1,a:2@2}":             "7: a after a: ids ascend",
		"{a:1@1":                    `6: expected ',' or '}', got the end`,
		"{a:1@5}{":                  `7: unexpected "{"`,
	} {
		v := TimedVector[string]{{"x", 1, 1}}
		assert.Equal(t, want, mistake(t, v.UnmarshalText([]byte(text))), "%q", text)
		assert.Equal(t, TimedVector[string]{{"x", 1, 1}}, v)
	}
}

func TestSetJSONErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                         `1: expected '{', got [`,
		`null`:                                       `4: expected '{', got <nil>`,
		`{"entries":3}`:                              `12: expected '[', got 3`,
		`{"clock":[]}`:                               `8: unknown key "clock", expected entries or anonymous`,
		`{"entries":[["a",-1,[]]]}`:                  `19: counter -1 is negative`,
		`{"entries":[["a",1.5,[]]]}`:                 `20: unexpected ".5"`,
		`{"entries":[["a",1]]}`:                      `19: expected '[', got ]`,
		`{"entries":[["a",1,["x","y"]]]}`:            `28: a has 2 values of 1 writes`,
		`{"entries":[["b",1,[]],["a",1,[]]]}`:        `32: a after b: ids ascend`,
		`{"entries":[["a",1,[]],["a",1,[]]]}`:        `32: a after a: ids ascend`,
		`{"entries":[["a",1,[],7]]}`:                 `23: expected ']', got 7`,
		`{"entries":[["a",9223372036854775808,[]]]}`: `36: counter 9223372036854775808 is above the limit of 4611686018427387904`,
		`{"entries":[[{},1,[]]]}`:                    `15: expected an id, got "{}"`,
		`{"anonymous":[1]}`:                          `15: json: cannot unmarshal number into Go value of type string`,
		`{"anonymous":[],"anonymous":["x"]}`:         `27: "anonymous" comes twice`,
		`{"entries":[],"anonymous":[],"entries":[]}`: `38: "entries" comes twice`,
	} {
		var s set
		err := s.UnmarshalJSON([]byte(text))
		if assert.Error(t, err, text) {
			assert.Equal(t, want, mistake(t, err), text)
		}
		assert.Error(t, json.Unmarshal([]byte(text), &s))
	}
	var s set
	many := `{"anonymous":[` + strings.Repeat(`"",`, MaxEntries) + `""]}`
	assert.Equal(t, "196621: more than 65536 values", mistake(t, json.Unmarshal([]byte(many), &s)))
	for _, cut := range []string{"", "{", `{"entries"`, `{"entries":[`, `{"entries":[["a",1,["x"`, `{"entries":[]`} {
		assert.Error(t, s.UnmarshalJSON([]byte(cut)), cut)
	}
}

func TestChecks(t *testing.T) {
	assert.EqualError(t, Vector{1, 1 << 63}.Check(), "vector clock: the counter of process 1 is 9223372036854775808, above 2^63-1")
	assert.EqualError(t, Sparse[string]{{"b", 1}, {"a", 1}}.Check(), "sparse clock, 1: a after b")
	assert.EqualError(t, Sparse[string]{{"b", 1}, {"b", 1}}.Check(), "sparse clock, 1: b comes twice")
	assert.EqualError(t, Sparse[string]{{"b", 1 << 63}}.Check(), "sparse clock, 2: the counter of b is 9223372036854775808, above 2^63-1")
	assert.EqualError(t, setOf(dots("b", 1), dots("a", 1)).Check(), "dotted set: sparse clock, 1: a after b")
	assert.EqualError(t, setOf(dots("b", 1, "x", "y")).Check(), "dotted set, 2: b has 2 values of 1 writes")

	_, err := Vector{1, 2}.Compare(Vector{1})
	assert.EqualError(t, err, "clock: vectors of 2 and 1 processes do not compare")
	v := Vector{1, 2}
	assert.Error(t, v.Merge(Vector{9, 9, 9}))
	assert.Error(t, v.Receive(0, Vector{9}))
	assert.Equal(t, Vector{1, 2}, v, "what is refused changes nothing")

	g, err := NewGroup("b", "a")
	require.NoError(t, err)
	assert.Equal(t, "a", g.Name(0))
	assert.Equal(t, 2, g.Len())
	_, err = NewGroup("b", "a", "b")
	assert.EqualError(t, err, "group: b comes twice")
	_, err = NewGroup(numbers(MaxEntries + 1)...)
	assert.EqualError(t, err, "group: 65537 processes, at most 65536")
	_, err = g.Dense(vv("{a:1,c:1}"))
	assert.EqualError(t, err, "group: process c is not one of the 2 known")
	_, err = g.Sparse(Vector{1})
	assert.Error(t, err)
	_, err = SparseOf(Entry[string]{"a", 1}, Entry[string]{"a", 2})
	assert.EqualError(t, err, "sparse clock, 1: a comes twice")
	_, err = SparseOf(Entry[string]{"a", MaxCount + 1})
	assert.EqualError(t, err, "clock: counter 4611686018427387905 is above the limit of 4611686018427387904")
	assert.Equal(t, MaxCount, must(SparseOf(Entry[string]{"a", MaxCount})).Get("a"))
	assert.Equal(t, "{a:1,b:2}", must(SparseOf(Entry[string]{"b", 2}, Entry[string]{"a", 1})).String())

	var c Lamport = 5
	_, err = c.Receive(MaxCount + 1)
	assert.Error(t, err)
	assert.Error(t, c.Witness(MaxCount+1))
	assert.EqualValues(t, 5, c)
	assert.EqualValues(t, MaxCount+1, must(c.Receive(MaxCount)))
	assert.EqualValues(t, MaxCount+2, c.Tick(), "there is room behind the limit")

	assert.False(t, Vector{1}.Precedes(1, Vector{1}), "an unknown process")
	assert.False(t, Vector{1}.Precedes(-1, Vector{1}))
	assert.False(t, vv("{a:1}").Precedes("b", vv("{b:2}")))
	assert.True(t, vv("{a:1}").Precedes("a", vv("{a:1,b:2}")))
}

// TestWireSize: what a clock takes is what an encoding of it takes.
func TestWireSize(t *testing.T) {
	assert.Equal(t, 1+1+2, Vector{0, 127, 128}.WireSize())
	assert.Equal(t, 9, Vector{MaxCount}.WireSize())
	assert.Equal(t, 1+(1+2+1)+(1+1+2), Sparse[string]{{"ab", 1}, {"c", 300}}.WireSize())
	assert.Equal(t, 1+(1+1)+(2+1), Sparse[int32]{{-64, 1}, {64, 1}}.WireSize())
	assert.Equal(t, 1+(1+1), Sparse[uint8]{{64, 1}}.WireSize())
}

func TestWritesErrors(t *testing.T) {
	var w Writes
	_, err := w.Add(0)
	assert.EqualError(t, err, "writes: write 0 has been read and not written: there are 0")
	_, err = w.Add(-1)
	assert.Error(t, err)
	var last []WriteID
	for range 200 {
		last = []WriteID{must(w.Add(last...))}
	}
	assert.True(t, w.Before(0, 199))
	assert.True(t, w.Before(64, 128))
	assert.False(t, w.Before(199, 0))
	assert.False(t, w.Before(5, 5))
	w.past = make([]bitset, MaxWrites)
	_, err = w.Add()
	assert.EqualError(t, err, "writes: more than 65536")
}

func TestDynamoAndRiak(t *testing.T) {
	var v TimedVector[int]
	for i := range 12 {
		v.Tick(i, Reading(i)*second)
	}
	v.Tick(0, 100*second) // no longer the oldest
	pruned := func(now Reading, l PruneLimits) TimedVector[int] {
		w := slices.Clone(v)
		w.Prune(now, l)
		return w
	}
	kept := pruned(100*second, DynamoLimits())
	assert.Equal(t, "{0:2,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1}", kept.Clock().String())
	v.Prune(100*second, DynamoLimits())
	assert.Equal(t, kept, pruned(0, DynamoLimits()), "there is no more to forget")

	for i := range 60 {
		v.Tick(i, Reading(i)*second)
	}
	assert.Len(t, pruned(19*second, RiakLimits()), 60, "the oldest is younger than 20 s")
	assert.Len(t, pruned(20*second, RiakLimits()), 59, "and then the next one is")
	assert.Len(t, pruned(29*second, RiakLimits()), 50)
	assert.Len(t, pruned(86_500*second, RiakLimits()), 50, "small is never pruned, however old")
}

const second = 1000 * ms

func TestRelations(t *testing.T) {
	var words []string
	for r := Equal; r <= Concurrent; r++ {
		words = append(words, r.String()+r.Reverse().String())
	}
	assert.Equal(t, []string{"==", "<>", "><", "||||"}, words)
}
