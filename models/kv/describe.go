package kv

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// describer says in words what happens in a run.
type describer struct{ *Layout }

func (t *describer) describe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	if does := t.does(v, o); does != "" {
		return v.Name(o.Node) + " " + does
	}
	return ""
}

func (t *describer) does(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
	switch m := &o.Msg; m.Kind {
	case core.Led:
		return fmt.Sprintf("leads from now on, in term %d", m.Term())
	case core.Deposed:
		return fmt.Sprintf("no longer leads, as it did in term %d", m.Term())
	case core.Asked:
		if expects, compares := m.Compares(); compares {
			return fmt.Sprintf("sets %s to %s if it has %s", t.key(m.Key()), t.value(version.Value{Data: m.Write.Data}), t.expected(expects))
		}
		if m.Write != nil {
			return t.asks(m.Write, t.key(m.Key()))
		}
		return fmt.Sprintf("reads %s", t.key(m.Key()))
	case core.Answered:
		if m.Write != nil {
			return fmt.Sprintf("has its %s %s %s acknowledged", t.request(m.Write), preposition(m.Write), t.key(m.Key()))
		}
		return fmt.Sprintf("reads %s from %s", t.siblings(m.Obj), t.key(m.Key()))
	case core.Failed:
		what := "read"
		if m.Write != nil {
			what = t.request(m.Write)
		}
		return fmt.Sprintf("fails in its %s at %s: %s", what, t.key(m.Key()), m.Status())
	case core.Behind:
		return fmt.Sprintf("is answered %s from %s, which lacks something that it has seen, and asks again", t.siblings(m.Obj), t.key(m.Key()))
	case core.Stored:
		return fmt.Sprintf("stores %s at %s", t.siblings(m.Obj), t.key(m.Key()))
	case core.Hinted:
		return fmt.Sprintf("keeps %s at %s for %s", t.siblings(m.Obj), t.key(m.Key()), v.Name(sim.NodeID(m.HintFor())))
	case core.Collected:
		return fmt.Sprintf("collects %s at %s", t.siblings(m.Obj), t.key(m.Key()))
	case core.Discarded:
		return fmt.Sprintf("deletes %s at %s, which it has from an earlier ring", t.siblings(m.Obj), t.key(m.Key()))
	case core.Wiped:
		return "starts with an empty disk"
	case core.Suspected:
		return fmt.Sprintf("suspects %s: no answer", v.Name(m.Other()))
	}
	if does := t.repairs(v, o); does != "" {
		return does
	}
	return t.moves(v, o)
}

// key is the name of a key.
func (l *Layout) key(key uint32) string {
	if int(key) < len(l.keys.list) {
		return l.keys.list[key]
	}
	return fmt.Sprintf("key-%d", key)
}

// asks is what a client asks the store for.
func (l *Layout) asks(w *version.Write, key string) string {
	if w.Op == version.Delete {
		return "deletes " + key
	}
	return fmt.Sprintf("%s %s %s %s", [...]string{"writes", "", "adds", "removes"}[w.Op], l.data(w), preposition(w), key)
}

// request is the same as a noun, without the key.
func (l *Layout) request(w *version.Write) string {
	if w.Op == version.Delete {
		return "deletion"
	}
	return [...]string{"write", "", "addition", "removal"}[w.Op] + " of " + l.data(w)
}

// preposition stands between a request and its key.
func preposition(w *version.Write) string { return [...]string{"to", "of", "to", "from"}[w.Op] }

// data is what a write carries, in words.
func (l *Layout) data(w *version.Write) string {
	if w.Op == version.Set {
		return l.value(version.Value{Write: w.ID, Data: w.Data})
	}
	return l.content(w.Data)
}

// content is what a value holds that is added to and removed from: a number, or items.
func (l *Layout) content(data uint64) string {
	switch {
	case l.amounts:
		return strconv.FormatInt(int64(data), 10)
	case data == 0:
		return "nothing"
	}
	var items []string
	for ; data != 0; data &= data - 1 {
		items = append(items, l.items.list[bits.TrailingZeros64(data)])
	}
	slices.Sort(items)
	return strings.Join(items, "+")
}

// written is a write in words: its value, or what it does to one.
func (l *Layout) written(w *version.Write) string {
	switch w.Op {
	case version.Delete:
		return "a tombstone"
	case version.Add:
		return "+" + l.content(w.Data)
	case version.Remove:
		return "-" + l.content(w.Data)
	}
	return l.data(w)
}

// value is a value in words: that of a script, or the write that made it.
func (l *Layout) value(v version.Value) string {
	switch {
	case v.Tombstone:
		return "a tombstone"
	case l.amounts || len(l.items.list) > 0:
		return l.content(l.Policy.Present(v))
	case v.Data > 0 && v.Data <= uint64(len(l.values.list)):
		return l.values.list[v.Data-1]
	}
	return core.WriteName(v.Write)
}

// siblings are the values of an object in words.
func (l *Layout) siblings(o *version.Object) string {
	all := o.Values()
	if len(all) == 0 {
		return "nothing"
	}
	words := make([]string, len(all))
	for i, v := range all {
		words[i] = l.value(v)
	}
	return strings.Join(words, ", ")
}
