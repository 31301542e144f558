package main

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/schema"
	"fencepost/sim"
)

const referenceHead = `# Reference of scenario files

<!-- go generate ./scenarios writes this page: do not edit it. -->

Every key, from the types by which simctl reads a file; [scenario-files.md](scenario-files.md) says what they are for.
An editor completes and checks files with the schema of the same content: ` + "`simctl schema > scenario.schema.json`" + `, and
in the first line of a file

    # yaml-language-server: $schema=scenario.schema.json

A ` + "`*`" + ` is behind a key that must be there. What a meaning says behind its last colon, or at all if it has none, is what holds
where the key is left out. ` + "`N`" + ` in a key is the index in a list, and ` + "`NODE`" + ` the name of a node or a pattern.

`

// referenceOf is the page of reference: the schema as tables.
func referenceOf(root *schema.Node, models []format.Model) []byte {
	r := &pageWriter{definitions: root.Definitions}
	r.WriteString(referenceHead)
	r.heading(2, "Values")
	r.forms()
	r.heading(2, "The keys of a file")
	r.table(root)
	r.heading(2, "Axes of vary")
	r.axes()
	r.heading(2, "Faults")
	r.faults()
	r.heading(2, "Budget")
	r.table(r.definitions.Get("budget"))
	r.heading(2, "Expectations")
	r.printf("A property is `holds`, `violated`, `not-exercised` or `certified`, or a mapping; a measure is its value, or `{least: ..., most: ...}`.\n\n")
	r.table(r.definitions.Get("verdict").AnyOf[1])
	r.heading(2, "Models")
	r.printf("| model | what it is about |\n|---|---|\n")
	for _, m := range models {
		r.printf("| [`%s`](#%s) | %s |\n", m.Name, anchor("Model "+m.Name), cell(m.About))
	}
	for _, m := range models {
		r.model(m)
	}
	page := strings.TrimRight(r.String(), "\n") + "\n"
	for strings.Contains(page, "\n\n\n") {
		page = strings.ReplaceAll(page, "\n\n\n", "\n\n")
	}
	return []byte(page)
}

// pageWriter is the page while it is written.
type pageWriter struct {
	strings.Builder
	definitions schema.Properties
}

func (r *pageWriter) printf(format string, args ...any) { fmt.Fprintf(r, format, args...) }

func (r *pageWriter) heading(level int, text string) {
	r.printf("\n%s %s\n\n", strings.Repeat("#", level), text)
}

// anchor is the link to a heading.
func anchor(heading string) string { return strings.ReplaceAll(strings.ToLower(heading), " ", "-") }

// cell is a text within a table.
func cell(s string) string {
	if !strings.HasSuffix(s, "...") {
		s = strings.TrimSuffix(s, ".")
	}
	return strings.ReplaceAll(s, "|", `\|`)
}

// valueForms are the definitions that a reader needs a word about.
var valueForms = []string{"duration", "signed-duration", "clock-error", "share", "size", "rate", "file", "node", "nodes", "kind", "note", "count",
	"faults-of-a-kind", "distribution", "length", "lengths", "lengths-or-forever"}

// forms are how values are written.
func (r *pageWriter) forms() {
	r.printf("| value | what it is |\n|---|---|\n")
	for _, d := range r.definitions {
		if slices.Contains(valueForms, d.Name) {
			r.printf("| %s | %s |\n", named(d.Name), cell(d.Node.Description))
		}
	}
	r.heading(3, "Distributions and logs")
	r.table(r.definitions.Get("length").AnyOf[1])
	r.printf("`gclog` with more than a name:\n\n")
	r.table(r.definitions.Get("gclog").AnyOf[1])
}

// named is a definition as the text calls it.
func named(definition string) string { return strings.ReplaceAll(definition, "-", " ") }

// axes are the forms of an axis of the grid.
func (r *pageWriter) axes() {
	r.printf("An axis is a path with a list of values or a range, or a name with cases. A grid has at most %d axes and %d points.\n", grid.MaxPaths, grid.MaxPoints)
	r.heading(3, "Ranges")
	r.table(r.definitions.Get("range"))
	r.heading(3, "Cases")
	cases := r.definitions.Get("cases")
	r.printf("| key | value | meaning |\n|---|---|---|\n")
	r.printf("| `CASE` | mapping | %s |\n", cell(cases.Description))
	r.printf("| `CASE.PATH` | any value | %s |\n\n", cell(cases.Others.Description))
	r.printf("At most %d cases, each of at most %d changes. Names have at most %d characters; that of the axis has small letters, digits and `-`\n"+
		"and is no key of the file. `--set AXIS=CASE` picks a case.\n", grid.MaxCases, grid.MaxChanges, grid.MaxCaseName)
}

// faults are the verbs with their keys.
func (r *pageWriter) faults() {
	r.printf("Each fault has one verb, at most one of `%s`, and the keys that belong to the verb.\n\n", strings.Join(format.TriggerNames(format.FaultKeys), "`, `"))
	r.printf("| verb | done to | what happens | keys besides `name` |\n|---|---|---|---|\n")
	for i := range format.Verbs {
		v := &format.Verbs[i]
		var keys []string
		for _, k := range v.Keys {
			name := "`" + k.Name + "`"
			if k == v.Needs {
				name += "*"
			}
			keys = append(keys, name)
		}
		r.printf("| `%s` | %s | %s | %s |\n", v.Do, v.Subject.Form, cell(v.About), strings.Join(keys, ", "))
	}
	r.printf("\n| key | meaning |\n|---|---|\n")
	for _, key := range format.FaultKeys {
		r.printf("| `%s` | %s |\n", key.Name, cell(key.About))
	}
	for _, part := range []struct{ definition, about string }{
		{"sides", "The sides of `cut` and `hold`:"}, {"message", "The message of `delay`, `lose` and `duplicate`:"},
		{"after", "`after`:"}, {"on", "`on` in one value:"}, {"before", "`before` in one value:"}, {"clock-log", "`log` with more than a name:"},
	} {
		n := r.definitions.Get(part.definition)
		if len(n.AnyOf) > 0 {
			n = n.AnyOf[1]
		}
		r.printf("\n%s\n\n", part.about)
		r.table(n)
	}
}

// model is what a model takes and what it has.
func (r *pageWriter) model(m format.Model) {
	r.heading(3, "Model "+m.Name)
	p := m.New().Program()
	r.printf("%s. Its scenarios are in `%s/`.\n\n", sentence(m.About)[:len(m.About)], strings.Join(scenarios.Catalog().FoldersOf(m.Name), "/`, `"))
	r.table(r.definitions.Get(m.Name + ".params"))
	words := func(what string, list []string) {
		if len(list) > 0 {
			r.printf("* %s: `%s`\n", what, strings.Join(list, "`, `"))
		}
	}
	r.printf("By default it has\n\n")
	words("nodes", p.Nodes)
	if len(p.Nodes) > 0 {
		words("notes, for `on`", p.Notes)
		words("kinds of messages and timers", slices.DeleteFunc(slices.Clone(p.Kinds[1:]), func(k string) bool { return slices.Contains(p.Notes, k) }))
	}
	words("properties", p.Properties)
	var measures []string
	for _, measure := range p.Measures {
		text := "`" + measure.Name + "`"
		if _, of, each := strings.Cut(measure.Name, "/"); each {
			text = "`ALGORITHM/" + of + "`"
		}
		if measure.Unit == sim.Duration {
			text += " (a duration)"
		}
		if !slices.Contains(measures, text) {
			measures = append(measures, text)
		}
	}
	r.printf("* measures: %s\n", strings.Join(measures, ", "))
}

// table lists the keys of a mapping, with those of what is in it.
func (r *pageWriter) table(n *schema.Node) {
	r.printf("| key | value | meaning |\n|---|---|---|\n")
	r.rows(n, "")
	r.printf("\n")
}

func (r *pageWriter) rows(n *schema.Node, prefix string) {
	for _, p := range n.Properties {
		star := ""
		if slices.Contains(n.Required, p.Name) {
			star = "*"
		}
		value := valueText(p.Node)
		if p.Node.Limits != "" {
			value += ", " + p.Node.Limits
		}
		r.printf("| `%s%s`%s | %s | %s |\n", prefix, p.Name, star, value, cell(p.Node.Description))
		inner, path := p.Node, prefix+p.Name
		switch {
		case inner.Items != nil && inner.AnyOf == nil:
			inner, path = inner.Items, path+".N"
		case inner.Others != nil && len(inner.Others.Properties) > 0:
			inner, path = inner.Others, path+".NODE"
		}
		r.rows(inner, path+".")
	}
}

// valueText says what a value is.
func valueText(n *schema.Node) string {
	definition := strings.TrimPrefix(n.Ref, "#/definitions/")
	switch {
	case n.Ref != "" && definition == "any":
		return "any value"
	case n.Ref != "":
		return named(definition)
	case len(n.Enum) > 0:
		return "`" + strings.Join(n.Enum, "`, `") + "`"
	case len(n.AnyOf) == 2 && n.AnyOf[1].Items != nil:
		return valueText(n.AnyOf[0]) + ", or a list"
	case n.Items != nil && len(n.Items.Properties) > 0:
		return "list of mappings"
	case n.Items != nil && n.MinItems == 2 && n.MaxItems == 2:
		return "list of two: " + valueText(n.Items)
	case n.Items != nil:
		return "list: " + valueText(n.Items)
	case len(n.Properties) > 0:
		return "mapping"
	case n.Others != nil:
		return "mapping: " + valueText(n.Others)
	case len(n.Type) > 1:
		return "text"
	case len(n.Type) == 1:
		return n.Type[0]
	case len(n.AnyOf) > 0:
		return valueText(n.AnyOf[0])
	}
	return "any value"
}
