package postgres

import "slices"

// Schema is what a database is made of: tables, constraints, indexes, interned texts and
// prepared statements. It may be shared by any number of [DB] and must not be changed
// once one of them runs.
type Schema struct {
	// A function, so that a fingerprint of a state that refers to a schema does not walk
	// through it.
	catalog func() *catalog
}

// catalog is the content of a schema.
type catalog struct {
	tables     []*table
	statements []*Statement
	setup      []*Statement // initial rows
	texts      []string
	numbers    map[string]Value
}

// table is the definition of a table.
type table struct {
	name    string
	number  int
	columns []column
	indexes []*index
	checks  []*node // over relation 0
}

// column is the definition of a column.
type column struct {
	name    string
	kind    Kind
	notNull bool
	serial  bool
	initial *node // default; nil for none
}

// index is the definition of an index.
type index struct {
	columns []int
	unique  bool
	primary bool
}

// NewSchema is an empty schema.
func NewSchema() *Schema {
	c := &catalog{numbers: map[string]Value{}}
	return &Schema{catalog: func() *catalog { return c }}
}

// Text is the value that stands for a text. It interns the text: while statements run
// only texts that the schema knows may be asked for.
func (s *Schema) Text(text string) Value {
	c := s.catalog()
	v, ok := c.numbers[text]
	if !ok {
		v = Value(len(c.texts))
		c.texts = append(c.texts, text)
		c.numbers[text] = v
	}
	return v
}

// TextOf is the text that a value stands for; empty if none does.
func (s *Schema) TextOf(v Value) string {
	if c := s.catalog(); v >= 0 && int(v) < len(c.texts) {
		return c.texts[v]
	}
	return ""
}

// Tables are the names of the tables. The number of a table is its place in the list.
func (s *Schema) Tables() []string {
	var names []string
	for _, t := range s.catalog().tables {
		names = append(names, t.name)
	}
	return names
}

// Table is the number of a table; -1 if there is none of that name.
func (s *Schema) Table(name string) int {
	return slices.IndexFunc(s.catalog().tables, func(t *table) bool { return t.name == name })
}

// TableColumns are the names of a table's columns; nil if there is no such table.
func (s *Schema) TableColumns(table int) []string {
	if table < 0 || table >= len(s.catalog().tables) {
		return nil
	}
	var names []string
	for _, c := range s.catalog().tables[table].columns {
		names = append(names, c.name)
	}
	return names
}

// Column is the place of a column in the rows of a table; -1 if there is none.
func (s *Schema) Column(table int, name string) int {
	return slices.Index(s.TableColumns(table), name)
}

// column is the place of a column; -1 if there is none.
func (t *table) column(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// Create runs statements that make the initial state: CREATE TABLE, CREATE INDEX, and any
// other that a session may run, one after another, each on its own. The error is an
// [*Error]; the schema is then of no use.
func (s *Schema) Create(ddl string) (err error) {
	defer caught(&err)
	p := &parser{schema: s, text: ddl, tokens: lex(ddl)}
	for p.peek().kind != endOfText {
		if p.takeSymbol(";") {
			continue
		}
		at := p.peek().at
		if p.isWord("create") {
			p.create()
		} else {
			st := p.statement()
			if len(st.arguments) > 0 {
				fail(SyntaxError, at, "a statement that makes the initial state has no parameters, got %s", st.arguments[0])
			}
			s.catalog().setup = append(s.catalog().setup, st)
		}
		if !p.takeSymbol(";") && p.peek().kind != endOfText {
			p.unexpected()
		}
		db := empty(s, Options{Sessions: 1})
		if code := db.load(); code != OK {
			fail(code, at, "the initial rows break a rule: %v", code)
		}
	}
	return nil
}
