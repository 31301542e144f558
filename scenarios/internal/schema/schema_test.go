package schema

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios/internal/strict"
)

type inner struct {
	Key string `yaml:"key,required"`
}

type shared struct {
	Seed uint64 `yaml:"seed"`
}

type example struct {
	shared
	Mode   string            `yaml:"mode,oneof=calm|wild"`
	Name   string            `yaml:"name"`
	Again  *bool             `yaml:"again"`
	Delay  time.Duration     `yaml:"delay"`
	Offset time.Duration     `yaml:"offset,signed"`
	Work   []time.Duration   `yaml:"work,one-or-many"`
	Later  *strict.Value     `yaml:"later" schema:"node"`
	By     strict.Map[inner] `yaml:"by"`
	All    []inner           `yaml:"all"`
	Loss   int64             `yaml:"loss,proportion"`
	Other  strict.Frequency  `yaml:"other"`
}

func TestBuilder(t *testing.T) {
	b := &Builder{
		Comment: func(t reflect.Type, field string) string {
			return map[string]string{"shared.Seed": "of the run: 1", "inner.": "inner is the inner part."}[t.Name()+"."+field]
		},
		Forms: map[reflect.Type]*Node{reflect.TypeFor[strict.Frequency](): Ref("rate")},
	}
	text, err := b.Struct(reflect.TypeFor[example]()).Text()
	require.NoError(t, err)
	require.Equal(t, `{
  "properties": {
    "seed": {"description":"of the run: 1","minimum":0,"type":"integer"},
    "mode": {"enum":["calm","wild"],"type":"string"},
    "name": {"type":["string","number","boolean"]},
    "again": {"type":"boolean"},
    "delay": {"$ref":"#/definitions/duration"},
    "offset": {"$ref":"#/definitions/signed-duration"},
    "work": {"anyOf":[{"$ref":"#/definitions/duration"},{"items":{"$ref":"#/definitions/duration"},"type":"array"}]},
    "later": {"$ref":"#/definitions/node"},
    "by": {
      "additionalProperties": {
        "description": "The inner part.",
        "required": ["key"],
        "properties": {"key":{"type":["string","number","boolean"]}},
        "additionalProperties": false,
        "type": "object"
      },
      "type": "object"
    },
    "all": {
      "items": {
        "description": "The inner part.",
        "required": ["key"],
        "properties": {"key":{"type":["string","number","boolean"]}},
        "additionalProperties": false,
        "type": "object"
      },
      "type": "array"
    },
    "loss": {"$ref":"#/definitions/share"},
    "other": {"$ref":"#/definitions/rate"}
  },
  "additionalProperties": false,
  "type": "object"
}
`, string(text))
}

func TestBuilderRefusesWhatNoFileHas(t *testing.T) {
	b := &Builder{Comment: func(reflect.Type, string) string { return "" }}
	require.Panics(t, func() {
		b.Struct(reflect.TypeFor[struct {
			X float64 `yaml:"x"`
		}]())
	})
}

// TestText: the layout changes nothing but blanks.
func TestText(t *testing.T) {
	n := Object(Property{"a", Words(strings.Repeat("<x>", 60), `quo"ted`)}, Property{"b", Never()}, Property{"c", Whole(-1, 5)}, Property{"d", &Node{}})
	text, err := n.Text()
	require.NoError(t, err)
	require.Contains(t, string(text), "<x>", "< is no escape")
	line, err := n.MarshalJSON()
	require.NoError(t, err)
	require.JSONEq(t, string(line), string(text))
	var back map[string]any
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, false, back["properties"].(map[string]any)["b"])
	require.Equal(t, map[string]any{}, back["properties"].(map[string]any)["d"])
	require.NotNil(t, n.Properties.Get("c"))
	require.Nil(t, n.Properties.Get("e"))
}
