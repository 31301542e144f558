package scenarios

import (
	"reflect"
	"slices"

	"fencepost/scenarios/internal/schema"
	"fencepost/sim"
)

// faultAbout says what the keys of a fault mean that are not verbs.
var faultAbout = map[string]string{
	"name":   "What reports call the fault, and the stream of what it draws: what it does.",
	"at":     "The instant at which it strikes.",
	"on":     "It strikes after each note of this kind by the node itself.",
	"before": "It strikes before each message, timer or note of this kind leaves the node itself.",
	"by":     "Who notes or sends what is waited for; of step-clock, how far the clock moves.",
	"nth":    "Which such note or effect: each.",
	"every":  "It strikes again and again, this long after its last end.",
	"for":    "How long it lasts.",
	"to":     "The rate error from then on.",
	"log":    "The log that the clocks follow.",
}

// faultDefinitions are a fault, and one of each verb.
func faultDefinitions(b *schema.Builder) (list schema.Properties) {
	trigger := func(t reflect.Type) *schema.Node { return schema.Any(schema.Name(), b.Struct(t)) }
	list.Add("sides", sidesNode(b))
	list.Add("message", b.Struct(reflect.TypeFor[messageFormat]()))
	list.Add("on", trigger(reflect.TypeFor[noteFormat]()))
	list.Add("before", trigger(reflect.TypeFor[effectFormat]()))
	list.Add("clock-log", trigger(reflect.TypeFor[clockLogFormat]()))

	fault := schema.Object().With("What goes wrong: one verb, at most one trigger, and the keys that belong to the verb.")
	for i := range verbs {
		v := &verbs[i]
		name := v.do.String()
		fault.Properties.Add(name, (&schema.Node{}).With(sentence(v.about)))
		fault.OneOf = append(fault.OneOf, &schema.Node{Required: []string{name}})
		fault.AllOf = append(fault.AllOf, &schema.Node{If: withType(&schema.Node{Required: []string{name}}), Then: schema.Ref("fault-" + name)})
	}
	for _, key := range faultKeys()[len(verbs):] {
		fault.Properties.Add(key, (&schema.Node{}).With(faultAbout[key]))
	}
	list.Add("fault", fault)
	for i := range verbs {
		list.Add("fault-"+verbs[i].do.String(), verbs[i].node())
	}
	return list
}

// sentence begins a text with a capital letter and ends it with a full stop.
func sentence(s string) string { return string(s[0]-'a'+'A') + s[1:] + "." }

// sidesNode is who is cut off from whom: the groups, or one side or both.
func sidesNode(b *schema.Builder) *schema.Node {
	n := b.Struct(reflect.TypeFor[sidesFormat]())
	groups := n.Properties.Get("between")
	groups.MinItems, groups.MaxItems = 2, maxSides
	n.OneOf = []*schema.Node{{Required: []string{"between"}}, oneOfKeys("from", "to")}
	return n
}

// node is a fault of one verb.
func (v *verb) node() *schema.Node {
	name := v.do.String()
	n := schema.Object(schema.Property{Name: name, Node: schema.Ref(v.subject()).With(sentence(v.about))})
	n.Required = []string{name}
	for _, key := range append([]string{"name"}, v.fields()...) {
		n.Properties.Add(key, schema.Ref(v.form(key)).With(faultAbout[key]))
	}
	switch v.do {
	case sim.StepClock:
		n.Required = append(n.Required, "by")
	case sim.SetRate:
		n.Required = append(n.Required, "to")
	case sim.FollowLog:
		n.Required = append(n.Required, "log")
	}
	if v.length {
		n.Required = append(n.Required, "for")
	}
	v.triggers(n)
	return n
}

// subject is the definition of what a verb is done to.
func (v *verb) subject() string {
	switch v.do {
	case sim.Cut, sim.Hold:
		return "sides"
	case sim.Delay, sim.Lose, sim.Duplicate:
		return "message"
	}
	return "node"
}

// form is the definition of the value of a key.
func (v *verb) form(key string) string {
	switch key {
	case "name":
		return "text"
	case "at":
		return "duration"
	case "by":
		if v.do == sim.StepClock {
			return "signed-duration"
		}
		return "node"
	case "nth":
		return "count"
	case "every":
		return "distribution"
	case "for":
		return "length"
	case "to":
		return "clock-error"
	case "log":
		return "clock-log"
	}
	return key // on, before
}

// triggers wants one trigger where the verb must have one, and never two.
func (v *verb) triggers(n *schema.Node) {
	var mine []string
	for _, key := range triggers {
		if slices.Contains(v.fields(), key) {
			mine = append(mine, key)
		}
	}
	var two []*schema.Node
	for i, a := range mine {
		for _, b := range mine[i+1:] {
			two = append(two, &schema.Node{Required: []string{a, b}})
		}
	}
	if len(two) > 0 {
		n.Not = &schema.Node{AnyOf: two}
	}
	if v.trigger {
		some := oneOfKeys(mine...)
		if v.replays {
			some.AnyOf = append(some.AnyOf, &schema.Node{Properties: schema.Properties{{Name: "for",
				Node: &schema.Node{Type: []string{"object"}, Required: []string{"gclog"}}}}})
		}
		n.AnyOf = some.AnyOf
	}
	counted := []string{"nth", "by"}
	if v.do == sim.StepClock {
		counted = counted[:1]
	}
	for _, key := range counted {
		if slices.Contains(v.fields(), key) {
			n.Dependencies.Add(key, v.effects(mine))
		}
	}
	if slices.Contains(mine, "every") && !v.length {
		n.Dependencies.Add("every", &schema.Node{Required: []string{"for"}})
	}
}

// effects wants one of the triggers that can be counted.
func (v *verb) effects(mine []string) *schema.Node {
	return oneOfKeys(slices.DeleteFunc(slices.Clone(mine), func(k string) bool { return k != "on" && k != "before" })...)
}

// modelFault is what must hold for a fault of a model besides: its kinds and notes.
func modelFault(p *sim.Program) *schema.Node {
	key := func(name string, n *schema.Node) *schema.Node {
		return &schema.Node{Properties: schema.Properties{{Name: name, Node: n}}}
	}
	kinds, notes := schema.Words(p.Kinds[1:]...), schema.Words(p.Notes...)
	n := schema.Ref("fault")
	more := &schema.Node{}
	for i := range verbs {
		switch v := &verbs[i]; v.subject() {
		case "node":
			more.Properties.Add(v.do.String(), &schema.Node{Examples: p.Nodes[:min(len(p.Nodes), 12)]})
		case "message":
			more.Properties.Add(v.do.String(), key("kind", kinds))
		}
	}
	more.Properties.Add("on", schema.Any(notes, withType(key("note", notes))))
	more.Properties.Add("before", schema.Any(kinds, withType(key("effect", kinds))))
	return &schema.Node{AllOf: []*schema.Node{n, more}}
}

// withType is a node for mappings only.
func withType(n *schema.Node) *schema.Node {
	n.Type = []string{"object"}
	return n
}
