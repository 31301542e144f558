package flow

import (
	"slices"
	"time"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Task is a run of a handler. It is a plain value: it can be copied and compared. The zero
// Task is idle.
type Task struct {
	variables [MaxVariables]sql.Value
	input     [8]sql.Value
	number    uint32 // of the last action
	rows      int32
	steps     uint16 // since the last action that leaves the process
	pc        int16
	handler   Handler
	state     sql.Code // the last error
	fault     sql.Code // of an expression, until it is raised
	found     bool
	waiting   bool // for the reply to action number
	open      bool // a transaction is
	closing   bool // that reply ends the transaction of a task that ends
}

// Idle reports whether the task runs no handler.
func (t *Task) Idle() bool { return t.handler == 0 }

// Print implements [sim.Printer].
func (t *Task) Print(p *sim.Print) {
	if t.handler == 0 { // what it did is forgotten when it starts
		p.Fold(uint64(t.number))
		return
	}
	for _, v := range t.variables {
		p.Fold(uint64(v))
	}
	for _, v := range t.input {
		p.Fold(uint64(v))
	}
	flags := uint64(0)
	for i, f := range [...]bool{t.found, t.waiting, t.open, t.closing} {
		if f {
			flags |= 1 << i
		}
	}
	p.Fold(uint64(t.number)<<32|uint64(uint32(t.rows)), uint64(t.steps)<<16|uint64(uint16(t.pc)), uint64(t.fault)<<24|uint64(t.handler)<<16|uint64(t.state)<<8|flags)
}

// Start starts a handler of the program, which must have it; the next call of [Program.Next]
// needs no reply. Whatever the task was doing is forgotten. Actions are numbered on, so that
// late replies to it are ignored.
func (p *Program) Start(t *Task, h Handler, in Input) {
	if !p.Has(h) {
		panic("flow: " + p.Name + " has no handler " + h.String())
	}
	*t = Task{number: t.number, handler: h, pc: p.entry[h], input: in.list()}
	for i := range t.variables {
		t.variables[i] = sql.Null
	}
}

// Next takes the reply to the last action and runs to the next one. A reply with another
// number than the last action's changes nothing; the answer is [None] then, and for an idle
// task. now is the wall clock of the server that runs the task. After an action that
// [ActionKind.Ends] the task is idle.
//
// An error that is not caught ends the handler: rollback, then answer 500, or no ack. So
// does a handler that runs 4096 instructions without leaving the process. A transaction
// that is still open at the end is rolled back.
func (p *Program) Next(t *Task, r Reply, now sim.Wall) (a Action) {
	if t.handler == 0 || t.waiting && r.Number != t.number {
		return a
	}
	if t.waiting {
		p.accept(t, &r)
	}
	for {
		if t.steps++; t.steps > maxSteps {
			t.steps = 0
			t.pc = p.failure[t.handler]
		}
		in := &p.code[t.pc]
		switch in.do {
		case ask:
			if p.ask(t, in, now, &a) {
				return a
			}
		case set, unless:
			v := p.value(t, in.condition, now)
			switch {
			case p.faulty(t, in):
			case in.do == set:
				t.variables[in.names[0]] = v
				t.pc++
			case v == sql.Null || v == 0:
				t.pc = in.to
			default:
				t.pc++
			}
		case jump:
			t.pc = in.to
		case again:
			p.raise(t, in, t.state)
		default:
			panic("flow: " + p.Name + " ran past its end")
		}
	}
}

// accept takes a reply.
func (p *Program) accept(t *Task, r *Reply) {
	t.waiting = false
	if t.closing { // whatever it says: the transaction is no more
		t.closing, t.open = false, false
		return
	}
	in := &p.code[t.pc]
	role := works
	if in.kind == Query {
		role = p.Statements[in.index].role
		p.follow(t, role, r.Code)
	}
	if r.Code != sql.OK {
		p.raise(t, in, r.Code)
		return
	}
	switch {
	case in.kind == Query && role == works: // BEGIN and COMMIT find nothing, as in PL/pgSQL
		t.found, t.rows = r.Rows > 0, r.Rows
	case in.kind >= Fetch && in.kind <= CacheDelIf || in.kind == Lookup:
		t.found = r.Found
	}
	p.receive(t, in, r)
	t.pc++
}

// receive gives the values of a reply to the variables that take them.
func (p *Program) receive(t *Task, in *instruction, r *Reply) {
	for i := range in.into {
		switch v := &t.variables[in.names[i]]; {
		case in.kind >= CacheSet && in.kind <= CacheDelIf:
			*v = truth(r.Found)
		case t.found || in.kind == Charge:
			*v = r.Values[i]
		case in.kind != Fetch: // after the last row its values stay
			*v = sql.Null
		}
	}
}

// follow keeps track of the transaction.
func (p *Program) follow(t *Task, role role, code sql.Code) {
	switch {
	case code == sql.ConnectionFailure, role == ends: // an error of COMMIT ends the transaction too
		t.open = false
	case role == begins && code == sql.OK:
		t.open = true
	}
}

// raise goes to the catch that takes an error, or to the end of the handler.
func (p *Program) raise(t *Task, in *instruction, code sql.Code) {
	t.state = code
	t.pc = p.failure[t.handler]
	for i := in.catch; i != none; i = p.catches[i].outer {
		if p.catches[i].takes(code) {
			t.pc = p.catches[i].to
			return
		}
	}
}

// faulty raises the error of an expression of an instruction, if there was one.
func (p *Program) faulty(t *Task, in *instruction) bool {
	code := t.fault
	if code == sql.OK {
		return false
	}
	t.fault = sql.OK
	p.raise(t, in, code)
	return true
}

func (c *catch) takes(code sql.Code) bool {
	return len(c.states) == 0 || slices.Contains(c.states, code)
}

// ask fills in the action of an instruction; false: it has ended at once with an error.
func (p *Program) ask(t *Task, in *instruction, now sim.Wall, a *Action) bool {
	if in.kind.Ends() && t.open {
		t.closing = true
		p.rollback(t, a)
		return true
	}
	p.fill(t, in, now, a)
	if p.faulty(t, in) {
		*a = Action{}
		return false
	}
	t.number++
	t.waiting = true
	if in.kind != NoteMade { // which takes no time
		t.steps = 0
	}
	if a.Number = t.number; in.kind.Ends() {
		*t = Task{number: t.number}
	}
	return true
}

func (p *Program) rollback(t *Task, a *Action) {
	t.number++
	t.steps, t.waiting = 0, true
	a.Do, a.Number, a.Statement = Query, t.number, int16(len(p.Statements)-1)
}

func (p *Program) fill(t *Task, in *instruction, now sim.Wall, a *Action) {
	a.Do, a.Note, a.N, a.Absent, a.HasValue = in.kind, in.note, in.n, in.absent, in.value != none
	a.Key, a.Value, a.Amount = p.optional(t, in.key, now), p.optional(t, in.value, now), p.optional(t, in.amount, now)
	a.Lifetime, a.Least, a.Most = span(p.optional(t, in.lifetime, now)), in.least, in.most
	for i := range in.n {
		a.Values[i] = p.value(t, in.values[i], now)
	}
	switch in.kind {
	case Query, Fetch:
		a.Statement = in.index
	case Sleep:
		if in.value != none {
			a.Least, a.Most, a.HasValue = span(a.Value), span(a.Value), false
		}
	case Answer:
		a.Status = status(a.Amount)
	default:
		a.Word = in.index
	}
}

// optional is the value of an expression; 0 if there is none.
func (p *Program) optional(t *Task, at int16, now sim.Wall) sql.Value {
	if at == none {
		return 0
	}
	return p.value(t, at, now)
}

// span is a value as a duration; Null and less than nothing are 0.
func span(v sql.Value) time.Duration { return time.Duration(max(v, 0)) }

// status is a value as an HTTP status; 500 for what is none.
func status(v sql.Value) int16 {
	if v < 100 || v > 599 {
		return 500
	}
	return int16(v)
}
