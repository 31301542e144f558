package kv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Verb is what a client does in a step of its script.
type Verb uint8

// The verbs.
const (
	GetKey Verb = iota
	PutKey
	BlindPut
	DeleteKey
	AddItem
	RemoveItem
	CASKey
	WaitFor
	WaitUntil
)

var verbNames = [...]string{"get", "put", "blind-put", "delete", "add", "remove", "cas", "wait", "at"}

// verbForms are the forms of a step. VIA is "via NODE", FROM is "from NODE...", both may be left out.
var verbForms = [...]string{"get KEY [from NODE...] [via NODE]", "put KEY VALUE [via NODE]", "blind-put KEY VALUE [via NODE]",
	"delete KEY [via NODE]", "add KEY ITEM [via NODE]", "remove KEY ITEM [via NODE]", "cas KEY OLD NEW [via NODE]", "wait DURATION", "at DURATION"}

// op is what a verb asks the store for, if it writes.
func (v Verb) op() (op version.Op, writes bool) {
	switch v {
	case PutKey, BlindPut, CASKey:
		return version.Set, true
	case DeleteKey:
		return version.Delete, true
	case AddItem:
		return version.Add, true
	case RemoveItem:
		return version.Remove, true
	}
	return 0, false
}

// noValue is what a cas says that expects none.
const noValue = "nothing"

// maxWord bounds a name in a script.
const maxWord = 32

// ScriptStep is a line of a client's script, as "put cart v1" or "at 205ms".
type ScriptStep struct {
	Verb   Verb
	Key    string
	Old    string // of cas, the value that it expects
	Value  string // or the item
	From   []string
	Via    string
	Length time.Duration
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *ScriptStep) UnmarshalText(b []byte) error {
	verb, words, err := values.Step(string(b), verbNames[:], verbForms[GetKey], maxWord)
	if err != nil {
		return err
	}
	*s = ScriptStep{Verb: Verb(verb)}
	if !s.read(words) {
		return fmt.Errorf("want %s", verbForms[verb])
	}
	return nil
}

// read takes what follows the verb. It reports whether that has the form of the verb.
func (s *ScriptStep) read(words []string) bool {
	if s.Verb >= WaitFor {
		if len(words) != 1 {
			return false
		}
		d, err := time.ParseDuration(words[0])
		s.Length = d
		return err == nil && d >= 0
	}
	if n := len(words); n >= 2 && words[n-2] == "via" {
		s.Via, words = words[n-1], words[:n-2]
	}
	if from := slices.Index(words, "from"); from > 0 && s.Verb == GetKey {
		s.From, words = words[from+1:], words[:from]
		if len(s.From) == 0 {
			return false
		}
	}
	want := 2
	switch s.Verb {
	case GetKey, DeleteKey:
		want = 1
	case CASKey:
		want = 3
	}
	if len(words) != want {
		return false
	}
	if s.Key = words[0]; want > 1 {
		s.Value = words[want-1]
	}
	if want == 3 {
		s.Old = words[1]
	}
	return true
}

// String is the step as a script has it.
func (s ScriptStep) String() string {
	if s.Verb >= WaitFor {
		return verbNames[s.Verb] + " " + values.Length(s.Length)
	}
	words := []string{verbNames[s.Verb], s.Key}
	if s.Old != "" {
		words = append(words, s.Old)
	}
	if s.Value != "" {
		words = append(words, s.Value)
	}
	if len(s.From) > 0 {
		words = append(append(words, "from"), s.From...)
	}
	if s.Via != "" {
		words = append(words, "via", s.Via)
	}
	return strings.Join(words, " ")
}

// Action is a [ScriptStep] with numbers for names.
type Action struct {
	Verb   Verb
	Key    uint32
	Data   uint64     // of a value its number, from 1; of an item a bit
	Old    uint64     // of cas, a value by its number; 0, the key has none
	From   uint64     // nodes to read from, a bit each; 0, the replicas
	Via    sim.NodeID // None: as the client's route says
	Length time.Duration
}

// names are those of keys, values and items of all scripts, in the order in which they
// appear there.
type names struct {
	keys, values, items nameList
	amounts             bool // items are numbers: the keys are counters
}

// nameList is a list of names, each once.
type nameList struct {
	list []string
	at   map[string]int // of a name, its place in the list
}

// number is the place of a name in the list, from 0, which grows by it.
func (l *nameList) number(name string) int {
	i, there := l.at[name]
	if !there {
		if l.at == nil {
			l.at = map[string]int{}
		}
		i = len(l.list)
		l.list, l.at[name] = append(l.list, name), i
	}
	return i
}

// action is a step with numbers for names.
func (w *names) action(s *ScriptStep, node func(string) sim.NodeID) Action {
	a := Action{Verb: s.Verb, Length: s.Length}
	if s.Verb >= WaitFor {
		return a
	}
	a.Key = uint32(w.keys.number(s.Key))
	switch s.Verb {
	case CASKey:
		if s.Old != noValue {
			a.Old = uint64(w.values.number(s.Old)) + 1
		}
		a.Data = uint64(w.values.number(s.Value)) + 1
	case PutKey, BlindPut:
		a.Data = uint64(w.values.number(s.Value)) + 1
	case AddItem, RemoveItem:
		if w.amounts {
			a.Data, _ = strconv.ParseUint(s.Value, 10, 32)
			break
		}
		a.Data = 1 << w.items.number(s.Value)
	}
	for _, from := range s.From {
		a.From |= 1 << node(from)
	}
	if s.Via != "" {
		a.Via = node(s.Via)
	}
	return a
}
