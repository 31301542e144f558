package sql

import "slices"

func (p *parser) insert() *Part {
	t := p.wantTable()
	r := p.relation(t.name, t)
	if p.takeWords("as") {
		r.name = p.name()
	}
	i := &Part{Kind: InsertPart, Target: r}
	if p.isSymbol("(") {
		i.Columns = t.places(p.nameList())
	} else {
		for c := range t.Columns {
			i.Columns = append(i.Columns, c)
		}
	}
	switch {
	case p.takeWords("values"):
		p.rows(i)
	case p.takeWords("default", "values"):
		i.Columns, i.Values = nil, [][]*Node{nil}
	default:
		p.insertSelect(i)
	}
	if p.takeWords("on", "conflict") {
		i.Conflict = p.onConflict(r)
	}
	i.Returning = p.returning(&scope{relations: []*Relation{r}, xmax: true})
	return i
}

// rows is VALUES: one row or more.
func (p *parser) rows(i *Part) {
	t := i.Target.Table
	for {
		at := p.peek().at
		p.wantSymbol("(")
		row := p.list()
		p.wantSymbol(")")
		p.checkWidth(i, len(row), at)
		for c, n := range row {
			row[c] = p.assigned(n, t.Columns[i.Columns[c]], &scope{})
		}
		i.Values = append(i.Values, row)
		if !p.takeSymbol(",") {
			break
		}
	}
	i.Columns = i.Columns[:len(i.Values[0])]
}

func (p *parser) checkWidth(i *Part, width, at int) {
	switch {
	case width > len(i.Columns):
		fail(SyntaxError, at, "INSERT has more expressions than target columns")
	case len(i.Values) > 0 && width != len(i.Values[0]):
		fail(SyntaxError, at, "VALUES lists must all be the same length")
	case width < len(i.Columns) && len(i.Columns) < len(i.Target.Table.Columns):
		fail(SyntaxError, at, "INSERT has more target columns than expressions")
	}
}

func (p *parser) insertSelect(i *Part) {
	at := p.peek().at
	i.Query = p.selectCore()
	p.resolveQuery(i.Query, nil)
	p.checkWidth(i, len(i.Query.Items), at)
	i.Columns = i.Columns[:len(i.Query.Items)]
	for c, n := range i.Query.Items {
		p.coerce(n, i.Target.Table.Columns[i.Columns[c]].kind, n.at)
	}
}

// assigned resolves what is assigned to a column.
func (p *parser) assigned(n *Node, c Column, s *scope) *Node {
	if n.Op == OpDefault {
		if c.Initial == nil && !c.Serial {
			return &Node{Op: OpConst, Kind: c.kind, Value: Null, at: n.at}
		}
		if c.Initial != nil {
			return c.Initial
		}
		return n
	}
	p.resolve(n, s)
	if n.Kind != Unknown && n.Kind != c.kind {
		fail(DatatypeMismatch, n.at, "column %q is of type %v but expression is of type %v", c.name, c.kind, n.Kind)
	}
	p.coerce(n, c.kind, n.at)
	return n
}

func (p *parser) onConflict(r *Relation) *Conflict {
	c := &Conflict{}
	at := p.peek().at
	if p.isSymbol("(") {
		c.Index = p.arbiter(r.Table)
	} else if p.isWord("on") {
		p.unsupported("ON CONFLICT ON CONSTRAINT")
	}
	p.wantWords("do")
	if p.takeWords("nothing") {
		return c
	}
	p.wantWords("update", "set")
	if c.Index == nil {
		fail(SyntaxError, at, "ON CONFLICT DO UPDATE requires inference specification or constraint name")
	}
	c.Update = true
	c.Excluded = p.relation("excluded", r.Table)
	s := &scope{relations: []*Relation{r, c.Excluded}}
	c.Columns, c.Values = p.assignments(r.Table)
	p.resolveAssignments(r.Table, c.Columns, c.Values, s)
	if p.takeWords("where") {
		c.Where = p.expression()
		p.resolve(c.Where, s)
		p.coerce(c.Where, Bool, c.Where.at)
	}
	return c
}

// arbiter is the unique index with exactly the columns that ON CONFLICT names.
func (p *parser) arbiter(t *Table) *Index {
	start := p.peek().at
	names, at := p.nameList()
	want := t.places(names, at)
	for i, name := range names {
		if p.function && slices.Contains(p.variables, name) {
			fail(AmbiguousColumn, at[i], "column reference %q is ambiguous", name)
		}
	}
	slices.Sort(want)
	for _, x := range t.Indexes {
		if x.Unique && slices.Equal(slices.Sorted(slices.Values(x.columns)), want) {
			return x
		}
	}
	fail(InvalidColumnReference, start, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
	return nil
}
