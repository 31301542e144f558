package postgres

import "slices"

func (p *parser) insert() *part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	if p.takeWords("as") {
		r.name = p.name()
	}
	i := &part{kind: insertPart, target: r}
	if p.isSymbol("(") {
		i.columns = t.places(p.nameList())
	} else {
		for c := range t.columns {
			i.columns = append(i.columns, c)
		}
	}
	switch {
	case p.takeWords("values"):
		p.rows(i)
	case p.takeWords("default", "values"):
		i.columns, i.values = nil, [][]*node{nil}
	default:
		p.insertSelect(i)
	}
	if p.takeWords("on", "conflict") {
		i.conflict = p.onConflict(r)
	}
	i.returning = p.returning(&scope{relations: []*relation{r}, xmax: true})
	return i
}

// rows is VALUES: one row or more.
func (p *parser) rows(i *part) {
	t := i.target.table
	for {
		at := p.peek().at
		p.wantSymbol("(")
		row := p.list()
		p.wantSymbol(")")
		p.checkWidth(i, len(row), at)
		for c, n := range row {
			row[c] = p.assigned(n, t.columns[i.columns[c]], &scope{})
		}
		i.values = append(i.values, row)
		if !p.takeSymbol(",") {
			break
		}
	}
	i.columns = i.columns[:len(i.values[0])]
}

func (p *parser) checkWidth(i *part, width, at int) {
	switch {
	case width > len(i.columns):
		fail(SyntaxError, at, "INSERT has more expressions than target columns")
	case len(i.values) > 0 && width != len(i.values[0]):
		fail(SyntaxError, at, "VALUES lists must all be the same length")
	case width < len(i.columns) && len(i.columns) < len(i.target.table.columns):
		fail(SyntaxError, at, "INSERT has more target columns than expressions")
	}
}

func (p *parser) insertSelect(i *part) {
	at := p.peek().at
	i.query = p.selectCore()
	p.resolveQuery(i.query, nil)
	p.checkWidth(i, len(i.query.items), at)
	i.columns = i.columns[:len(i.query.items)]
	for c, n := range i.query.items {
		p.coerce(n, i.target.table.columns[i.columns[c]].kind, n.at)
	}
}

// assigned resolves what is assigned to a column.
func (p *parser) assigned(n *node, c column, s *scope) *node {
	if n.op == opDefault {
		if c.initial == nil && !c.serial {
			return &node{op: opConst, kind: c.kind, value: Null, at: n.at}
		}
		if c.initial != nil {
			return c.initial
		}
		return n
	}
	p.resolve(n, s)
	if n.kind != Unknown && n.kind != c.kind {
		fail(DatatypeMismatch, n.at, "column %q is of type %v but expression is of type %v", c.name, c.kind, n.kind)
	}
	p.coerce(n, c.kind, n.at)
	return n
}

func (p *parser) onConflict(r *relation) *conflict {
	c := &conflict{}
	at := p.peek().at
	if p.isSymbol("(") {
		c.index = p.arbiter(r.table)
	} else if p.isWord("on") {
		p.unsupported("ON CONFLICT ON CONSTRAINT")
	}
	p.wantWords("do")
	if p.takeWords("nothing") {
		return c
	}
	p.wantWords("update", "set")
	if c.index == nil {
		fail(SyntaxError, at, "ON CONFLICT DO UPDATE requires inference specification or constraint name")
	}
	c.update = true
	c.excluded = p.relation("excluded", r.table)
	s := &scope{relations: []*relation{r, c.excluded}}
	c.columns, c.values = p.assignments(r.table)
	p.resolveAssignments(r.table, c.columns, c.values, s)
	if p.takeWords("where") {
		c.where = p.expression()
		p.resolve(c.where, s)
		p.coerce(c.where, Bool, c.where.at)
	}
	return c
}

// arbiter is the unique index with exactly the columns that ON CONFLICT names.
func (p *parser) arbiter(t *table) *index {
	start := p.peek().at
	names, at := p.nameList()
	want := t.places(names, at)
	for i, name := range names {
		if p.function && slices.Contains(p.variables, name) {
			fail(AmbiguousColumn, at[i], "column reference %q is ambiguous", name)
		}
	}
	slices.Sort(want)
	for _, x := range t.indexes {
		if x.unique && slices.Equal(slices.Sorted(slices.Values(x.columns)), want) {
			return x
		}
	}
	fail(InvalidColumnReference, start, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
	return nil
}
