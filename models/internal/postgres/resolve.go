package postgres

import "slices"

// resolveQuery resolves the names of a query, and chooses how its rows are found.
func (p *parser) resolveQuery(q *query, outer *scope) *scope {
	s := &scope{outer: outer}
	for _, r := range []*relation{q.from, q.other} {
		if r != nil {
			s.relations = append(s.relations, r)
		}
	}
	if q.where != nil {
		p.resolve(q.where, s)
		p.coerce(q.where, Bool, q.where.at)
	}
	q.items = p.expand(q.items, s)
	p.resolveItems(q, s)
	for i := range q.order {
		q.order[i].by = p.orderBy(q, q.order[i].by, s)
	}
	if q.limit != nil {
		p.resolve(q.limit, &scope{})
		p.coerce(q.limit, Int, q.limit.at)
	}
	if q.lock != noLock && (len(q.aggregates) > 0 || q.from != nil && q.from.table == nil) {
		fail(FeatureNotSupported, p.peek().at, "FOR UPDATE is not allowed here")
	}
	q.plan()
	return s
}

// resolveItems resolves a select list, in which aggregates are allowed.
func (p *parser) resolveItems(q *query, s *scope) {
	before := p.aggregate
	p.aggregate = q
	for _, n := range q.items {
		p.resolve(n, s)
	}
	p.aggregate = before
	for _, n := range q.items {
		if len(q.aggregates) > 0 && n.bareColumn() {
			fail(GroupingError, n.at, "column %q must appear in the GROUP BY clause or be used in an aggregate function", n.name)
		}
	}
}

// bareColumn reports whether a column stands outside an aggregate.
func (n *node) bareColumn() bool {
	if n.op == opAggregate {
		return false
	}
	return n.op == opColumn || slices.ContainsFunc(n.kids, (*node).bareColumn)
}

// orderBy resolves a key of ORDER BY: the name or number of a column of the result, or
// an expression.
func (p *parser) orderBy(q *query, n *node, s *scope) *node {
	key := n
	for i, item := range q.items {
		if n.op == opConst && n.kind == Int && n.value == Value(i)+1 || n.op == opName && n.qualifier == "" && item.name == n.name {
			key = item
			break
		}
	}
	if key == n {
		p.resolve(n, s)
	}
	if key.kind == Text {
		fail(FeatureNotSupported, n.at, "the model does not order texts")
	}
	return key
}

// expand replaces * by the columns that it stands for.
func (p *parser) expand(items []*node, s *scope) []*node {
	var list []*node
	for _, n := range items {
		if n.op != opStar {
			list = append(list, n)
			continue
		}
		if len(s.relations) == 0 {
			fail(SyntaxError, n.at, "SELECT * with no tables specified is not valid")
		}
		for _, r := range s.relations {
			if n.qualifier != "" && n.qualifier != r.name {
				continue
			}
			for i, c := range r.columns {
				list = append(list, &node{op: opColumn, kind: c.kind, name: c.name, relation: r.number, column: i, at: n.at})
			}
		}
	}
	return list
}

// resolve finds out what the names in an expression mean, and its kind.
func (p *parser) resolve(n *node, s *scope) {
	if n.query != nil {
		p.resolveQuery(n.query, s)
		if n.op == opScalar {
			if len(n.query.items) != 1 {
				fail(SyntaxError, n.at, "subquery must return only one column")
			}
			n.kind, n.name = n.query.items[0].kind, n.query.items[0].name
		}
		return
	}
	if n.op == opAggregate {
		p.resolveAggregate(n, s)
		return
	}
	for _, k := range n.kids {
		p.resolve(k, s)
	}
	if n.op == opName {
		p.resolveName(n, s)
		return
	}
	p.typeOf(n)
}

func (p *parser) resolveAggregate(n *node, s *scope) {
	q := p.aggregate
	if q == nil {
		fail(GroupingError, n.at, "aggregate functions are not allowed here")
	}
	a := aggregate{kind: aggregateKind(n.argument)}
	n.kind = Int
	if len(n.kids) > 0 {
		p.aggregate = nil
		a.argument = n.kids[0]
		p.resolve(a.argument, s)
		p.aggregate = q
		if a.kind != count {
			n.kind = a.argument.kind
		}
	}
	n.argument = len(q.aggregates)
	if q.aggregates = append(q.aggregates, a); len(q.aggregates) > maxAggregates {
		fail(ProgramLimitExceeded, n.at, "a query of the model has at most %d aggregates", maxAggregates)
	}
}

// resolveName makes a name a column or a variable. Inner tables hide outer ones.
func (p *parser) resolveName(n *node, s *scope) {
	variable := n.qualifier == "" && slices.Contains(p.variables, n.name)
	for ; s != nil; s = s.outer {
		found, qualified := s.find(n)
		switch {
		case found > 1 || found == 1 && variable && p.function:
			fail(AmbiguousColumn, n.at, "column reference %q is ambiguous", n.name)
		case found == 1:
			return
		case qualified:
			fail(UndefinedColumn, n.at, "column %s.%s does not exist", n.qualifier, n.name)
		case s.xmax && n.name == "xmax":
			n.op, n.kind = opXmax, Int
			return
		}
	}
	switch {
	case variable:
		n.op, n.argument = opParam, p.argument(n.name, n.at)
	case n.qualifier != "":
		fail(UndefinedTable, n.at, "missing FROM-clause entry for table %q", n.qualifier)
	default:
		fail(UndefinedColumn, n.at, "column %q does not exist", n.name)
	}
}

// find makes a name the column of that name, and counts how many there are.
func (s *scope) find(n *node) (found int, qualified bool) {
	for _, r := range s.relations {
		if n.qualifier != "" && n.qualifier != r.name {
			continue
		}
		qualified = qualified || n.qualifier != ""
		for i, c := range r.columns {
			if c.name == n.name {
				found++
				n.op, n.kind, n.relation, n.column = opColumn, c.kind, r.number, i
			}
		}
	}
	return found, qualified
}
