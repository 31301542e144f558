package model

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/sim"
)

// Told is what a sentence is about. Of a message on its own there is no View.
type Told[M sim.Message] struct {
	*sim.View[M]
	*sim.Observation[M]
}

// Who is the name of a node; without a View its number.
func (t *Told[M]) Who(id sim.NodeID) string {
	if t.View == nil {
		return fmt.Sprint(id)
	}
	return t.Name(id)
}

// Fact is what a sentence or a measure takes from a note. Make it with [Number], [Whether], [Which], [If] or
// [Words].
type Fact[M sim.Message] struct {
	say       func(*Told[M]) string
	which     func(*M) int // of the sentences
	sentences []string
	number    func(*M) int64                   // nil: it is none
	holds     func(o *sim.Observation[M]) bool // nil: it is no condition
}

// Number is an integer, a duration, or a node, which is said by its name.
func Number[M sim.Message, N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](of func(*M) N) Fact[M] {
	return Fact[M]{number: func(m *M) int64 { return int64(of(m)) }, say: func(t *Told[M]) string {
		n := of(&t.Msg)
		if id, ok := any(n).(sim.NodeID); ok {
			return t.Who(id)
		}
		return fmt.Sprint(n)
	}}
}

// Whether is a condition, with what is said where it holds and where it does not: sentences, too.
func Whether[M sim.Message](holds func(*M) bool, yes, no string) Fact[M] {
	f := Which(func(m *M) int {
		if holds(m) {
			return 0
		}
		return 1
	}, yes, no)
	f.holds = func(o *sim.Observation[M]) bool { return holds(&o.Msg) }
	return f
}

// Which says one of some sentences, by its number from 0.
func Which[M sim.Message](which func(*M) int, sentences ...string) Fact[M] {
	return Fact[M]{which: which, sentences: sentences}
}

// If is a condition for measures alone: on who notes something, too.
func If[M sim.Message](holds func(o *sim.Observation[M]) bool) Fact[M] { return Fact[M]{holds: holds} }

// Words is a fact that is for sentences alone.
func Words[M sim.Message](say func(*Told[M]) string) Fact[M] { return Fact[M]{say: say} }

// Facts are those of a model, by the words that stand for them.
type Facts[M sim.Message] map[string]Fact[M]

// Description says in words what is sent and noted, by the sentences of a table of kinds: a fact
// stands there in braces by its word, and {node} is the one that notes it. It is made once, by
// [Describe].
//
//	var description = model.Describe(kinds, model.Facts[Msg]{"amount": model.Number((*Msg).amount)})
//
//	func (m Msg) String() string { return description.String(m) }
type Description[M sim.Message] struct {
	kinds               Kinds
	facts               Facts[M]
	texts, logs, detail []sentence[M] // by kind
}

// sentence is made of parts, each a text or what a fact says.
type sentence[M sim.Message] []func(*Told[M]) string

// Describe makes the description of a table of kinds. It panics when the program starts if a sentence has a word
// that stands for no fact.
func Describe[M sim.Message](kinds Kinds, facts Facts[M]) *Description[M] {
	by := make([]sentence[M], 3*len(kinds))
	d := &Description[M]{kinds: kinds, facts: facts, texts: by[:len(kinds)], logs: by[len(kinds) : 2*len(kinds)], detail: by[2*len(kinds):]}
	for i := range kinds {
		k := &kinds[i]
		d.texts[i], d.logs[i], d.detail[i] = d.read(k.text), d.read(k.log), d.read(k.detail)
	}
	return d
}

func (d *Description[M]) read(text string) (parts sentence[M]) {
	for text != "" {
		plain, rest, _ := strings.Cut(text, "{")
		word, after, named := strings.Cut(rest, "}")
		parts = append(parts, func(*Told[M]) string { return plain })
		if text = after; !named {
			continue
		}
		parts = append(parts, d.say(word))
	}
	return parts
}

// say is what is said in the place of a word.
func (d *Description[M]) say(word string) func(*Told[M]) string {
	if word == "node" {
		return func(t *Told[M]) string { return t.Who(t.Node) }
	}
	switch fact := d.facts[word]; {
	case fact.which != nil:
		var read []sentence[M]
		for _, text := range fact.sentences {
			read = append(read, d.read(text))
		}
		return func(t *Told[M]) string { return read[fact.which(&t.Msg)].about(t) }
	case fact.say != nil:
		return fact.say
	}
	panic(fmt.Sprintf("model: no fact has the word {%s}", word))
}

func (s sentence[M]) about(t *Told[M]) string {
	var b strings.Builder
	for _, part := range s {
		b.WriteString(part(t))
	}
	return b.String()
}

// String is a message in words: its kind, and the text of that.
func (d *Description[M]) String(m M) string {
	k := m.Label()
	return d.kinds.Name(k) + d.texts[k].about(&Told[M]{Observation: &sim.Observation[M]{Msg: m}})
}

// Log is a line of the log for a note, "" if there is none.
func (d *Description[M]) Log(v *sim.View[M], o *sim.Observation[M]) string {
	return d.noted(d.logs, v, o)
}

// Detail says what a node does that notes something, "" if it is nothing worth saying.
func (d *Description[M]) Detail(v *sim.View[M], o *sim.Observation[M]) string {
	return d.noted(d.detail, v, o)
}

func (d *Description[M]) noted(by []sentence[M], v *sim.View[M], o *sim.Observation[M]) string {
	if o.Event != sim.Noted {
		return ""
	}
	return by[o.Msg.Label()].about(&Told[M]{v, o})
}

// System begins the system of a model: its kinds, and what the description says of them; or what is wrong with
// its parameters.
func (d *Description[M]) System(model string, found []ValidationError) sim.System[M] {
	if err := Errors(found).Err(model); err != nil {
		return sim.System[M]{Err: err}
	}
	s := sim.System[M]{Kinds: d.kinds.Names(), Notes: d.kinds.Notes(),
		Detail: func() func(*sim.View[M], *sim.Observation[M]) string { return d.Detail }}
	if slices.ContainsFunc(d.kinds, func(k Kind) bool { return k.log != "" }) { // or else [sim.System.Told] says every note
		s.Describe = func() func(*sim.View[M], *sim.Observation[M]) string { return d.Log }
	}
	return s
}

// Place puts nodes that are alike into a system, as NAME-1, NAME-2 and so on. The function is given the number of
// a node from 0.
func Place[M sim.Message, N any, P interface {
	*N
	sim.Node[M]
}](s *sim.System[M], name string, count int, node func(i int) N) {
	for i := range count {
		s.Nodes = append(s.Nodes, sim.Place[M, N, P](fmt.Sprintf("%s-%d", name, i+1), node(i)))
	}
}
