package eventlog

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/clock/script"
)

// ab is two events, as the format has them by default.
const ab = "asks\nalice {\"alice\":1}\nis asked\nbob {\"bob\":1, \"alice\":1}\n"

func TestRead(t *testing.T) {
	want := []string{"alice{alice:1} asks", "bob{alice:1,bob:1} is asked"}
	for name, c := range map[string]struct {
		text    string
		options Options
	}{
		"default":               {ab, Options{}},
		"no end":                {strings.TrimSpace(ab), Options{}},
		"carriage returns":      {strings.ReplaceAll(ab, "\n", "\r\n"), Options{}},
		"byte order mark":       {"\ufeff" + ab, Options{}},
		"header":                {EventFirst + "\n\n" + ab, Options{}},
		"header, windows":       {strings.ReplaceAll(EventFirst+"\n\n"+ab, "\n", "\r\n"), Options{}},
		"header of Go":          {strings.ReplaceAll(EventFirst, "?<", "?P<") + "\n\n" + ab, Options{}},
		"empty header":          {"\n\n" + ab, Options{}},
		"GoVector":              {HostFirst + "\n\n" + govector, Options{}},
		"GoVector, bare":        {govector, Options{}},
		"GoVector, blank lines": {"\n\n\n" + govector, Options{}},
		"noise":                 {"# a comment\n\n" + strings.Replace(ab, "is asked", "noise\nis asked", 1), Options{Format: ShiViz}},
		"a date": {"2026-01-01 asks\nalice {\"alice\":1}\n2026-01-02 is asked\nbob {\"bob\":1,\"alice\":1}\n",
			Options{Expression: `(?<date>\S+) (?<event>.*)\n(?<host>\w+) (?<clock>\{.*\})`}},
		"on one line": {"alice {\"alice\":1} asks\nbob {\"alice\":1,\"bob\":1} is asked\n",
			Options{Expression: `^(?<host>\S+) (?<clock>{.*}) (?<event>.*)$`}},
		"any character":                  {ab, Options{Expression: `(?<event>[^\n]*)\n(?<host>\S*)\s+(?<clock>{[^}]*})`}},
		"an expression beats the header": {"(?<host>x) (?<clock>y) (?<event>z)\n\n" + ab, Options{Expression: EventFirst}},
		"a host in escapes":              {strings.ReplaceAll(ab, `"alice"`, `"\u0061lice"`), Options{}},
		"a zero":                         {strings.Replace(ab, `"alice":1}`, `"alice":1,"carol":0}`, 1), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Read(iotest.OneByteReader(strings.NewReader(c.text)), c.options)
			require.NoError(t, err)
			var got []string
			for i, line := range l.lines() {
				got = append(got, line+" "+l.Events[i].Text)
			}
			assert.Equal(t, want, got)
			assert.True(t, l.Order(0).Consistent())
			assert.Equal(t, ShiViz, l.Format)
		})
	}
}

const govector = "alice {\"alice\":1}\nasks\nbob {\"alice\":1, \"bob\":1}\nis asked\n"

func TestLines(t *testing.T) {
	l, err := Read(strings.NewReader(EventFirst+"\n\n\n"+ab), Options{})
	require.NoError(t, err)
	assert.Equal(t, []int32{4, 6}, []int32{l.Events[0].Line, l.Events[1].Line})
	l = readFile(t, "consistent.log")
	assert.EqualValues(t, 3, l.Events[0].Line)
	assert.EqualValues(t, 5, l.Events[1].Line)
}

// An event whose text looks like a clock is not taken for one, whichever comes first.
func TestTextLikeAClock(t *testing.T) {
	for _, text := range []string{govector, ab} {
		text = strings.ReplaceAll(text, "is asked", `mallory {"mallory":1}`)
		l, err := Read(strings.NewReader(text), Options{})
		require.NoError(t, err)
		assert.Equal(t, []string{"alice{alice:1}", "bob{alice:1,bob:1}"}, l.lines())
		assert.Equal(t, `mallory {"mallory":1}`, l.Events[1].Text)
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"x\nalice {\"alice\":-1}":                       "2:16: the counter -1 is negative",
		"x\nalice {\"alice\":18446744073709551617}":     "2:16: the counter 18446744073709551617 is above the limit of 281474976710655",
		"x\nalice {\"alice\":281474976710656}":          "2:16: the counter 281474976710656 is above the limit of 281474976710655",
		"x\nalice {\"alice\":1.5}":                      "2:16: the counter 1.5 is no whole number",
		"x\nalice {\"alice\":1e3}":                      "2:16: the counter 1e3 is no whole number",
		"x\nalice {\"alice\":\"1\"}":                    `2:16: expected a counter, got "\"1\"}"`,
		"x\nalice {\"alice\":}":                         `2:16: expected a counter, got "}"`,
		"x\nalice {\"alice\" 1}":                        `2:16: expected ':', got "1}"`,
		"x\nalice {\"alice\":1 \"bob\":1}":              `2:18: expected ',' or '}', got "\"bob\":1}"`,
		"x\nalice {\"alice\":1,}":                       `2:18: expected a host in quotes, got "}"`,
		"x\nalice {alice:1}":                            `2:8: expected a host in quotes, got "alice:1}"`,
		"x\nalice {\"alice:1}":                          "2:8: the quote is not closed",
		"x\nalice {\"\\q\":1}":                          `2:8: "\q" is no string of JSON`,
		"x\nalice {\"\":1}":                             "2:8: the host has no name",
		"x\nalice {\"alice\":1}}":                       `2:18: more behind the clock: "}"`,
		"x\nalice {\"alice\":1,\"alice\":2}":            `2:7: "alice" comes twice`,
		"x\n {\"alice\":1}":                             "2:1: the host has no name",
		"x\n" + strings.Repeat("h", 257) + " {\"h\":1}": "2:1: the name of the host has 257 bytes: want at most 256",
		"a\nb\x00":                                       "2:2: a zero byte: this is no text",
		"a\n" + strings.Repeat("x", MaxLine+1):           "2:1048576: a line of more than 1048576 bytes",
		"x\na {\"a\":-1}\n\ny\nb {\"b\":x}\r\nz\nc {}\n": "2:8: the counter -1 is negative\n5:8: expected a counter, got \"x}\"",
	} {
		_, err := Read(strings.NewReader(text), Options{})
		assert.ErrorAs(t, err, &script.Mistakes{}, text)
		assert.EqualError(t, err, want, text)
	}
	_, err := Read(strings.NewReader(strings.Repeat("x\na {\"a\":-1}\n", 100)), Options{})
	assert.Len(t, err, maxMistakes)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text    string
		options Options
		want    string
	}{
		{"", Options{}, "there is no event in it"},
		{"", Options{Format: ShiViz}, "there is no event in it: nothing matches the expression (?<event>.*)"},
		{"x", Options{Format: "xml"}, `format "xml": want auto, shiviz or script`},
		{ab, Options{Expression: `(?<event>.*)`}, "want the named group (?<host>...) and (?<clock>...) in it"},
		{ab, Options{Expression: `(?<event>(?=x).*)`}, "`(?=` is lookahead: JavaScript has it, and expressions in Go do not"},
		{ab, Options{Expression: `(?<event>(?!x).*)`}, "`(?!` is lookahead"},
		{ab, Options{Expression: `(?<event>(?<=x).*)`}, "`(?<=` is lookbehind"},
		{ab, Options{Expression: `(?<event>(?<!x).*)`}, "`(?<!` is lookbehind"},
		{ab, Options{Expression: `(?<event>(x)\1)`}, "`\\1` is a reference to a group"},
		{ab, Options{Expression: `(?<event>(x)\k<event>)`}, "`\\k` is a reference to a group"},
		{ab, Options{Expression: `(?<event>\u0041)`}, "`\\u` is that escape"},
		{ab, Options{Expression: `(?<event>`}, "missing closing )"},
		{ab, Options{Expression: `(?<event>.*){1,2000}`}, "invalid repeat count"},
		{ab, Options{Expression: `x`, Delimiter: `(`}, "the delimiter \"(\": missing closing )"},
		{"(?<event>.*(?=x))(?<host>)(?<clock>)\n\n" + ab, Options{}, "is lookahead"},
		{ab, Options{Expression: `(?<event>a)|(?<host>b)|(?<clock>c)`}, "finds no host, clock or event in it"},
		{ab, Options{Execution: "x"}, "has no delimiter"},
		{"what is this\n", Options{}, "1:1: want PROCESS: EVENT EVENT..."},
	} {
		_, err := Read(strings.NewReader(c.text), c.options)
		assert.ErrorContains(t, err, c.want)
	}
	broken := errors.New("broken")
	_, err := Read(iotest.ErrReader(broken), Options{})
	assert.ErrorIs(t, err, broken)
	assert.NoError(t, CheckExpressions(EventFirst, `^=== (?<trace>.*)`))
	assert.ErrorContains(t, CheckExpressions("(", "["), "the delimiter")
	assert.ErrorContains(t, CheckExpressions("(", "["), "the expression")
}

// TestSkipped: what an expression does not match is left out, as ShiViz does, but said.
func TestSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		lines, first int
	}{
		"nothing":            {ab, 0, 0},
		"blank lines":        {"\n \n" + ab + "\n\t\n", 0, 0},
		"before and between": {"# a comment\n\n" + strings.Replace(ab, "is asked", "noise\nis asked", 1), 2, 1},
		"a clock cut off":    {ab + "asks again\nalice {\"alice\":2\n", 2, 5},
		"no end of line":     {ab + "end", 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Read(strings.NewReader(c.text), Options{Expression: EventFirst})
			require.NoError(t, err)
			assert.Len(t, l.Events, 2)
			assert.Equal(t, c.lines, l.Skipped)
			assert.Equal(t, c.first, l.FirstSkipped)
		})
	}
	t.Run("the rest of a line", func(t *testing.T) {
		l, err := Read(strings.NewReader(`12:00 alice {"alice":1} info`), Options{Expression: `(?<event>)(?<host>\w+) (?<clock>{.*})`})
		require.NoError(t, err)
		assert.Zero(t, l.Skipped)
	})
}

// TestNoText: what is no text is refused before all of it is read.
func TestNoText(t *testing.T) {
	_, err := Read(io.MultiReader(bytes.NewReader(make([]byte, 1<<16)), iotest.ErrReader(errors.New("read on"))), Options{})
	assert.EqualError(t, err, "1:1: a zero byte: this is no text")
}

func TestExecutions(t *testing.T) {
	read := func(text string, o Options) (*Log, error) { return Read(strings.NewReader(text), o) }
	text := EventFirst + "\n^=== (?<trace>.*) ===$\n=== one ===\n" + ab + "=== two ===\n\n=== one ===\nx\ncarol {\"carol\":1}\n"
	_, err := read(text, Options{})
	var several *ExecutionsError
	require.ErrorAs(t, err, &several)
	assert.Equal(t, []string{"one", "one #2"}, several.Names)
	assert.EqualError(t, err, `2 executions: want one of "one", "one #2"`)
	_, err = read(text, Options{Execution: "three"})
	assert.EqualError(t, err, `there is no execution "three": want "one", "one #2"`)
	for name, want := range map[string]int32{"one": 4, "1": 4, "one #2": 11, "2": 11} {
		l, err := read(text, Options{Execution: name})
		require.NoError(t, err)
		assert.Equal(t, want, l.Events[0].Line)
		assert.Equal(t, map[int32]string{4: "one", 11: "one #2"}[want], l.Execution)
		assert.Len(t, l.Events, map[int32]int{4: 2, 11: 1}[want])
	}
	l, err := read("=== x ===\n"+ab, Options{Delimiter: "^=== .* ===$"})
	require.NoError(t, err)
	assert.Len(t, l.Events, 2)
	assert.Equal(t, "#1", l.Execution)
	l, err = read("\n^--- (?<trace>.*)$\n"+ab+"--- second\n"+ab, Options{Execution: "#1"})
	require.NoError(t, err)
	assert.Len(t, l.Events, 2, "what comes before the first delimiter is an execution")
	_, err = read(strings.Repeat("---\nx\n", maxExecutions+2), Options{Delimiter: "---", Format: ShiViz})
	assert.EqualError(t, err, "more than 4096 executions")
	// GoVector appends executions to one file, each with an event of a host without name.
	l, err = read(" \n=== Execution #Sat  ===\nalice {\"alice\":1}\nInitialization Complete\n",
		Options{Expression: HostFirst, Delimiter: `^=== (?<trace>.*) ===$`})
	require.NoError(t, err)
	assert.Equal(t, []string{"alice{alice:1}"}, l.lines())
	assert.Equal(t, "Execution #Sat", l.Execution)
	l, err = read(" \n=== Execution #Sat  ===\nalice {\"alice\":1}\nInitialization Complete\n",
		Options{Expression: `(?<host>\S*) (?<clock>.*)\n(?<event>.*)`})
	require.NoError(t, err)
	assert.Equal(t, []string{"alice{alice:1}"}, l.lines())
}

func TestProgress(t *testing.T) {
	var done []int
	text := strings.Repeat("x", 1<<19) + "\na {\"a\":1}\n"
	_, err := Read(strings.NewReader(strings.Repeat(text, 9)), Options{Progress: func(at, total int) bool {
		assert.Equal(t, 9*len(text), total)
		done = append(done, at)
		return true
	}})
	require.NoError(t, err)
	assert.Len(t, done, 4)
	assert.IsIncreasing(t, done)
	_, err = Read(strings.NewReader(strings.Repeat(text, 9)), Options{Progress: func(at, total int) bool { return false }})
	assert.ErrorIs(t, err, ErrStopped)
}

// Long lines, and texts that are no UTF-8, are read.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("\xff\x1b[2J", 20_000)
	l, err := Read(strings.NewReader(long+"\nalice {\"alice\":1}\n"), Options{})
	require.NoError(t, err)
	assert.Equal(t, long, l.Events[0].Text)

	var b strings.Builder
	b.WriteString("x\nh0y {")
	for i := range 4000 {
		b.WriteString(map[bool]string{true: ",", false: ""}[i > 0] + `"h` + string(rune('0'+i%10)) + strings.Repeat("x", i/10%200) + "y" + strings.Repeat("z", i/2000) + `":1`)
	}
	b.WriteString("}\n")
	l, err = Read(strings.NewReader(b.String()), Options{})
	require.NoError(t, err)
	assert.Greater(t, len(l.Hosts), 3_999)
	assert.Equal(t, 3_999, l.Order(5).Found[UnknownHost])
}

// The search that looks at a few lines at a time finds what a search of the whole text
// finds.
func TestExpressionAgainstWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, pattern := range []string{EventFirst, HostFirst, `(?<host>a)?\n?b`, `^a+$`, `a\n*b`, `a[^b]b`, `(a|b\nb|\n\n\n)a`, `a\s{2,3}b`, `$`, `b\s*?$`, `(?s)a.b`, `\ba\b`, `\Aa`, `a\z`} {
		x, err := compile("expression", pattern)
		require.NoError(t, err)
		whole := regexp.MustCompile("(?m)" + pattern)
		for range 3000 {
			text := make([]byte, r.IntN(30))
			for i := range text {
				text[i] = "ab\n {}\n\n"[r.IntN(8)]
			}
			require.Equal(t, whole.FindStringSubmatchIndex(string(text)), x.next(string(text), 0), "%q in %q", pattern, text)
		}
	}
}

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, "alice", "bob b", "bob_b", "", "c\"{}\\<", "\x1b\xff")
	require.NoError(t, err)
	require.NoError(t, w.Add(0, clock.Vector{1, 0, 0, 0, 0, 0}, "two\nlines \\ {\"x\":1}\r\n"))
	require.NoError(t, w.Add(1, clock.Vector{1, 1, 0, 0, 0, 0}, ""))
	require.NoError(t, w.Add(4, clock.Vector{0, 0, 0, 0, 1, 0}, "\u2028 x\t\xff"))
	require.NoError(t, w.Add(5, clock.Vector{0, 0, 1, 1, 1, 1}, `alice {"alice":7}`))
	require.NoError(t, w.Flush())
	assert.Equal(t, HostFirst+`

alice {"alice":1}
two lines \ {"x":1}
bob_b_2 {"alice":1,"bob_b_2":1}
-
c"{}\< {"c\"{}\\<":1}
x
__ {"bob_b":1,"_":1,"c\"{}\\<":1,"__":1}
alice {"alice":7}
`, b.String())
	l, err := Read(&b, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"alice", "bob_b_2", `c"{}\<`, "__", "bob_b", "_"}, l.Hosts)
	assert.Equal(t, `alice {"alice":7}`, l.Events[3].Text)
	assert.Equal(t, "bob_b_2", w.Host(1))

	for want, err := range map[string]error{
		"a clock of 1 counters, and 6 hosts":              w.Add(0, clock.Vector{1}, ""),
		"host 6: there are 0 to 5":                        w.Add(6, make(clock.Vector, 6), ""),
		"an event of alice that has not been counted":     w.Add(0, make(clock.Vector, 6), ""),
		"a counter is above 281474976710655: [2814749767": w.Add(0, clock.Vector{1 << 48, 0, 0, 0, 0, 0}, ""),
	} {
		assert.ErrorContains(t, err, want)
	}
	_, err = NewWriter(&b, "a", "b", "a")
	assert.ErrorContains(t, err, `two hosts are named "a"`)
	_, err = NewWriter(&b, make([]string, MaxHosts+1)...)
	assert.ErrorContains(t, err, "65537 hosts: want at most 65536")
	long := strings.Repeat("ü", 200)
	w, err = NewWriter(&b, long, long+"x")
	require.NoError(t, err)
	assert.Equal(t, strings.Repeat("ü", 128), w.Host(0))
	assert.Equal(t, strings.Repeat("ü", 125)+"_2", w.Host(1))
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriterKeepsErrors(t *testing.T) {
	w, err := NewWriter(full{}, "a")
	require.NoError(t, err)
	require.NoError(t, w.Add(0, clock.Vector{1}, "x"))
	assert.EqualError(t, w.Flush(), "full")
	assert.EqualError(t, w.Add(0, clock.Vector{2}, "x"), "full")
}
