package sql

import "slices"

// resolveQuery resolves the names of a query, and chooses how its rows are found.
func (p *parser) resolveQuery(q *Query, outer *scope) *scope {
	s := &scope{query: q, outer: outer}
	aggregate := p.aggregate
	p.aggregate = nil
	for _, r := range []*Relation{q.From, q.Other} {
		if r != nil {
			s.relations = append(s.relations, r)
		}
	}
	if q.Where != nil {
		p.resolve(q.Where, s)
		p.coerce(q.Where, Bool, q.Where.at)
		p.arrange(q)
	}
	q.Items = p.expand(q.Items, s)
	p.resolveItems(q, s)
	for i := range q.Order {
		q.Order[i].By = p.orderBy(q, q.Order[i].By, s)
	}
	if q.Limit != nil {
		p.resolve(q.Limit, &scope{})
		p.coerce(q.Limit, Int, q.Limit.at)
	}
	if q.Lock != NoLock && (len(q.Aggregates) > 0 || q.From != nil && q.From.Table == nil) {
		fail(FeatureNotSupported, p.peek().at, "FOR UPDATE is not allowed here")
	}
	q.plan()
	q.Late = outer == nil && q.From != nil && q.Other == nil && (q.Where.locks() || q.Lock != NoLock && q.Limit != nil) && (len(q.Order) == 0 || q.Access.Ordered)
	p.aggregate = aggregate
	q.settled = true
	return s
}

// resolveItems resolves a select list, in which aggregates are allowed.
func (p *parser) resolveItems(q *Query, s *scope) {
	before := p.aggregate
	p.aggregate = q
	for _, n := range q.Items {
		p.resolve(n, s)
	}
	p.aggregate = before
	for _, n := range q.Items {
		q.requireGrouped(n)
	}
}

// requireGrouped refuses a column of the query outside its aggregates, if it has some.
func (q *Query) requireGrouped(n *Node) {
	switch {
	case len(q.Aggregates) == 0 || n.Op == OpAggregate:
		return
	case n.Query == nil:
		for _, k := range n.Kids {
			q.requireGrouped(k)
		}
	}
	if n.isOf(q.From) || n.Query != nil && n.has(func(n *Node) bool { return n.isOf(q.From) }, nil) {
		fail(GroupingError, n.at, "column %q must appear in the GROUP BY clause or be used in an aggregate function", n.name)
	}
}

// orderBy resolves a key of ORDER BY: the name or number of a column of the result, or
// an expression.
func (p *parser) orderBy(q *Query, n *Node, s *scope) *Node {
	key := n
	for i, item := range q.Items {
		byPlace := n.Op == OpConst && n.Kind == Int && n.Value == Value(i)+1
		byName := n.Op == opName && n.qualifier == "" && item.name == n.name
		switch {
		case !byPlace && !byName:
		case key == n:
			key = item
		case key.Op != OpColumn || item.Op != OpColumn || key.Relation != item.Relation || key.Column != item.Column:
			fail(AmbiguousColumn, n.at, "ORDER BY %q is ambiguous", n.name)
		}
	}
	if key == n {
		switch {
		case n.Op == OpConst && n.Kind == Int:
			fail(InvalidColumnReference, n.at, "ORDER BY position %d is not in select list", n.Value)
		case n.Op == OpConst:
			fail(SyntaxError, n.at, "non-integer constant in ORDER BY")
		}
		if n.has((*Node).isAggregate, nil) {
			p.unsupported("an aggregate in ORDER BY that is not in the select list")
		}
		p.resolve(n, s)
		q.requireGrouped(n)
	}
	if key.Kind == Text {
		fail(FeatureNotSupported, n.at, "the model does not order texts")
	}
	return key
}

// expand replaces * by the columns that it stands for.
func (p *parser) expand(items []*Node, s *scope) []*Node {
	var list []*Node
	for _, n := range items {
		if n.Op != opStar {
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
			for i, c := range r.Columns {
				list = append(list, &Node{Op: OpColumn, Kind: c.kind, name: c.name, Relation: r.Number, Column: i, at: n.at})
			}
		}
	}
	return list
}

// resolve finds out what the names in an expression mean, and its kind.
func (p *parser) resolve(n *Node, s *scope) {
	if n.Query != nil {
		p.resolveSubquery(n, s)
		return
	}
	if n.Op == OpAggregate {
		p.resolveAggregate(n, s)
		return
	}
	for _, k := range n.Kids {
		p.resolve(k, s)
	}
	if n.Op == opName {
		p.resolveName(n, s)
		return
	}
	p.typeOf(n)
}

func (p *parser) resolveAggregate(n *Node, s *scope) {
	q := p.aggregate
	if q == nil {
		fail(GroupingError, n.at, "aggregate functions are not allowed here")
	}
	a := Aggregate{Kind: AggregateKind(n.Argument)}
	n.Kind = Int
	if len(n.Kids) > 0 {
		p.aggregate = nil
		a.Argument = n.Kids[0]
		p.resolve(a.Argument, s)
		own := func(n *Node) bool { return n.isOf(q.From) }
		if a.Argument.has((*Node).isColumn, nil) && !a.Argument.has(own, nil) {
			fail(FeatureNotSupported, n.at, "an aggregate of columns of the query outside is not supported by the model")
		}
		p.aggregate = q
		if a.Kind != Count {
			n.Kind = a.Argument.Kind
		}
	}
	n.Argument = len(q.Aggregates)
	if q.Aggregates = append(q.Aggregates, a); len(q.Aggregates) > MaxAggregates {
		fail(ProgramLimitExceeded, n.at, "a query of the model has at most %d aggregates", MaxAggregates)
	}
}

// resolveName makes a name a column or a variable. Inner tables hide outer ones.
func (p *parser) resolveName(n *Node, s *scope) {
	variable := n.qualifier == "" && slices.Contains(p.variables, n.name)
	for inner := s; s != nil; s = s.outer {
		found, qualified := s.find(n)
		switch {
		case found > 1 || found == 1 && variable && p.function:
			fail(AmbiguousColumn, n.at, "column reference %q is ambiguous", n.name)
		case found == 1:
			inner.dependOn(s)
			return
		case qualified:
			fail(UndefinedColumn, n.at, "column %s.%s does not exist", n.qualifier, n.name)
		case s.xmax && n.name == "xmax":
			n.Op, n.Kind = OpXmax, Int
			inner.dependOn(s)
			return
		}
	}
	switch {
	case variable:
		n.Op, n.Argument = OpParam, p.argument(n.name, n.at)
	case n.qualifier != "":
		fail(UndefinedTable, n.at, "missing FROM-clause entry for table %q", n.qualifier)
	default:
		fail(UndefinedColumn, n.at, "column %q does not exist", n.name)
	}
}

// dependOn notes that the queries of a scope and of those around it, up to another, need a row of that.
func (s *scope) dependOn(other *scope) {
	for ; s != other; s = s.outer {
		if s.query != nil {
			s.query.correlated = true
		}
	}
}

// find makes a name the column of that name, and counts how many there are.
func (s *scope) find(n *Node) (found int, qualified bool) {
	for _, r := range s.relations {
		if n.qualifier != "" && n.qualifier != r.name {
			continue
		}
		qualified = qualified || n.qualifier != ""
		for i, c := range r.Columns {
			if c.name == n.name {
				found++
				n.Op, n.Kind, n.Relation, n.Column = OpColumn, c.kind, r.Number, i
			}
		}
	}
	return found, qualified
}
