package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/modelschema"
	"fencepost/scenarios/internal/schema"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// A Comment is what the source says of a field of a struct, or of the struct itself if
// the field is "".
type Comment func(t reflect.Type, field string) string

// schemaAndReference makes the schema and the page of reference, docs/scenarios.md, from the types
// and tables by which files are read. It is for go generate: the comments of the types
// are in their source only.
func schemaAndReference(c Comment) (text, page []byte, err error) {
	root := schemaOf(c, scenarios.Models())
	if text, err = root.Text(); err != nil {
		return nil, nil, err
	}
	return text, referenceOf(root, scenarios.Models()), nil
}

// fileSchema is the schema of a file without the models: what a program with models of its own begins with.
func fileSchema(c Comment) ([]byte, error) {
	root := schemaOf(c, nil)
	root.Definitions = slices.DeleteFunc(root.Definitions, func(p schema.Property) bool { return p.Name == "model" })
	return root.Text()
}

// schemaOf is the schema of the format with these models.
func schemaOf(c Comment, models []format.Model) *schema.Node {
	b := &schema.Builder{Comment: c, Forms: map[reflect.Type]*schema.Node{
		reflect.TypeFor[sim.Dist]():         schema.Ref("distribution"),
		reflect.TypeFor[traffic.Log]():      schema.Ref("file"),
		reflect.TypeFor[grid.Values]():      schema.Ref("axis"),
		reflect.TypeFor[strict.Frequency](): schema.Ref("rate"),
		reflect.TypeFor[traffic.Rate]():     schema.Ref("rate"),
		reflect.TypeFor[traffic.Exponent](): exponent(),
		reflect.TypeFor[format.Alpha]():     exponentOfPareto(),
		reflect.TypeFor[shed.Class]():       classes(),
	}}
	root := b.Struct(reflect.TypeFor[format.File]())
	root.Schema, root.Title = schema.Draft, "fencepost scenario"
	root.Description = "One scenario: a model and its parameters, the network, the clocks, what goes wrong, and what is expected. " + modelschema.DefaultsAbout
	refinePlot(root.Properties.Get("plots").Items)
	for _, block := range []string{"control", "vary"} {
		root.Properties.Get(block).PatternProperties = unchangeable()
	}
	root.Definitions = definitions(b)
	modelschema.Add(root, b, models)
	return root
}

// definitions are what values are made of, whatever the model.
func definitions(b *schema.Builder) (list schema.Properties) {
	for _, f := range strict.Forms() {
		list.Add(f.Name, form(f))
	}
	const rate = "a count per s, min, h or day such as 100/min, or per duration such as 5/10s."
	list.Add("rate", (&schema.Node{Type: []string{"string"}, Pattern: `^[0-9]+/[0-9a-zµμ.]+$`, Wanted: "Not a rate: want " + rate}).With("A"+rate[1:]))
	list.Add("text", schema.Text())
	list.Add("file", schema.Text().With("The path of a file, from the folder of the scenario."))
	list.Add("node", schema.Name().With("The name of a node, such as client-1."))
	list.Add("nodes", schema.Any(schema.Name(), schema.ListOf(schema.Name(), 1)).With("A node, a pattern such as redis-*, or a list of these."))
	list.Add("kind", schema.Name().With("A kind of message, as the model has them."))
	list.Add("note", schema.Name().With("What nodes note, as the model has it."))
	list.Add("count", schema.Whole(1, format.MaxRuns).With("A whole number from 1."))
	list.Add("faults-of-a-kind", schema.Whole(0, format.MaxBudget).With("How many of them there may be in a run; 64 of all kinds together."))
	list.Add("any", &schema.Node{})
	list.Add("range", b.Struct(reflect.TypeFor[grid.Range]()))
	list.Add("cases", casesNode())
	list.Add("axis", schema.Any(schema.ListOf(schema.Ref("any"), 1), schema.Ref("range"), schema.Ref("cases")).With("A list of values, a range, or cases."))
	list.Add("params", (&schema.Node{Type: []string{"object"}}).With("The parameters of the model."))
	list = append(list, distributions(b)...)
	list = append(list, faultDefinitions(b)...)
	list.Add("budget", budgetNode())
	return append(list, expectDefinitions(b)...)
}

// refinePlot says of a plot what its type does not: which kinds have no x or no y, and which
// needs several lines.
func refinePlot(n *schema.Node) {
	n.Properties.Get("file").Pattern = fmt.Sprintf("^[a-z0-9][a-z0-9-]{0,%d}$", format.MaxFile-1)
	of := func(kinds ...string) *schema.Node {
		return &schema.Node{Required: []string{"kind"}, Properties: schema.Properties{{Name: "kind", Node: schema.Words(kinds...)}}}
	}
	n.AllOf = []*schema.Node{
		schema.Any(of(format.Timeline, format.Matrix), &schema.Node{Required: []string{"y"}}),
		schema.Any(of(format.Timeline, format.Matrix, "cdf"), &schema.Node{Required: []string{"x"}}),
		{If: of("multiples"), Then: schema.Any(&schema.Node{Required: []string{"series"}},
			&schema.Node{Properties: schema.Properties{{Name: "y", Node: schema.ListOf(schema.Text(), 2)}}})},
	}
}

// unchangeable are the paths that no block may change.
func unchangeable() schema.Properties {
	return schema.Properties{{Name: `^(` + strings.Join(grid.Fixed, "|") + `)(\.|$)`, Node: schema.Never()}}
}

// casesNode is the cases of an axis.
func casesNode() *schema.Node {
	one := &schema.Node{Type: []string{"object"}, MaxProperties: grid.MaxChanges, PatternProperties: unchangeable()}
	cases := &schema.Node{Type: []string{"object"}, MinProperties: 1, MaxProperties: grid.MaxCases, Others: one.With("By path, what is changed; none is the file as it is.")}
	return cases.With("By the name that reports give to it, what a case changes in the file: several values at once.")
}

// form is a number with a unit.
func form(f strict.Form) *schema.Node {
	text := &schema.Node{Type: []string{"string"}, Pattern: f.Pattern, Wanted: "Not " + f.Noun + ": want " + f.Want + "."}
	if strings.HasSuffix(f.Name, "duration") {
		text.MinLength = 2 // a digit and a unit
	}
	about := strings.ToUpper(f.Want[:1]) + f.Want[1:] + "."
	if !f.Bare {
		return text.With(about)
	}
	least, most := int64(0), int64(1)
	return schema.Any(text, &schema.Node{Type: []string{"number"}, Minimum: &least, Maximum: &most}).With(about)
}

func exponent() *schema.Node {
	least, most := int64(0), int64(traffic.MaxExponent/1000)
	return schema.Any(&schema.Node{Type: []string{"number"}, Minimum: &least, Maximum: &most},
		&schema.Node{Type: []string{"string"}, Pattern: `^[0-4](\.[0-9]{1,3})?$`})
}

func exponentOfPareto() *schema.Node {
	least, most := int64(1), int64(1000)
	return schema.Any(&schema.Node{Type: []string{"number"}, Minimum: &least, Maximum: &most},
		&schema.Node{Type: []string{"string"}, Pattern: `^[0-9]{1,4}(\.[0-9]{1,6})?$`})
}

func classes() *schema.Node {
	var words []string
	for c := range shed.Classes {
		words = append(words, shed.Class(c).String())
	}
	return schema.Words(words...)
}

// one is a mapping with one of these keys.
func one(p ...schema.Property) *schema.Node {
	n := schema.Object(p...)
	n.MinProperties, n.MaxProperties = 1, 1
	return n
}

// distributions are the forms of a [sim.Dist], and what takes a log besides.
func distributions(b *schema.Builder) (list schema.Properties) {
	bounds := schema.ListOf(schema.Ref("duration"), 2)
	bounds.MaxItems = 2
	parts := schema.ListOf(b.Struct(reflect.TypeFor[format.PartFormat]()), 2)
	parts.MaxItems = 16
	shapes := schema.Properties{
		{Name: "exp", Node: schema.Ref("duration").With("Exponential, by its mean.")},
		{Name: "uniform", Node: bounds.With("From the first up to, but without, the second.")},
		{Name: "lognormal", Node: b.Struct(reflect.TypeFor[format.LognormalFormat]()).With("Log-normal, by two of its quantiles.")},
		{Name: "pareto", Node: b.Struct(reflect.TypeFor[format.ParetoFormat]()).With("Pareto: a tail by a power.")},
		{Name: "mix", Node: parts.With("Each duration from one of 2 to 16 parts, as often as its share says.")},
		{Name: "csv", Node: schema.Ref("file").With("One of the durations of a table, each equally often.")},
	}
	log := schema.Property{Name: "gclog", Node: schema.Ref("gclog").With("As long as one of the stops of the log.")}
	list.Add("distribution", schema.Any(schema.Ref("duration"), one(shapes...)).With("A duration, or how it is drawn: "+format.WantDist+"."))
	drawn := one(append(slices.Clone(shapes), log)...)
	list.Add("length", schema.Any(schema.Ref("duration"), drawn).With("A duration, or how it is drawn: "+format.WantDist+"; or {gclog: FILE}."))
	list.Add("lengths", schema.Any(schema.Ref("duration"), schema.ListOf(schema.Ref("duration"), 1), drawn).
		With("A length, one of a list, or a distribution."))
	list.Add("lengths-or-forever", schema.Any(schema.Ref("lengths"), schema.Words("forever"), schema.ListOf(schema.Any(schema.Ref("duration"), schema.Words("forever")), 1)).
		With("As lengths, or forever: without an end, alone or as one of a list."))
	list.Add("gclog", schema.Any(schema.Text(), b.Struct(reflect.TypeFor[format.LogFormat]())).With("A log of a garbage collector."))
	return list
}

// budgetNode is the block budget: a length needs a count that is about it.
func budgetNode() *schema.Node {
	n := schema.Object().With("The block `budget:`.")
	for i := range format.BudgetKeys {
		k := &format.BudgetKeys[i]
		value := schema.Ref(k.Form)
		if k.Many {
			value = schema.Any(value, schema.ListOf(schema.Ref(k.Form), 0))
		}
		n.Properties.Add(k.Name, value.With(k.About))
		if len(k.Needs) > 0 {
			n.Dependencies.Add(k.Name, oneOfKeys(k.Needs...))
		}
	}
	return n
}

// oneOfKeys wants one or more of some keys to be there.
func oneOfKeys(keys ...string) *schema.Node {
	n := &schema.Node{}
	for _, k := range keys {
		n.AnyOf = append(n.AnyOf, &schema.Node{Required: []string{k}})
	}
	return n
}

// expectDefinitions are the forms of an expectation.
func expectDefinitions(b *schema.Builder) (list schema.Properties) {
	bounds := schema.ListOf(schema.Ref("share"), 2)
	bounds.MaxItems = 2
	list.Add("verdict", schema.Any(schema.Words("holds", "violated", "not-exercised", "certified", format.OldNotExercised), one(
		schema.Property{Name: "violated", Node: b.Struct(reflect.TypeFor[format.ViolationFormat]()).With("When the first violation is, and who is concerned.")},
		schema.Property{Name: "share", Node: bounds.With("Of the runs that are violated, from and to.")},
	)).With("What is expected of a property."))
	list.Add("integer", &schema.Node{Type: []string{"integer"}})
	list.Add("quantity", schema.Any(schema.Ref("signed-duration"), schema.Ref("integer")))
	for _, unit := range []string{"quantity", "signed-duration", "integer"} {
		bound := b.Struct(reflect.TypeFor[format.BoundFormat]())
		for i := range bound.Properties {
			bound.Properties[i].Node.Ref = schema.Ref(unit).Ref
		}
		bound.MinProperties = 1
		list.Add(modelschema.MeasureOf(unit), schema.Any(schema.Ref(unit), bound).With("What is expected of a measure: a value, or bounds."))
	}
	row := &schema.Node{Type: []string{"object"}, Required: []string{format.AtKey}, MinProperties: 2, Others: schema.Ref("expectation")}
	row.Properties.Add(format.AtKey, (&schema.Node{Type: []string{"object"}, MinProperties: 1}).With("By axis, the value or values at which it holds; of an axis of cases their names."))
	list.Add("expect-row", row.With("What is expected at some points."))
	list.Add("expectation", schema.Any(schema.Ref("verdict"), schema.Ref(modelschema.MeasureOf("quantity"))))
	return list
}
