package scenarios

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

//go:embed scenario.schema.json
var schemaText []byte

// Schema is the JSON Schema of scenario files, draft 7, for editors: what they need to
// complete and check a file while it is written. It is weaker than [Load]: that the TTL
// must be positive, or that there is no client-3, it does not know.
func Schema() []byte { return slices.Clone(schemaText) }

// Given is a value that a file gives in one of its blocks.
type Given struct {
	Path    string // below the block, as in "store.rtt"
	Value   string // on one line, but for a text that has several
	Meaning string // what the schema says about it, "" if that is nothing
}

// GivenIn lists the values that the file gives in a block such as params, in its order. A
// scenario that was read has no mistakes, and one that was made otherwise has no text.
func GivenIn(s *format.Scenario, block string) []Given {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil
	}
	v := doc.Lookup(block)
	if v == nil {
		return nil
	}
	o := outline{schema: parsedSchema()}
	definition := block
	if block == "params" {
		definition = s.Model + ".params"
	}
	o.walk(v, o.at(o.schema, "definitions", definition), "")
	return o.list
}

// parsedSchema is the schema, which takes ten milliseconds to parse; empty if it is not JSON, which a test finds.
var parsedSchema = sync.OnceValue(func() map[string]any {
	schema := map[string]any{}
	if json.Unmarshal(schemaText, &schema) != nil {
		return nil
	}
	return schema
})

// outline lists values with what the schema says of them.
type outline struct {
	schema map[string]any
	list   []Given
}

// at follows keys into a schema, and is nil where there are none.
func (o *outline) at(n any, keys ...string) any {
	for _, k := range keys {
		m, _ := n.(map[string]any)
		n = m[k]
	}
	return n
}

func (o *outline) walk(v *strict.Value, n any, prefix string) {
	if v.Kind() != strict.Mapping {
		return
	}
	for i, key := range v.Keys() {
		value, node := v.Items()[i], o.at(n, "properties", key)
		if value.Kind() == strict.Mapping && o.at(node, "properties") != nil {
			o.walk(value, node, prefix+key+".")
			continue
		}
		if value.Kind() == strict.List && strings.Contains(strict.Flow(value, false), `\n`) {
			o.items(value, o.at(node, "items"), prefix+key)
			continue
		}
		text := strict.Flow(value, false)
		if value.Kind() == strict.Scalar {
			text = strings.TrimRight(value.Scalar(), "\n")
		}
		meaning, _ := o.at(node, "description").(string)
		o.list = append(o.list, Given{prefix + key, text, meaning})
	}
}

// items are those of a list that has long texts in it.
func (o *outline) items(v *strict.Value, n any, path string) {
	for i, item := range v.Items() {
		o.walk(item, n, fmt.Sprintf("%s.%d.", path, i))
	}
}

// ExpectedAt lists the rows of expect-at: the values of the axes at which a row holds, and
// what is expected there.
func ExpectedAt(s *format.Scenario) (list []Given) {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil
	}
	rows := doc.Lookup("expect-at")
	if rows == nil {
		return nil
	}
	for _, row := range rows.Items() {
		var at, wanted []string
		for i, key := range row.Keys() {
			if key != format.AtKey {
				wanted = append(wanted, key+": "+strict.Flow(row.Items()[i], true))
				continue
			}
			for k, axis := range row.Items()[i].Keys() {
				at = append(at, axis+"="+strict.Flow(row.Items()[i].Items()[k], false))
			}
		}
		list = append(list, Given{Path: strings.Join(at, " "), Value: strings.Join(wanted, ", ")})
	}
	return list
}
