package linear

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A history of each model, in each format that it has, and written as JSON and read again.
func TestHistoriesOfModels(t *testing.T) {
	for _, c := range []struct {
		file  string
		model Model
		want  Verdict
		last  string // the operation that has no place
	}{
		{"expired-lease.json", Lease, Linearizable, ""},
		{"lease-early.json", Lease, NotLinearizable, "acquire by client 2 at [900, 1000]"},
		{"lost-add.edn", Set, NotLinearizable, "read of 2 by client 3 at [7, 8]"},
		{"jobs.log", Queue, Linearizable, ""},
		{"twice.log", Queue, NotLinearizable, "dequeue of 2 by client 2 at [7, 8]"},
		{"counter.json", Counter, NotLinearizable, "read of 5 by client 1 at [8, 9]"},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := LoadFile(filepath.Join("testdata", "models", c.file), Options{Model: c.model})
			require.NoError(t, err)
			r := verdict(t, &f.History)
			assert.Equal(t, c.want, r.Verdict, r.Why)
			assert.Contains(t, r.Why, c.last)
			roundTrip(t, &f.History)
		})
	}
}

// What a file of these models must not have is refused in words.
func TestErrorsOfModels(t *testing.T) {
	for _, c := range []struct {
		model      Model
		text, want string
	}{
		{0, `{"op":"add","value":"1","call":1,"return":2}`, "h:1:1: want to know the model, since add is of a set and of a counter: see --model"},
		{Lease, edn("0", ":invoke", ":acquire", "nil"), "h: want json of a lease: the instants of other formats are numbers of lines"},
		{Lease, `{"op":"acquire","call":1,"return":2}`, "h:1:1: value: want an integer from 1 to 1125899906842624, got \"\""},
		{Set, `{"op":"read","value":"1","call":1,"return":2}`, "h:1:1: want the elements that the read returned, got none"},
		{Set, `{"op":"read","elements":["a","b","a"],"call":1,"return":2}`, "h:1:1: want each element once, got a again"},
		{Set, edn("0", ":invoke", ":read", "nil") + edn("0", ":ok", ":read", "7"), "h:2:39: want the elements of the set, as in #{1 2}, got 7"},
		{Set, edn("0", ":invoke", ":add", "nil"), "h:1:42: want the value of the add, got nil"},
		{Queue, `{"op":"dequeue","call":1,"return":2}`, "h:1:1: want the value of the dequeue, got none"},
		{Queue, `{"op":"read","call":1,"return":2}`, "h:1:1: read is no operation of a queue: want enqueue or dequeue"},
		{Counter, `{"op":"add","value":"x","call":1,"return":2}`, "h:1:1: value: want an integer from -1099511627776 to 1099511627776, got x"},
	} {
		_, err := Load(strings.NewReader(c.text), "h", Options{Model: c.model})
		assert.EqualError(t, err, c.want)
	}
}

// A set has one text, from which its elements come back.
func TestElements(t *testing.T) {
	for _, list := range [][]string{nil, {""}, {"", "a b"}, {"1", "2"}, {`"`, `\ `, "x"}, {"\x00", "\xff"}} {
		assert.ElementsMatch(t, list, elementsOf(Elements(list...)))
	}
	assert.Equal(t, Elements("b", "a", "b"), Elements("a", "b"))
	assert.Equal(t, `"a b" c`, Elements("c", "a b"))
}

// A search that hits its limit says so.
func TestModelsAreUnknownAtALimit(t *testing.T) {
	h := &History{Model: Set}
	for i := range 12 {
		h.Ops = append(h.Ops, Op{Client: i, Kind: Add, Value: string(rune('a' + i)), Call: 1, Return: 2})
	}
	h.Ops = append(h.Ops, Op{Client: 20, Kind: Read, Value: "z", Call: 3, Return: 4})
	r, err := Decide(h, Limits{Steps: 1000, Memory: 1 << 30})
	require.NoError(t, err)
	assert.Equal(t, Unknown, r.Verdict)
	assert.Equal(t, "1000 steps", r.Bound)
}
