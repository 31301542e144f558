package format

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// entry is a fault while it is read.
type entry struct {
	*decoding
	whole   *strict.Value
	keys    strict.Map[*strict.Value]
	verb    *Verb
	earlier []sim.Fault
	trigger string // the first one in the file, "" if there is none
	fault   sim.Fault
	what    string // at what it is injected, in words
	when    string // and when

	known, triggers []string // of any fault: the keys, and those that are triggers
}

// faults reads all faults and names those that have no name by what they do.
func (d *decoding) faults() []sim.Fault {
	var list []sim.Fault
	var actions []string // what each does
	var texts []string   // and as it is written
	taken := map[string]int{}
	for _, v := range d.format.Faults {
		e := entry{decoding: d, whole: v, earlier: list, known: allFaultKeys(), triggers: TriggerNames(FaultKeys)}
		if !v.Decode(&e.keys) || !e.findVerb() {
			continue
		}
		e.read()
		list, actions = append(list, e.fault), append(actions, strings.TrimSpace(e.verb.Do.String()+" "+e.what+e.when))
		texts = append(texts, strict.Flow(v, true))
		if name := e.fault.Name; name != "" {
			if taken[name]++; taken[name] > 1 {
				e.get("name").Errorf("another fault is named %q", strict.Excerpt(name))
			}
		}
	}
	for i := range list {
		if f := &list[i]; f.Name == "" {
			f.Name = unused(actions[i], taken)
			texts[i] = strings.TrimSuffix(texts[i], "}") + ", name: " + strict.Word(f.Name, true) + "}"
		}
		d.scripted = append(d.scripted, Written{list[i], texts[i]})
	}
	return list
}

// Written is a fault of the file, and how it is written on one line with its name.
type Written struct {
	Fault sim.Fault
	Text  string
}

// unused is a name, with a number behind it if it is taken.
func unused(name string, taken map[string]int) string {
	for {
		taken[name]++
		n := taken[name]
		if n == 1 {
			return name
		}
		numbered := fmt.Sprintf("%s #%d", name, n)
		if taken[numbered] == 0 {
			taken[numbered] = 1
			return numbered
		}
	}
}

// get is the value of a key, or nil.
func (e *entry) get(key string) *strict.Value {
	v, _ := e.keys.Get(key)
	return v
}

// findVerb finds the one verb, and reports keys that do not belong to it.
func (e *entry) findVerb() bool {
	for _, k := range e.keys {
		v := verbOf(k.Key)
		switch {
		case v == nil:
		case e.verb == nil:
			e.verb, e.fault.Do = v, v.Do
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("a fault has one verb, and this one has %q already", e.verb.Do))
			return false
		}
	}
	if e.verb == nil {
		e.guessVerb()
	}
	for _, k := range e.keys {
		switch {
		case !slices.Contains(e.known, k.Key):
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("unknown key %q", strict.Excerpt(k.Key)), e.known...)
		case e.verb == nil, k.Key == keyName.Name, verbOf(k.Key) != nil, e.verb.Has(k.Key):
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("%q does not belong to %s: that takes name, %s", k.Key, e.verb.Do, strings.Join(KeyNames(e.verb.Keys), ", ")))
		}
	}
	if e.verb == nil {
		names := verbNames()
		if !e.meant(names...) {
			e.doc.Add(e.whole.Pos(), "", "a fault needs a verb, as in pause: client-1", names...)
		}
	}
	return e.verb != nil
}

// guessVerb takes a misspelt verb for what was meant, so that the mistakes in the
// rest of the fault are reported too.
func (e *entry) guessVerb() {
	names := verbNames()
	for _, k := range e.keys {
		if slices.Contains(e.known, k.Key) {
			continue
		}
		if v := verbOf(text.Nearest(k.Key, names)); v != nil {
			e.verb, e.fault.Do = v, v.Do
			e.keys = append(e.keys, strict.Entry[*strict.Value]{Key: v.Do.String(), Value: k.Value, Pos: k.Pos})
			return
		}
	}
}

// meant reports whether a misspelt key, which is reported as such, may have been
// meant to be one of these.
func (e *entry) meant(keys ...string) bool {
	return slices.ContainsFunc(e.keys.Keys(), func(k string) bool {
		return !slices.Contains(e.known, k) && slices.Contains(keys, text.Nearest(k, e.known))
	})
}

// read reads the subject and the keys that belong to the verb, in the order of the table.
func (e *entry) read() {
	if v := e.get(keyName.Name); v != nil {
		keyName.read(e, v)
	}
	e.verb.Subject.read(e, e.get(e.verb.Do.String()))
	e.findTrigger()
	for _, k := range e.verb.Keys {
		switch v := e.get(k.Name); {
		case k.Trigger && k.Name != e.trigger:
		case v != nil:
			k.read(e, v)
		case k == e.verb.Needs:
			if !e.meant(k.Name) {
				e.whole.Errorf("%s needs %q, as in %s", e.verb.Do, k.Name, k.example)
			}
		case k.absent != nil:
			k.absent(e)
		}
	}
}

func (e *entry) readName(v *strict.Value) {
	name, ok := strict.Read[string](v)
	switch e.fault.Name = name; {
	case ok && name == "":
		v.Errorf("the name is empty: want one, or leave it out")
	case strings.Contains(name, "\n"):
		v.Errorf("the name has several lines: want one")
	}
}
