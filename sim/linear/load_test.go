package linear

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A shipped history is one of testdata.
type shipped struct {
	file, format string
	model        Model
	ops          int
	verdict      Verdict
	key, method  string
	why          string
}

var ours = []shipped{
	{"stale-read.log", Jepsen, Register, 4, NotLinearizable, "", Zones, "the read of 1 by client 0 at [7, 8] returned a value overwritten by 2: " +
		"the write of 1 by client 0 at [1, 2] had returned before the read of 2 by client 2 at [4, 5] was called, " +
		"and that one before this read was"},
	{"open-write.log", Jepsen, Register, 5, Linearizable, "", Zones, ""},
	{"lost-cas.log", Jepsen, Register, 3, NotLinearizable, "", Search,
		"there is an order of all that returned before the cas of 1 to 3 by client 2 at [4, 6], and none with it"},
	{"late-cas.log", Jepsen, Register, 5, Linearizable, "", Search, ""},
	{"refused-cas.log", Jepsen, Register, 3, Linearizable, "", Zones, ""},
	{"failed-cas.edn", EDN, Register, 6, Linearizable, "", Zones, ""},
	{"vector.edn", EDN, Register, 5, NotLinearizable, "", Zones, "the read of 1 by client 1 at [15, 16] returned a value overwritten by -2: " +
		"the write of 1 by client 0 at [9, 10] had returned before the write of -2 by client 0 at [13, 14] was called, " +
		"and that one before this read was"},
	{"independent.edn", EDN, Register, 7, NotLinearizable, "y", Search,
		"there is an order of all that returned before the cas of 1 to 3 by client 1 at [12, 13], and none with it"},
	{"lost-append.edn", EDN, KV, 4, NotLinearizable, "x", Search,
		"there is an order of all that returned before the read of a by client 1 at [7, 8], and none with it"},
	{"two-keys.edn", EDN, KV, 7, Linearizable, "", Search, ""},
	{"two-holders.json", JSON, Lock, 4, NotLinearizable, "printer", Search,
		"there is an order of all that returned before the acquire by client 2 at [5000, 6000], and none with it"},
	{"handover.json", JSON, Lock, 6, Linearizable, "", Search, ""},
	{"touching.json", JSON, Register, 3, Linearizable, "", Zones, ""},
}

func TestOurHistories(t *testing.T) {
	for _, want := range ours {
		t.Run(want.file, func(t *testing.T) {
			f, err := LoadFile(filepath.Join("testdata", want.file), Options{})
			require.NoError(t, err)
			require.NoError(t, f.Validate())
			r := verdict(t, &f.History)
			assert.Equal(t, want, shipped{want.file, f.Format, f.Model, len(f.Ops), r.Verdict, r.Key, r.Method, r.Why})
		})
	}
	files, err := os.ReadDir("testdata")
	require.NoError(t, err)
	histories := 0
	for _, f := range files {
		if !f.IsDir() {
			histories++
		}
	}
	assert.Len(t, ours, histories)
}

func verdict(t *testing.T, h *History) Result {
	t.Helper()
	r, err := Check(context.Background(), h, DefaultLimits())
	require.NoError(t, err)
	return r
}

// published is a line of INDEX.json of the histories of other people's systems, which
// are in shared/data beside the repository. In a clone without them ours take their
// place.
type published struct {
	File         string
	Linearizable bool
	Ops          int
	Model        string
}

// mismatch reports whether the index says that a failed cas found another value.
func (p *published) mismatch() bool {
	return strings.Contains(p.Model, ":fail cas = compare did not match")
}

func histories(t *testing.T) (dir string, all []published) {
	dir = filepath.Join("..", "..", "..", "shared", "data", "histories")
	text, err := os.ReadFile(filepath.Join(dir, "INDEX.json"))
	if errors.Is(err, os.ErrNotExist) {
		for _, o := range ours {
			all = append(all, published{o.file, o.verdict == Linearizable, o.ops, ""})
		}
		return "testdata", all
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &all))
	require.Len(t, all, 54)
	return dir, all
}

func TestPublishedVerdicts(t *testing.T) {
	dir, all := histories(t)
	require.NotEmpty(t, all)
	for _, want := range all {
		f, err := LoadFile(filepath.Join(dir, want.File), Options{Mismatch: want.mismatch()})
		require.NoError(t, err)
		require.Len(t, f.Ops, want.Ops, want.File)
		r := verdict(t, &f.History)
		require.NotEqual(t, Unknown, r.Verdict, want.File)
		require.Equal(t, want.Linearizable, r.Verdict == Linearizable, "%s: %s", want.File, r.Why)
		require.Equal(t, want.Linearizable, r.Why == "", want.File)
	}
}

// A reader that misunderstood what ends an operation would get other verdicts.
func TestOurHistoriesSeeMutants(t *testing.T) {
	for name, mutate := range map[string]func(*Op){
		"what is open never took effect": func(o *Op) {
			if o.Outcome == Open {
				o.Outcome, o.Return = Failed, o.Call
			}
		},
		"a failed cas says nothing": func(o *Op) {
			if o.Outcome == Refused {
				o.Outcome = Failed
			}
		},
		"a failed cas may have taken effect": func(o *Op) {
			if o.Outcome == Refused {
				o.Outcome = Open
			}
		},
		"appends replace": func(o *Op) {
			if o.Kind == Append {
				o.Kind = Write
			}
		},
		"all is of one key": func(o *Op) { o.Key = "" },
	} {
		t.Run(name, func(t *testing.T) {
			different := 0
			for _, want := range ours {
				f, err := LoadFile(filepath.Join("testdata", want.file), Options{Mismatch: true})
				require.NoError(t, err)
				before := verdict(t, &f.History).Verdict
				for i := range f.Ops {
					mutate(&f.Ops[i])
				}
				if verdict(t, &f.History).Verdict != before {
					different++
				}
			}
			assert.Positive(t, different)
		})
	}
}

func TestLoadErrors(t *testing.T) {
	const log, call = "INFO  jepsen.util - ", "INFO  jepsen.util - 0\t:invoke\t:write\t7\n"
	const edn = `{:process 0, :type :invoke, :f :get, :key "x"}` + "\n"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "h: want a history, got no operation. Lines of one look like\n"},
		{"nothing of it", "hello\n", "h: want a history, got no operation"},
		{"binary", "a\x00", "h:1:2: want text, got a zero byte"},
		{"no logger", "INFO jepsen.utl - 0\t:invoke\t:read\tnil", "h:1:1: want an event after the logger jepsen.util or at the start of the line, got it elsewhere"},
		{"no process", log + "x\t:invoke\t:read", "h:1:21: want the number of a process or :nemesis, got x"},
		{"below zero", log + "-1\t:invoke\t:read\tnil", "h:1:21: want the number of a process or :nemesis, got -1"},
		{"no phase", log + "0", "h:1:22: want an operation such as :read, got nothing"},
		{"unknown phase", log + "0\t:done\t:read\tnil", "h:1:23: want :invoke, :ok, :fail or :info, got :done"},
		{"unknown operation", log + "0\t:invoke\t:raed\tnil", `h:1:31: want an operation (read, write, cas, get, put, append, acquire, release, renew, add, remove, enqueue, dequeue), got "raed"`},
		{"of another model", call + log + "1\t:invoke\t:append\t7", "h:2:31: append is no operation of a register: want read, write or cas"},
		{"no value", log + "0\t:invoke\t:write", "h:1:37: want a value, got nothing"},
		{"a list", call + log + "1\t:invoke\t:write\t[1 2]", "h:2:38: want a value, got a list of 2"},
		{"a cas of one", log + "0\t:invoke\t:cas\t[1]", "h:1:36: want the two values of a cas, as in [1 2], got a list of 1"},
		{"the text nil", log + "0\t:invoke\t:write\t\"nil\"", `h:1:38: want another value: the text "nil" cannot be told from nil`},
		{"open list", log + "0\t:invoke\t:cas\t[1 2", "h:1:40: want ], which closes line 1, column 36, got the end of the line"},
		{"too deep", log + "0\t:invoke\t:cas\t" + strings.Repeat("[", 102), "h:1:137: want forms at most 100 deep, got deeper ones"},
		{"two calls", call + call, "h:2:23: want :ok, :fail or :info of the write that process 0 called at line 1, got another call"},
		{"no call", log + "0\t:ok\t:read\tnil", "h:1:21: want the call of process 0 first, got :ok"},
		{"other end", call + log + "0\t:ok\t:read\tnil", "h:2:27: want the end of the write that process 0 called at line 1, got :read"},
		{"other value", call + log + "0\t:ok\t:write\t8", "h:2:34: want the value of the call at line 1, got 8"},
		{"more", log + "0\t:invoke\t:write\t7 8", "h:1:40: want the end of the line, got more"},
		{"not EDN", edn + "[1]", "h:2:1: want a map, as in {:process 3, ...}, got a list of 1"},
		{"open map", edn[:len(edn)-2], "h:1:46: want }, which closes line 1, column 1, got the end of the file"},
		{"open text", `{:process "0`, "h:1:13: want a quote, which closes line 1, column 11, got the end of the file"},
		{"bad escape", `{:process "\y"}`, `h:1:12: want an escape such as \n, got`},
		{"odd map", "{:process}", "h:1:2: want a value for each key of the map"},
		{"key twice", "{:process 1 :process 2}", "h:1:13: want each key once, got :process again"},
		{"no keys", "{:a 1}", "h:1:1: want the number of a process or :nemesis, got nothing"},
		{"bad key", strings.Replace(edn, `"x"`, "[1]", 1), "h:1:43: want a key, got a list of 1"},
		{"other key", edn + `{:process 0, :type :ok, :f :get, :key "y", :value "1"}`, "h:2:39: want the key x of the call at line 1, got"},
		{"a tag", "{:process #x 1}", "h:1:11: want the number of a process or :nemesis, got a form tagged x"},
		{"not JSON", `{"op"]}`, "h:1:6: want JSON: invalid character ']'"},
		{"cut JSON", `{"client":1`, "h:1:11: want JSON: unexpected end of JSON input"},
		{"JSON of a type", `{"client":"1"}`, "h:1:13: client: want int, got string"},
		{"unknown JSON", `{"cleint":1}`, `h:1:2: want client, op, outcome, key, old, value, elements, call and return: unknown field "cleint"`},
		{"more JSON", `{"op":"read","call":1} x`, `h:1:24: want an object, as in {"client":3,...}, got x`},
		{"no call of JSON", `{"op":"read"}`, "h:1:1: want a call, got none"},
		{"no return", `{"op":"read","call":1,"outcome":"ok"}`, "h:1:1: want a return of what is ok, got none"},
		{"bad outcome", `{"op":"read","call":1,"outcome":"fine"}`, `h:1:1: want an outcome (ok, open, failed, refused), got "fine"`},
		{"refused read", `{"op":"read","call":1,"return":2,"outcome":"refused"}`, "h:1:1: read cannot be refused: want ok, open or failed"},
		{"backwards", `{"op":"read","call":3,"return":2}`, "h:1:1: return: want 3 or later, its call, got 2"},
		{"client below zero", `{"op":"read","client":-1,"call":3}`, "h:1:1: want a client of 0 or more, got -1"},
		{"JSON not in UTF-8", "{\"op\":\"\xff\"}", "h:1:8: want UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := Load(strings.NewReader(test.text), "h", Options{})
			assert.Nil(t, f)
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), test.want), err.Error())
		})
	}
}

func TestLoadOptions(t *testing.T) {
	const reads = `{"op":"read","call":1,"return":2}`
	f, err := Load(strings.NewReader(reads), "h", Options{Model: KV})
	require.NoError(t, err)
	assert.Equal(t, History{KV, []Op{{Kind: Read, Call: 1, Return: 2}}}, f.History)

	_, err = Load(strings.NewReader(reads), "h", Options{Model: Lock})
	assert.EqualError(t, err, "h:1:1: read is no operation of a lock: want acquire or release")
	_, err = Load(strings.NewReader(reads), "h", Options{Format: Jepsen})
	assert.ErrorContains(t, err, "h:1:1: want a line of a log, got an event of EDN or JSON behind other text")
	_, err = Load(strings.NewReader(reads), "h", Options{Format: "xml"})
	assert.EqualError(t, err, `format: want jepsen, edn, json, got "xml"`)

	broken := errors.New("disk on fire")
	_, err = Load(iotest.ErrReader(broken), "h", Options{})
	assert.ErrorIs(t, err, broken)
	_, err = LoadFile(filepath.Join(t.TempDir(), "none"), Options{})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// The number of operations and the size are limited.
func TestLoadLimits(t *testing.T) {
	for _, text := range []string{`{"op":"read","call":1}`, "{:process 0, :type :invoke, :f :read}"} {
		r := newReader(text, Options{Model: Register})
		r.ops = make([]Op, MaxOps)
		assert.ErrorContains(t, r.readAll(), "want at most 1000000 operations")
	}
	_, err := readText(strings.NewReader("a line"), 5)
	assert.ErrorContains(t, err, "want at most 5 bytes")
}

func TestIgnoredLinesAreCounted(t *testing.T) {
	f, err := LoadFile(filepath.Join("testdata", "open-write.log"), Options{})
	require.NoError(t, err)
	assert.Equal(t, 2, f.Ignored)
}

func roundTrip(t *testing.T, h *History) {
	t.Helper()
	require.NoError(t, h.Validate())
	var text bytes.Buffer
	require.NoError(t, WriteJSON(&text, h))
	again, err := Load(&text, "again", Options{Format: JSON, Model: h.Model})
	require.NoError(t, err)
	require.Len(t, again.Ops, len(h.Ops))
	for i := range h.Ops {
		require.Equal(t, h.Ops[i].String(), again.Ops[i].String())
		require.Equal(t, h.Ops[i].Outcome, again.Ops[i].Outcome)
		require.Equal(t, h.Ops[i].Key, again.Ops[i].Key)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, o := range ours {
		f, err := LoadFile(filepath.Join("testdata", o.file), Options{})
		require.NoError(t, err)
		roundTrip(t, &f.History)
	}
}
