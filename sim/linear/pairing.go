package linear

import (
	"slices"
	"strconv"
	"strings"
)

// An event is a line of a log: a call or a return. The forms know their columns.
type event struct {
	process, phase, f, key, value form
}

// A pairing makes operations of events.
type pairing struct {
	model Model
	ops   []Op
	open  map[int]int // the operation that a client has under way, by client
}

// verbs are the words for operations, and the model that has a word as its own.
var verbs = []struct {
	word  string
	kind  Kind
	model Model
}{
	{"read", Read, Register}, {"write", Write, Register}, {"cas", CAS, Register},
	{"get", Read, KV}, {"put", Write, KV}, {"append", Append, KV},
	{"acquire", Acquire, Lock}, {"release", Release, Lock},
}

// verb returns the kind of a word, whose column is for errors, and settles the model.
func (p *pairing) verb(word string, column int) (Kind, error) {
	var words []string
	for _, v := range verbs {
		words = append(words, v.word)
		if v.word != word {
			continue
		}
		if p.model == 0 {
			p.model = v.model
		}
		if !slices.Contains(p.model.kinds(), v.kind) {
			return 0, at(column, "%v", notOf(word, p.model))
		}
		return v.kind, nil
	}
	return 0, at(column, "want an operation (%s), got %q", strings.Join(words, ", "), word)
}

// event adds an event at an instant, which is the number of its line. Those whose
// process is a keyword, such as :nemesis, do nothing to the object.
func (p *pairing) event(e *event, now int64) error {
	client, err := strconv.Atoi(e.process.text)
	if e.process.kind != word || err != nil || client < 0 {
		return at(e.process.column, "want the number of a process, got %v", e.process)
	}
	if e.f.kind != keyword {
		return at(e.f.column, "want an operation such as :read, got %v", e.f)
	}
	kind, err := p.verb(e.f.text, e.f.column)
	if err != nil {
		return err
	}
	if e.phase.is(":invoke") {
		return p.call(e, now, client, kind)
	}
	return p.end(e, now, client, kind)
}

// call begins an operation.
func (p *pairing) call(e *event, now int64, client int, kind Kind) error {
	if n, busy := p.open[client]; busy {
		return at(e.phase.column, "want :ok, :fail or :info of the %v that process %d called at line %d, got another call",
			p.ops[n].Kind, client, p.ops[n].Call)
	}
	op := Op{Client: client, Kind: kind, Outcome: Open, Call: now}
	var err error
	if op.Key, err = e.keyText(); err != nil {
		return err
	}
	if err := p.arguments(&op, e.value); err != nil {
		return err
	}
	p.open[client] = len(p.ops)
	p.ops = append(p.ops, op)
	return nil
}

// keyText returns the key of an event; one without a key is of the key "".
func (e *event) keyText() (string, error) {
	switch e.key.kind {
	case missing:
		return "", nil
	case word, text, keyword:
		return e.key.text, nil
	}
	return "", at(e.key.column, "want a key, got %v", e.key)
}

// arguments fills in what an operation is called with.
func (p *pairing) arguments(op *Op, v form) (err error) {
	switch op.Kind {
	case Write, Append:
		op.Value, err = p.value(v)
	case CAS:
		if v.kind != vector || len(v.items) != 2 {
			return at(v.column, "want the two values of a cas, as in [1 2], got %v", v)
		}
		if op.Old, err = p.value(v.items[0]); err == nil {
			op.Value, err = p.value(v.items[1])
		}
	}
	return err
}

// value returns the text of a value; nil is what a key holds at first.
func (p *pairing) value(v form) (string, error) {
	switch {
	case v.is(Nil):
		return p.model.initial(), nil
	case v.kind == text && p.model == Register && v.text == Nil:
		return "", at(v.column, `want another value: the text "nil" cannot be told from nil`)
	case v.kind == word || v.kind == text:
		return v.text, nil
	case v.kind == keyword:
		return ":" + v.text, nil
	}
	return "", at(v.column, "want a value, got %v", v)
}

// end ends an operation.
func (p *pairing) end(e *event, now int64, client int, kind Kind) error {
	var outcome Outcome
	switch {
	case e.phase.is(":ok"):
		outcome = OK
	case e.phase.is(":fail"):
		outcome = Failed
	case e.phase.is(":info"):
		outcome = Open
	default:
		return at(e.phase.column, "want :invoke, :ok, :fail or :info, got %v", e.phase)
	}
	n, busy := p.open[client]
	if !busy {
		return at(e.process.column, "want the call of process %d first, got %v", client, e.phase)
	}
	op := &p.ops[n]
	if op.Kind != kind {
		return at(e.f.column, "want the end of the %v that process %d called at line %d, got %v", op.Kind, client, op.Call, e.f)
	}
	if key, err := e.keyText(); err != nil || e.key.kind != missing && key != op.Key {
		return at(e.key.column, "want the key %s of the call at line %d, got %v", show(op.Key), op.Call, e.key)
	}
	op.Outcome, op.Return = outcome, now
	delete(p.open, client)
	switch {
	case outcome == OK:
		return p.returned(op, e.value)
	case outcome == Failed && kind == CAS && p.returned(op, e.value) == nil:
		op.Outcome = Refused
	}
	return nil
}

// returned compares what an operation returned with what it was called with, and fills
// in the value of a read.
func (p *pairing) returned(op *Op, v form) (err error) {
	if op.Kind == Read {
		op.Value, err = p.value(v)
		return err
	}
	again := Op{Kind: op.Kind}
	if v.kind != missing || op.Kind == CAS { // other logs leave out what is known
		err = p.arguments(&again, v)
	}
	if v.kind != missing && err == nil && (again.Value != op.Value || again.Old != op.Old) {
		err = at(v.column, "want the value of the call at line %d, got %v", op.Call, v)
	}
	return err
}
