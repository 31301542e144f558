package strict

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const small = "model: x\nfaults:\n- for: 3s\n"

func TestSet(t *testing.T) {
	for _, c := range []struct {
		path, value string
		check       func(s scenario) any
		want        any
	}{
		{"faults.0.for", "8061ms", func(s scenario) any { return s.Faults[0].For.Low }, 8061 * time.Millisecond},
		{"faults.0.for", " {exp: 5ms} ", func(s scenario) any { return s.Faults[0].For.Kind }, "exp"},
		{"faults.0.for.gclog", "a b.log", func(s scenario) any { return s.Faults[0].For.File }, "a b.log"},
		{"faults.1.pause", "b", func(s scenario) any { return s.Faults[1].Pause }, "b"},
		{"faults", "[]", func(s scenario) any { return len(s.Faults) }, 0},
		{"params.ttl", "5s", func(s scenario) any { return s.Params.TTL }, 5 * time.Second},
		{"params.retry", "null", func(s scenario) any { return s.Params.Retry }, (*time.Duration)(nil)},
		{"tags", "[a, b]", func(s scenario) any { return len(s.Tags) }, 2},
		{"tags.0", "a", func(s scenario) any { return s.Tags[0] }, "a"},
		{"about", "a: b # *c", func(s scenario) any { return s.About }, "a: b # *c"},
		{"about", `"5"`, func(s scenario) any { return s.About }, "5"},
		{"about", `''`, func(s scenario) any { return s.About }, ""},
		{"seed", "5", func(s scenario) any { return s.Seed }, uint64(5)},
		{"clocks.redis-1.drift", "-5ppm", func(s scenario) any { return s.Clocks[0].Value.Drift }, int64(-5000)},
	} {
		d := parse(t, small)
		var s scenario
		require.NoError(t, d.Set(c.path, c.value), c.path)
		require.NoError(t, d.Decode(&s), c.path)
		require.Equal(t, c.want, c.check(s), c.path)
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range [][3]string{
		{"faults.7", "x", `"7" is not an index here: want 0 to 1, where 1 appends`},
		{"faults.x.for", "x", `"x" is not an index here: want 0 to 1, where 1 appends`},
		{"faults.-1", "x", `"-1" is not an index here: want 0 to 1, where 1 appends`},
		{"tags.3", "x", `"3" is not an index here: want 0, which appends`},
		{"a..b", "1", `"a..b" is not a path: want keys and indices such as faults.0.for`},
		{"seed\x03", "1", `"seed\x03" is not a path: want keys and indices such as faults.0.for`},
		{"", "1", `"" is not a path: want keys and indices such as faults.0.for`},
		{strings.Repeat("a.", 64) + "a", "1", `the path is deeper than 64 levels`},
		{"faults.0.for", "[1s", `not valid YAML: a "[" is not closed, or a "," is missing`},
		{"faults.0.for", "{exp: &a 5}", `anchors are not supported: write the value out`},
		{"seed", `"5": 3`, `"\"5\": 3" is not a value: want a text, [a, b] or {key: value}`},
		{"seed", "[1]\n---\n[2]", `a second document: want one per file`},
		{"seed", "x\x1b[31m", `control character '\x1b'`},
		{"about", `"\e[31m"`, `control character '\x1b' in a text: want it left out`},
		{"seed", strings.Repeat("x", MaxSize+1), `the value is too large: want at most 1024 KiB`},
	} {
		d := parse(t, small)
		err := d.Set(c[0], c[1])
		require.Error(t, err, c[0])
		require.Equal(t, c[2], err.(*Error).Problems[0].Message)
		require.True(t, strings.HasPrefix(err.Error(), "--set "+c[0][:min(4, len(c[0]))]), err)
		require.NoError(t, d.Decode(&scenario{}), "nothing has changed")
	}
}

func TestSetMistakesAreLocatedThere(t *testing.T) {
	for _, c := range [][3]string{
		{"faults.0.for", "8061", `--set faults.0.for=8061: "8061" is not a duration: want a unit, as in 8061ms or 8061s`},
		{"faults.0.puase", "a", `--set faults.0.puase=a: unknown key "puase"; did you mean "pause"?`},
		{"fautls.0.for", "3s", `--set fautls.0.for=3s: unknown key "fautls"; did you mean "faults"?`},
		{"until", "", `--set until=: no value is given: want one, or leave the entry out`},
		{"clocks", "{a: {drift: 1}}", `--set clocks={a: {drift: 1}}: "1" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock (at clocks.a.drift)`},
	} {
		d := parse(t, small)
		require.NoError(t, d.Set(c[0], c[1]))
		require.EqualError(t, d.Decode(&scenario{}), c[2])
	}
}

func TestPutKeepsThePosition(t *testing.T) {
	d := parse(t, small+"vary:\n  params.ttl: [1s, 2]\n")
	var got []string
	for _, v := range d.Lookup("vary.params.ttl").Items() {
		c := d.Clone()
		var s scenario
		require.NoError(t, c.Put("params.ttl", v))
		got = append(got, oneLine(c.Decode(&s))...)
	}
	require.Equal(t, []string{`5:20: "2" is not a duration: want a unit, as in 2ms or 2s (at params.ttl)`}, got)
	require.NoError(t, d.Decode(&scenario{}), "the original is unchanged")
}
