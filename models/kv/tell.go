package kv

import (
	"fmt"
	"strings"

	"fencepost/models/kv/version"
	"fencepost/sim"
)

// teller says in words what happens in a run.
type teller struct{ *Layout }

func (t *teller) tell(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	if does := t.does(v, o); does != "" {
		return v.Name(o.Node) + " " + does
	}
	return ""
}

func (t *teller) does(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	switch m := &o.Msg; m.Kind {
	case Asked:
		if m.Write != nil {
			return fmt.Sprintf("writes %s to %s", t.written(m.Write), t.key(m.Key))
		}
		return fmt.Sprintf("reads %s", t.key(m.Key))
	case Answered:
		if m.Write != nil {
			return fmt.Sprintf("has its write of %s to %s acknowledged", t.written(m.Write), t.key(m.Key))
		}
		return fmt.Sprintf("reads %s from %s", t.siblings(m.Obj), t.key(m.Key))
	case Failed:
		what := "read"
		if m.Write != nil {
			what = "write of " + t.written(m.Write)
		}
		return fmt.Sprintf("fails in its %s at %s: %s", what, t.key(m.Key), statusNames[m.Code])
	case Stored:
		return fmt.Sprintf("stores %s at %s", t.siblings(m.Obj), t.key(m.Key))
	case Hinted:
		return fmt.Sprintf("keeps %s at %s for %s", t.siblings(m.Obj), t.key(m.Key), v.Name(sim.NodeID(m.Node)))
	case Suspected:
		return fmt.Sprintf("suspects %s: no answer", v.Name(sim.NodeID(m.Node)))
	}
	return t.repairs(v, o)
}

// key is the name of a key.
func (l *Layout) key(key uint32) string {
	if int(key) < len(l.keys) {
		return l.keys[key]
	}
	return fmt.Sprintf("key-%d", key)
}

// written is a write in words.
func (l *Layout) written(w *version.Write) string {
	if w.Op == version.Set {
		return l.value(version.Value{Write: w.ID, Data: w.Data})
	}
	return writeName(w.ID)
}

// value is a value in words: that of a script, or the write that made it.
func (l *Layout) value(v version.Value) string {
	switch {
	case v.Tombstone:
		return "a tombstone"
	case v.Data > 0 && v.Data <= uint64(len(l.values)):
		return l.values[v.Data-1]
	}
	return writeName(v.Write)
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

// writeName is a write by its client and its number there.
func writeName(id uint32) string {
	return fmt.Sprintf("write %d of client %d", version.Nth(id), version.Client(id))
}
