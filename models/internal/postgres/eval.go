package postgres

import (
	"math"

	"fencepost/models/internal/postgres/sql"
)

// run is a statement while it is being executed: it lives for one call.
type run struct {
	db         *DB
	me         int32
	s          *session
	st         *sql.Statement
	rows       [sql.MaxRelations][]sql.Value // the present row of each relation
	aggregates [sql.MaxAggregates]sql.Value
	met        [sql.MaxJoins]sql.Value // what each condition that is a join has met: a row of the subquery, or a value
	again      bool                    // the present row is a new version of one that met the conditions
	xmax       sql.Value
	code       sql.Code // why it failed
	on         int32    // session, plus 1, for which it has to wait
}

func (x *run) stopped() bool { return x.code != sql.OK || x.on != 0 }

func (x *run) fail(code sql.Code) sql.Value {
	if x.code == sql.OK {
		x.code = code
	}
	return sql.Null
}

// eval is the value of an expression for the present rows. NULL is neither true nor
// false.
func (x *run) eval(n *sql.Node) sql.Value {
	switch n.Op {
	case sql.OpConst:
		return n.Value
	case sql.OpParam:
		return x.s.args[n.Argument]
	case sql.OpColumn:
		return x.rows[n.Relation][n.Column]
	case sql.OpEqual, sql.OpDiffer, sql.OpLess, sql.OpLessEqual, sql.OpGreater, sql.OpGreaterEqual:
		return x.compare(n)
	case sql.OpAnd, sql.OpOr, sql.OpNot:
		return x.logic(n)
	case sql.OpNegate, sql.OpAdd, sql.OpSubtract, sql.OpMultiply, sql.OpDivide, sql.OpModulo:
		return x.arithmetic(n)
	case sql.OpIsNull:
		return sql.Truth(x.eval(n.Kids[0]) == sql.Null)
	case sql.OpIsNotNull:
		return sql.Truth(x.eval(n.Kids[0]) != sql.Null)
	case sql.OpCase:
		return x.choose(n)
	case sql.OpGreatest, sql.OpLeast, sql.OpCoalesce:
		return x.pick(n)
	case sql.OpNow:
		return x.s.started
	case sql.OpClock:
		return sql.Value(x.db.now)
	case sql.OpXmax:
		return x.xmax
	case sql.OpAggregate:
		return x.aggregates[n.Argument]
	case sql.OpExists, sql.OpScalar, sql.OpIn:
		return x.subquery(n)
	case sql.OpLock, sql.OpTryLock:
		return x.advise(n)
	}
	return x.eval(n.Kids[0])
}

func (x *run) compare(n *sql.Node) sql.Value {
	a, b := x.eval(n.Kids[0]), x.eval(n.Kids[1])
	if a == sql.Null || b == sql.Null {
		return sql.Null
	}
	k := n.Kids[0].Kind
	switch n.Op {
	case sql.OpEqual:
		return sql.Truth(a == b)
	case sql.OpDiffer:
		return sql.Truth(a != b)
	case sql.OpLess:
		return sql.Truth(sql.Before(a, b, k))
	case sql.OpLessEqual:
		return sql.Truth(!sql.Before(b, a, k))
	case sql.OpGreater:
		return sql.Truth(sql.Before(b, a, k))
	}
	return sql.Truth(!sql.Before(a, b, k))
}

// logic is AND, OR and NOT with three truth values. What the first operand decides is not
// evaluated further.
func (x *run) logic(n *sql.Node) sql.Value {
	a := x.eval(n.Kids[0])
	if n.Op == sql.OpNot {
		if a == sql.Null {
			return sql.Null
		}
		return 1 - a
	}
	decides := sql.Truth(n.Op == sql.OpOr)
	if a == decides {
		return a
	}
	if b := x.eval(n.Kids[1]); a != sql.Null || b == decides {
		return b
	}
	return sql.Null
}

func (x *run) arithmetic(n *sql.Node) sql.Value {
	a := x.eval(n.Kids[0])
	if n.Op == sql.OpNegate {
		if a == sql.Null {
			return sql.Null
		}
		return -a
	}
	b := x.eval(n.Kids[1])
	if a == sql.Null || b == sql.Null {
		return sql.Null
	}
	var v sql.Value
	exact := true
	switch n.Op {
	case sql.OpAdd:
		v = a + b
		exact = (v > a) == (b > 0)
	case sql.OpSubtract:
		v = a - b
		exact = (v < a) == (b > 0)
	case sql.OpMultiply:
		v = a * b
		exact = a == 0 || v/a == b && !(a == -1 && b == math.MinInt64)
	case sql.OpDivide, sql.OpModulo:
		if b == 0 {
			return x.fail(sql.DivisionByZero)
		}
		if v = a / b; n.Op == sql.OpModulo {
			v = a % b
		}
	}
	if !exact || v == sql.Null {
		return x.fail(sql.NumericValueOutOfRange)
	}
	return v
}

func (x *run) choose(n *sql.Node) sql.Value {
	last := len(n.Kids) - 1
	for i := 0; i < last; i += 2 {
		if x.eval(n.Kids[i]) == 1 {
			return x.eval(n.Kids[i+1])
		}
	}
	return x.eval(n.Kids[last])
}

// pick is GREATEST, LEAST and COALESCE, none of which counts NULL.
func (x *run) pick(n *sql.Node) sql.Value {
	best := sql.Null
	for _, k := range n.Kids {
		v := x.eval(k)
		switch {
		case v == sql.Null:
		case best == sql.Null,
			n.Op == sql.OpGreatest && sql.Before(best, v, n.Kind),
			n.Op == sql.OpLeast && sql.Before(v, best, n.Kind):
			best = v
		}
		if n.Op == sql.OpCoalesce && best != sql.Null {
			break
		}
	}
	return best
}

// holds reports whether a condition is true; one that is not there is. Of conditions that are joined by AND none is
// evaluated behind one that is not true.
func (x *run) holds(where *sql.Node) bool {
	if where == nil {
		return true
	}
	if where.Op == sql.OpAnd {
		return x.holds(where.Kids[0]) && x.holds(where.Kids[1])
	}
	return x.eval(where) == 1 && !x.stopped()
}
