package flow

import (
	"cmp"
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// compile checks and compiles the whole flow.
func (c *compiler) compile() {
	c.create()
	if !c.broken {
		c.declarations()
	}
	if len(c.file.handlers) == 0 {
		c.bad(len(c.lexer.text), "the flow has no handler: on request { }, on event { } or every 100ms { }")
	}
	for _, h := range c.file.handlers {
		c.handler(h)
	}
	c.rollback()
	for _, in := range c.program.code {
		if in.do == ask {
			c.program.kinds |= 1 << in.kind
		}
	}
}

// rollback is the statement of a task that ends inside a transaction: the last one.
func (c *compiler) rollback() {
	sql, err := c.program.Schema.Prepare("rollback")
	if err != nil {
		c.sqlError(0, err)
	}
	c.program.Statements = append(c.program.Statements, Statement{Text: "rollback", SQL: sql, role: ends})
}

func (c *compiler) declarations() {
	p := c.program
	for _, d := range c.file.declarations {
		for _, column := range d.columns {
			if !c.columns(d.what, column) {
				continue
			}
			at := Column{column.table.text, column.column.text}
			switch d.what {
			case "effect":
				p.Effects = append(p.Effects, at.Table)
			case "conserve":
				p.Conserved = append(p.Conserved, at)
			case "fold":
				p.Folds = append(p.Folds, at)
			case "recovery":
				p.Recovery = append(p.Recovery, at)
			case "ordered":
				p.Ordered = append(p.Ordered, at)
			case "watch":
				p.Watched = append(p.Watched, at)
			}
		}
	}
}

// columns checks that a table has the columns that a declaration needs.
func (c *compiler) columns(what string, d column) bool {
	if what == "ordered" && !c.column(column{table: d.table}, "id") {
		return false
	}
	return what == "ordered" && d.column.text == "" || c.column(d, cmp.Or(d.column.text, "intent"))
}

// column checks that there is a table, and that it has a column.
func (c *compiler) column(d column, name string) bool {
	s := c.program.Schema
	t := s.Table(d.table.text)
	if t < 0 {
		c.report(d.table.at, sql.UndefinedTable, "relation \""+d.table.text+"\" does not exist (SQLSTATE 42P01)"+nearest(d.table.text, s.Tables()))
		return false
	}
	if s.Column(t, name) < 0 {
		at := cmp.Or(d.column.at, d.table.at)
		c.report(at, sql.UndefinedColumn, "column "+d.table.text+"."+name+" does not exist (SQLSTATE 42703)"+nearest(name, s.TableColumns(t)))
		return false
	}
	return true
}

func action(k ActionKind) instruction {
	return instruction{do: ask, kind: k, key: none, value: none, amount: none, lifetime: none}
}

func (a *act) compile(c *compiler) {
	in := action(a.kind)
	in.note, in.absent, in.least, in.most = a.note, a.absent, a.least, a.most
	if a.word != "" {
		in.index = c.word(a.word)
	}
	for i, e := range a.values[:min(len(a.values), MaxKey)] {
		in.values[i], _ = c.expression(e)
		in.n++
	}
	in.key, _ = c.expression(a.key)
	in.value, _ = c.expression(a.value)
	in.amount, _ = c.expression(a.amount)
	in.lifetime, _ = c.expression(a.lifetime)
	c.into(&in, a.into)
	if a.kind.Ends() {
		c.leave(0)
	}
	if a.kind == Answer && a.amount.op == constant && (a.amount.value < 100 || a.amount.value > 599) {
		c.bad(a.amount.at, "want an HTTP status from 100 to 599")
	}
	if a.kind == Sleep && a.value != nil && a.value.op == constant && a.value.value < 0 {
		c.bad(a.at, "want a duration of 0s or more")
	}
	if a.kind == Ack && c.kind != Event || a.kind == Answer && c.kind != Request {
		c.bad(a.at, "on %s has no client to which it could %s", c.kind, a.kind)
	}
	c.emit(in)
}

// word is the place of the first word of a key among those of the program.
func (c *compiler) word(w string) int16 {
	i := slices.Index(c.program.Words, w)
	if i < 0 {
		i = len(c.program.Words)
		c.program.Words = append(c.program.Words, w)
	}
	return int16(i)
}

// pauses reports whether a loop with this body takes time or is left.
func (b block) pauses() bool {
	return slices.ContainsFunc(b, func(s statement) bool {
		switch s := s.(type) {
		case *query, *forEach, *raise:
			return true
		case *act:
			return s.kind != NoteMade
		case *leave:
			return !s.again
		case *branch:
			return s.then.pauses() || s.other.pauses()
		case *loop:
			return s.body.pauses()
		case *try:
			return s.body.pauses() || s.finally.pauses() || slices.ContainsFunc(s.catches, func(c clause) bool { return c.body.pauses() })
		}
		return false
	})
}
