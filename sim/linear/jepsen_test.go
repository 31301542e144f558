package linear

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// event is an event of EDN.
func edn(process, phase, f, value string) string {
	return "{:process " + process + " :type " + phase + " :f " + f + " :value " + value + "}\n"
}

// Finding R2: in Jepsen :fail says that an operation did not happen, and nothing about the
// value. That a cas found another one is what the producer of the file may mean, and never
// where a reason stands beside it.
func TestFailedCAS(t *testing.T) {
	before := edn("0", ":invoke", ":write", "1") + edn("0", ":ok", ":write", "1") + edn("1", ":invoke", ":cas", "[1 2]")
	log := "0\t:invoke\t:write\t1\n0\t:ok\t:write\t1\n1\t:invoke\t:cas\t[1 2]\n"
	for _, c := range []struct {
		name, text string
		mismatch   bool
		want       Outcome
	}{
		{"plain", before + edn("1", ":fail", ":cas", "[1 2]"), false, Failed},
		{"as the producer says", before + edn("1", ":fail", ":cas", "[1 2]"), true, Refused},
		{"with a reason", before + edn("1", ":fail", ":cas", "[1 2] :error :connection-refused"), true, Failed},
		{"without its values", before + edn("1", ":fail", ":cas", ":timed-out"), true, Failed},
		{"log", log + "1\t:fail\t:cas\t[1 2]\n", false, Failed},
		{"log as the producer says", log + "1\t:fail\t:cas\t[1 2]\n", true, Refused},
		{"log with a reason", log + "1\t:fail\t:cas\t[1 2]\t:connection-refused\n", true, Failed},
		{"log with any reason", log + "1\t:fail\t:cas\t[1 2]\tno route #!\n", true, Failed},
	} {
		f, err := Load(strings.NewReader(c.text), "h", Options{Mismatch: c.mismatch})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, f.Ops[1].Outcome, c.name)
		want := Linearizable
		if c.want == Refused {
			want = NotLinearizable
		}
		assert.Equal(t, want, verdict(t, &f.History).Verdict, c.name)
	}
}

// Finding R3: the first map of a vector counts, and what EDN allows is read.
func TestEDN(t *testing.T) {
	const call, end = "{:process 0 :type :invoke :f :write :value 1}", "{:process 0 :type :ok :f :write :value 1}"
	for name, text := range map[string]string{
		"lines":             call + "\n" + end,
		"vector":            "[" + call + "\n" + end + "]",
		"vector on a line":  "[" + call + " " + end + "]",
		"list":              "(" + call + "," + end + ")\n",
		"bracket on a line": "[\n" + call + "\n" + end + "\n]\n; end\n",
		"comment before":    "; a comment\n[" + call + end + "]",
		"comment inside":    "[" + call + "; [ {\n" + end + "]",
		"discarded":         "[#_ #_ {:a 1} [2] " + call + "#_{} " + end + "#_x]",
		"records":           "[#jepsen.history.Op" + call + "\n#jepsen.history.Op " + end + "]",
		"over lines":        "[" + strings.ReplaceAll(call, " ", "\n") + "\r" + end + "]",
		"other keys":        "[" + strings.ReplaceAll(call, "}", ` :a/b #{1 \a \newline} :link #inst "2026" :n #:x{:y 1/2}}`) + end + "]",
		"nemesis":           "[{:process :nemesis :type :info :f :cut :value #{:n1}}" + call + end + "]",
		"order":             "[{:value 1, :f :write, :type :invoke, :process 0}" + end + "]",
		"numbers":           "[{:process 0 :type :invoke :f :write :value +1N}" + end + "]",
		"byte order mark":   "\ufeff[" + call + end + "]",
	} {
		f, err := Load(strings.NewReader(text), "h", Options{})
		require.NoError(t, err, name)
		require.Len(t, f.Ops, 1, name)
		assert.Equal(t, Write, f.Ops[0].Kind, name)
		assert.Equal(t, "1", f.Ops[0].Value, name)
		assert.Equal(t, OK, f.Ops[0].Outcome, name)
		assert.Less(t, f.Ops[0].Call, f.Ops[0].Return, name)
	}
	for text, want := range map[string]string{
		"[" + call + end:                     "h:1:88: want ], which closes line 1, column 1, got the end of the file",
		"[" + call + "]" + end:               "h:1:48: want the end of the file after its list of events, got more",
		"[[" + call + end + "]]":             "h:1:2: want a map, as in {:process 3, ...}, got a list of 2",
		call + "\n[" + end + "]":             "h:2:1: want a map, as in {:process 3, ...}, got a list of 1",
		"#op" + call:                         "h:1:1: want a map, as in {:process 3, ...}, got a form tagged op",
		"#{" + call + "}":                    "h:1:1: want a map, as in {:process 3, ...}, got a set",
		call + " #_":                         "h:1:47: want a form after #_, got the end of the file",
		"{:process :p :type :invoke}":        "h:1:11: want the number of a process or :nemesis, got :p",
		call[:len(call)-1] + " :a ##NaN}":    "h:1:49: want a set or a tag after #",
		call[:len(call)-1] + " :a #x}":       `h:1:51: want a form, got "}"`,
		call[:len(call)-1] + ` :a "\ud800"}`: `h:1:50: want an escape such as \n, got "\\u"`,
	} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		assert.EqualError(t, err, want)
	}
	f, err := Load(strings.NewReader(`{:process 0 :type :invoke :f :put :value "\ud83d\ude00\"\\\u00e9\n"}`), "h", Options{})
	require.NoError(t, err)
	assert.Equal(t, "\U0001f600\"\\\u00e9\n", f.Ops[0].Value)
}

// Two events on a line are not at the same instant.
func TestInstantsOfALine(t *testing.T) {
	text := edn("0", ":invoke", ":write", "1") + edn("0", ":ok", ":write", "1") + edn("1", ":invoke", ":read", "nil") + edn("1", ":ok", ":read", "nil")
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", " "), "\n\n" + strings.Replace(text, "\n", " ", 1)} {
		f, err := Load(strings.NewReader(text), "h", Options{})
		require.NoError(t, err)
		assert.Equal(t, NotLinearizable, verdict(t, &f.History).Verdict)
	}
}

// Finding R3: values that carry keys, as those of jepsen.independent.
func TestIndependentKeys(t *testing.T) {
	write := edn("0", ":invoke", ":write", "[7 1]") + edn("0", ":ok", ":write", "[7 1]")
	for _, c := range []struct {
		name, text string
		flag       bool
		want       string // what is wrong; else the keys are 7 and 8
	}{
		{"a read shows it", write + edn("1", ":invoke", ":read", "[8 nil]") + edn("1", ":ok", ":read", "[8 2]"), false, ""},
		{"a cas shows it", write + edn("1", ":invoke", ":cas", "[8 [1 2]]"), false, ""},
		{"a cas first", edn("1", ":invoke", ":cas", "[8 [1 2]]") + edn("1", ":info", ":cas", "[:timed-out 5]") + write, false, ""},
		{"nothing shows it", write + edn("1", ":invoke", ":write", "[8 1]"), false,
			"h:1:44: want to know whether a list of 2 is a key and its value: no read and no cas shows it; see --independent"},
		{"a completed read does not show it", write + edn("1", ":invoke", ":read", "[8 5]"), false,
			"h:1:44: want to know whether a list of 2 is a key and its value: no read and no cas shows it; see --independent"},
		{"said", write + edn("1", ":invoke", ":write", "[8 1]"), true, ""},
		{"some are", write + edn("1", ":invoke", ":read", "nil"), false,
			"h:3:43: want values that are pairs of a key and a value everywhere or nowhere, got nil"},
		{"a plain cas", write + edn("1", ":invoke", ":cas", "[8 9]"), false,
			"h:3:42: want values that are pairs of a key and a value everywhere or nowhere, got a list of 2"},
		{"after plain values", edn("1", ":invoke", ":read", "nil") + edn("2", ":invoke", ":cas", "[8 [1 2]]"), false,
			"h:2:42: want values that are pairs of a key and a value everywhere or nowhere, got a list of 2"},
		{"a list after plain values", edn("1", ":invoke", ":read", "nil") + write, false, "h:2:44: want a value, got a list of 2"},
		{"two keys", strings.ReplaceAll(write, ":f", ":key 7 :f"), true, "h:1:32: want a key in :key or in :value, got both"},
		{"another key", edn("0", ":invoke", ":read", "[7 nil]") + edn("0", ":ok", ":read", "[8 nil]"), false, "h:2:40: want the key 7 of the call at line 1, got 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Load(strings.NewReader(c.text), "h", Options{Independent: c.flag})
			if c.want != "" {
				require.EqualError(t, err, c.want)
				return
			}
			require.NoError(t, err)
			require.Len(t, f.Ops, 2)
			assert.ElementsMatch(t, []string{"7", "8"}, []string{f.Ops[0].Key, f.Ops[1].Key})
		})
	}
}

// What stands in another order than it happened in is refused, where the file shows it.
func TestOrder(t *testing.T) {
	const stamps = "2026-03-01 08:00:00,1 INFO jepsen.util: 0 :invoke :read nil\n2016-03-01T08:00:00 INFO jepsen.util: 0 :ok :read nil\n"
	for text, want := range map[string]string{
		edn("0", ":invoke", ":read", "nil :index 5") + edn("0", ":ok", ":read", "nil :index 5"):                 "h:2:50: want events in the order of :index, got 5 after 5",
		edn("0", ":invoke", ":read", "nil :time 3000000000") + edn("0", ":ok", ":read", "nil :time 1999999999"): "h:2:49: want events in the order of :time, got one that is 1.000000001s before an earlier one",
		edn("0", ":invoke", ":read", "nil :time 3000000000") + edn("0", ":ok", ":read", "nil :time 2000000000"): "",
		stamps:                          "h:2:1: want lines in the order of their times, got one that is 87648h0m0s before an earlier one",
		edn("0", ":ok", ":read", "nil"): "h:1:11: want the call of process 0 first, got :ok; lines must stand in the order of time, the oldest first",
	} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, want)
	}
}

// What cannot be told apart is refused, and so is what is no value.
func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		edn("0", ":invoke", ":write", "1") + edn("1", ":invoke", ":write", `"1"`):                `h:2:44: want values that are all texts in quotes or none, got "\"1\"" after 1`,
		edn("0", ":invoke", ":put", `"1" :key :a`) + edn("1", ":invoke", ":put", `"1" :key "a"`): `h:2:51: want keys that are all texts in quotes or none, got "\"a\"" after :a`,
		edn("0", ":invoke", ":acquire", "5"):                                                     "h:1:46: want :key for what tells a lock from others, and no value, got 5",
		edn("0", ":invoke", ":write", "#x 5"):                                                    "h:1:44: want a value, got a form tagged x",
	} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		assert.EqualError(t, err, want)
	}
	f, err := Load(strings.NewReader(edn("0", ":invoke", ":acquire", "nil")+edn("0", ":ok", ":acquire", "33")), "h", Options{})
	require.NoError(t, err, "a fencing token")
	assert.Equal(t, OK, f.Ops[0].Outcome)
	f, err = Load(strings.NewReader(edn("0", ":invoke", ":read", "4")+edn("0", ":ok", ":read", "nil")), "h", Options{})
	require.NoError(t, err, "a completed history has the value in the call too")
	assert.Equal(t, Nil, f.Ops[0].Value)
}

// Lines of a log are events, or of other loggers, or at most a tenth of them something
// else; an event is none of the latter.
func TestLogLines(t *testing.T) {
	event := "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 0\t:info\t:read\t:timed-out\n"
	others := "WARN  jepsen.core - slow\njava.lang.Exception: no\n\tat jepsen.util$f(util.clj:1)\n  more\nCaused by: x\n"
	f, err := Load(strings.NewReader(strings.Repeat(event, 10)+others), "h", Options{})
	require.NoError(t, err)
	assert.Equal(t, []int{10, 20, 4, 1}, []int{len(f.Ops), f.Events, f.Ignored, f.Unread})
	for text, want := range map[string]string{
		strings.Repeat(event, 4) + "x\n":                             "h:9:1: want a line of an operation or of a logger, got neither, as in 1 of 9 lines; at most a tenth may be so",
		event + "INFO  jepsen.utl - 0\t:invoke\t:read\tnil\n":        "h:3:1: want an event after the logger jepsen.util or at the start of the line, got it elsewhere",
		event + `{"client":1,"op":"read","call":1}` + "\n":           "h:3:1: want a line of a log, got an event of EDN or JSON behind other text",
		event + "INFO jepsen.util - 0 INFO jepsen.util - 1\t:invoke": "h:3:27: want one event on a line, got another",
		event + "INFO jepsen.util - 0\t:invoke\t:write\t12":          "h:3:39: want the end of the last line, got the end of the file, which may be cut here",
		event + "INFO jep": "h:3:9: want the end of the last line, got the end of the file, which may be cut here",
	} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		assert.EqualError(t, err, want)
	}
	for _, text := range []string{strings.TrimSuffix(event, "\n"), event + "0\t:invoke\t:cas\t[1 2]", event + "INFO jepsen.util - 0\t:invoke\t:read\tnil"} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		assert.NoError(t, err, "what ends the value is there")
	}
}

// JSON may stand in an array; each key is there once, and an operation far from all others
// is pointed out.
func TestJSON(t *testing.T) {
	const one, two, three = `{"op":"write","value":"1","call":1,"return":2}`, `{"op":"read","value":"1","call":3,"return":4}`, `{"op":"read","call":9999,"return":10000}`
	for _, text := range []string{one + two, one + "\r" + two, "[" + one + ",\n" + two + "]\n", "\n [ " + one + " , " + two + " ] "} {
		f, err := Load(strings.NewReader(text), "h", Options{})
		require.NoError(t, err)
		assert.Equal(t, []int{2, 2}, []int{len(f.Ops), f.Events})
		assert.Empty(t, f.Note)
	}
	for text, want := range map[string]string{
		"[" + one + two + "]":         "h:1:48: want a comma or the end of the list that opens before",
		"[" + one + ",]":              `h:1:49: want an object, as in {"client":3,...}, got "]"`,
		"[" + one:                     "h:1:48: want ], which closes line 1, column 1, got the end of the file",
		"[" + one + "]" + two:         "h:1:49: want the end of the file after its list of events, got more",
		`{"op":"read","op":"write"}`:  `h:1:14: want each key once, got "op" again`,
		`{"Op":"read","call":1}`:      `h:1:2: want client, op, outcome, key, old, value, elements, call and return: unknown field "Op"`,
		one + `{"op":"read","call":1`: "h:1:67: want JSON: unexpected end of JSON input",
	} {
		_, err := Load(strings.NewReader(text), "h", Options{})
		assert.EqualError(t, err, want)
	}
	f, err := Load(strings.NewReader(one+two+three), "h", Options{})
	require.NoError(t, err)
	assert.Equal(t, "the read of nil by client 0 at [9999, 10000] lies more than a thousand times as far from the others as those lie apart", f.Note)
}
