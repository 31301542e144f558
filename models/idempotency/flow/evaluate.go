package flow

import (
	"cmp"
	"math"
	"math/bits"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// node is an expression of a program; a and b are those it is made of.
type node struct {
	op    operator
	a, b  int16
	value sql.Value
}

const maxNodes = 4096

func (c *compiler) node(n node) int16 {
	if len(c.program.nodes) >= maxNodes {
		if !c.full {
			c.bad(c.token.at, "the flow has more than %d operands and operators", maxNodes)
		}
		c.full = true
		return 0
	}
	c.program.nodes = append(c.program.nodes, n)
	return int16(len(c.program.nodes) - 1)
}

// expression compiles an expression, and says whether it is a clock reading. A duration
// may be added to a reading, and it may be compared with another one; nothing else.
func (c *compiler) expression(e *expression) (index int16, clock bool) {
	if e == nil {
		return none, false
	}
	switch e.op {
	case constant:
		return c.node(node{op: constant, value: e.value}), false
	case textual:
		return c.node(node{op: constant, value: c.program.Schema.Text(e.text)}), false
	case named:
		n, clock := c.resolve(ident{e.at, e.text})
		return c.node(n), clock
	}
	n := node{op: e.op}
	var left, right bool
	n.a, left = c.expression(e.left)
	n.b, right = c.expression(e.right)
	if e.op != equal && e.op != and && e.op != or && e.op != not && e.op != isNull && (e.left.op == textual || e.right != nil && e.right.op == textual) {
		c.bad(e.at, "a text can only be compared, with = and <>")
	}
	switch {
	case e.op == less && (left || right):
		n.op = earlier
	case e.op == add && left != right, e.op == subtract && left && !right:
		clock = true
	case e.op == subtract && left:
		c.bad(e.at, "two clock readings can only be compared: let deadline = clock + max_wait")
	case e.op == equal && (left || right):
		c.bad(e.at, "clock readings are compared by <, <=, > or >=")
	case left && e.op != isNull || right:
		c.bad(e.at, "a clock reading can only be compared, and a duration be added")
	}
	return c.node(n), clock
}

// value evaluates an expression. As in SQL what is made of Null is Null, but for is null,
// and for false and null, true or null. A number out of range and a division by zero are
// errors as in SQL: the task has a fault then, and the value does not count.
func (p *Program) value(t *Task, at int16, now sim.Wall) sql.Value {
	n := &p.nodes[at]
	switch n.op {
	case constant:
		return n.value
	case variable:
		return t.variables[n.value]
	case input:
		return t.input[n.value]
	case parameter:
		return p.Params.value(n.value)
	case builtin:
		return t.builtin(n.value, now)
	}
	a := p.value(t, n.a, now)
	switch n.op {
	case isNull:
		return truth(a == sql.Null)
	case not:
		if a == sql.Null {
			return a
		}
		return truth(a == 0)
	case negate:
		return -a // of Null too
	}
	if n.op == and || n.op == or {
		if decided(n.op, a) { // the other side may be an error
			return truth(n.op == or)
		}
		return logic(n.op, a, p.value(t, n.b, now))
	}
	v, code := combine(n.op, a, p.value(t, n.b, now))
	t.fault = cmp.Or(t.fault, code)
	return v
}

func combine(op operator, a, b sql.Value) (sql.Value, sql.Code) {
	if a == sql.Null || b == sql.Null {
		return sql.Null, sql.OK
	}
	v, inRange := a, true
	switch op {
	case add:
		v = a + b
		inRange = (v < a) == (b < 0)
	case subtract:
		v = a - b
		inRange = (v > a) == (b < 0)
	case multiply:
		high, low := bits.Mul64(magnitude(a), magnitude(b))
		v, inRange = a*b, high == 0 && low <= math.MaxInt64
	case divide:
		if b == 0 {
			return sql.Null, sql.DivisionByZero
		}
		v = a / b
	case equal:
		v = truth(a == b)
	case less:
		v = truth(a < b)
	default:
		v = truth(sim.Wall(a).Before(sim.Wall(b)))
	}
	if !inRange || v == sql.Null { // which is the least number
		return sql.Null, sql.NumericValueOutOfRange
	}
	return v, sql.OK
}

// magnitude is a number without its sign.
func magnitude(v sql.Value) uint64 { return uint64(max(v, -v)) }

// decided reports whether one side alone decides and, or or.
func decided(op operator, v sql.Value) bool {
	return v != sql.Null && (v != 0) == (op == or)
}

// logic is and, or with three values.
func logic(op operator, a, b sql.Value) sql.Value {
	switch {
	case decided(op, a) || decided(op, b):
		return truth(op == or)
	case a == sql.Null || b == sql.Null:
		return sql.Null
	}
	return truth(op == and)
}

func truth(b bool) sql.Value {
	if b {
		return 1
	}
	return 0
}

func (t *Task) builtin(i sql.Value, now sim.Wall) sql.Value {
	switch i {
	case foundName:
		return truth(t.found)
	case rowsName:
		return sql.Value(t.rows)
	case stateName:
		return stateOf(t.state)
	}
	return sql.Value(now)
}

// stateOf is an SQLSTATE as a value; 0 if there was no error.
func stateOf(c sql.Code) sql.Value { return stateValue(c.String()) }
