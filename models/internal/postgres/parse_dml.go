package postgres

import "slices"

// queries is a statement of one or more parts: WITH, UNION ALL.
func (p *parser) queries() *Statement {
	st := &Statement{}
	if p.takeWords("with") {
		for {
			p.withQuery(st)
			if !p.takeSymbol(",") {
				break
			}
		}
	}
	last := p.part()
	p.settle(last.results())
	st.parts = append(st.parts, last)
	st.tag = [...]Tag{selectPart: TagSelect, insertPart: TagInsert, updatePart: TagUpdate, deletePart: TagDelete}[last.kind]
	for _, n := range last.results() {
		st.columns, st.results = append(st.columns, n.name), append(st.results, n.kind)
	}
	for last.kind == selectPart && p.takeWords("union") {
		p.union(st, last)
	}
	if len(st.columns) > maxResult || len(st.parts) > maxParts {
		fail(ProgramLimitExceeded, p.peek().at, "a statement of the model returns at most %d columns and has at most %d parts", maxResult, maxParts)
	}
	return st
}

// union is one more part, whose rows follow those of the others.
func (p *parser) union(st *Statement, first *part) {
	p.wantWords("all")
	q := p.selectCore()
	p.resolveQuery(q, nil)
	if len(q.items) != len(first.query.items) {
		fail(SyntaxError, p.peek().at, "each UNION query must have the same number of columns")
	}
	if first.query.limited() || q.limited() {
		p.unsupported("ORDER BY, LIMIT or FOR UPDATE with UNION")
	}
	for i, n := range q.items {
		p.unify(first.query.items[i], n, n.at)
		st.results[i] = first.query.items[i].kind
	}
	st.parts = append(st.parts, &part{kind: selectPart, query: q})
}

func (q *query) limited() bool { return q.limit != nil || q.lock != noLock || len(q.order) > 0 }

// withQuery is name AS (query).
func (p *parser) withQuery(st *Statement) {
	r := p.relation(p.name(), nil)
	r.part = len(st.parts)
	p.wantWords("as")
	p.wantSymbol("(")
	t := p.part()
	p.wantSymbol(")")
	t.with = true
	p.settle(t.results())
	for _, n := range t.results() {
		r.columns = append(r.columns, column{name: n.name, kind: n.kind})
	}
	st.parts = append(st.parts, t)
	p.with = append(p.with, r)
}

// results are the expressions of the rows that a part returns.
func (t *part) results() []*node {
	if t.kind == selectPart {
		return t.query.items
	}
	return t.returning
}

// part is one query with its names resolved.
func (p *parser) part() *part {
	switch {
	case p.isWord("select"):
		q := p.selectCore()
		p.resolveQuery(q, nil)
		return &part{kind: selectPart, query: q}
	case p.takeWords("insert", "into"):
		return p.insert()
	case p.takeWords("update"):
		return p.update()
	case p.takeWords("delete", "from"):
		return p.delete()
	}
	if t := p.peek(); t.kind == word && t.bare && slices.Contains([]string{"create", "alter", "drop", "truncate", "lock", "copy"}, t.text) {
		p.unsupported(t.text)
	}
	p.unexpected()
	return nil
}

// selectCore parses a SELECT; its names are not resolved yet.
func (p *parser) selectCore() *query {
	p.wantWords("select")
	q := &query{}
	if p.isWord("distinct") {
		p.unsupported("DISTINCT")
	}
	for {
		q.items = append(q.items, p.item())
		if !p.takeSymbol(",") {
			break
		}
	}
	if p.takeWords("from") {
		q.from = p.source()
		if p.isSymbol(",") || p.isWord("join") || p.isWord("left") || p.isWord("inner") {
			p.unsupported("a join in SELECT")
		}
	}
	if p.takeWords("where") {
		q.where = p.expression()
	}
	if p.isWord("group") || p.isWord("having") {
		p.unsupported("GROUP BY")
	}
	p.orderAndLimit(q)
	q.lock = p.locking()
	return q
}

// item is an expression with the name that it has in the result.
func (p *parser) item() *node {
	at := p.peek().at
	if p.takeSymbol("*") {
		return &node{op: opStar, at: at}
	}
	n := p.expression()
	switch {
	case p.takeWords("as"):
		n.qualifierAs(p.take().text)
	case p.peek().kind == word && !slices.Contains(reserved, p.peek().text):
		n.qualifierAs(p.take().text)
	case n.op == opConst && n.kind == Unknown, n.name == "":
		n.qualifierAs("?column?")
	}
	return n
}

// qualifierAs wraps nothing: it renames the column of a result. A name that is not
// resolved yet is needed as it is, so that the new name is kept in a node around it.
func (n *node) qualifierAs(name string) {
	inner := *n
	*n = node{op: opSame, at: n.at, name: name, kids: []*node{&inner}}
}

// source is what FROM names: a table, or the result of a WITH query.
func (p *parser) source() *relation {
	var r *relation
	t := p.peek()
	for _, w := range p.with {
		if w.name == t.text {
			r = p.relation(p.name(), nil)
			r.columns, r.part = w.columns, w.part
			break
		}
	}
	if r == nil {
		table := p.wantTable()
		r = p.relation(table.name, table)
	}
	if p.takeWords("as") || p.peek().kind == word && !slices.Contains(reserved, p.peek().text) && !p.isWord("set") {
		r.name = p.name()
	}
	return r
}

func (p *parser) orderAndLimit(q *query) {
	if p.takeWords("order", "by") {
		for {
			k := orderKey{by: p.expression()}
			k.descending = p.takeWords("desc")
			if !k.descending {
				p.takeWords("asc")
			}
			q.order = append(q.order, k)
			if !p.takeSymbol(",") {
				break
			}
		}
	}
	if p.takeWords("limit") {
		q.limit = p.expression()
	}
	if p.isWord("offset") {
		p.unsupported("OFFSET")
	}
}

func (p *parser) locking() lockMode {
	if !p.takeWords("for") {
		return noLock
	}
	if !p.takeWords("update") {
		p.unsupported("this row lock")
	}
	switch {
	case p.takeWords("skip", "locked"):
		return skipLocked
	case p.takeWords("nowait"):
		return noWait
	}
	return forUpdate
}

func (p *parser) update() *part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	if p.takeWords("as") || !p.isWord("set") {
		r.name = p.name()
	}
	q := &query{from: r}
	p.wantWords("set")
	columns, values := p.assignments(t)
	if p.takeWords("from") {
		q.other = p.source()
	}
	if p.takeWords("where") {
		q.where = p.expression()
	}
	s := p.resolveQuery(q, nil)
	p.resolveAssignments(t, columns, values, s)
	return &part{kind: updatePart, target: r, query: q, columns: columns, values: [][]*node{values}, returning: p.returning(s)}
}

// assignments are column = expression, separated by commas.
func (p *parser) assignments(t *table) (columns []int, values []*node) {
	for {
		at := p.peek().at
		if p.isSymbol("(") {
			p.unsupported("SET of several columns at once")
		}
		columns = append(columns, t.places([]string{p.name()}, []int{at})[0])
		p.wantSymbol("=")
		values = append(values, p.expression())
		if !p.takeSymbol(",") {
			return columns, values
		}
	}
}

func (p *parser) resolveAssignments(t *table, columns []int, values []*node, s *scope) {
	for i, n := range values {
		values[i] = p.assigned(n, t.columns[columns[i]], s)
	}
}

func (p *parser) delete() *part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	q := &query{from: r}
	if p.isWord("using") {
		p.unsupported("DELETE .. USING")
	}
	if p.takeWords("where") {
		q.where = p.expression()
	}
	s := p.resolveQuery(q, nil)
	return &part{kind: deletePart, target: r, query: q, returning: p.returning(s)}
}

// returning is RETURNING, with its names resolved.
func (p *parser) returning(s *scope) []*node {
	if !p.takeWords("returning") {
		return nil
	}
	var list []*node
	for {
		list = append(list, p.item())
		if !p.takeSymbol(",") {
			break
		}
	}
	list = p.expand(list, s)
	for _, n := range list {
		p.resolve(n, s)
	}
	return list
}
