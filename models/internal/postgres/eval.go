package postgres

import "math"

const maxAggregates = 8

// run is a statement while it is being executed: it lives for one call.
type run struct {
	db         *DB
	me         int32
	s          *session
	st         *Statement
	rows       [maxRelations][]Value // the present row of each relation
	aggregates [maxAggregates]Value
	xmax       Value
	code       Code  // why it failed
	on         int32 // session, plus 1, for which it has to wait
}

func (x *run) stopped() bool { return x.code != OK || x.on != 0 }

func (x *run) fail(code Code) Value {
	if x.code == OK {
		x.code = code
	}
	return Null
}

// eval is the value of an expression for the present rows. NULL is neither true nor
// false.
func (x *run) eval(n *node) Value {
	switch n.op {
	case opConst:
		return n.value
	case opParam:
		return x.s.args[n.argument]
	case opColumn:
		return x.rows[n.relation][n.column]
	case opEqual, opDiffer, opLess, opLessEqual, opGreater, opGreaterEqual:
		return x.compare(n)
	case opAnd, opOr, opNot:
		return x.logic(n)
	case opNegate, opAdd, opSubtract, opMultiply, opDivide, opModulo:
		return x.arithmetic(n)
	case opIsNull:
		return truth(x.eval(n.kids[0]) == Null)
	case opIsNotNull:
		return truth(x.eval(n.kids[0]) != Null)
	case opCase:
		return x.choose(n)
	case opGreatest, opLeast, opCoalesce:
		return x.pick(n)
	case opNow:
		return x.s.started
	case opClock:
		return Value(x.db.now)
	case opXmax:
		return x.xmax
	case opAggregate:
		return x.aggregates[n.argument]
	case opExists, opScalar:
		return x.subquery(n)
	case opLock, opTryLock:
		return x.advise(n)
	}
	return x.eval(n.kids[0])
}

func (x *run) compare(n *node) Value {
	a, b := x.eval(n.kids[0]), x.eval(n.kids[1])
	if a == Null || b == Null {
		return Null
	}
	k := n.kids[0].kind
	switch n.op {
	case opEqual:
		return truth(a == b)
	case opDiffer:
		return truth(a != b)
	case opLess:
		return truth(before(a, b, k))
	case opLessEqual:
		return truth(!before(b, a, k))
	case opGreater:
		return truth(before(b, a, k))
	}
	return truth(!before(a, b, k))
}

// logic is AND, OR and NOT with three truth values. What the first operand decides is not
// evaluated further.
func (x *run) logic(n *node) Value {
	a := x.eval(n.kids[0])
	if n.op == opNot {
		if a == Null {
			return Null
		}
		return 1 - a
	}
	decides := truth(n.op == opOr)
	if a == decides {
		return a
	}
	if b := x.eval(n.kids[1]); a != Null || b == decides {
		return b
	}
	return Null
}

func (x *run) arithmetic(n *node) Value {
	a := x.eval(n.kids[0])
	if n.op == opNegate {
		if a == Null {
			return Null
		}
		return -a
	}
	b := x.eval(n.kids[1])
	if a == Null || b == Null {
		return Null
	}
	var v Value
	exact := true
	switch n.op {
	case opAdd:
		v = a + b
		exact = (v > a) == (b > 0)
	case opSubtract:
		v = a - b
		exact = (v < a) == (b > 0)
	case opMultiply:
		v = a * b
		exact = a == 0 || v/a == b && !(a == -1 && b == math.MinInt64)
	case opDivide, opModulo:
		if b == 0 {
			return x.fail(DivisionByZero)
		}
		if v = a / b; n.op == opModulo {
			v = a % b
		}
	}
	if !exact || v == Null {
		return x.fail(NumericValueOutOfRange)
	}
	return v
}

func (x *run) choose(n *node) Value {
	last := len(n.kids) - 1
	for i := 0; i < last; i += 2 {
		if x.eval(n.kids[i]) == 1 {
			return x.eval(n.kids[i+1])
		}
	}
	return x.eval(n.kids[last])
}

// pick is GREATEST, LEAST and COALESCE, none of which counts NULL.
func (x *run) pick(n *node) Value {
	best := Null
	for _, k := range n.kids {
		v := x.eval(k)
		switch {
		case v == Null:
		case best == Null,
			n.op == opGreatest && before(best, v, n.kind),
			n.op == opLeast && before(v, best, n.kind):
			best = v
		}
		if n.op == opCoalesce && best != Null {
			break
		}
	}
	return best
}

// subquery is EXISTS, and the value of a query that returns at most one row.
func (x *run) subquery(n *node) Value {
	q := n.query
	if n.op == opScalar && len(q.aggregates) > 0 {
		x.aggregate(q)
		return x.eval(q.items[0])
	}
	value, found := Null, 0
	var c cursor
	for ok := x.open(&c, q.from, &q.access); ok && x.advance(&c); {
		if !x.holds(q.where) {
			continue
		}
		if found++; n.op == opExists {
			return 1
		}
		if q.limit == nil && found > 1 {
			return x.fail(CardinalityViolation)
		}
		value = x.eval(q.items[0])
		if q.limit != nil {
			break
		}
	}
	if n.op == opExists {
		return 0
	}
	return value
}

// holds reports whether a condition is true; one that is not there is.
func (x *run) holds(where *node) bool {
	return where == nil || x.eval(where) == 1 && !x.stopped()
}
