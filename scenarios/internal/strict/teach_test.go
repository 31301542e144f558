package strict

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// foreign is a type of a package that does not know this one.
type foreign struct{ d time.Duration }

func TestTeach(t *testing.T) {
	type box struct {
		One  foreign      `yaml:"one"`
		Two  *foreign     `yaml:"two"`
		Many []foreign    `yaml:"many,one-or-many"`
		Map  Map[foreign] `yaml:"map"`
	}
	d := parse(t, "one: 1s\ntwo: 2s\nmany: [3s, 4s]\nmap: {a: 5s}\n")
	Teach(d, func(v *Value, into *foreign) { v.Decode(&into.d) })
	var b box
	require.NoError(t, d.Decode(&b))
	require.Equal(t, foreign{time.Second}, b.One)
	require.Equal(t, foreign{2 * time.Second}, *b.Two)
	require.Equal(t, []foreign{{3 * time.Second}, {4 * time.Second}}, b.Many)
	require.Equal(t, foreign{5 * time.Second}, b.Map[0].Value)
}

func TestTeachingACloneLeavesTheOriginal(t *testing.T) {
	type box struct {
		One foreign `yaml:"one"`
	}
	d := parse(t, "one: null")
	Teach(d, func(v *Value, into *foreign) { into.d = 1 })
	c := d.Clone()
	Teach(c, func(v *Value, into *foreign) { into.d = 2 })
	require.NoError(t, d.Set("one", "x"))
	require.NoError(t, c.Set("one", "x"))
	var a, b box
	require.NoError(t, d.Decode(&a))
	require.NoError(t, c.Decode(&b))
	require.Equal(t, foreign{1}, a.One)
	require.Equal(t, foreign{2}, b.One)
	require.EqualError(t, func() error {
		n := parse(t, "one: null")
		Teach(n, func(*Value, *foreign) { t.Fatal("null is not handed on") })
		return n.Decode(&a)
	}(), "a.yaml:1:6: no value is given: want one, or leave the entry out (at one)\n        1 | one: null\n          |      ^")
}
