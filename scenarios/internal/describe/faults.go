package main

import (
	"reflect"
	"slices"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/schema"
)

// faultDefinitions are a fault, and one of each verb.
func faultDefinitions(b *schema.Builder) (list schema.Properties) {
	trigger := func(t reflect.Type) *schema.Node { return schema.Any(schema.Name(), b.Struct(t)) }
	list.Add("sides", sidesNode(b))
	list.Add("message", b.Struct(reflect.TypeFor[format.MessageFormat]()))
	list.Add("on", trigger(reflect.TypeFor[format.NoteFormat]()))
	list.Add("before", trigger(reflect.TypeFor[format.EffectFormat]()))
	after := b.Struct(reflect.TypeFor[format.AfterFormat]())
	after.OneOf = []*schema.Node{{Required: []string{"begin"}}, {Required: []string{"end"}}}
	list.Add("after", after)
	list.Add("clock-log", trigger(reflect.TypeFor[format.ClockLogFormat]()))

	fault := schema.Object().With("What goes wrong: one verb, at most one trigger, and the keys that belong to the verb.")
	for i := range format.Verbs {
		v := &format.Verbs[i]
		name := v.Do.String()
		fault.Properties.Add(name, (&schema.Node{}).With(sentence(v.About)))
		fault.OneOf = append(fault.OneOf, &schema.Node{Required: []string{name}})
		fault.AllOf = append(fault.AllOf, &schema.Node{If: (&schema.Node{Required: []string{name}}).Mapping(), Then: schema.Ref("fault-" + name)})
	}
	for _, key := range format.FaultKeys {
		fault.Properties.Add(key.Name, (&schema.Node{}).With(key.About))
	}
	list.Add("fault", fault)
	for i := range format.Verbs {
		list.Add("fault-"+format.Verbs[i].Do.String(), verbNode(&format.Verbs[i]))
	}
	return list
}

// sentence begins a text with a capital letter and ends it with a full stop.
func sentence(s string) string { return string(s[0]-'a'+'A') + s[1:] + "." }

// sidesNode is who is cut off from whom: the groups, or one side or both.
func sidesNode(b *schema.Builder) *schema.Node {
	n := b.Struct(reflect.TypeFor[format.SidesFormat]())
	groups := n.Properties.Get("between")
	groups.MinItems, groups.MaxItems = 2, format.MaxSides
	n.OneOf = []*schema.Node{{Required: []string{"between"}}, oneOfKeys("from", "to")}
	return n
}

// verbNode is a fault of one verb.
func verbNode(v *format.Verb) *schema.Node {
	name := v.Do.String()
	n := schema.Object(schema.Property{Name: name, Node: schema.Ref(v.Subject.Form).With(sentence(v.About))})
	for _, key := range append(format.FaultKeys[:1:1], v.Keys...) { // the first is name
		n.Properties.Add(key.Name, schema.Ref(key.Form).With(key.About))
	}
	n.Required = []string{name}
	if v.Needs != nil {
		n.Required = append(n.Required, v.Needs.Name)
	}
	addTriggers(v, n)
	return n
}

// addTriggers wants one trigger where the verb must have one, and never two.
func addTriggers(v *format.Verb, n *schema.Node) {
	mine := format.TriggerNames(v.Keys)
	var two []*schema.Node
	for i, a := range mine {
		for _, b := range mine[i+1:] {
			two = append(two, &schema.Node{Required: []string{a, b}})
		}
	}
	if len(two) > 0 {
		n.Not = &schema.Node{AnyOf: two}
	}
	if v.Trigger {
		some := oneOfKeys(mine...)
		if v.Replays {
			some.AnyOf = append(some.AnyOf, &schema.Node{Properties: schema.Properties{{Name: "for",
				Node: &schema.Node{Type: []string{"object"}, Required: []string{"gclog"}}}}})
		}
		n.AnyOf = some.AnyOf
	}
	counted := []string{"nth", "by"}
	if v.OwnBy {
		counted = counted[:1]
	}
	for _, key := range counted {
		if v.Has(key) {
			n.Dependencies.Add(key, effectsOf(mine))
		}
	}
	if v.Has("every") && !slices.Contains(n.Required, "for") {
		n.Dependencies.Add("every", &schema.Node{Required: []string{"for"}})
	}
}

// effectsOf wants one of the triggers that can be counted.
func effectsOf(mine []string) *schema.Node {
	return oneOfKeys(slices.DeleteFunc(slices.Clone(mine), func(k string) bool { return k != "on" && k != "before" })...)
}
