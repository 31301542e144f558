package exact

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

type record struct {
	Count int      `json:"n"`
	Most  int64    `json:"most,omitempty"`
	First *int     `json:"first"`
	List  []record `json:"list,omitempty"`
}

func TestTextOfAnotherSpellingIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"n":1,"first":null}`: "",
		`{"n":1,"most":2,"first":3,"list":[{"n":4,"first":null}]}`:     "",
		`{"n":null,"first":null}`:                                      "n is null: want 0",
		`{"first":null}`:                                               "n is missing: want 0",
		`{"n":1}`:                                                      "first is missing: want null",
		`{"n":1,"most":0,"first":null}`:                                "most is 0: want no such field here",
		`{"n":1,"first":null,"other":7}`:                               "other is 7: want no such field here",
		`{"n":1,"first":null,"first":null}`:                            "first is null: want no such field here",
		`{"N":1,"first":null}`:                                         "N is 1: want no such field here",
		`{"n":1,"first":null,"list":[{"n":12,"first":3},{"first":3}]}`: "list[1].n is missing: want 0",
		`{"n": 1,"first":null}`:                                        `want it as this program writes it, got {"n": 1,"first":null}`,
		`{"n":1.5}`:                                                    "json: cannot unmarshal number 1.5 into Go struct field record.n of type int",
		`{"n":1`:                                                       "unexpected end of JSON input",
	} {
		err := Read([]byte(text), &record{})
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, want, text)
	}
}

func TestAnArrayOfAnotherLengthIsRefused(t *testing.T) {
	list, err := Array([]byte(`[1,{"a":[2]}]`), 2)
	require.NoError(t, err)
	require.Equal(t, []json.RawMessage{[]byte("1"), []byte(`{"a":[2]}`)}, list)
	list, err = Array(nil, 0)
	require.NoError(t, err)
	require.Empty(t, list)
	for text, want := range map[string]string{
		`[1]`: "there are 1 elements: want 2", `[1,2,3]`: "there are more than 2 elements: want 2", `{}`: "want an array of 2, got {}", "": "want an array of 2, got ", `[1,`: "[1]: EOF",
	} {
		_, err := Array([]byte(text), 2)
		require.EqualError(t, err, want, text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"n":1,"most":2,"first":3,"list":[{"n":4,"first":null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r record
		if Read(text, &r) == nil {
			again, err := json.Marshal(&r)
			require.NoError(t, err)
			require.Equal(t, string(again), string(text))
		}
		_, _ = Array(text, 2)
	})
}
