package sql

import "slices"

// resolveSubquery resolves an expression with a query in it.
func (p *parser) resolveSubquery(n *Node, s *scope) {
	q := n.Query
	for _, k := range n.Kids {
		p.resolve(k, s)
	}
	if !q.settled { // BETWEEN and IN have it twice
		p.resolveQuery(q, s)
		if n.Op != OpExists {
			p.settle(q.Items)
		}
	}
	if !q.correlated && n.Once == 0 {
		p.queriesOnce++
		n.Once = p.queriesOnce
	}
	if n.Op == OpExists {
		return
	}
	if len(q.Items) != 1 {
		fail(SyntaxError, n.at, "subquery must return only one column")
	}
	if n.Op == OpScalar {
		n.Kind, n.name = q.Items[0].Kind, q.Items[0].name
		return
	}
	p.unify(n.Kids[0], q.Items[0], n.at)
}

// has reports whether an expression, or a query in it, has a node that is looked for. Nodes that are to be left out are
// not looked into.
func (n *Node) has(is, leave func(*Node) bool) bool {
	switch {
	case n == nil || leave != nil && leave(n):
		return false
	case is(n):
		return true
	}
	in := func(k *Node) bool { return k.has(is, leave) }
	if slices.ContainsFunc(n.Kids, in) {
		return true
	}
	q := n.Query
	if q == nil {
		return false
	}
	return q.Where.has(is, leave) || q.Limit.has(is, leave) || slices.ContainsFunc(q.Items, in) ||
		slices.ContainsFunc(q.Order, func(k OrderKey) bool { return k.By.has(is, leave) }) ||
		slices.ContainsFunc(q.Aggregates, func(a Aggregate) bool { return a.Argument.has(is, leave) })
}

func (n *Node) isAggregate() bool { return n.Op == OpAggregate }

func (n *Node) isColumn() bool { return n.Op == OpColumn }

func (n *Node) isQuery() bool { return n.Query != nil }

// isOf reports whether a node is a column of a relation.
func (n *Node) isOf(r *Relation) bool { return n.Op == OpColumn && r != nil && n.Relation == r.Number }

// locks reports whether an expression has a query that takes locks.
func (n *Node) locks() bool {
	return n.has(func(n *Node) bool { return n.Query != nil && n.Query.locks() }, nil)
}

// locks reports whether a query takes locks, of rows or advisory ones.
func (q *Query) locks() bool {
	is := func(n *Node) bool {
		return n.Op == OpLock || n.Op == OpTryLock || n.Query != nil && n.Query.Lock != NoLock
	}
	return q.Lock != NoLock || (&Node{Query: q}).has(func(n *Node) bool { return n.Query != q && is(n) }, nil)
}

// perRow reports whether an expression has a query that is evaluated for each row.
func (n *Node) perRow() bool {
	return n.has(func(n *Node) bool { return n.Query != nil && n.Once == 0 }, nil)
}

// arrange puts the conditions of a query into the order in which PostgreSQL checks them: first those on no row of it,
// which it checks once; joins, and those that need a subquery for each row, last.
//
// Source: PostgreSQL 15, src/backend/optimizer/plan/createplan.c, order_qual_clauses and create_gating_plan.
func (p *parser) arrange(q *Query) {
	var cheap, dear []*Node
	terms(q.Where, func(n *Node) bool {
		if p.joined(q, n) || n.perRow() {
			dear = append(dear, n)
		} else {
			cheap = append(cheap, n)
		}
		return true
	})
	list := append(cheap, dear...)
	q.Where = all(list)
	own := func(n *Node) bool { return n.isOf(q.From) || n.isOf(q.Other) || n.Op == OpXmax }
	volatile := func(n *Node) bool { return n.Op == OpLock || n.Op == OpTryLock || n.Op == OpClock }
	var constant []*Node
	for _, n := range list {
		if !n.has(own, nil) && !n.has(volatile, (*Node).isQuery) {
			constant = append(constant, n)
		}
	}
	q.Constant = all(constant)
}

// all joins conditions by AND; nil for none.
func all(list []*Node) (n *Node) {
	for _, k := range list {
		if n == nil {
			n = k
			continue
		}
		n = &Node{Op: OpAnd, Kind: Bool, at: k.at, Kids: []*Node{n, k}}
	}
	return n
}

// joined marks a condition that PostgreSQL makes a join of: when a row has changed while it was waited for, the condition
// is checked for the new version and the row of the subquery that the old one has met; one below NOT is not checked again.
//
// Source: PostgreSQL 15, src/backend/optimizer/plan/subselect.c, convert_EXISTS_sublink_to_join and
// convert_ANY_sublink_to_join; src/backend/executor/README, "EvalPlanQual".
func (p *parser) joined(q *Query, n *Node) bool {
	e := n
	if n.Op == OpNot && n.Kids[0].Op == OpExists {
		e = n.Kids[0]
	}
	own := func(n *Node) bool { return n.isOf(q.From) || n.isOf(q.Other) }
	i := e.Query
	switch {
	case e.Op == OpIn && e.Once != 0 && e.Kids[0].has(own, nil):
	case e.Op == OpExists && i.From != nil && i.Lock == NoLock && len(i.Aggregates) == 0 && i.Where.has(own, nil) &&
		(i.Limit == nil || i.Limit.Op == OpConst && (i.Limit.Value > 0 || i.Limit.Value == Null)):
	default:
		return false
	}
	few := i.Limit != nil || len(i.Aggregates) > 0
	if e.Op == OpIn && few && q.From != nil && q.From.leads(e.Kids[0]) {
		q.First = append(q.First, e)
	}
	if p.joins < MaxJoins {
		p.joins++
		e.Join, e.Anti, q.Joins = p.joins, e != n, true
	}
	return true
}

// leads reports whether an index of a table begins with a column.
func (r *Relation) leads(n *Node) bool {
	return r.Table != nil && n.isOf(r) && slices.ContainsFunc(r.Table.Indexes, func(x *Index) bool { return x.columns[0] == n.Column })
}
