package postgres

import (
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// reader goes through the rows of a subquery.
type reader struct {
	cursor
	q      *sql.Query
	most   int  // rows that LIMIT leaves
	sorted bool // its rows lie in the session's list, from base on
	base   int
	at     int
}

// start puts a reader before the first row.
func (x *run) start(r *reader, q *sql.Query) {
	r.q, r.base, r.most = q, len(x.s.list), x.limit(q)
	r.sorted = len(q.Order) > 0 && !q.Access.Ordered
	switch {
	case r.most == 0 || !x.opens(q):
		r.most = 0
	case r.sorted:
		x.collect(q, r.most)
	case !x.open(&r.cursor, q.From, &q.Access):
		r.most = 0
	}
}

// next makes the next row of a reader the present one of its relation, and locks it if the query does.
func (x *run) next(r *reader) bool {
	for r.most > 0 && x.step(r) && !x.stopped() {
		if r.q.Lock != sql.NoLock {
			slot, ok := x.lock(r.q, r.slot)
			if x.stopped() {
				return false
			}
			if !ok {
				continue
			}
			x.load(r.q.From, slot)
		}
		r.most--
		return true
	}
	return false
}

// step finds the next row that satisfies the query.
func (x *run) step(r *reader) bool {
	if r.sorted {
		if r.base+r.at == len(x.s.list) || x.stopped() {
			return false
		}
		r.slot = x.s.list[r.base+r.at].slot
		r.at++
		return r.q.From == nil || x.load(r.q.From, r.slot)
	}
	for x.advance(&r.cursor) {
		if x.holds(r.q.Where) {
			return true
		}
	}
	return false
}

// subquery is EXISTS, IN, and the value of a query that returns at most one row. One that depends on no row outside is
// evaluated once in a statement, when it is first needed, as an InitPlan of PostgreSQL is.
func (x *run) subquery(n *sql.Node) sql.Value {
	if x.again && n.Join != 0 {
		return x.rejoin(n)
	}
	before := x.again
	x.again = false
	v := x.answer(n, before && n.Op == sql.OpIn)
	x.again = before
	return v
}

// answer is the value of an expression with a query, which may have to be read anew.
func (x *run) answer(n *sql.Node, anew bool) sql.Value {
	left := sql.Null
	if n.Op == sql.OpIn {
		if left = x.eval(n.Kids[0]); n.Join != 0 {
			x.met[n.Join-1] = left
		}
	}
	from := len(x.s.values)
	list := x.find(n, left, anew)
	x.s.values = x.s.values[:from]
	if x.stopped() {
		return sql.Null
	}
	return verdict(n, left, list)
}

// find are the values of a subquery, as many of them as decide. They lie on those of the session.
func (x *run) find(n *sql.Node, left sql.Value, anew bool) []sql.Value {
	s := x.s
	if list, ok := s.recall(n.Once); ok && !anew || x.stopped() {
		return list
	}
	from := len(s.values)
	if len(n.Query.Aggregates) > 0 {
		x.total(n.Query)
	} else {
		x.list(n, left)
	}
	list := s.values[from:]
	if n.Once != 0 && !anew && !x.stopped() {
		s.memo = append(append(s.memo, sql.Value(n.Once), sql.Value(len(list))), list...)
	}
	return list
}

// opens checks what a query needs before its rows are read. It reports false if none can satisfy it.
func (x *run) opens(q *sql.Query) bool {
	if !x.holds(q.Constant) {
		return false
	}
	for _, n := range q.First {
		from := len(x.s.values)
		list := x.find(n, sql.Null, false)
		x.s.values = x.s.values[:from]
		if len(list) == 0 {
			return false
		}
	}
	return !x.stopped()
}

// recall is what a subquery that is evaluated once has been found to be.
func (s *session) recall(once int32) ([]sql.Value, bool) {
	for list := s.memo; once != 0 && len(list) > 0; {
		end := 2 + int(list[1])
		if list[0] == sql.Value(once) {
			return list[2:end], true
		}
		list = list[end:]
	}
	return nil, false
}

// verdict is the value of an expression with a subquery, whose values are given.
func verdict(n *sql.Node, left sql.Value, list []sql.Value) sql.Value {
	switch {
	case n.Op == sql.OpExists:
		return sql.Truth(len(list) > 0)
	case len(list) == 0 && n.Op == sql.OpScalar:
		return sql.Null
	case n.Op == sql.OpScalar:
		return list[0]
	case len(list) == 0:
		return 0
	case left != sql.Null && slices.Contains(list, left):
		return 1
	case left == sql.Null || slices.Contains(list, sql.Null):
		return sql.Null
	}
	return 0
}

// total adds the value of a subquery with aggregates, which is one row, to the session's.
func (x *run) total(q *sql.Query) {
	if x.limit(q) == 0 {
		return
	}
	outer := x.aggregates
	x.aggregate(q)
	v := x.eval(q.Items[0])
	x.aggregates = outer
	x.s.values = append(x.s.values, v)
}

// list adds the values of a subquery to the session's, as many of them as decide.
func (x *run) list(n *sql.Node, left sql.Value) {
	s, q := x.s, n.Query
	var r reader
	found := 0
	for x.start(&r, q); x.next(&r); found++ {
		v := sql.Value(1)
		if n.Op != sql.OpExists || q.Lock != sql.NoLock {
			v = x.eval(q.Items[0])
		}
		s.values = append(s.values, v)
		switch {
		case n.Op == sql.OpExists && n.Join != 0:
			x.met[n.Join-1] = sql.Value(r.slot)
		case n.Op == sql.OpScalar && found == 1:
			x.fail(sql.CardinalityViolation)
		}
		if n.Op == sql.OpExists || n.Op == sql.OpIn && n.Once == 0 && v == left && left != sql.Null {
			break
		}
	}
	s.list = s.list[:r.base]
}

// rejoin is a condition that PostgreSQL makes a join of, for a new version of a row: what the old one has met has to
// fit it too. Where the old one has met nothing, below NOT, that is not looked for again.
//
// Source: PostgreSQL 15, src/backend/executor/README, "EvalPlanQual (READ COMMITTED Update Checking)".
func (x *run) rejoin(n *sql.Node) sql.Value {
	switch {
	case n.Anti:
		return 0
	case n.Op == sql.OpIn:
		return sql.Truth(x.eval(n.Kids[0]) == x.met[n.Join-1])
	}
	x.load(n.Query.From, int32(x.met[n.Join-1]))
	return sql.Truth(x.holds(n.Query.Where))
}
