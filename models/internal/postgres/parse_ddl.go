package postgres

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
	t := &table{name: p.name(), number: len(p.schema.catalog().tables)}
	if p.schema.Table(t.name) >= 0 {
		fail(DuplicateTable, at, "relation %q already exists", t.name)
	}
	if t.number == maxTables {
		fail(ProgramLimitExceeded, at, "a database of the model has at most %d tables", maxTables)
	}
	p.wantSymbol("(")
	var checks []*node
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
	if len(t.columns) > maxColumns {
		fail(ProgramLimitExceeded, at, "a table of the model has at most %d columns", maxColumns)
	}
	p.relations = 0
	s := &scope{relations: []*relation{p.relation(t.name, t)}}
	for _, c := range checks {
		p.resolve(c, s)
		p.coerce(c, Bool, c.at)
		t.checks = append(t.checks, c)
	}
	p.relations = 0
	slices.SortStableFunc(t.indexes, func(a, b *index) int { return int(truth(b.primary)) - int(truth(a.primary)) })
	p.schema.catalog().tables = append(p.schema.catalog().tables, t)
}

func (p *parser) tableConstraint(t *table, checks []*node) []*node {
	switch {
	case p.takeWords("primary", "key"):
		list := t.places(p.nameList())
		for _, c := range list {
			t.columns[c].notNull = true
		}
		p.addIndex(t, &index{columns: list, unique: true, primary: true})
	case p.takeWords("unique"):
		p.addIndex(t, &index{columns: t.places(p.nameList()), unique: true})
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
func (p *parser) addIndex(t *table, x *index) {
	if len(t.indexes) == maxIndexes {
		fail(ProgramLimitExceeded, p.peek().at, "a table of the model has at most %d indexes", maxIndexes)
	}
	t.indexes = append(t.indexes, x)
}

func (p *parser) columnDefinition(t *table, checks []*node) []*node {
	at := p.peek().at
	c := column{name: p.name()}
	if t.column(c.name) >= 0 {
		fail(SyntaxError, at, "column %q specified more than once", c.name)
	}
	c.kind, c.serial = p.typeName()
	c.notNull = c.serial
	t.columns = append(t.columns, c)
	place := len(t.columns) - 1
	for {
		c := &t.columns[place]
		switch {
		case p.takeWords("not", "null"):
			c.notNull = true
		case p.takeWords("null"):
		case p.takeWords("primary", "key"):
			c.notNull = true
			p.addIndex(t, &index{columns: []int{place}, unique: true, primary: true})
		case p.takeWords("unique"):
			p.addIndex(t, &index{columns: []int{place}, unique: true})
		case p.takeWords("default"):
			c.initial = p.sum()
			p.resolve(c.initial, &scope{})
			p.coerce(c.initial, c.kind, at)
		case p.takeWords("check"):
			p.wantSymbol("(")
			checks = append(checks, p.expression())
			p.wantSymbol(")")
		case p.takeWords("generated", "always", "as", "identity"), p.takeWords("generated", "by", "default", "as", "identity"):
			c.serial, c.notNull = true, true
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
	p.addIndex(t, &index{columns: t.places(p.nameList()), unique: unique})
	if p.isWord("where") {
		p.unsupported("a partial index")
	}
}
