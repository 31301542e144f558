package linear

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A pairing makes operations of the events of a text.
type pairing struct {
	text     string
	model    Model
	mismatch bool // for which see [Options]
	ops      []Op
	open     map[int]int // the operation that a client has under way, by client
	values   conventions

	events    int
	lines     []int32 // of each event
	line      int     // of what starts at an offset
	lineStart int

	rank, due     int64 // the highest :index and :time so far
	ranked, timed bool
}

// verbs are the words for operations, and the models that have a word as their own, first the
// one that is meant if it is not said.
var verbs = []struct {
	word   string
	kind   Kind
	models []Model
}{
	{"read", Read, []Model{Register, Set, Counter}}, {"write", Write, []Model{Register}}, {"cas", CAS, []Model{Register}},
	{"get", Read, []Model{KV}}, {"put", Write, []Model{KV}}, {"append", Append, []Model{KV}},
	{"acquire", Acquire, []Model{Lock, Lease}}, {"release", Release, []Model{Lock, Lease}}, {"renew", Renew, []Model{Lease}},
	{"add", Add, []Model{Set, Counter}}, {"remove", Remove, []Model{Set}},
	{"enqueue", Enqueue, []Model{Queue}}, {"dequeue", Dequeue, []Model{Queue}},
}

// verb returns the kind of a word, whose offset is for errors, and settles the model.
func (p *pairing) verb(word string, offset int) (Kind, error) {
	var words []string
	for _, v := range verbs {
		words = append(words, v.word)
		if v.word != word {
			continue
		}
		if p.model == 0 && v.kind == Add {
			return 0, at(offset, "want to know the model, since add is of a set and of a counter: see --model")
		}
		if p.model == 0 {
			p.model = v.models[0]
		}
		if !slices.Contains(p.model.kinds(), v.kind) {
			return 0, at(offset, "%v", notOf(word, p.model))
		}
		return v.kind, nil
	}
	return 0, at(offset, "want an operation (%s), got %q", strings.Join(words, ", "), word)
}

// slack is by how much a :time may lie before an earlier one, in nanoseconds: clients take
// it before they are put in order.
const slack = 1_000_000_000

// inOrder refuses events that do not stand in the order in which they happened, as far as
// they say when.
func (p *pairing) inOrder(e *event, what string) error {
	if rank, err := strconv.ParseInt(e.rank.text, 10, 64); err == nil && e.rank.kind == word {
		if p.ranked && rank <= p.rank {
			return at(e.rank.offset, "want events in the order of :index, got %d after %d", rank, p.rank)
		}
		p.rank, p.ranked = rank, true
	}
	if due, err := strconv.ParseInt(e.due.text, 10, 64); err == nil && e.due.kind == word {
		if p.timed && due < p.due && uint64(p.due)-uint64(due) > slack {
			return at(e.due.offset, "want %s, got one that is %v before an earlier one", what, time.Duration(min(uint64(p.due)-uint64(due), math.MaxInt64)))
		}
		if !p.timed || due > p.due {
			p.due, p.timed = due, true
		}
	}
	return nil
}

// event adds an event, whose instant is its number.
func (p *pairing) event(e *event) error {
	client, err := strconv.Atoi(e.process.text)
	if e.process.kind != word || err != nil || client < 0 {
		return at(e.process.offset, "want the number of a process or :nemesis, got %v", e.process)
	}
	if e.f.kind != keyword {
		return at(e.f.offset, "want an operation such as :read, got %v", e.f)
	}
	kind, err := p.verb(e.f.text, e.f.offset)
	if err != nil {
		return err
	}
	p.events++
	p.lines = append(p.lines, p.lineOf(e.offset))
	if e.phase.is(":invoke") {
		return p.call(e, client, kind)
	}
	return p.end(e, client, kind)
}

// lineOf returns the line of an offset, which must not lie before the last one.
func (p *pairing) lineOf(offset int) int32 {
	for next := lineEnd(p.text, p.lineStart); next <= offset && next < len(p.text); next = lineEnd(p.text, p.lineStart) {
		p.line, p.lineStart = p.line+1, next
	}
	return int32(p.line)
}

// calledAt returns the line at which an operation was called.
func (p *pairing) calledAt(op *Op) int32 { return p.lines[op.Call-1] }

// numberByLine makes instants the numbers of lines, if no two events share one.
func (p *pairing) numberByLine() {
	for i := 1; i < len(p.lines); i++ {
		if p.lines[i] == p.lines[i-1] {
			return
		}
	}
	for i := range p.ops {
		op := &p.ops[i]
		if op.Call = int64(p.calledAt(op)); op.Return != 0 {
			op.Return = int64(p.lines[op.Return-1])
		}
	}
}

// call begins an operation.
func (p *pairing) call(e *event, client int, kind Kind) error {
	if n, busy := p.open[client]; busy {
		return at(e.phase.offset, "want :ok, :fail or :info of the %v that process %d called at line %d, got another call",
			p.ops[n].Kind, client, p.calledAt(&p.ops[n]))
	}
	if len(p.ops) == MaxOps {
		return at(e.offset, "want at most %d operations, got more", MaxOps)
	}
	op := Op{Client: client, Kind: kind, Outcome: Open, Call: int64(p.events)}
	err := p.values.split(e, kind, true)
	if err != nil {
		return err
	}
	if op.Key, err = p.keyText(e); err != nil {
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
func (p *pairing) keyText(e *event) (string, error) {
	if e.key.kind == missing {
		return "", nil
	}
	return p.values.text(e.key, 1)
}

// arguments fills in what an operation is called with.
func (p *pairing) arguments(op *Op, v form) (err error) {
	switch op.Kind {
	case Write, Append:
		op.Value, err = p.value(v)
	case Add, Remove, Enqueue:
		if v.kind == missing || v.is(Nil) {
			return at(v.offset, "want the value of the %v, got %v", op.Kind, v)
		}
		op.Value, err = p.value(v)
	case CAS:
		if !v.isPair() {
			return at(v.offset, "want the two values of a cas, as in [1 2], got %v", v)
		}
		if op.Old, err = p.value(v.items[0]); err == nil {
			op.Value, err = p.value(v.items[1])
		}
	case Acquire, Release:
		if v.kind != missing && !v.is(Nil) {
			err = at(v.offset, "want :key for what tells a lock from others, and no value, got %v", v)
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
		return "", at(v.offset, `want another value: the text "nil" cannot be told from nil`)
	}
	return p.values.text(v, 0)
}

// elements returns what a read of a set returned: a set, or a list of all its elements.
func (p *pairing) elements(v form) (string, error) {
	var list []string
	switch {
	case v.is(Nil):
	case v.kind == set, v.kind == vector:
		for _, f := range v.items {
			e, err := p.values.text(f, 0)
			if err != nil {
				return "", err
			}
			list = append(list, e)
		}
	default:
		return "", at(v.offset, "want the elements of the set, as in #{1 2}, got %v", v)
	}
	if twice := repeated(list); twice != "" {
		return "", at(v.offset, "want %s", twice)
	}
	return Elements(list...), nil
}

// end ends an operation.
func (p *pairing) end(e *event, client int, kind Kind) error {
	var outcome Outcome
	switch {
	case e.phase.is(":ok"):
		outcome = OK
	case e.phase.is(":fail"):
		outcome = Failed
	case e.phase.is(":info"):
		outcome = Open
	default:
		return at(e.phase.offset, "want :invoke, :ok, :fail or :info, got %v", e.phase)
	}
	n, busy := p.open[client]
	if !busy {
		return at(e.process.offset, "want the call of process %d first, got %v; lines must stand in the order of time, the oldest first", client, e.phase)
	}
	op := &p.ops[n]
	if op.Kind != kind {
		return at(e.f.offset, "want the end of the %v that process %d called at line %d, got %v", op.Kind, client, p.calledAt(op), e.f)
	}
	told := p.mismatch && outcome == Failed && kind == CAS && e.cause.kind == missing
	if outcome == OK || told {
		if err := p.values.split(e, kind, false); err != nil {
			return err
		}
	}
	if key, err := p.keyText(e); err != nil || e.key.kind != missing && key != op.Key {
		return at(e.key.offset, "want the key %s of the call at line %d, got %v", show(op.Key), p.calledAt(op), e.key)
	}
	op.Outcome, op.Return = outcome, int64(p.events)
	delete(p.open, client)
	switch {
	case outcome == OK:
		return p.returned(op, e.value)
	case told && p.returned(op, e.value) == nil:
		op.Outcome = Refused
	}
	return nil
}

// returned compares what an operation returned with what it was called with, and fills
// in the value of a read.
func (p *pairing) returned(op *Op, v form) (err error) {
	switch op.Kind {
	case Read:
		if p.model == Set {
			op.Value, err = p.elements(v)
			return err
		}
		op.Value, err = p.value(v)
		return err
	case Dequeue:
		if v.kind == missing || v.is(Nil) {
			op.Outcome = Refused
			return nil
		}
		op.Value, err = p.value(v)
		return err
	case Acquire, Release:
		return nil // such as a fencing token
	}
	again := Op{Kind: op.Kind}
	if v.kind != missing || op.Kind == CAS { // other logs leave out what is known
		err = p.arguments(&again, v)
	}
	if v.kind != missing && err == nil && (again.Value != op.Value || again.Old != op.Old) {
		err = at(v.offset, "want the value of the call at line %d, got %v", p.calledAt(op), v)
	}
	return err
}
