package script

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	s, err := Parse("# S4, section 9.2\nP: a b@1s c\nb -> e, g\nQ: d e\n\tQ: f # goes on\nR: g\r\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"P", "Q", "R"}, s.Processes)
	assert.Equal(t, []Event{{0, "a", 0, None, 2}, {0, "b", 1e9, None, 2}, {0, "c", 0, None, 2},
		{1, "d", 0, None, 4}, {1, "e", 0, 1, 4}, {1, "f", 0, None, 5}, {2, "g", 0, 1, 6}}, s.Events)
	assert.Equal(t, []int{None, 0, 1, None, 3, 4, None}, s.Last())
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"P a":                            `1:1: want PROCESS: EVENT EVENT... or EVENT -> EVENT, got "P"`,
		": a":                            `1:1: the process has no name`,
		"P: a a":                         `1:6: another event is named "a", in line 1`,
		"P: a@":                          `1:6: want an instant from 0s to 1000h0m0s, as in a@100ms, got ""`,
		"P: a@-1s":                       `1:6: want an instant from 0s to 1000h0m0s, as in a@100ms, got "-1s"`,
		"P: a@1001h":                     `1:6: want an instant from 0s to 1000h0m0s, as in a@100ms, got "1001h"`,
		"P: a,b":                         `1:4: "a,b" is no name of a process or an event: want no colon, comma or @ in it`,
		"a -> b":                         "1:1: there is no event \"a\"\n1:6: there is no event \"b\"",
		"P: a b\na -> b":                 `2:6: a and b are both events of P: a message goes to another process`,
		"P: a\na -> ":                    `2:5: want an event that receives, as in a -> b`,
		"P: a\nb a -> a":                 `2:1: want one event that sends, as in a -> b`,
		"-> b":                           `1:1: want one event that sends, as in a -> b`,
		"P: a\nQ: b\nR: c\na -> b\nc->b": `5:4: b receives a message already, that of a`,
		"P: " + strings.Repeat("x", 65):  `1:4: the name of the event has 65 bytes: want at most 64`,
		"P: a b\nQ: c d\nb -> c\nd -> a": "1:1: the events go round in a circle: ",
	} {
		_, err := Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
	_, err := Parse("P: a b x\nQ: c d\nb -> c\nd -> a\n")
	assert.EqualError(t, err, "1:1: the events go round in a circle: b -> c -> d -> a -> b")
	_, err = Parse("a -> b\n?\nP: a\n")
	assert.EqualError(t, err, "1:6: there is no event \"b\"\n2:1: want PROCESS: EVENT EVENT... or EVENT -> EVENT, got \"?\"", "in the order of the lines")
	_, err = Parse(strings.Repeat("?\n", 1000))
	assert.Len(t, err, maxMistakes)
}

// What leads to a circle, or away from it, is not in it.
func TestCircle(t *testing.T) {
	for text, want := range map[string]string{
		"R: r\nP: a b\nQ: c d\nb -> c, r\nd -> a":            "3:1: the events go round in a circle: c -> d -> a -> b -> c",
		"R: r\nP: a b\nQ: c d\nr -> d\nb -> c\nd -> a":       "2:1: the events go round in a circle: b -> c -> d -> a -> b",
		"R: r\nQ: q c d\nP: p a b\nr -> q\nb -> c\nd -> a\n": "2:1: the events go round in a circle: d -> a -> b -> c -> d",
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, want, text)
	}
	var long strings.Builder
	for i := range 30 {
		fmt.Fprintf(&long, "P: p%d\nQ: q%d\n", i, i)
	}
	_, err := Parse(long.String() + "p29 -> q0\nq29 -> p0")
	require.Error(t, err)
	assert.Equal(t, longest+2, len(strings.Split(err.Error(), " -> ")), "the first of them, dots, and the first again")
}

// What is too much is a mistake, and no crash.
func TestLimits(t *testing.T) {
	var processes, events strings.Builder
	for i := range MaxProcesses + 1 {
		fmt.Fprintf(&processes, "P%d: e%d\n", i, i)
	}
	_, err := Parse(processes.String())
	assert.EqualError(t, err, "1025:1: more than 1024 processes")
	events.WriteString("P:")
	for i := range MaxEvents + 1 {
		events.WriteByte(' ')
		events.WriteString(strconv.FormatInt(int64(i), 36))
	}
	_, err = Parse(events.String())
	assert.ErrorContains(t, err, "more than 1048576 events")
}

// FuzzParse: whatever the text, there is a script that is an order, or a mistake that
// lies in the text.
func FuzzParse(f *testing.F) {
	f.Add("P: a b\nQ: c\na -> c\n")
	f.Add("P: a@1s\nP: b")
	f.Add("a -> b -> c\n: -> ,")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			for _, m := range err.(Mistakes) {
				lines := strings.Split(text, "\n")
				if m.Line < 1 || m.Line > len(lines) || m.Column < 1 || m.Column > len(lines[m.Line-1])+1 {
					t.Fatalf("%v is not in the text", m)
				}
			}
			return
		}
		if s.circle() != nil {
			t.Fatal("a circle")
		}
	})
}
