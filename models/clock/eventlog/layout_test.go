package eventlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// texts are the texts of a log's events, or what is wrong with it.
func texts(t *testing.T, text string, o Options) string {
	l, err := Read(strings.NewReader(text), o)
	if err != nil {
		return err.Error()
	}
	var list []string
	for i := range l.Events {
		list = append(list, l.Name(i)+"="+l.Events[i].Text)
	}
	return strings.Join(list, " ")
}

func shipped(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

// TestLayout: a heading does not shift the texts, and a doubt is told.
func TestLayout(t *testing.T) {
	const behind = "a:1=asks b:1=is asked"
	a, b := `a {"a":1}`+"\n", `b {"a":1,"b":1}`+"\n"
	govector, shiviz := a+"asks\n"+b+"is asked\n", "asks\n"+a+"is asked\n"+b
	for name, c := range map[string]struct{ text, want string }{
		"clock first":                 {govector, behind},
		"text first":                  {shiviz, behind},
		"heading, clock first":        {"=== run ===\n" + govector, behind},
		"headings, clock first":       {"# made by x\n\n--- run ---\n" + govector, behind},
		"heading, text first":         {"=== run ===\n" + shiviz, behind},
		"heading at the end":          {shiviz + "=== end ===\n", behind},
		"heading and noise":           {"=== run ===\n" + a + "asks\nnoise\n" + b + "is asked\n", behind},
		"no text, last line cut off":  {a + "asks\n" + b, "a:1=asks b:1="},
		"blank text":                  {a + "asks\n" + b + "\n", "a:1=asks b:1="},
		"no texts":                    {a + b, "a:1= b:1="},
		"texts that look like clocks": {a + "got {\"x\":1}\n" + b + "got {\"y\":1}\n", `a:1=got {"x":1} b:1=got {"y":1}`},
	} {
		assert.Equal(t, c.want, texts(t, c.text, Options{}), name)
	}
	for name, c := range map[string]struct{ text, want string }{
		"title, clock first":  {"my run\n" + govector, `HOST leaves out line 1, "my run"; EVENT leaves out line 5, "is asked"`},
		"text first, an end":  {shiviz + "stopped\n", `HOST leaves out line 1, "asks"; EVENT leaves out line 5, "stopped"`},
		"noise and an end":    {"asks\n" + a + "noise\nis asked\n" + b + "stopped\n", `HOST leaves out line 1, "asks"; EVENT leaves out line 3, "noise"`},
		"texts like headings": {"--- x\n" + a + "--- y\n" + b + "--- z\n", `HOST leaves out line 1, "--- x"; EVENT leaves out line 5, "--- z"`},
		"begins in the middle": {`a {"a":7}` + "\nis asked\n" + `b {"a":7,"b":5}` + "\n",
			`HOST leaves the last clock without a text; EVENT leaves out line 1, "a {\"a\":7}"`},
	} {
		_, err := Read(strings.NewReader(c.text), Options{})
		require.ErrorAs(t, err, new(*LayoutError), name)
		want := strings.NewReplacer("HOST", HostFirst, "EVENT", EventFirst).Replace(c.want)
		assert.EqualError(t, err, "the text of an event may stand before or behind its clock, and both fit equally well: "+want+"; want one of the two expressions", name)
		for _, x := range []string{HostFirst, EventFirst} {
			_, err := Read(strings.NewReader(c.text), Options{Expression: x})
			assert.NoError(t, err, name)
		}
	}
}

// A log in GoVector's layout with a heading has the texts that it has without.
func TestHeadingOfGoVector(t *testing.T) {
	text := shipped(t, "x4-heading-line.log")
	_, without, _ := strings.Cut(text, "\n")
	assert.Equal(t, "a:1=sends 1 b:1=receives 1 a:2=sends 2 b:2=receives 2 a:3=sends 3 b:3=receives 3 a:4=sends 4 b:4=receives 4", texts(t, text, Options{}))
	assert.Equal(t, texts(t, without, Options{}), texts(t, text, Options{}))
}

// TestRestarts: several executions in a file are told by their counters.
func TestRestarts(t *testing.T) {
	text := shipped(t, "x3-several-executions.log")
	_, err := Read(strings.NewReader(text), Options{})
	assert.EqualError(t, err, `2 executions: every host counts from 1 again, first in line 35: want one of "#1", "#2", or a delimiter`)
	for _, name := range []string{"#1", "2", "#2"} {
		l, err := Read(strings.NewReader(text), Options{Execution: name})
		require.NoError(t, err)
		assert.Len(t, l.Events, 16)
		assert.True(t, l.Order(1).Consistent())
		assert.Equal(t, "#"+name[len(name)-1:], l.Execution)
		assert.Equal(t, map[string]int32{"#1": 2, "#2": 35}[l.Execution], l.Events[0].Line)
	}
	_, err = Read(strings.NewReader(text), Options{Execution: "3"})
	assert.ErrorContains(t, err, `there is no execution "3": want "#1", "#2"`)
	l, err := Read(strings.NewReader(text), Options{Delimiter: `^=== (?<trace>.*) ===$`, Execution: "second run"})
	require.NoError(t, err)
	assert.Len(t, l.Events, 16)

	host := "a {\"a\":1}\nx\na {\"a\":2}\ny\n"
	other := "b {\"b\":1}\nx\nb {\"b\":2}\ny\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"one behind the other, for each host": {host + host + other + other, 2},
		"three":                               {strings.Repeat(host+other, 3), 3},
		"one host":                            {host + host, 2},
		"only one host begins again":          {host + other + host, 0},
		"a host that begins in the middle":    {"a {\"a\":5}\nx\n" + host, 0},
		"each host counts its first twice":    {"a {\"a\":1}\nx\n" + host + "b {\"b\":1}\nx\n" + other, 0},
		"a delimiter that matches nothing":    {"\n^--- (?<trace>.*)\n" + host + other + host + other, 2},
	} {
		_, err := Read(strings.NewReader(c.text), Options{Expression: HostFirst})
		var several *ExecutionsError
		if c.want == 0 {
			assert.NoError(t, err, name)
		} else if assert.ErrorAs(t, err, &several, name) {
			assert.Len(t, several.Names, c.want, name)
		}
	}
}

// A log of TLC, whose clocks are texts in quotes, is refused with the place and the remedy.
func TestLogOfTLC(t *testing.T) {
	_, err := Read(strings.NewReader(shipped(t, "f1-tlc-shiviz.log")), Options{})
	assert.EqualError(t, err, `no line is a host and its clock, as alice {"alice":1}: want an expression that says where they are; and it is no script: 1:1: want PROCESS: EVENT EVENT... or EVENT -> EVENT, got "State"`)
}
