package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// validator checks values by a JSON Schema of draft 7, as an editor does: what of it our
// schema uses. A keyword that it does not know is a mistake in the test.
type validator struct {
	root    map[string]any
	regexps map[string]*regexp.Regexp
}

func newValidator(t *testing.T, text []byte) *validator {
	v := &validator{regexps: map[string]*regexp.Regexp{}}
	d := json.NewDecoder(bytes.NewReader(text))
	require.NoError(t, d.Decode(&v.root))
	return v
}

// check returns where a value breaks the schema, "" if it does not.
func (v *validator) check(x any) string { return v.node(v.root, x, "") }

func (v *validator) node(schema, x any, at string) string {
	if is, ok := schema.(bool); ok {
		if !is {
			return at + ": nothing may be here"
		}
		return ""
	}
	n := schema.(map[string]any)
	if ref, ok := n["$ref"].(string); ok { // in draft 7 all beside it is ignored
		return v.node(v.find(ref), x, at)
	}
	for keyword, want := range n {
		if problem := v.keyword(n, keyword, want, x, at); problem != "" {
			return problem
		}
	}
	return ""
}

// find follows a pointer.
func (v *validator) find(ref string) any {
	var n any = v.root
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		n = n.(map[string]any)[part]
		if n == nil {
			panic("there is no " + ref)
		}
	}
	return n
}

func (v *validator) keyword(n map[string]any, keyword string, want, x any, at string) string {
	wrong := func(ok bool) string {
		if ok {
			return ""
		}
		return fmt.Sprintf("%s: %v breaks %s %v", at, x, keyword, want)
	}
	count := func(schemas any) (good int) {
		for _, s := range schemas.([]any) {
			if v.node(s, x, at) == "" {
				good++
			}
		}
		return good
	}
	switch keyword {
	case "$schema", "title", "description", "examples", "definitions", "then", "patternErrorMessage":
		return ""
	case "type":
		return wrong(slices.ContainsFunc(list(want), func(t any) bool { return isType(t.(string), x) }))
	case "const":
		return wrong(reflect.DeepEqual(want, x))
	case "enum":
		return wrong(slices.ContainsFunc(list(want), func(e any) bool { return reflect.DeepEqual(e, x) }))
	case "allOf":
		for _, s := range want.([]any) {
			if problem := v.node(s, x, at); problem != "" {
				return problem
			}
		}
		return ""
	case "anyOf":
		return wrong(count(want) > 0)
	case "oneOf":
		return wrong(count(want) == 1)
	case "not":
		return wrong(v.node(want, x, at) != "")
	case "if":
		if v.node(want, x, at) == "" {
			return v.node(n["then"], x, at)
		}
		return ""
	}
	switch x := x.(type) {
	case string:
		return v.text(keyword, want, x, wrong)
	case float64:
		return wrong(!(keyword == "minimum" && x < want.(float64) || keyword == "maximum" && x > want.(float64)))
	case []any:
		return v.list(keyword, want, x, at, wrong)
	case map[string]any:
		return v.object(n, keyword, want, x, at, wrong)
	}
	return ""
}

func list(x any) []any {
	if l, ok := x.([]any); ok {
		return l
	}
	return []any{x}
}

func isType(name string, x any) bool {
	switch x := x.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && x == math.Trunc(x)
	case []any:
		return name == "array"
	}
	return name == "object"
}

func (v *validator) text(keyword string, want any, x string, wrong func(bool) string) string {
	switch keyword {
	case "pattern":
		return wrong(v.match(want.(string), x))
	case "minLength":
		return wrong(utf8.RuneCountInString(x) >= int(want.(float64)))
	}
	return ""
}

func (v *validator) match(pattern, x string) bool {
	if v.regexps[pattern] == nil {
		v.regexps[pattern] = regexp.MustCompile(pattern)
	}
	return v.regexps[pattern].MatchString(x)
}

func (v *validator) list(keyword string, want any, x []any, at string, wrong func(bool) string) string {
	switch keyword {
	case "minItems":
		return wrong(len(x) >= int(want.(float64)))
	case "maxItems":
		return wrong(len(x) <= int(want.(float64)))
	case "items":
		for i, item := range x {
			if problem := v.node(want, item, at+"."+strconv.Itoa(i)); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func (v *validator) object(n map[string]any, keyword string, want any, x map[string]any, at string, wrong func(bool) string) string {
	switch keyword {
	case "minProperties":
		return wrong(len(x) >= int(want.(float64)))
	case "maxProperties":
		return wrong(len(x) <= int(want.(float64)))
	case "required":
		for _, key := range want.([]any) {
			if _, ok := x[key.(string)]; !ok {
				return at + ": " + key.(string) + " is missing"
			}
		}
		return ""
	case "dependencies":
		for key, s := range want.(map[string]any) {
			if _, ok := x[key]; ok && v.node(s, x, at) != "" {
				return at + ": what " + key + " depends on is missing"
			}
		}
		return ""
	}
	for key, value := range x {
		named, isNamed := within(n, "properties")[key]
		matching := false
		for pattern, s := range within(n, "patternProperties") {
			if v.match(pattern, key) {
				if matching = true; keyword == "patternProperties" {
					if problem := v.node(s, value, at+"."+key); problem != "" {
						return problem
					}
				}
			}
		}
		problem := ""
		switch {
		case keyword == "properties" && isNamed:
			problem = v.node(named, value, at+"."+key)
		case keyword == "additionalProperties" && !isNamed && !matching:
			problem = v.node(want, value, at+"."+key)
		}
		if problem != "" {
			return problem
		}
	}
	return ""
}

func within(n map[string]any, key string) map[string]any {
	m, _ := n[key].(map[string]any)
	return m
}

// asJSON is a YAML text as an editor sees it: what looks like a number is one.
func asJSON(t testing.TB, text string) any {
	var n yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &n))
	return jsonOf(t, n.Content[0])
}

func jsonOf(t testing.TB, n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = jsonOf(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		l := []any{}
		for _, item := range n.Content {
			l = append(l, jsonOf(t, item))
		}
		return l
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int", "!!float":
		var f float64
		require.NoError(t, n.Decode(&f))
		return f
	}
	return n.Value
}
