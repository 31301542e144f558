package sql

import "slices"

// create is CREATE TABLE or CREATE INDEX.
func (p *parser) create() {
	p.wantWords("create")
	switch {
	case p.takeWords("table"):
		p.createTable()
	case p.takeWords("unique", "index"):
		p.createIndex(true)
	case p.takeWords("index"):
		p.createIndex(false)
	default:
		p.unsupported("this form of CREATE")
	}
}

func (p *parser) createTable() {
	at := p.peek().at
	t := &Table{name: p.name(), Number: len(p.schema.Catalog().Tables)}
	if p.schema.Table(t.name) >= 0 {
		fail(DuplicateTable, at, "relation %q already exists", t.name)
	}
	if t.Number == MaxTables {
		fail(ProgramLimitExceeded, at, "a database of the model has at most %d tables", MaxTables)
	}
	p.wantSymbol("(")
	var checks []*Node
	p.plain = true
	for {
		switch {
		case p.takeWords("constraint"):
			p.name()
			checks = p.tableConstraint(t, checks)
		case p.isWord("primary"), p.isWord("unique"), p.isWord("check"), p.isWord("foreign"):
			checks = p.tableConstraint(t, checks)
		default:
			checks = p.columnDefinition(t, checks)
		}
		if !p.takeSymbol(",") {
			break
		}
	}
	p.wantSymbol(")")
	p.plain = false
	if len(t.Columns) > MaxColumns {
		fail(ProgramLimitExceeded, at, "a table of the model has at most %d columns", MaxColumns)
	}
	p.relations = 0
	s := &scope{relations: []*Relation{p.relation(t.name, t)}}
	for _, c := range checks {
		p.resolve(c, s)
		p.coerce(c, Bool, c.at)
		t.Checks = append(t.Checks, c)
	}
	p.relations = 0
	slices.SortStableFunc(t.Indexes, func(a, b *Index) int { return int(Truth(b.primary)) - int(Truth(a.primary)) })
	p.schema.Catalog().Tables = append(p.schema.Catalog().Tables, t)
}

func (p *parser) tableConstraint(t *Table, checks []*Node) []*Node {
	switch {
	case p.takeWords("primary", "key"):
		list := t.places(p.nameList())
		for _, c := range list {
			t.Columns[c].NotNull = true
		}
		p.addIndex(t, &Index{columns: list, Unique: true, primary: true})
	case p.takeWords("unique"):
		p.addIndex(t, &Index{columns: t.places(p.nameList()), Unique: true})
	case p.takeWords("check"):
		p.wantSymbol("(")
		checks = append(checks, p.expression())
		p.wantSymbol(")")
	default:
		p.unsupported("this constraint")
	}
	return checks
}

// addIndex gives a table an index, unless it has the same.
func (p *parser) addIndex(t *Table, x *Index) {
	if len(t.Indexes) == MaxIndexes {
		fail(ProgramLimitExceeded, p.peek().at, "a table of the model has at most %d indexes", MaxIndexes)
	}
	t.Indexes = append(t.Indexes, x)
}

func (p *parser) columnDefinition(t *Table, checks []*Node) []*Node {
	at := p.peek().at
	c := Column{name: p.name()}
	if t.column(c.name) >= 0 {
		fail(SyntaxError, at, "column %q specified more than once", c.name)
	}
	c.kind, c.Serial = p.typeName()
	c.NotNull = c.Serial
	t.Columns = append(t.Columns, c)
	place := len(t.Columns) - 1
	for {
		c := &t.Columns[place]
		switch {
		case p.takeWords("not", "null"):
			c.NotNull = true
		case p.takeWords("null"):
		case p.takeWords("primary", "key"):
			c.NotNull = true
			p.addIndex(t, &Index{columns: []int{place}, Unique: true, primary: true})
		case p.takeWords("unique"):
			p.addIndex(t, &Index{columns: []int{place}, Unique: true})
		case p.takeWords("default"):
			c.Initial = p.sum()
			p.resolve(c.Initial, &scope{})
			p.coerce(c.Initial, c.kind, at)
		case p.takeWords("check"):
			p.wantSymbol("(")
			checks = append(checks, p.expression())
			p.wantSymbol(")")
		case p.takeWords("generated", "always", "as", "identity"), p.takeWords("generated", "by", "default", "as", "identity"):
			c.Serial, c.NotNull = true, true
		case p.isWord("references"), p.isWord("constraint"), p.isWord("generated"):
			p.unsupported("this constraint of a column")
		default:
			return checks
		}
	}
}

// types are the types of columns. A number with a fraction has none: numeric is integer.
var types = map[string]Kind{"int": Int, "integer": Int, "bigint": Int, "smallint": Int, "int4": Int, "int8": Int, "serial": Int,
	"bigserial": Int, "numeric": Int, "decimal": Int, "text": Text, "varchar": Text, "char": Text, "uuid": Text, "json": Text, "jsonb": Text,
	"timestamp": Timestamp, "timestamptz": Timestamp, "boolean": Bool, "bool": Bool, "interval": Interval, "xid": Int}

func (p *parser) typeName() (k Kind, serial bool) {
	at := p.peek().at
	declared := p.name()
	k, ok := types[declared]
	if !ok {
		fail(FeatureNotSupported, at, "type %q does not exist in the model", declared)
	}
	if p.takeSymbol("(") {
		for !p.takeSymbol(")") {
			if p.take().kind == endOfText {
				p.unexpected()
			}
		}
	}
	if k == Timestamp && (p.isWord("with") || p.isWord("without")) {
		p.take()
		p.wantWords("time", "zone")
	}
	return k, declared == "serial" || declared == "bigserial"
}

func (p *parser) createIndex(unique bool) {
	p.takeWords("concurrently")
	if !p.isWord("on") {
		p.name()
	}
	p.wantWords("on")
	t := p.wantTable()
	p.addIndex(t, &Index{columns: t.places(p.nameList()), Unique: unique})
	if p.isWord("where") {
		p.unsupported("a partial index")
	}
}
