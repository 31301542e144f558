package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// Meanings are the definitions of a schema, not yet parsed: all of it would take ten milliseconds.
type Meanings map[string]json.RawMessage

// Meanings returns what the schema says of keys and parameters.
func (c *Catalog) Meanings() Meanings {
	var schema struct{ Definitions Meanings }
	_ = json.Unmarshal(c.Schema(), &schema) // it is JSON, by a test
	return schema.Definitions
}

// Given is a value that a file gives in one of its blocks.
type Given struct {
	Path    string // below the block, as in "store.rtt"
	Value   string // on one line, but for a text that has several
	Meaning string // what the schema says about it, "" if that is nothing
}

// GivenIn lists the values that the file gives in a block such as params, in its order. A
// scenario that was read has no mistakes, and one that was made otherwise has no text.
func (m Meanings) GivenIn(s *format.Scenario, block string) []Given {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil
	}
	v := doc.Lookup(block)
	if v == nil {
		return nil
	}
	definition := block
	if block == "params" {
		definition = s.Model + ".params"
	}
	var n node
	_ = json.Unmarshal(m[definition], &n) // nothing, if there is none
	var o outline
	o.walk(v, &n, "")
	return o.list
}

// node is what the schema says of a value. Of what it does not know it says nothing.
type node struct {
	Description string
	Properties  map[string]*node
	Items       *node
}

// of is what it says of a value in it.
func (n *node) of(key string) *node {
	if said := n.Properties[key]; said != nil {
		return said
	}
	return &node{}
}

// outline lists values with what the schema says of them.
type outline struct{ list []Given }

func (o *outline) walk(v *strict.Value, n *node, prefix string) {
	if v.Kind() != strict.Mapping {
		return
	}
	for i, key := range v.Keys() {
		value, said := v.Items()[i], n.of(key)
		if value.Kind() == strict.Mapping && said.Properties != nil {
			o.walk(value, said, prefix+key+".")
			continue
		}
		if value.Kind() == strict.List && strings.Contains(strict.Flow(value, false), `\n`) {
			o.items(value, cmp.Or(said.Items, &node{}), prefix+key)
			continue
		}
		text := strict.Flow(value, false)
		if value.Kind() == strict.Scalar {
			text = strings.TrimRight(value.Scalar(), "\n")
		}
		o.list = append(o.list, Given{prefix + key, text, said.Description})
	}
}

// items are those of a list that has long texts in it.
func (o *outline) items(v *strict.Value, n *node, path string) {
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
