package sql

import "slices"

// Schema is what a database is made of: tables, constraints, indexes, interned texts and
// prepared statements. It may be shared by any number of [DB] and must not be changed
// once one of them runs.
type Schema struct {
	// A function, so that a fingerprint of a state that refers to a schema does not walk
	// through it.
	Catalog func() *Catalog
}

// Immutable implements [sim.Immutable].
func (*Schema) Immutable() {}

// Catalog is the content of a schema.
type Catalog struct {
	Tables     []*Table
	Statements []*Statement
	Setup      []*Statement // initial rows
	texts      []string
	numbers    map[string]Value
}

// Table is the definition of a table.
type Table struct {
	name    string
	Number  int
	Columns []Column
	Indexes []*Index
	Checks  []*Node // over relation 0
}

// Column is the definition of a column.
type Column struct {
	name    string
	kind    Kind
	NotNull bool
	Serial  bool
	Initial *Node // default; nil for none
}

// Index is the definition of an index.
type Index struct {
	columns []int
	Unique  bool
	primary bool
}

// Compare orders a row against the first values of a key.
func (x *Index) Compare(row, key []Value) int {
	for i, k := range key {
		switch v := row[x.columns[i]]; {
		case v.Rank() < k.Rank():
			return -1
		case v.Rank() > k.Rank():
			return 1
		}
	}
	return 0
}

// Beyond reports whether a column of the index is greater than a bound in a row, NULL for none.
func (x *Index) Beyond(row []Value, column int, bound Value) bool {
	return bound != Null && row[x.columns[column]].Rank() > bound.Rank()
}

// KeyOf is the key of a row in an index, in the memory given.
func (x *Index) KeyOf(row []Value, into *[MaxColumns]Value) []Value {
	for i, c := range x.columns {
		into[i] = row[c]
	}
	return into[:len(x.columns)]
}

// NewSchema is an empty schema.
func NewSchema() *Schema {
	c := &Catalog{numbers: map[string]Value{}}
	return &Schema{Catalog: func() *Catalog { return c }}
}

// Text is the value that stands for a text. It interns the text: while statements run
// only texts that the schema knows may be asked for.
func (s *Schema) Text(text string) Value {
	c := s.Catalog()
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
	if c := s.Catalog(); v >= 0 && int(v) < len(c.texts) {
		return c.texts[v]
	}
	return ""
}

// Tables are the names of the tables. The number of a table is its place in the list.
func (s *Schema) Tables() []string {
	var names []string
	for _, t := range s.Catalog().Tables {
		names = append(names, t.name)
	}
	return names
}

// Table is the number of a table; -1 if there is none of that name.
func (s *Schema) Table(name string) int {
	return slices.IndexFunc(s.Catalog().Tables, func(t *Table) bool { return t.name == name })
}

// TableColumns are the names of a table's columns; nil if there is no such table.
func (s *Schema) TableColumns(table int) []string {
	if table < 0 || table >= len(s.Catalog().Tables) {
		return nil
	}
	var names []string
	for _, c := range s.Catalog().Tables[table].Columns {
		names = append(names, c.name)
	}
	return names
}

// Column is the place of a column in the rows of a table; -1 if there is none.
func (s *Schema) Column(table int, name string) int {
	return slices.Index(s.TableColumns(table), name)
}

// column is the place of a column; -1 if there is none.
func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.name == name })
}

// Create reads statements that make the initial state: CREATE TABLE, CREATE INDEX, and any
// other that a session may run, one after another, each on its own. After each it calls
// check, whose code is the statement's error if it is not [OK]. The error is an [*Error];
// the schema is then of no use.
func (s *Schema) Create(ddl string, check func() Code) (err error) {
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
			if len(st.Arguments) > 0 {
				fail(SyntaxError, at, "a statement that makes the initial state has no parameters, got %s", st.Arguments[0])
			}
			s.Catalog().Setup = append(s.Catalog().Setup, st)
		}
		if !p.takeSymbol(";") && p.peek().kind != endOfText {
			p.unexpected()
		}
		if code := check(); code != OK {
			fail(code, at, "the initial rows break a rule: %v", code)
		}
	}
	return nil
}
