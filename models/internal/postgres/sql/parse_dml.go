package sql

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
	st.Parts = append(st.Parts, last)
	st.Tag = [...]Tag{SelectPart: TagSelect, InsertPart: TagInsert, UpdatePart: TagUpdate, DeletePart: TagDelete}[last.Kind]
	for _, n := range last.results() {
		st.columns, st.results = append(st.columns, n.name), append(st.results, n.Kind)
	}
	for last.Kind == SelectPart && p.takeWords("union") {
		p.union(st, last)
	}
	markUnread(st.Parts)
	if len(st.columns) > MaxResult || len(st.Parts) > MaxParts {
		fail(ProgramLimitExceeded, p.peek().at, "a statement of the model returns at most %d columns and has at most %d parts", MaxResult, MaxParts)
	}
	return st
}

// markUnread finds the WITH queries whose rows no part needs: PostgreSQL runs only those that write.
func markUnread(parts []*Part) {
	needed := make([]bool, len(parts))
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		if p.Unread = p.With && p.Kind == SelectPart && !needed[i]; p.Unread {
			continue
		}
		for _, other := range p.reads {
			needed[other] = true
		}
	}
}

// union is one more part, whose rows follow those of the others.
func (p *parser) union(st *Statement, first *Part) {
	p.wantWords("all")
	p.reads = nil
	q := p.selectCore()
	p.resolveQuery(q, nil)
	if len(q.Items) != len(first.Query.Items) {
		fail(SyntaxError, p.peek().at, "each UNION query must have the same number of columns")
	}
	if first.Query.limited() || q.limited() {
		p.unsupported("ORDER BY, LIMIT or FOR UPDATE with UNION")
	}
	for i, n := range q.Items {
		p.unify(first.Query.Items[i], n, n.at)
		st.results[i] = first.Query.Items[i].Kind
	}
	st.Parts = append(st.Parts, &Part{Kind: SelectPart, Query: q, reads: p.reads})
}

func (q *Query) limited() bool { return q.Limit != nil || q.Lock != NoLock || len(q.Order) > 0 }

// withQuery is name AS (query).
func (p *parser) withQuery(st *Statement) {
	r := p.relation(p.name(), nil)
	r.Part = len(st.Parts)
	p.wantWords("as")
	p.wantSymbol("(")
	t := p.part()
	p.wantSymbol(")")
	t.With = true
	r.locks = t.Kind == SelectPart && t.Query.locks()
	p.settle(t.results())
	for _, n := range t.results() {
		r.Columns = append(r.Columns, Column{name: n.name, kind: n.Kind})
	}
	st.Parts = append(st.Parts, t)
	p.with = append(p.with, r)
}

// results are the expressions of the rows that a part returns.
func (t *Part) results() []*Node {
	if t.Kind == SelectPart {
		return t.Query.Items
	}
	return t.Returning
}

// part is one query with its names resolved.
func (p *parser) part() *Part {
	p.reads = nil
	t := p.onePart()
	t.reads = p.reads
	return t
}

func (p *parser) onePart() *Part {
	switch {
	case p.isWord("select"):
		q := p.selectCore()
		p.resolveQuery(q, nil)
		return &Part{Kind: SelectPart, Query: q}
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
func (p *parser) selectCore() *Query {
	p.wantWords("select")
	q := &Query{}
	if p.isWord("distinct") {
		p.unsupported("DISTINCT")
	}
	for {
		q.Items = append(q.Items, p.item())
		if !p.takeSymbol(",") {
			break
		}
	}
	if p.takeWords("from") {
		q.From = p.source()
		if p.isSymbol(",") || p.isWord("join") || p.isWord("left") || p.isWord("inner") {
			p.unsupported("a join in SELECT")
		}
	}
	if p.takeWords("where") {
		q.Where = p.expression()
	}
	if p.isWord("group") || p.isWord("having") {
		p.unsupported("GROUP BY")
	}
	p.orderAndLimit(q)
	if q.Lock = p.locking(); q.Lock != NoLock && q.Limit == nil {
		p.limit(q) // may stand behind it
	}
	if q.From == nil {
		q.Lock = NoLock // there is no row
	} else if q.From.locks && (q.Limit != nil || p.inside > 0) {
		p.unsupported("reading a part of a WITH query that locks its rows")
	}
	return q
}

// item is an expression with the name that it has in the result.
func (p *parser) item() *Node {
	at := p.peek().at
	if p.takeSymbol("*") {
		return &Node{Op: opStar, at: at}
	}
	n := p.expression()
	switch {
	case p.takeWords("as"):
		n.qualifierAs(p.take().text)
	case p.peek().kind == word && !slices.Contains(reserved, p.peek().text):
		n.qualifierAs(p.take().text)
	case n.Op == OpConst && n.Kind == Unknown, n.name == "":
		n.qualifierAs("?column?")
	}
	return n
}

// qualifierAs wraps nothing: it renames the column of a result. A name that is not
// resolved yet is needed as it is, so that the new name is kept in a node around it.
func (n *Node) qualifierAs(name string) {
	inner := *n
	*n = Node{Op: opSame, at: n.at, name: name, Kids: []*Node{&inner}}
}

// source is what FROM names: a table, or the result of a WITH query.
func (p *parser) source() *Relation {
	var r *Relation
	t := p.peek()
	for _, w := range p.with {
		if w.name == t.text {
			r = p.relation(p.name(), nil)
			r.Columns, r.Part, r.locks = w.Columns, w.Part, w.locks
			p.reads = append(p.reads, w.Part)
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

func (p *parser) orderAndLimit(q *Query) {
	if p.takeWords("order", "by") {
		for {
			k := OrderKey{By: p.expression()}
			k.Descending = p.takeWords("desc")
			if !k.Descending {
				p.takeWords("asc")
			}
			if p.isWord("nulls") || p.isWord("using") {
				p.unsupported("this order")
			}
			q.Order = append(q.Order, k)
			if !p.takeSymbol(",") {
				break
			}
		}
	}
	p.limit(q)
}

func (p *parser) limit(q *Query) {
	switch {
	case p.takeWords("limit", "all"):
	case p.takeWords("limit"):
		q.Limit = p.expression()
	}
	if p.isWord("offset") || p.isWord("fetch") {
		p.unsupported(p.peek().text)
	}
}

func (p *parser) locking() LockMode {
	if !p.takeWords("for") {
		return NoLock
	}
	if !p.takeWords("update") || p.isWord("of") {
		p.unsupported("this row lock")
	}
	mode := ForUpdate
	switch {
	case p.takeWords("skip", "locked"):
		mode = SkipLocked
	case p.takeWords("nowait"):
		mode = NoWait
	}
	if p.isWord("for") {
		p.unsupported("several row locks")
	}
	return mode
}

func (p *parser) update() *Part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	if p.takeWords("as") || !p.isWord("set") {
		r.name = p.name()
	}
	q := &Query{From: r}
	p.wantWords("set")
	columns, values := p.assignments(t)
	if p.takeWords("from") {
		q.Other = p.source()
	}
	if p.takeWords("where") {
		q.Where = p.expression()
	}
	s := p.resolveQuery(q, nil)
	p.resolveAssignments(t, columns, values, s)
	return &Part{Kind: UpdatePart, Target: r, Query: q, Columns: columns, Values: [][]*Node{values}, Returning: p.returning(s)}
}

// assignments are column = expression, separated by commas.
func (p *parser) assignments(t *Table) (columns []int, values []*Node) {
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

func (p *parser) resolveAssignments(t *Table, columns []int, values []*Node, s *scope) {
	for i, n := range values {
		values[i] = p.assigned(n, t.Columns[columns[i]], s)
	}
}

func (p *parser) delete() *Part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	q := &Query{From: r}
	if p.isWord("using") {
		p.unsupported("DELETE .. USING")
	}
	if p.takeWords("where") {
		q.Where = p.expression()
	}
	s := p.resolveQuery(q, nil)
	return &Part{Kind: DeletePart, Target: r, Query: q, Returning: p.returning(s)}
}

// returning is RETURNING, with its names resolved.
func (p *parser) returning(s *scope) []*Node {
	if !p.takeWords("returning") {
		return nil
	}
	var list []*Node
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
