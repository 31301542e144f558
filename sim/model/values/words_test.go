package values

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

type base struct {
	Clock string `yaml:"clock,oneof=wall|boot"`
}

func TestWords(t *testing.T) {
	type problem struct{ Path, Message string }
	type inner struct {
		Mode string `yaml:"mode,required,oneof=a|b"`
	}
	p := struct {
		base
		Name  string   `yaml:"name"`
		Kinds []string `yaml:"kinds,one-or-many,oneof=x|y"`
		One   *inner   `yaml:"one"`
		None  *inner   `yaml:"none"`
		List  []inner  `yaml:"list"`
		other string
	}{base{"sun"}, "any", []string{"x", "z", ""}, &inner{"c"}, nil, []inner{{"a"}, {"B"}}, "at will"}
	var found Problems[problem]
	found.Words(&p)
	assert.Equal(t, Problems[problem]{
		{"clock", `want one of wall, boot, got "sun"`}, {"kinds.1", `want one of x, y, got "z"`},
		{"one.mode", `want one of a, b, got "c"`}, {"list.1.mode", `want one of a, b, got "B"`}}, found)
	assert.EqualError(t, Refuse("lock", found[:2]), "lock: clock: want one of wall, boot, got \"sun\"\nlock: kinds.1: want one of x, y, got \"z\"")
	assert.NoError(t, Refuse("lock", found[:0]))
	_ = p.other
}
