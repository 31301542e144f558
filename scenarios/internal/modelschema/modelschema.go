// Package modelschema describes models in the words of JSON Schema: what a file of each may say besides what any file may.
package modelschema

import (
	"fmt"
	"reflect"
	"strings"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/schema"
	"fencepost/sim"
)

// DefaultsAbout says how the comments on fields are to be read.
const DefaultsAbout = "What a description says behind its last colon, or at all if it has none, is what holds where the key is left out."

// Add adds models to the schema of a file that has no other models.
func Add(root *schema.Node, b *schema.Builder, models []format.Model) {
	root.Definitions.Add("model", modelWords(models))
	for _, m := range models {
		root.Definitions = append(root.Definitions, modelDefinitions(b, m)...)
		root.AllOf = append(root.AllOf, &schema.Node{If: isModel(m.Name), Then: ofModel(m)})
	}
}

// MeasureOf names the definition of a measure in a unit.
func MeasureOf(unit string) string { return "measure-" + unit }

// unitOf is the definition of a measure's values.
func unitOf(m sim.Measure) string {
	if m.Unit == sim.Duration {
		return "signed-duration"
	}
	return "integer"
}
func modelWords(models []format.Model) *schema.Node {
	n := &schema.Node{}
	for _, m := range models {
		n.OneOf = append(n.OneOf, &schema.Node{Const: m.Name, Description: m.About})
	}
	return n
}

// isModel holds where the file is of a model.
func isModel(name string) *schema.Node {
	return &schema.Node{Required: []string{"model"}, Properties: schema.Properties{{Name: "model", Node: &schema.Node{Const: name}}}}
}

// ofModel is what must hold for a file of a model besides.
func ofModel(m format.Model) *schema.Node {
	n := &schema.Node{Properties: schema.Properties{
		{Name: "params", Node: schema.Ref(m.Name + ".params")},
		{Name: "expect", Node: schema.Ref(m.Name + ".expect")},
		{Name: "control", Node: schema.Ref(m.Name + ".control")},
		{Name: "vary", Node: schema.Ref(m.Name + ".vary")},
	}}
	p := m.New().Program()
	if len(p.Nodes) > 0 {
		n.Properties.Add("faults", schema.ListOf(schema.Ref(m.Name+".fault"), 0))
		return n
	}
	for _, key := range format.OfNodes {
		n.Properties.Add(key, schema.Never())
	}
	return n
}

// modelDefinitions are what a model takes and what it has. That its kinds, notes and
// properties are the same whatever its parameters, a test finds.
func modelDefinitions(b *schema.Builder, m format.Model) (list schema.Properties) {
	params := m.New()
	p := params.Program()
	node := b.Struct(reflect.TypeOf(params.Target()).Elem()).With("The parameters of model " + m.Name + ": " + m.About + ". " + DefaultsAbout)
	list.Add(m.Name+".params", node)

	control, vary := &schema.Node{Type: []string{"object"}}, &schema.Node{Type: []string{"object"}}
	for _, q := range node.Properties {
		value := &schema.Node{Ref: fmt.Sprintf("#/definitions/%s.params/properties/%s", m.Name, q.Name)}
		control.Properties.Add("params."+q.Name, value)
		vary.Properties.Add("params."+q.Name, schema.Any(schema.ListOf(value, 1), schema.Ref("range")))
	}
	cases := &schema.Node{Type: []string{"object"}, Others: schema.Ref(m.Name + ".control")}
	vary.Others = schema.Any(&schema.Node{Type: []string{"array"}}, schema.Ref("range"), cases)
	list.Add(m.Name+".control", control)
	list.Add(m.Name+".vary", vary)
	list.Add(m.Name+".expect", expectNode(&p))
	if len(p.Nodes) > 0 {
		list.Add(m.Name+".fault", modelFault(&p))
	}
	return list
}

// expectNode is the expectations of a model. Which measures there are for each node
// depends on how many nodes there are.
func expectNode(p *sim.Program) *schema.Node {
	n := &schema.Node{Type: []string{"object"}, Others: schema.Ref(MeasureOf("quantity"))}
	for _, name := range p.Properties {
		n.Properties.Add(name, schema.Ref("verdict"))
	}
	for _, m := range p.Measures {
		value := schema.Ref(MeasureOf(unitOf(m)))
		kind, rest, of := nodeOf(p, m.Name)
		switch pattern := "^" + kind + "-[0-9]+" + rest + "$"; {
		case !of:
			n.Properties.Add(m.Name, value)
		case n.PatternProperties.Get(pattern) == nil:
			n.PatternProperties.Add(pattern, value)
		}
	}
	return n
}

// nodeOf takes the name of a numbered node from the beginning of a measure's name.
func nodeOf(p *sim.Program, measure string) (kind, rest string, ok bool) {
	for _, node := range p.Nodes {
		kind, number, numbered := cutLast(node, "-")
		rest, ok := strings.CutPrefix(measure, node+"-")
		if numbered && ok && strings.Trim(number, "0123456789") == "" {
			return kind, "-" + rest, true
		}
	}
	return "", "", false
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// modelFault is what must hold for a fault of a model besides: its kinds and notes.
func modelFault(p *sim.Program) *schema.Node {
	key := func(name string, n *schema.Node) *schema.Node {
		return &schema.Node{Properties: schema.Properties{{Name: name, Node: n}}}
	}
	kinds, notes := schema.Words(p.Kinds[1:]...), schema.Words(p.Notes...)
	n := schema.Ref("fault")
	more := &schema.Node{}
	for i := range format.Verbs {
		switch v := &format.Verbs[i]; v.Subject.Form {
		case "node":
			more.Properties.Add(v.Do.String(), &schema.Node{Examples: p.Nodes[:min(len(p.Nodes), 12)]})
		case "message":
			more.Properties.Add(v.Do.String(), key("kind", kinds))
		}
	}
	more.Properties.Add("on", schema.Any(notes, key("note", notes).Mapping()))
	more.Properties.Add("before", schema.Any(kinds, key("effect", kinds).Mapping()))
	return &schema.Node{AllOf: []*schema.Node{n, more}}
}
