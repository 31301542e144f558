// Package schema describes values in the words of JSON Schema: a tree of [Node], and a
// [Builder] that makes one of the struct types that package strict decodes.
//
// It is draft 7, which is what yaml-language-server promises to read. The package makes
// schemas and does not check values by them.
//
// Source: https://json-schema.org/draft-07/json-schema-validation
package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Draft is the dialect of the schemas.
const Draft = "http://json-schema.org/draft-07/schema#"

// Node says what a value must be like. All that is set must hold; the zero Node holds
// for everything. The fields are the keywords of JSON Schema, in the order in which they
// are written.
type Node struct {
	Schema      string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	Ref   string   `json:"$ref,omitempty"` // alone, but for a description
	Type  []string `json:"type,omitempty"`
	Const string   `json:"const,omitempty"`
	Enum  []string `json:"enum,omitempty"`

	Pattern   string `json:"pattern,omitempty"`
	Wanted    string `json:"patternErrorMessage,omitempty"` // what editors say where the pattern does not match
	MinLength int    `json:"minLength,omitempty"`
	Limits    string `json:"-"` // of a number or duration, for the page of reference: 1ms to 1000h
	Minimum   *int64 `json:"minimum,omitempty"`
	Maximum   *int64 `json:"maximum,omitempty"`

	Items    *Node `json:"items,omitempty"`
	MinItems int   `json:"minItems,omitempty"`
	MaxItems int   `json:"maxItems,omitempty"`

	Required          []string   `json:"required,omitempty"`
	Properties        Properties `json:"properties,omitempty"`
	PatternProperties Properties `json:"patternProperties,omitempty"`
	Others            *Node      `json:"additionalProperties,omitempty"`
	MinProperties     int        `json:"minProperties,omitempty"`
	MaxProperties     int        `json:"maxProperties,omitempty"`
	Dependencies      Properties `json:"dependencies,omitempty"` // what must hold where a key is there

	AllOf []*Node `json:"allOf,omitempty"`
	AnyOf []*Node `json:"anyOf,omitempty"`
	OneOf []*Node `json:"oneOf,omitempty"`
	Not   *Node   `json:"not,omitempty"`
	If    *Node   `json:"if,omitempty"`
	Then  *Node   `json:"then,omitempty"`

	Examples    []string   `json:"examples,omitempty"`
	Definitions Properties `json:"definitions,omitempty"`

	never bool
}

// Never holds for nothing, as where a key must not be.
func Never() *Node { return &Node{never: true} }

// Closed refuses the keys that are not among the properties.
func (n *Node) Closed() *Node {
	n.Others = Never()
	return n
}

// Mapping holds for no value but a mapping.
func (n *Node) Mapping() *Node {
	n.Type = []string{"object"}
	return n
}

// MarshalJSON implements [json.Marshaler].
func (n *Node) MarshalJSON() ([]byte, error) {
	if n.never {
		return []byte("false"), nil
	}
	type plain Node // without this method
	if len(n.Type) != 1 {
		return marshal((*plain)(n))
	}
	return marshal(struct {
		*plain
		Type string `json:"type"` // hides the list
	}{(*plain)(n), n.Type[0]})
}

// Properties are named nodes in an order.
type Properties []Property

// Property is one of them.
type Property struct {
	Name string
	Node *Node
}

// Get returns the node of a name, or nil.
func (p Properties) Get(name string) *Node {
	for _, q := range p {
		if q.Name == name {
			return q.Node
		}
	}
	return nil
}

// Add adds a node under a name.
func (p *Properties) Add(name string, n *Node) { *p = append(*p, Property{name, n}) }

// MarshalJSON implements [json.Marshaler].
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, q := range p {
		b.WriteByte("{,"[min(i, 1)])
		name, err := marshal(q.Name)
		if err != nil {
			return nil, err
		}
		value, err := q.Node.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	if len(p) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// marshal is [json.Marshal] that leaves < and > as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// Text is a schema as a file: what fits into a line is on one line.
func (n *Node) Text() ([]byte, error) {
	text, err := marshal(n)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = layout(&b, text, 0, 0)
	b.WriteByte('\n')
	return b.Bytes(), err
}

// width is how long a line may be.
const width = 120

// layout writes a value at an indentation, behind that many bytes of its line.
func layout(b *bytes.Buffer, text []byte, indent, before int) error {
	if 2*indent+before+len(text) < width || text[0] != '{' && text[0] != '[' {
		b.Write(text)
		return nil
	}
	tokens := json.NewDecoder(bytes.NewReader(text))
	if _, err := tokens.Token(); err != nil {
		return err
	}
	line := "\n" + strings.Repeat("  ", indent+1)
	b.WriteByte(text[0])
	for first := true; tokens.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		b.WriteString(line)
		key := ""
		if text[0] == '{' {
			name, err := tokens.Token()
			if err != nil {
				return err
			}
			quoted, err := marshal(name)
			if err != nil {
				return err
			}
			key = string(quoted) + ": "
			b.WriteString(key)
		}
		var item json.RawMessage
		if err := tokens.Decode(&item); err != nil {
			return err
		}
		if err := layout(b, item, indent+1, len(key)); err != nil {
			return err
		}
	}
	b.WriteString(line[:len(line)-2])
	b.WriteByte(text[len(text)-1])
	return nil
}

// The nodes that are needed everywhere.

// Ref is the definition of a name.
func Ref(name string) *Node { return &Node{Ref: "#/definitions/" + name} }

// Object is a mapping with these keys and no others.
func Object(p ...Property) *Node { return (&Node{Type: []string{"object"}, Properties: p}).Closed() }

// Text is a text: what YAML takes for a number or a boolean is one as well.
func Text() *Node { return &Node{Type: []string{"string", "number", "boolean"}} }

// Name is a text that stands for something, which is never a boolean.
func Name() *Node { return &Node{Type: []string{"string", "number"}} }

// Words is one of some words.
func Words(list ...string) *Node { return &Node{Type: []string{"string"}, Enum: list} }

// Whole is an integer between two bounds.
func Whole(least, most int64) *Node {
	return &Node{Type: []string{"integer"}, Minimum: &least, Maximum: &most}
}

// ListOf is a list of at least this many.
func ListOf(n *Node, least int) *Node {
	return &Node{Type: []string{"array"}, Items: n, MinItems: least}
}

// Any is one of several.
func Any(list ...*Node) *Node { return &Node{AnyOf: list} }

// With says what a node is about.
func (n *Node) With(description string) *Node {
	n.Description = description
	return n
}
