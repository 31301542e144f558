package flow

import (
	"errors"
	"slices"
	"strings"

	"fencepost/models/internal/postgres"
	"fencepost/models/internal/postgres/sql"
)

// create builds the tables.
func (c *compiler) create() {
	for _, q := range c.file.tables {
		constant := true
		c.arguments(q, func(at int, _ string) {
			c.bad(at, "outside a handler there are no variables")
			constant = false
		})
		if !constant {
			c.broken = true
			continue
		}
		if err := postgres.Create(c.program.Schema, c.sqlText(q)); err != nil {
			c.broken = true
			c.sqlError(q.at, err)
		}
	}
}

// sqlText is a statement as PostgreSQL can read it: comments of the flow are blank.
func (c *compiler) sqlText(q *query) string {
	b := []byte(c.lexer.text[q.at:q.end])
	for i := 0; i < len(b); {
		switch {
		case b[i] == '\'':
			i += quoted(string(b[i:]))
		case comment(string(b[i:min(i+2, len(b))]), 0):
			for ; i < len(b) && b[i] != '\n'; i++ {
				b[i] = ' '
			}
		default:
			i++
		}
	}
	return string(b)
}

// sqlError reports what PostgreSQL finds, at its place in the flow.
func (c *compiler) sqlError(at int, err error) {
	var e *sql.Error
	if !errors.As(err, &e) {
		c.bad(at, "%v", err)
		return
	}
	message := e.Message + " (SQLSTATE " + e.Code.String() + ")"
	c.report(at+e.Offset, e.Code, message+c.meant(at+e.Offset, e.Code))
}

// meant is the nearest name to the one that an error is about.
func (c *compiler) meant(at int, code sql.Code) string {
	n := at
	for n < len(c.lexer.text) && (letter(c.lexer.text[n]) || digit(c.lexer.text[n])) {
		n++
	}
	var names []string
	s := c.program.Schema
	switch code {
	case sql.UndefinedTable:
		names = s.Tables()
	case sql.UndefinedColumn:
		for i := range s.Tables() {
			names = append(names, s.TableColumns(i)...)
		}
	}
	return nearest(strings.ToLower(c.lexer.text[at:n]), names)
}

// query compiles an SQL statement to the action that runs it.
func (c *compiler) query(q *query) (instruction, bool) {
	if c.fetching > 0 {
		c.bad(q.at, "SQL in the body of for ends the result that it fetches")
	}
	if q.index == 0 {
		s, ok := c.statement(q)
		if !ok {
			c.into(&instruction{}, q.into) // what reads them is no mistake
			return instruction{}, false
		}
		c.program.Statements = append(c.program.Statements, s)
		q.index = int16(len(c.program.Statements))
	}
	s := &c.program.Statements[q.index-1]
	in := action(Query)
	in.index = q.index - 1
	in.n = uint8(len(s.Values))
	for i, v := range s.Values {
		n, _ := c.resolve(ident{q.at, v})
		in.values[i] = c.node(n)
	}
	if len(q.into) > MaxValues {
		c.bad(q.into[0].at, "a flow reads at most %d columns of a row, not %d", MaxValues, len(q.into))
		return in, false
	}
	c.into(&in, q.into)
	if s.SQL == nil || q.into == nil {
		return in, true
	}
	kinds := s.SQL.ColumnKinds()
	if len(kinds) != len(q.into) {
		c.bad(q.into[0].at, "the statement returns %d columns for %d names", len(kinds), len(q.into))
		return in, true
	}
	for i, k := range kinds {
		if slot := int(in.names[i]); slot < len(c.clock) {
			c.clock[slot] = c.clock[slot] || k == sql.Timestamp
		}
	}
	return in, true
}

func (q *query) compile(c *compiler) {
	if in, ok := c.query(q); ok {
		c.emit(in)
	}
}

// into gives the variables that take a reply their slots.
func (c *compiler) into(in *instruction, names []ident) {
	for i, id := range names[:min(len(names), MaxValues)] {
		in.names[i] = c.declare(id)
		in.into++
	}
}

// statement prepares an SQL statement.
func (c *compiler) statement(q *query) (Statement, bool) {
	s := Statement{Text: strings.TrimSpace(c.lexer.text[q.at:q.end]), role: roleOf(c.lexer.text[q.at:q.end])}
	s.Line, s.Column = position(c.lexer.text, q.at)
	if !c.variablesOf(q) || c.broken {
		return s, false
	}
	prepared, err := c.prepare(c.sqlText(q))
	var e *sql.Error
	switch {
	case err == nil:
		s.SQL, s.Values = prepared, prepared.Arguments
	case c.file.asWritten && errors.As(err, &e):
		s.Code, s.role = e.Code, other
		return s, true
	default:
		c.sqlError(q.at, err)
		return s, false
	}
	if len(s.Values) > MaxValues {
		c.bad(q.at, "a statement of a flow takes at most %d values, not %d", MaxValues, len(s.Values))
		return s, false
	}
	return s, true
}

// prepare lets the names of variables stand without a colon only where the flow says so:
// elsewhere tenant is the column, and :tenant the variable.
func (c *compiler) prepare(text string) (*sql.Statement, error) {
	if c.file.plpgsql {
		return c.program.Schema.PrepareFunction(text, c.known()...)
	}
	return c.program.Schema.Prepare(text)
}

// variablesOf checks the names behind a colon; false: one is unknown.
func (c *compiler) variablesOf(q *query) bool {
	ok := true
	c.arguments(q, func(at int, name string) {
		if name == "" {
			c.bad(at, "want a variable as :key")
			ok = false
		} else if !slices.Contains(c.known(), name) {
			c.bad(at, "no variable %s%s", name, nearest(name, c.known()))
			ok = false
		}
	})
	return ok
}

// arguments calls f for each :name and $1 of a statement; a number has no name.
func (c *compiler) arguments(q *query, f func(at int, name string)) {
	text := c.sqlText(q)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\'':
			i += quoted(text[i:]) - 1
		case strings.HasPrefix(text[i:], "::"):
			i++
		case text[i] == ':' || text[i] == '$':
			n := i + 1
			for n < len(text) && (letter(text[n]) || digit(text[n])) {
				n++
			}
			name := strings.ToLower(text[i+1 : n])
			if text[i] == '$' {
				name = ""
			}
			f(q.at+i, name)
		}
	}
}

// roleOf is what a statement does to a transaction, by its first words.
func roleOf(text string) role {
	words := strings.Fields(strings.ToLower(text))
	switch words[0] {
	case "begin", "start":
		return begins
	case "commit", "end", "abort":
		return ends
	case "rollback":
		if slices.Contains(words, "to") {
			return other
		}
		return ends
	case "set", "savepoint", "release":
		return other
	}
	return works
}
