package flow

import (
	"fencepost/models/internal/postgres"
	"fencepost/sim"
)

// node is an expression of a program; a and b are those it is made of.
type node struct {
	op    operator
	a, b  int16
	value postgres.Value
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
// and for false and null, true or null. So is a division by zero.
func (p *Program) value(t *Task, at int16, now sim.Wall) postgres.Value {
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
		return truth(a == postgres.Null)
	case not:
		if a == postgres.Null {
			return a
		}
		return truth(a == 0)
	case negate:
		return -a // of Null too
	}
	return combine(n.op, a, p.value(t, n.b, now))
}

func combine(op operator, a, b postgres.Value) postgres.Value {
	switch op {
	case and, or:
		return logic(op, a, b)
	}
	if a == postgres.Null || b == postgres.Null {
		return postgres.Null
	}
	switch op {
	case add:
		return a + b
	case subtract:
		return a - b
	case multiply:
		return a * b
	case divide:
		if b == 0 {
			return postgres.Null
		}
		return a / b
	case equal:
		return truth(a == b)
	case less:
		return truth(a < b)
	}
	return truth(sim.Wall(a).Before(sim.Wall(b)))
}

// logic is and, or with three values: the one that decides alone decides.
func logic(op operator, a, b postgres.Value) postgres.Value {
	decides := op == or
	switch {
	case a != postgres.Null && (a != 0) == decides, b != postgres.Null && (b != 0) == decides:
		return truth(decides)
	case a == postgres.Null || b == postgres.Null:
		return postgres.Null
	}
	return truth(!decides)
}

func truth(b bool) postgres.Value {
	if b {
		return 1
	}
	return 0
}

func (t *Task) builtin(i postgres.Value, now sim.Wall) postgres.Value {
	switch i {
	case foundName:
		return truth(t.found)
	case rowsName:
		return postgres.Value(t.rows)
	case stateName:
		return stateOf(t.state)
	}
	return postgres.Value(now)
}

// stateOf is an SQLSTATE as a value; 0 if there was no error.
func stateOf(c postgres.Code) postgres.Value { return stateValue(c.String()) }
